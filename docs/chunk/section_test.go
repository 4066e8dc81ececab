package chunk

import (
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/text"
)

func TestSection(t *testing.T) {
	const note = "# One\ntext\n## Part *a*\nmore\n### Deep\nend\n## Part b\nlast\n```\n# Code\n```\n"
	for title, want := range map[string]string{
		"One": note[:len(note)-1], "part A": "## Part *a*\nmore\n### Deep\nend", "Deep": "### Deep\nend", "Part b": "## Part b\nlast\n```\n# Code\n```", "Code": "", "": "", "part-a": "## Part *a*\nmore\n### Deep\nend",
	} {
		start, end, ok := ParseBlocks(text.Body{Text: note}, extract.Markdown).Section(title)
		if ok != (want != "") || ok && note[start:end] != want {
			t.Errorf("%q is %q, %t; want %q", title, note[start:end], ok, want)
		}
	}
	if got := strings.Join(ParseBlocks(text.Body{Text: note}, extract.Markdown).Headings(), "|"); got != "One|Part a|Deep|Part b" {
		t.Errorf("headings are %s", got)
	}
	if got := headingAnchor("Über 1.2: C++ & *so* on_it"); got != "über-12-c--so-on_it" {
		t.Errorf("the anchor is %s", got)
	}
	if _, _, ok := ParseBlocks(text.Body{Text: note}, extract.PlainText).Section("One"); ok {
		t.Error("plain text has headings")
	}
}

// TestSectionOfLinks: headings as links name them, which leave out signs and count those
// of one name, and blocks by their marks.
func TestSectionOfLinks(t *testing.T) {
	const note = "# A (B): C\none\n\n## Log\ntwo ^first\n\n## Log\nthree\nfour ^Second\n\n- item ^third\n- other\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n^table\n\n## Log 1\nfive^no\n```\nsix ^code\n```\n"
	for title, want := range map[string]string{
		"A (B) C": "# A (B): C", "A B C": "# A (B): C", "a-b-c": "# A (B): C", "(": "", "A (B": "",
		"log": "## Log\ntwo ^first", "Log-1": "## Log\nthree", "log 1": "## Log 1\nfive^no", "log-2": "",
		"^first": "two ^first", "^second": "three\nfour ^Second", "^third": "- item ^third", "^table": "| a | b |\n|---|---|\n| 1 | 2 |",
		"^no": "", "^code": "", "^": "", "^gone": "",
	} {
		start, end, ok := ParseBlocks(text.Body{Text: note}, extract.Markdown).Section(title)
		got := note[start:end]
		if ok != (want != "") || !strings.HasPrefix(got, want) || strings.HasPrefix(title, "^") && got != want {
			t.Errorf("%q is %q, %t; want %q", title, got, ok, want)
		}
	}
}
