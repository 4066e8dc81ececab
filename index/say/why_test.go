package say

import (
	"strings"
	"testing"
)

func TestWhy(t *testing.T) {
	w := Why{Words: 0.5, Name: 0.25, Phrase: 0.001, Terms: []Term{{"salt", 0.75}, {"a\x1bb", 0.25}}}
	if got, want := strings.Join(w.Lines(), "\n"), "score: words 0.50 + name of the document 0.25\nwords: salt 75 %, a\ufffdb 25 %"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	w.Terms = append(w.Terms, make([]Term, mostTerms)...)
	if got := w.Lines()[1]; strings.Count(got, "%") != mostTerms || !strings.HasSuffix(got, ", …") {
		t.Errorf("many terms: %q", got)
	}
	if got := (Why{}).Lines(); len(got) != 0 {
		t.Errorf("nothing is %q", got)
	}
}
