package index

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"vademecum/docs"
	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// newPaged is an index of notes that all have a word, one of them many times.
func newPaged(t *testing.T) *Index {
	t.Helper()
	files := map[string]string{"long.md": "# Long\n"}
	for i := range 17 {
		files[fmt.Sprintf("note%d.md", i)] = fmt.Sprintf("# Note %d\n\nThe river rises in spring. Warfarin is taken on day %d by patient %d. Nobody counts the stones.", i, i, 3*i)
		files["long.md"] += fmt.Sprintf("\n## Part %d\n\n%s\n\nWarfarin of part %d.\n", i, strings.Repeat(fmt.Sprintf("Word%d goes on. ", i), 40), i)
	}
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	return ix
}

// TestPages: the pages of a question bring each passage once and leave out none, and one
// document does not fill any of them as long as others have something to say.
func TestPages(t *testing.T) {
	t.Parallel()
	ix := newPaged(t)
	for _, most := range []int{0, 4, 7} {
		seen := make(map[string]bool)
		var shown []Passage
		for page := 0; ; page++ {
			a, err := ix.Search(t.Context(), Query{Text: "warfarin", TopK: most, Page: page})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range a.Passages {
				if seen[p.URI] {
					t.Errorf("of %d, page %d has %s again", most, page, p.URI)
				}
				seen[p.URI] = true
				for _, before := range shown {
					if p.Path == before.Path && p.StartByte < before.EndByte && before.StartByte < p.EndByte {
						t.Errorf("of %d, page %d has lines %d-%d of %s, of which %d-%d were shown", most, page, p.StartLine, p.EndLine, p.Path, before.StartLine, before.EndLine)
					}
				}
				shown = append(shown, p)
			}
			if page == 0 && (len(a.Passages) == 0 || !a.HasMore) {
				t.Errorf("of %d, the first page has %d passages, more: %v", most, len(a.Passages), a.HasMore)
			}
			if !a.HasMore {
				break
			}
			if page > MaxPages {
				t.Fatal("there is no end")
			}
		}
		for i := range 17 {
			if uri := docs.FileURI(filepath.Join(ix.Folders()[0], fmt.Sprintf("note%d.md", i))); !hasPrefix(seen, uri) {
				t.Errorf("of %d, note%d.md is on no page", most, i)
			}
		}
	}
	if _, err := ix.Search(t.Context(), Query{Text: "warfarin", Page: MaxPages}); err == nil {
		t.Error("a page beyond all is searched")
	}
}

func hasPrefix(all map[string]bool, prefix string) bool {
	for s := range all {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// TestScoresOfPages: the scores of all pages are on one scale, of which the best passage of the first is 1.
func TestScoresOfPages(t *testing.T) {
	t.Parallel()
	ix := newPaged(t)
	first := mustSearch(t, ix, Query{Text: "warfarin of patient 9", TopK: 3})
	second := mustSearch(t, ix, Query{Text: "warfarin of patient 9", TopK: 3, Page: 1})
	both := mustSearch(t, ix, Query{Text: "warfarin of patient 9", TopK: 6})
	scores := make(map[string]float64)
	for _, p := range both.Passages {
		scores[p.URI] = p.Score
	}
	if first.Passages[0].Score != 1 || second.Passages[0].Score > first.Passages[2].Score || second.Passages[0].Score >= 1 {
		t.Errorf("the pages begin with %v and %v", first.Passages[0].Score, second.Passages[0].Score)
	}
	known := 0
	for _, p := range second.Passages {
		if score, ok := scores[p.URI]; ok {
			known++
			if score != p.Score {
				t.Errorf("%s has %v on the second page, and %v where there is one page", p.URI, p.Score, score)
			}
		}
	}
	if known == 0 {
		t.Error("no passage of the second page can be compared")
	}
}

// TestCountBefore: passages that were joined count as shown before only where that was on another page.
func TestCountBefore(t *testing.T) {
	t.Parallel()
	filler := func(letter string) string {
		var all strings.Builder
		for i := range 16 {
			fmt.Fprintf(&all, "Sentence %s%d tells of rivers, stones, gardens and the weather in the valley below. ", letter, i)
		}
		return all.String()
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{
		"ward.md": "# Ward notes\n\n" + filler("a") + "Torsivan is given at night with water.\n\nTorsivan is stopped when the pulse is slow. " + filler("b") + "\n\n" + filler("c") + "\n",
	}).Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "Torsivan night pulse", TopK: 5})
	if len(a.Passages) == 0 || !strings.Contains(a.Passages[0].Text, "at night with water.\n\nTorsivan is stopped") {
		t.Fatalf("nothing was joined: %+v", a.Passages)
	}
	if a.Before != 0 {
		t.Errorf("of the first page, %d passages were shown before", a.Before)
	}
}

// TestBrief: of each passage a line is shown that has a word of the question.
func TestBrief(t *testing.T) {
	t.Parallel()
	a, err := newPaged(t).Search(t.Context(), Query{Text: "warfarin patient", Brief: true})
	if err != nil || len(a.Passages) != BriefTopK {
		t.Fatalf("%d passages, %v", len(a.Passages), err)
	}
	for _, p := range a.Passages {
		if n := utf8.RuneCountInString(p.Text); n > 150 || !strings.Contains(p.Text, "Warfarin") {
			t.Errorf("%s shows %d characters: %q", p.Path, n, p.Text)
		}
	}
	a, err = newPaged(t).Search(t.Context(), Query{Text: "warfarin part", Filter: Filter{Path: "long.md"}, Brief: true})
	if err != nil || len(a.Passages) < 8 {
		t.Errorf("of a long document %d passages are shown, %v", len(a.Passages), err)
	}
}
