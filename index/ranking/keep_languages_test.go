package ranking

import (
	"slices"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// TestKeepLanguages: the best passage in a language takes the place of the last, but not that
// of the best of all, nor one for what is shown or says no more than another.
func TestKeepLanguages(t *testing.T) {
	const said = "Some words are said here."
	candidates := func(names ...string) (all []search.Candidate, bodies map[*search.Document]text.Body) {
		bodies = make(map[*search.Document]text.Body)
		for i, name := range names {
			d := search.NewDocument(&catalog.Record{ID: int64(i + 1), Path: name}, 0)
			bodies[d] = text.Body{Text: said}
			all = append(all, search.Candidate{Chunk: search.Chunk{Document: d, Span: text.SpanOf(said, 0, len(said))}, Score: 1 - float64(i)/10, IsBestInLanguage: name == "中文.md"})
		}
		return all, bodies
	}
	for _, tt := range []struct {
		what         string
		wanted       int
		shown, folds bool
		want         []string
	}{
		{what: "others have all places", wanted: 2, want: []string{"a.md", "中文.md"}},
		{what: "there is one place", wanted: 1, want: []string{"a.md"}},
		{what: "there is room", wanted: 3, want: []string{"a.md", "b.md"}},
		{what: "it was shown before", wanted: 2, shown: true, want: []string{"a.md", "b.md"}},
		{what: "it says no more than another", wanted: 2, folds: true, want: []string{"a.md", "b.md"}},
	} {
		all, bodies := candidates("a.md", "b.md", "c.md", "中文.md")
		r := &Ranking{Question: Question{PassagesPerPage: tt.wanted}, candidates: all, bodies: bodies, near: make(map[chunkAt][]search.Chunk)}
		for i := range min(2, tt.wanted) {
			r.chosen = append(r.chosen, newPassage(&all[i]))
		}
		if tt.shown {
			r.shown = append(r.shown, newPassage(&all[3]))
		}
		if tt.folds {
			r.near[chunkAt{all[0].Document, 0}] = []search.Chunk{all[3].Chunk}
		}
		if _, err := r.keepLanguages(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range r.chosen {
			got = append(got, p.Document.Path)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("where %s %q are chosen, want %q", tt.what, got, tt.want)
		}
	}
}
