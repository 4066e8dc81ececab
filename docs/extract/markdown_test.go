package extract

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestWriter(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(w *writer)
		want  string
	}{
		{"headings", func(w *writer) { w.heading(0, "a\n b"); w.heading(9, "c"); w.heading(2, " \n") }, "# a b\n\n###### c\n"},
		{"paragraphs", func(w *writer) { w.paragraph("a\n\n  b "); w.paragraph(" \n"); w.paragraph("c") }, "a\nb\n\nc\n"},
		{"a list", func(w *writer) {
			w.paragraph("a")
			w.item(0, "-", "b")
			w.item(1, "1.", "c\nd")
			w.item(0, "-", " ")
			w.paragraph("e")
		}, "a\n\n- b\n  1. c d\n\ne\n"},
		{"a deep list", func(w *writer) { w.item(99, "-", "a") }, strings.Repeat("  ", maxIndent) + "- a\n"},
		{"a table", func(w *writer) { w.table([][]string{{"a", "b|c"}, {"1\n2", ""}}); w.paragraph("d") },
			"| a | b\\|c |\n| --- | --- |\n| 1 2 |  |\n\nd\n"},
		{"two tables", func(w *writer) { w.table([][]string{{"a"}}); w.table([][]string{{"b"}}) },
			"| a |\n| --- |\n\n| b |\n| --- |\n"},
		{"code", func(w *writer) { w.code("go", "a\n\n  b\n\n"); w.code("", " \n"); w.code("", "```\n````x") },
			"```go\na\n\n  b\n```\n\n`````\n```\n````x\n`````\n"},
		{"no UTF-8", func(w *writer) { w.paragraph("a\xFFb") }, "a\uFFFDb\n"},
	} {
		var w writer
		test.write(&w)
		c, err := w.content()
		if err != nil || c.Text != test.want || c.Form != Markdown {
			t.Errorf("%s: got %q, %v, want %q", test.name, c.Text, err, test.want)
		}
	}
}

func TestWriterParts(t *testing.T) {
	var w writer
	w.part(Part{Unit: Slide, Number: 1})
	w.paragraph("one")
	w.part(Part{Unit: Slide, Number: 2})
	w.paragraph("two")
	w.part(Part{Unit: Slide, Number: 3}) // holds nothing
	c, err := w.content()
	if err != nil || len(c.Parts) != 2 || c.Parts[0].Start != 0 || !strings.HasPrefix(c.Text[c.Parts[1].Start:], "two") {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestWriterLimits(t *testing.T) {
	var w writer
	w.paragraph(strings.Repeat("x", maxText-1))
	w.paragraph("y")
	_, err := w.content()
	if s := (*SkipError)(nil); !errors.As(err, &s) || s.Reason != ErrTooMuchText.Reason {
		t.Errorf("too much: %v", err)
	}
	w = writer{}
	w.heading(1, "")
	if _, err = w.content(); err == nil || err.Error() != ErrNoText.Reason {
		t.Errorf("nothing: %v", err)
	}
}

// A fence is longer than any in the code, which must not take time with the
// square of its length.
func TestWriterLongFence(t *testing.T) {
	var w writer
	start := time.Now()
	w.code("", strings.Repeat("`", 4<<20))
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	if c, err := w.content(); err != nil || len(c.Text) != 3*(4<<20)+5 {
		t.Errorf("%d bytes, %v", len(c.Text), err)
	}
}
