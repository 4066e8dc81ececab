package chunk

import (
	"strings"
	"testing"
)

func TestTitle(t *testing.T) {
	tests := []struct{ path, text, want string }{
		{"Kyoto.md", "---\nrating: 7\n---\n## Trips\n", ""},
		{"a.md", "text\n\n# One\n", ""},
		{"a.md", "## Two\n\n# One\n", ""},
		{"Kung Pao Chicken.md", "# Ingredients\n\nsalt\n\n# Directions\n", ""},
		{"kung-pao.md", "# Kung pao chicken\n\n# Directions\n", "Kung pao chicken"},
		{"restore_process.md", "# Restoring an instance\n\n# Directions\n", "Restoring an instance"},
		{"宫保鸡丁.md", "# 原料\n\n# 做法\n", ""},
		{"宫保鸡丁做法.md", "# 宫保鸡丁\n\n# 做法\n", "宫保鸡丁"},
		{"README.md", "# One\n\n# Two\n", "One"},
		{"12.md", "# One\n\n# Two\n", "One"},
		{"ch04-02-references.md", "## References and Borrowing\n\n### Rules\n", "References and Borrowing"},
		{"changes.md", "## 1.2\n\n## 1.1\n", ""},
		{"2024-11-05.md", "## Notes\n", ""},
		{"a.md", "<!-- made by hand -->\n\n[TOC]\n\n[![CI](a.svg)](b) ![](c.png)\n\n# One\n", "One"},
		{"a.md", "<p align=\"center\"><img src=\"a.png\"></p>\n\n<h1 align=\"center\">\n  <b>One</b> &amp; two\n</h1>\n\ntext\n", "One & two"},
		{"a.md", "A\n\n# Keywords\n", "Keywords"},
		{"a.md", "text <h1>One</h1>\n", ""},
		{"a.md", "---\ntitle: \"From  matter\"\n---\n## Two\n", "From matter"},
		{"a.md", "---\ntitle: 'It''s' # said\n---\n", "It's"},
		{"a.md", "---\ntitle: \"A \\\"b\\\"\"\n---\n", `A "b"`},
		{"a.md", "---\ntitle: C# and [[F|f]] # both\n---\n", "C# and f"},
		{"a.md", "+++\ntitle = 'From TOML'\n+++\n## Two\n", "From TOML"},
		{"a.md", "---\ntitle: >\n  folded\n  twice\nb: c\n---\n## Two\n", "folded twice"},
		{"a.md", "---\ntitle: [a]\n---\n# Two\n", "Two"},
		{"a.md", "---\ntitle:\n---\n# Two\n", "Two"},
		{"a.md", "---\ntitle: Matter\n---\n# One\n", "Matter"},
		{"a.md", "---\nnot matter\n---\ntext", "not matter"},
		{"a.md", "% A *book*\n% Ann\n\ntext", "A book"},
		{"a.md", "Title: One\nAuthor: Ann\n\n# Two", "One"},
		{"a.md", "Title: one\n\n# Two", ""},
		{"a.txt", "BIP: 32\nTitle: Deterministic Wallets\n\ntext", "BIP 32: Deterministic Wallets"},
		{"a.txt", "Dose: 32\nTitle: Salt\n\ntext", "Salt"},
		{"a.txt", "Title: Salt\nand more\n", "Title: Salt"},
		{"a.md", "```\n# no\n```\n", ""},
		{"a.md", "# Quick *start* {#quick-start .wide}\n", "Quick start"},
		{"a.md", "# [[Notes|The notes]] on ==salt== ~~and~~ f{x}\n", "The notes on salt f{x}"},
		{"a.md", "# Dose ~~300 mg~~ 150 mg\n", "Dose 150 mg"},
		{"a.md", "# ~~Dose 300 mg~~\n", "~~Dose 300 mg~~"},
		{"a.txt", "\n\n  高血压患者须知\n正文。", "高血压患者须知"},
		{"a.txt", "# Plain title\n", "Plain title"},
		{"README", "A title\n", "A title"},
		{"a.py", "import os\n", ""},
		{"a.sh", "#!/usr/bin/env python\n", ""},
		{"a.txt", "---\ntitle: From matter\ntags: [a]\n---\nFirst line\n", "From matter"},
		{"a.txt", "---\ntags: [a]\n---\n\nFirst line\n\ntext", "First line"},
		{"a.txt", "---\ntags: [a]\n---\n\nA sentence is none.\n", ""},
		{"a.txt", "---\nNo matter\n---\n\ntext", ""},
		{"a.yaml", "---\ntitle: of something in it\n---\na: b", ""},
		{"a.txt", "$ cargo run\n", ""},
		{"a.txt", "This is a sentence.\n", ""},
		{"a.txt", "今天血压很高。", ""},
		{"a.txt", "- item", ""},
		{"a.txt", "-----\ntext", ""},
		{"a.txt", strings.Repeat("长", 81), ""},
		{"a.txt", strings.Repeat("长", 80), strings.Repeat("长", 80)},
		{"a.txt", "\n<篇名>神农本草经\n书名：神农本草经\n作者：孙星衍  \n朝代：清\n", "神农本草经"},
		{"a.txt", "<篇名>医林改错\n\n<目录>卷上\n", "医林改错"},
		{"a.txt", "作者：我\n写了一本书", "作者：我"},
		{"a.csv", "name,age\n", ""},
		{"a.md", "# " + strings.Repeat("长", 300), strings.Repeat("长", 200)},
	}
	for _, tt := range tests {
		if got := parse(tt.path, tt.text).Title("", tt.path); got != tt.want {
			t.Errorf("%s %.40q: got %q, want %q", tt.path, tt.text, got, tt.want)
		}
	}
	if got := parse("a.md", "# One").Title(" its\nown ", "a.md"); got != "its own" {
		t.Errorf("the title of the file is %q", got)
	}
}
