package extract

import (
	"slices"
	"testing"
)

func TestNotes(t *testing.T) {
	for want, got := range map[string]string{
		"":         Notes("", "", ""),
		"one":      Notes("", "one"),
		"one; two": Notes("one", "", "two"),

		"documents attached to it are not read: a.PDF, b.docx": Unread([]string{"a.PDF", "photo.jpg", "b.docx", ""}),
		"slide 3 could not be read completely":                 Incomplete("slide", []int{3}),
		"2 slides could not be read completely":                Incomplete("slide", []int{3, 4}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if note := Unread([]string{"photo.jpg"}); note != "" {
		t.Errorf("no document is named: %q", note)
	}
	if note, want := Unread(slices.Repeat([]string{"a.pdf"}, maxNamed+1)), ", a.pdf and 1 others"; note[len(note)-len(want):] != want {
		t.Errorf("many documents: %q", note)
	}
}
