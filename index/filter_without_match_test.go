package index

import (
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync"
)

// TestFilterWithoutMatch: an answer without a match says that it holds for the documents that the
// filter admits, so that nobody concludes that the text is nowhere.
func TestFilterWithoutMatch(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"one/a.md": "Heparin is given.", "one/b.md": "Salt.", "two/c.md": "Warfarin is given."})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for path, want := range map[string]int{"one": 2, "two": 1, "": 0} {
		found, err := ix.Find(t.Context(), FindQuery{Text: "zanzibar", Filter: Filter{Path: path}})
		if err != nil {
			t.Fatal(err)
		}
		answer := mustSearch(t, ix, Query{Text: "zanzibar", Filter: Filter{Path: path}})
		for tool, notes := range map[string][]notice.Note{"find": found.Notes, "search": answer.Notes} {
			got := 0
			for _, note := range notes {
				if note.Kind == notice.NoMatchInFilter {
					got = note.Count
				}
			}
			if got != want {
				t.Errorf("%s in %q says that the filter admits %d documents, want %d", tool, path, got, want)
			}
		}
	}
}

// TestNothingSearchable: while nothing can be searched, no word is said to be nowhere.
func TestNothingSearchable(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"photo.gif": "no picture"})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, note := range mustSearch(t, ix, Query{Text: "who gets the boat"}).Notes {
		if note.Kind == notice.UnknownWords || note.Kind == notice.QuestionSubjectNotFound {
			t.Errorf("it says that words are nowhere: %v", note)
		}
	}
}
