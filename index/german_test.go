package index

import (
	"os"
	"slices"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestGermanCompounds: questions with the parts of German compounds find the notes that have them as
// one word. How many do is golden, as in TestQuestionsInTwoLanguages.
func TestGermanCompounds(t *testing.T) {
	t.Parallel()
	const golden = 25
	ix := open(t, t.TempDir(), indextest.Builtin(t), "testdata/german/docs")
	mustSync(t, ix, sync.Scope{})
	content, err := os.ReadFile("testdata/german/questions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	first := 0
	for line := range strings.Lines(string(content)) {
		question, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		at := slices.IndexFunc(mustSearch(t, ix, Query{Text: question}).Passages, func(p Passage) bool { return p.Path == path })
		if at == 0 {
			first++
		} else {
			t.Logf("%s: place %d of the right note (0: not shown)", question, at+1)
		}
	}
	if notes := mustSearch(t, ix, Query{Text: "Vertrag für das Handy"}).Notes; len(notes) > 0 {
		t.Errorf("of parts of a compound it is told: %v", notes)
	}
	if first != golden {
		t.Errorf("%d of 25 questions have the right note first, not %d", first, golden)
	}
}
