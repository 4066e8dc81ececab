package index

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"vademecum/docs"
	"vademecum/index/indextest"
	"vademecum/index/notice"
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
	if a.ShownBefore != 0 {
		t.Errorf("of the first page, %d passages were shown before", a.ShownBefore)
	}
}

// TestBrief: of each passage a line is shown that has a word of the question.
func TestBrief(t *testing.T) {
	t.Parallel()
	a, err := newPaged(t).Search(t.Context(), Query{Text: "warfarin patient", SingleLines: true})
	if err != nil || len(a.Passages) != briefTopK {
		t.Fatalf("%d passages, %v", len(a.Passages), err)
	}
	for _, p := range a.Passages {
		if n := utf8.RuneCountInString(p.Text); n > 150 || !strings.Contains(p.Text, "Warfarin") {
			t.Errorf("%s shows %d characters: %q", p.Path, n, p.Text)
		}
	}
	a, err = newPaged(t).Search(t.Context(), Query{Text: "warfarin part", Filter: Filter{Path: "long.md"}, SingleLines: true})
	if err != nil || len(a.Passages) < 8 {
		t.Errorf("of a long document %d passages are shown, %v", len(a.Passages), err)
	}
}

// TestBriefShowsLinesOnce checks that a line that several passages are reduced to is shown once, with all of its
// places, and that a line that differs in a number or a doubt is not taken for the same.
func TestBriefShowsLinesOnce(t *testing.T) {
	t.Parallel()
	filler := func(subject string) string {
		return "\n\n" + strings.Repeat("The "+subject+" of the ward is looked after by its nurse in the morning. ", 12) + "\n"
	}
	n := indextest.NewNotesFolder(t, map[string]string{
		"a.md": "# One\n\nZorbadil is given as 5 mg in the evening." + filler("garden"),
		"b.md": "# Two\n\nZorbadil is given as 5 mg in the evening." + filler("kitchen") + "\n# Three\n\nZorbadil is given as 5 mg in the evening." + filler("library"),
		"c.md": "# Four\n\nZorbadil is given as 5 mg in the evening?" + filler("laundry"),
		"d.md": "# Five\n\nZorbadil is given as 50 mg in the evening." + filler("cellar"),
		"e.md": "# Six\n\nZorbadil is ~~given as 5 mg~~ in the evening." + filler("attic"),
	})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "zorbadil evening", SingleLines: true})
	var got []string
	for _, p := range a.Passages {
		if strings.Contains(p.Text, "Zorbadil") {
			got = append(got, p.Text+" "+notice.SameTextElsewhere(p.SameLinePlaces, p.MoreSameLinePlaces).String())
		}
		if p = p.WithoutRelatedPlaces(); len(p.SameLinePlaces) == 0 && strings.Contains(p.Text, "as 5 mg in the evening.") {
			t.Error("the places of the line are left out of a brief answer")
		}
	}
	slices.Sort(got)
	want := []string{
		"Zorbadil is given as 5 mg in the evening. b.md, line 3; b.md, line 9", "Zorbadil is given as 5 mg in the evening? ",
		"Zorbadil is given as 50 mg in the evening. ", "Zorbadil is ~~given as 5 mg~~ in the evening. ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the lines are\n%q, want\n%q", got, want)
	}
	if whole := mustSearch(t, ix, Query{Text: "zorbadil evening"}); slices.ContainsFunc(whole.Passages, func(p Passage) bool { return len(p.SameLinePlaces) > 0 }) {
		t.Error("passages that are no lines have places of the same line")
	}
}

// TestStruckPassages checks that what is shown of a struck-out paragraph has its marks, also a line of it, and
// that its URI reads back the same.
func TestStruckPassages(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"plan.md": "# Plan\n\nWe agreed on this. ~~The garden was dug by the neighbours in spring. Zorbadil was given as 40 mg in the evening. It was taken with a large glass of milk.~~ Nothing else was said on that day.\n\n" + strings.Repeat("Words about the house and its many rooms stand here. ", 12) + "\n",
	})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for question, want := range map[string]string{
		"zorbadil evening":         "~~Zorbadil was given as 40 mg in the evening. It was taken with a large glass of milk.~~ Nothing else was said on that day.",
		"garden neighbours spring": "~~The garden was dug by the neighbours in spring.~~",
		"taken with glass of milk": "~~It was taken with a large glass of milk.~~ Nothing else was said on that day.",
	} {
		p := mustSearch(t, ix, Query{Text: question, SingleLines: true}).Passages[0]
		part, err := ix.Read(t.Context(), ReadQuery{Ref: p.URI})
		if p.Text != want || err != nil || part.Text != p.Text || part.Span != p.Span {
			t.Errorf("%s: %q, which reads back %q (%v), want %q", question, p.Text, part.Text, err, want)
		}
	}
	for _, p := range mustSearch(t, ix, Query{Text: "zorbadil evening"}).Passages {
		if strings.Contains(p.Text, "40 mg") && !strings.Contains(p.Text, "~~The garden") {
			t.Errorf("a passage is %q", p.Text)
		}
	}
}

// TestBriefPrefersWhatHolds checks that a line that is struck out as a whole is shown only if no other
// line of the passage has a word of the question, and then with the line after it.
func TestBriefPrefersWhatHolds(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"list.md":  "# Fever\n\n- ~~Fever in children: give aspirin~~\n- Fever in children: give ibuprofen\n- Rest\n",
		"table.md": "# Gout\n\n| Drug | Dose |\n| --- | --- |\n| ~~Goutex daily~~ | ~~20 mg~~ |\n| Goutex | 10 mg |\n",
		"zh.md":    "# 补钾\n\n~~补钾可以静脉推注40毫摩尔。~~补钾禁止静脉推注。\n",
		"next.md":  "# Plan\n\n- ~~Quellamide 40 mg~~\n- 20 mg instead\n- Rest\n",
		"tag.md":   "# Plan\n\n- <s>Vexamide 40 mg</s>\n- 20 mg instead\n- Rest\n",
	})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for question, want := range map[string]string{
		"fever in children aspirin": "- Fever in children: give ibuprofen",
		"goutex daily":              "| Goutex | 10 mg |",
		"补钾静脉推注":                    "补钾禁止静脉推注。",
		"quellamide":                "- ~~Quellamide 40 mg~~\n- 20 mg instead",
		"vexamide":                  "- ~~Vexamide 40 mg~~\n- 20 mg instead",
	} {
		p := mustSearch(t, ix, Query{Text: question, SingleLines: true}).Passages[0]
		if got := strings.TrimSpace(p.Text); got != want {
			t.Errorf("%q shows %q, want %q", question, got, want)
		}
	}
}
