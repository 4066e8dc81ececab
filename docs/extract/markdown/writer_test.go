package markdown

import (
	"errors"
	"strings"
	"testing"
	"time"

	"vademecum/docs/extract"
)

func TestWriter(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(w *Writer)
		want  string
	}{
		{"headings", func(w *Writer) { w.WriteHeading(0, "a\n b"); w.WriteHeading(9, "c"); w.WriteHeading(2, " \n") }, "# a b\n\n###### c\n"},
		{"paragraphs", func(w *Writer) { w.WriteParagraph("a\n\n  b "); w.WriteParagraph(" \n"); w.WriteParagraph("c") }, "a\nb\n\nc\n"},
		{"a list", func(w *Writer) {
			w.WriteParagraph("a")
			w.WriteListItem(0, "-", "b")
			w.WriteListItem(1, "1.", "c\nd")
			w.WriteListItem(0, "-", " ")
			w.WriteParagraph("e")
		}, "a\n\n- b\n  1. c d\n\ne\n"},
		{"a deep list", func(w *Writer) { w.WriteListItem(99, "-", "a") }, strings.Repeat("  ", maxIndent) + "- a\n"},
		{"a table", func(w *Writer) { w.WriteTable([][]string{{"a", "b|c"}, {"1\n2", ""}}); w.WriteParagraph("d") },
			"| a | b\\|c |\n| --- | --- |\n| 1 2 |  |\n\nd\n"},
		{"two tables", func(w *Writer) { w.WriteTable([][]string{{"a"}}); w.WriteTable([][]string{{"b"}}) },
			"| a |\n| --- |\n\n| b |\n| --- |\n"},
		{"code", func(w *Writer) {
			w.WriteCodeBlock("go", "a\n\n  b\n\n")
			w.WriteCodeBlock("", " \n")
			w.WriteCodeBlock("", "```\n````x")
		},
			"```go\na\n\n  b\n```\n\n`````\n```\n````x\n`````\n"},
		{"no UTF-8", func(w *Writer) { w.WriteParagraph("a\xFFb") }, "a\uFFFDb\n"},
	} {
		var w Writer
		test.write(&w)
		c, err := w.Content()
		if err != nil || c.Text != test.want || c.Form != extract.Markdown {
			t.Errorf("%s: got %q, %v, want %q", test.name, c.Text, err, test.want)
		}
	}
}

func TestWriterParts(t *testing.T) {
	var w Writer
	w.BeginPart(extract.Part{Kind: extract.Slide, Number: 1})
	w.WriteParagraph("one")
	w.BeginPart(extract.Part{Kind: extract.Slide, Number: 2})
	w.WriteParagraph("two")
	w.BeginPart(extract.Part{Kind: extract.Slide, Number: 3}) // a part without text
	c, err := w.Content()
	if err != nil || len(c.Parts) != 2 || c.Parts[0].StartByte != 0 || !strings.HasPrefix(c.Text[c.Parts[1].StartByte:], "two") {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestWriterLimits(t *testing.T) {
	var w Writer
	w.WriteParagraph(strings.Repeat("x", extract.MaxTextBytes-1))
	w.WriteParagraph("y")
	_, err := w.Content()
	if s := (*extract.SkipError)(nil); !errors.As(err, &s) || s.Error() != extract.ErrTooMuchText.Error() {
		t.Errorf("too much: %v", err)
	}
	w = Writer{}
	w.WriteHeading(1, "")
	if _, err = w.Content(); err == nil || err.Error() != extract.ErrNoText.Error() {
		t.Errorf("nothing: %v", err)
	}
}

// TestWriterLongFence checks that the fence of a code block is longer than any run of backticks in
// the code, and that finding it does not take quadratic time.
func TestWriterLongFence(t *testing.T) {
	var w Writer
	start := time.Now()
	w.WriteCodeBlock("", strings.Repeat("`", 4<<20))
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	if c, err := w.Content(); err != nil || len(c.Text) != 3*(4<<20)+5 {
		t.Errorf("%d bytes, %v", len(c.Text), err)
	}
}
