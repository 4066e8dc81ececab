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
		start, end, ok := Parse(text.Body{Text: note}, extract.Markdown).Section(title)
		if ok != (want != "") || ok && note[start:end] != want {
			t.Errorf("%q is %q, %t; want %q", title, note[start:end], ok, want)
		}
	}
	if got := strings.Join(Parse(text.Body{Text: note}, extract.Markdown).Headings(), "|"); got != "One|Part a|Deep|Part b" {
		t.Errorf("headings are %s", got)
	}
	if got := anchor("Über 1.2: C++ & *so* on_it"); got != "über-12-c--so-on_it" {
		t.Errorf("the anchor is %s", got)
	}
	if _, _, ok := Parse(text.Body{Text: note}, extract.Plain).Section("One"); ok {
		t.Error("plain text has headings")
	}
}
