package ranking

import (
	"strings"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// TestBriefShowsAnswerBehindQuestion: a line that only repeats the question, says very little of what was asked or
// lacks what the next sentence has is shown with the sentence after it. Others are shown alone.
func TestBriefShowsAnswerBehindQuestion(t *testing.T) {
	const other = " The lion sleeps in the shade of the tree by day."
	for _, c := range []struct {
		what, mime, whole, want string
		words                   []string
	}{
		{"a question", "text/plain", "Does the keeper of the old garden see the zebra at dusk? No, he is blind." + other, "Does the keeper of the old garden see the zebra at dusk? No, he is blind.", []string{"zebra", "keeper"}},
		{"a question in another paragraph", "text/plain", "Does the keeper of the old garden see the zebra at dusk?\n\nThe laundry is done." + other, "Does the keeper of the old garden see the zebra at dusk?", []string{"zebra", "keeper"}},
		{"two questions", "text/markdown", "- Does the zebra see the keeper?\n- Does the lion?\n", "- Does the zebra see the keeper?", []string{"zebra", "keeper"}},
		{"a question with items", "text/markdown", "- Which animals does the zebra see?\n  - The lion.\n- More.\n", "- Which animals does the zebra see?\n  - The lion.", []string{"zebra", "keeper"}},
		{"the question's words", "text/plain", "The dosages of zebrutin for grown animals. Half a bottle in the morning." + other, "The dosages of zebrutin for grown animals. Half a bottle in the morning.", []string{"dosag", "zebrutin", "grown", "anim"}},
		{"with a number", "text/plain", "Dosages of zebrutin for grown animals: 5 mg. Half a bottle is too much." + other, "Dosages of zebrutin for grown animals: 5 mg.", []string{"dosag", "zebrutin", "grown", "anim"}},
		{"a short part of it", "text/plain", "Zebrutin is given daily. Reduction if two of three hold." + other, "Zebrutin is given daily. Reduction if two of three hold.", []string{"zebrutin", "crane", "mule"}},
		{"more of it behind", "text/plain", "Zebrutin is preferred for all animals with a weak heart. Stop it three days before surgery." + other, "Zebrutin is preferred for all animals with a weak heart. Stop it three days before surgery.", []string{"zebrutin", "stop"}},
		{"all of it", "text/plain", "Zebrutin is preferred for all animals with a weak heart. Stop it three days before surgery." + other, "Zebrutin is preferred for all animals with a weak heart.", []string{"zebrutin", "heart"}},
		{"nothing of it", "text/plain", "Keeper. Left the garden because of the zebra's new stable." + other, "Keeper. Left the garden because of the zebra's new stable. The lion sleeps in the shade of the tree by day.", []string{"crane"}},
		{"another paragraph", "text/plain", "Zebrutin is given daily.\n\nReduction if two of three hold." + other, "Zebrutin is given daily.", []string{"zebrutin", "crane", "mule"}},
		{"Chinese", "text/plain", "斑马晚上来吗？不来。狮子白天睡觉。", "斑马晚上来吗？不来。", []string{"斑", "马", "斑马"}},
	} {
		if p := briefly(t, c.whole, c.mime, c.words...); p.Text != c.want {
			t.Errorf("%s: %q, want %q", c.what, p.Text, c.want)
		}
	}
}

// TestBriefKeepsItemsWhole: an item is shown whole, whichever of its sentences answers, unless it is long.
func TestBriefKeepsItemsWhole(t *testing.T) {
	item := "- The keeper proposed that zebras be fed on all the Tuesdays of a year only. Rejected."
	rest := "\n- The lion sleeps.\n"
	for _, word := range []string{"zebra", "reject"} {
		if p := briefly(t, "- Present: all.\n"+item+rest, "text/markdown", word); p.Text != item {
			t.Errorf("%s: %q", word, p.Text)
		}
	}
	long := item + strings.Repeat(" The keepers talked for long.", 20)
	if p := briefly(t, long+rest, "text/markdown", "zebra"); strings.Contains(p.Text, "talked") {
		t.Errorf("of a long item %q is shown", p.Text)
	}
}

// TestNarrowBeginsWithItem: a passage begins with no tail of a list item.
func TestNarrowBeginsWithItem(t *testing.T) {
	whole := "- The keeper proposed that zebras be fed on all the Tuesdays of a year only. Rejected.\n- From April on the recall of lions is every six months.\n- Novak takes over the key of the garden.\n" + strings.Repeat("- Nobody counts the stones on its bank.\n", 40)
	p := narrowedTo(t, whole, 40, "recal", "novak")
	if strings.HasPrefix(p.Text, "Rejected") || !strings.Contains(p.Text, "Novak") {
		t.Errorf("narrowed to %q", p.Text)
	}
}

// TestNarrowShowsVersionsAlike: of two drafts of a text the lower one is not cut before what differs.
func TestNarrowShowsVersionsAlike(t *testing.T) {
	common := strings.Repeat("The oar creaked, and fog lay on the water of the town. ", 5) + "\n\n"
	r := &Ranking{Question: Question{PassagesPerPage: 5}, bodies: map[*search.Document]text.Body{}}
	r.found.Words = []search.Word{{Forms: []string{"fog"}, Weight: 1}}
	for i, path := range []string{"Draft 3/a.md", "Draft 4/a.md", "Other/b.md"} {
		whole := common + "She gave him crowns."
		d := search.NewDocument(&catalog.Record{ID: int64(i + 1), Path: path, TextMIME: "text/plain"}, 0)
		c := search.Candidate{Chunk: search.Chunk{Document: d, Span: text.SpanOf(whole, 0, len(whole))}, Score: 1 / float64(1+i)}
		p := newPassage(&c)
		p.Text, p.chunks, r.bodies[d] = whole, []search.Chunk{c.Chunk}, text.Body{Text: whole}
		p.Traits.MinHash[0] = 7
		if path == "Other/b.md" {
			p.Traits.MinHash[0] = 8
		}
		r.chosen = append(r.chosen, p)
	}
	if err := narrowPassages(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, true, false} {
		if got := strings.Contains(r.chosen[i].Text, "crowns"); got != want {
			t.Errorf("%s: %q", r.chosen[i].Document.Path, r.chosen[i].Text)
		}
	}
}
