package ranking

import (
	"strings"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/catalog"
	"vademecum/index/search"
)

// TestNarrow: a passage is narrowed to what has the words of the question. One that has
// none stays whole, as one that a model has found, unless many are wanted.
func TestNarrow(t *testing.T) {
	whole := strings.Repeat("The river bends here, and a mill stands beside it. ", 20) + "The zebra drinks at dusk. " + strings.Repeat("Nobody counts the stones on its bank. ", 20)
	whole = strings.TrimSpace(whole)
	narrowed := func(wanted int, words ...string) string {
		d := search.NewDocument(&catalog.Record{ID: 1, Path: "a.md", TextMIME: "text/markdown"}, 0)
		c := search.Candidate{Chunk: search.Chunk{Document: d, Span: text.SpanOf(whole, 0, len(whole))}, Score: 1}
		p := newPassage(&c)
		p.Text, p.chunks = whole, []search.Chunk{c.Chunk}
		r := &Ranking{Question: Question{Wanted: wanted}, chosen: []*Passage{p}, bodies: map[*search.Document]text.Body{d: {Text: whole}}}
		for _, w := range words {
			r.found.Words = append(r.found.Words, search.Word{Forms: []string{w}, Weight: 1})
		}
		if err := narrow(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if got := whole[p.Span.StartByte:p.Span.EndByte]; got != p.Text {
			t.Errorf("the span holds %q, the passage %q", got, p.Text)
		}
		return p.Text
	}
	if got := narrowed(5, "zebra", "dusk"); !strings.Contains(got, "The zebra drinks at dusk.") || len(got) > shownMost {
		t.Errorf("narrowed to %q", got)
	}
	if got := narrowed(5, "lion"); got != whole {
		t.Errorf("without a word of the question %q is left", got)
	}
	if got := narrowed(40, "lion"); !strings.HasPrefix(whole, got) || len(got) > shownMost {
		t.Errorf("of forty %q is shown", got)
	}
	if first := narrowed(5, "mill"); !strings.HasPrefix(whole, first) {
		t.Errorf("of equal parts the first is not shown: %q", first)
	}
}
