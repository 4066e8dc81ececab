package index

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/quote"
	"vademecum/index/sync"
)

// checked is what becomes of quotations, a line for each.
func checked(t *testing.T, ix *Index, quotes ...Quote) (lines []string) {
	t.Helper()
	c, err := ix.CheckQuotes(t.Context(), QuoteQuery{Quotes: quotes})
	if err != nil || c.Incomplete || len(c.Notes) > 0 || len(c.Quotes) != len(quotes) {
		t.Fatalf("%+v, %v", c, err)
	}
	for _, q := range c.Quotes {
		line := string(q.Verdict)
		if q.Documents > 0 {
			line += fmt.Sprintf(" in %d", q.Documents)
		}
		for _, p := range q.Parts {
			line += fmt.Sprintf("; %s %s %v %s", p.Verdict, p.Path, p.Place, quote.MarkDifferences(p.DiffRuns))
		}
		lines = append(lines, strings.TrimSpace(line+" "+q.Note.String()))
	}
	return lines
}

func TestCheckQuotes(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"a.md":        "# Warfarin\n\nThe usual dose is 5 mg daily.\nStop it before an operation.\n",
		"b.md":        "The usual dose is 5 mg daily. The usual dose is 10 mg daily in summer.\n",
		"c.txt":       "THE USUAL DOSE IS 5 MG DAILY\nIt is not given to children under two years.\n",
		"damaged.pdf": "%PDF-1.4",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, c := range []struct {
		quote Quote
		want  string
	}{
		{Quote{Text: "the usual dose is 5 mg daily"}, "exact in 2; exact a.md line 3"},
		{Quote{Text: "the usual dose is 5 mg daily", Path: "b.md"}, "exact in 2; exact b.md line 1"},
		{Quote{Text: "the usual dose is 5 mg daily", Path: "b"}, "exact in 2; exact b.md line 1"},
		{Quote{Text: "stop it before an operation", Path: "b.md"}, "exact in 1; exact a.md line 4 it does not stand in b.md"},
		{Quote{Text: "the usual dose is 50 mg daily", Path: "b.md"}, "differs; differs b.md line 1 The usual dose is ⟦quotation: 50 | document: 5⟧ mg daily"},
		{Quote{Text: "USUAL DOSE IS 5 MG"}, "exact in 1; exact c.txt line 1"},
		{Quote{Text: "Usual Dose Is 5 mg"}, "differs; differs a.md line 3 usual ⟦quotation: Dose Is | document: dose is⟧ 5 mg"},
		{Quote{Text: "it is given to children under two years", Path: "damaged.pdf"}, "differs; differs c.txt line 2 It is ⟦document: not⟧ given to children under two years damaged.pdf is not indexed: damaged PDF"},
		{Quote{Text: "The usual dose is 5 mg daily … Stop it"}, "exact in 1; exact a.md lines 3-4"},
		{Quote{Text: "Stop it before … It is not given"}, "differs; exact a.md line 4; exact c.txt line 2 its parts stand apart, or in another order"},
		{Quote{Text: "Warfarin … Stop it before an operation"}, "differs; differs a.md lines 1-4 Warfarin ⟦document: The usual dose is 5 mg daily⟧. Stop it before an operation"},
		{Quote{Text: "It is not … children under two"}, "exact in 1; exact c.txt line 2; exact c.txt line 2"},
		{Quote{Text: "It is … to children under two"}, "differs; exact c.txt line 2; exact c.txt line 2 what it leaves out may change what it says"},
		{Quote{Text: "Bananas hold potassium. Stop it before an operation."}, "differs; nowhere ; exact a.md line 4"},
		{Quote{Text: "THE USUAL DOSE … given to children under two"}, "differs; exact c.txt line 1; exact c.txt line 2 what it leaves out may change what it says"},
		{Quote{Text: "given to children under two", Path: "c.txt"}, "exact in 1; exact c.txt line 2 it stands after “not”"},
		{Quote{Text: "The usual dose is 10 mg daily", Path: "a.md"}, "differs in 1; differs a.md line 3 The usual dose is ⟦quotation: 10 | document: 5⟧ mg daily; exact b.md line 1 it does not stand in a.md"},
		{Quote{Text: "Stop it before … Bananas hold potassium"}, "differs; exact a.md line 4; nowhere"},
		{Quote{Text: "Bananas hold a great deal of potassium for everybody. Stop it before."}, "nowhere"}, // which is in many texts
		{Quote{Text: "Bananas hold a lot of potassium", Path: "a.md"}, "nowhere"},
	} {
		got := checked(t, ix, c.quote)[0]
		got = strings.Join(strings.Fields(strings.ReplaceAll(got, " ;", ";")), " ")
		if got != c.want {
			t.Errorf("%+v: %s, want %s", c.quote, got, c.want)
		}
	}
}

// TestCheckQuotesOutOfTime: what there is no time for is reported.
func TestCheckQuotesOutOfTime(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "an axolotl swims", "b.md": "axolotl"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	c, err := ix.CheckQuotes(t.Context(), QuoteQuery{Quotes: []Quote{{Text: "an axolotl swims"}}, Timeout: -time.Second})
	if err != nil || !c.Incomplete || c.Quotes[0].Verdict != QuoteNotFound || len(c.Notes) != 1 || c.Notes[0].Kind != notice.SearchTimedOut {
		t.Errorf("without time there is %+v, %v", c, err)
	}
}
