package ranking

import (
	"slices"
	"testing"

	"vademecum/docs/kind"
	"vademecum/docs/text"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/script"
)

// TestOtherFormsOfNames: of passages with forms of a name, those with the name itself are first, whatever
// its case; without them, and for other words, nothing changes.
func TestOtherFormsOfNames(t *testing.T) {
	for _, of := range []struct {
		question string
		texts    []string
		lowered  []bool
	}{
		{"telephone of Dr. Peter", []string{"Dr. Peters has the telephone 1.", "Dr. Peter has the telephone 2.", "The telephone 3."}, []bool{true, false, false}},
		{"telephone of Dr. Peters", []string{"Dr. Peters has the telephone 1.", "Dr. Peter has the telephone 2."}, []bool{false, true}},
		{"telephone of Dr. Peter", []string{"DR. PETER: 1", "Peters and Peter: 2", "Peters: 3"}, []bool{false, false, true}},
		{"telephone of Dr. Peter", []string{"Dr. Peters has the telephone 1."}, []bool{false}},
		{"telephones of peter", []string{"Peters has the telephone 1.", "Peter has the telephones 2."}, []bool{false, false}},
		{"Telephones", []string{"The telephone 1.", "The telephones 2."}, []bool{false, false}},
	} {
		r := &Ranking{Question: Question{Text: of.question}, bodies: make(map[*search.Document]text.Body)}
		var candidates []search.Candidate
		for _, body := range of.texts {
			d := search.NewDocument(&catalog.Record{Path: "a.md"}, 0)
			r.bodies[d] = text.Body{Text: body}
			candidates = append(candidates, search.Candidate{Score: 1, Chunk: search.Chunk{Document: d, Span: text.SpanOf(body, 0, len(body)), Traits: kind.Traits{Language: script.LanguageByCode("en")}}})
		}
		if err := r.lowerOtherForms(t.Context(), candidates); err != nil {
			t.Fatal(err)
		}
		var lowered []bool
		for i := range candidates {
			if c := &candidates[i]; (c.Score < 1) != c.HasOtherFormOfName {
				t.Errorf("%q: %q has the score %v", of.question, of.texts[i], c.Score)
			}
			lowered = append(lowered, candidates[i].HasOtherFormOfName)
		}
		if !slices.Equal(lowered, of.lowered) {
			t.Errorf("%q: of %q, %v are lowered, want %v", of.question, of.texts, lowered, of.lowered)
		}
	}
}
