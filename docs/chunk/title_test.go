package chunk

import (
	"strings"
	"testing"
)

func TestTitle(t *testing.T) {
	tests := []struct{ path, text, want string }{
		{"a.md", "text\n\n## Two\n\n# One\n", "One"},
		{"a.md", "text\n\n## Two\n\n### Three\n", "Two"},
		{"a.md", "---\ntitle: \"From  matter\"\n---\n## Two\n", "From matter"},
		{"a.md", "+++\ntitle = 'From TOML'\n+++\n## Two\n", "From TOML"},
		{"a.md", "---\ntitle: >\n  folded\n---\n## Two\n", "Two"},
		{"a.md", "---\ntitle: Matter\n---\n# One\n", "One"},
		{"a.md", "---\nnot matter\n---\ntext", "not matter"},
		{"a.md", "```\n# no\n```\n", ""},
		{"a.txt", "\n\n  高血压患者须知\n正文。", "高血压患者须知"},
		{"a.txt", "# Plain title\n", "Plain title"},
		{"a.txt", "This is a sentence.\n", ""},
		{"a.txt", "今天血压很高。", ""},
		{"a.txt", "- item", ""},
		{"a.txt", "-----\ntext", ""},
		{"a.txt", strings.Repeat("长", 81), ""},
		{"a.txt", strings.Repeat("长", 80), strings.Repeat("长", 80)},
		{"a.csv", "name,age\n", ""},
		{"a.md", "# " + strings.Repeat("长", 300), strings.Repeat("长", 200)},
	}
	for _, tt := range tests {
		if got := parse(tt.path, tt.text).Title(""); got != tt.want {
			t.Errorf("%s %.40q: got %q, want %q", tt.path, tt.text, got, tt.want)
		}
	}
	if got := parse("a.md", "# One").Title(" its\nown "); got != "its own" {
		t.Errorf("the title of the file is %q", got)
	}
}
