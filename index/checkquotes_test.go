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
	c, err := ix.checkQuotes(t.Context(), QuoteQuery{Quotes: quotes})
	if err != nil || c.Incomplete || len(c.Notes) > 0 || len(c.Quotes) != len(quotes) {
		t.Fatalf("%+v, %v", c, err)
	}
	for _, q := range c.Quotes {
		line := string(q.Verdict)
		if q.Documents > 0 {
			line += fmt.Sprintf(" in %d", q.Documents)
		}
		for _, p := range q.Parts {
			line += fmt.Sprintf("; %s %s %v %s", p.Verdict, p.Path, p.Place, quote.FormatDifferences(p.DiffRuns))
			if p.MarkedText != "" {
				line += fmt.Sprintf(" [%s → %s]", p.MarkedText, p.ValidText)
			}
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
		{Quote{Text: "stop it before an operation", Path: "b.md"}, "exact in 1; exact a.md line 4 it is not in b.md"},
		{Quote{Text: "the usual dose is 50 mg daily", Path: "b.md"}, "differs; differs b.md line 1 The usual dose is ⟦quotation: 50 | document: 5⟧ mg daily"},
		{Quote{Text: "USUAL DOSE IS 5 MG"}, "exact in 1; exact c.txt line 1"},
		{Quote{Text: "Usual Dose Is 5 mg"}, "differs; differs a.md line 3 usual ⟦quotation: Dose Is | document: dose is⟧ 5 mg"},
		{Quote{Text: "it is given to children under two years", Path: "damaged.pdf"}, "differs; differs c.txt line 2 It is ⟦document: not⟧ given to children under two years damaged.pdf is not indexed: damaged PDF"},
		{Quote{Text: "The usual dose is 5 mg daily … Stop it"}, "exact in 1; exact a.md lines 3-4"},
		{Quote{Text: "Stop it before … It is not given"}, "differs; exact a.md line 4; exact c.txt line 2 its parts are apart or in a different order"},
		{Quote{Text: "Warfarin … Stop it before an operation"}, "differs; differs a.md lines 1-4 Warfarin ⟦document: The usual dose is 5 mg daily⟧. Stop it before an operation"},
		{Quote{Text: "It is not … children under two"}, "exact in 1; exact c.txt line 2; exact c.txt line 2"},
		{Quote{Text: "It is … to children under two"}, "differs; exact c.txt line 2; exact c.txt line 2 the omitted text may change the meaning"},
		{Quote{Text: "Bananas hold potassium. Stop it before an operation."}, "differs; nowhere ; exact a.md line 4"},
		{Quote{Text: "THE USUAL DOSE … given to children under two"}, "differs; exact c.txt line 1; exact c.txt line 2 the omitted text may change the meaning"},
		{Quote{Text: "given to children under two", Path: "c.txt"}, "exact in 1; exact c.txt line 2 it comes after “not”"},
		{Quote{Text: "The usual dose is 10 mg daily", Path: "a.md"}, "differs in 1; differs a.md line 3 The usual dose is ⟦quotation: 10 | document: 5⟧ mg daily; exact b.md line 1 it is not in a.md"},
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

// TestCheckShortQuotes: a short quotation with another number has the document's words only around it.
func TestCheckShortQuotes(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"a.txt": "The dose is not known.\n",
		"b.txt": "Dose: 5 mg\nMax: 3 tablets a day\n",
		"c.txt": "An overdose. The dose was never given. Dosen im Regal.\n",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, c := range []struct{ quote, want string }{
		{"Dose: 5 mg", "exact in 1; exact b.txt line 1"},
		{"Dose: 50 mg", "differs; differs b.txt line 1 Dose: ⟦quotation: 50 | document: 5⟧ mg"},
		{"Dosen: 7 kg", "nowhere"}, // its word stands beside no number
		{"Code: 50 mg", "nowhere"},
	} {
		if got := strings.TrimSpace(checked(t, ix, Quote{Text: c.quote})[0]); got != c.want {
			t.Errorf("%s: %q, want %q", c.quote, got, c.want)
		}
	}
}

// TestNearestHasLittleElse: a sentence with another name is nearer than one that contains all the words of a
// quotation among others; a quotation that leaves out words is still compared with the text it is from.
func TestNearestHasLittleElse(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"p1.txt": "The plant is run by Monika Weber.\n",
		"p2.txt": "We wrote that Martin Weber runs the plant. It is run by Monika Weber. Martin Weber is a member.\n",
		"p3.txt": "The council has approved, after a long debate, the new bridge over the river.\n",
		"p4.txt": "The council has rejected the new bridge over the lake.\n",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, c := range []struct{ quote, want string }{
		{"The plant is run by Martin Weber", "differs; differs p1.txt line 1 The plant is run by ⟦quotation: Martin | document: Monika⟧ Weber"},
		{"The council has approved the new bridge over the river", "differs; differs p3.txt line 1 The council has approved, ⟦document: after a long debate⟧, the new bridge over the river"},
	} {
		if got := strings.TrimSpace(checked(t, ix, Quote{Text: c.quote})[0]); got != c.want {
			t.Errorf("%s: %q, want %q", c.quote, got, c.want)
		}
	}
}

// TestCheckStruckQuotes checks that words that are struck out are told as such, with what holds instead.
// TestCheckQuotesOfTables checks that quotations of CSV may leave out its separators.
func TestCheckQuotesOfTables(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"labor.csv": "Wert;Ergebnis;Einheit\nKalium;5,7;mmol/l\n", "a.md": "Kalium;5,8;mmol/l\n"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	if got, want := checked(t, ix, Quote{Text: "Kalium 5,7 mmol/l"})[0], "exact in 1; exact labor.csv line 2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestCheckStruckQuotes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 30)
	n := indextest.NewNotesFolder(t, map[string]string{
		"dose.md": "# Dose\n\nDose: ~~40 mg~~ 20 mg daily\n\n1. ~~Stop it before an operation.~~\n2. Take ~~it at\n   noon~~ this at night.\n\nDo not ~~ever~~ eat grapefruit.\n",
		"old.md":  "Dose: 40 mg in the year before. Dose: 60 mg in the year after.\n",
		"long.md": long + "begin ~~" + long + "a long stretch " + strings.Repeat(long, 5) + "word~~ and " + long + "end " + long + "\n",
		"new.md":  "Metformin ~~is given in summer~~ is given with meals.\n\n~~Patients should take forty tablets of it each evening after their meals.~~\n",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	const out, dose = "it is struck out there, in whole or in part, and is no longer valid", "[Dose: ~~40 mg~~ 20 mg daily → Dose: 20 mg daily]"
	for _, c := range []struct {
		quote Quote
		want  string
	}{
		{Quote{Text: "Dose: 40 mg 20 mg"}, "struck out; struck out dose.md line 3 " + dose + " " + out},
		{Quote{Text: "Dose: 20 mg daily"}, "exact in 1; exact dose.md line 3"},
		{Quote{Text: "Dose: ~~40 mg~~ 20 mg daily"}, "exact in 1; exact dose.md line 3 " + dose + " text between ~~ and ~~ is struck out and no longer valid"},
		{Quote{Text: "Dose: 40 mg"}, "exact in 1; exact old.md line 1 it is struck out in dose.md"},
		{Quote{Text: "Dose: 40 mg", Path: "old.md"}, "exact in 1; exact old.md line 1 it is struck out in dose.md"},
		{Quote{Text: "Dose: 40 mg", Path: "dose.md"}, "struck out in 1; struck out dose.md line 3 " + dose + "; exact old.md line 1 " + out},
		{Quote{Text: "Dose: 40 mg … eat grapefruit"}, "struck out; struck out dose.md line 3 " + dose + "; exact dose.md line 9 " + out},
		{Quote{Text: "Stop it before an operation"}, "struck out; struck out dose.md line 5 [1. ~~Stop it before an operation.~~ → ] " + out},
		{Quote{Text: "Take it at noon"}, "struck out; struck out dose.md lines 6-7 [2. Take ~~it at noon~~ this at night. → 2. Take this at night.] " + out},
		{Quote{Text: "eat grapefruit"}, "exact in 1; exact dose.md line 9 it comes after “not”"},
		{Quote{Text: "a long stretch word"}, "struck out; struck out long.md line 1 [… ~~" + long[:11*5] + "a long stretch" + strings.Repeat(" word", 28) + "~~ … → … " + long[:10*5] + "begin and " + long[:27*5] + "…] " + out},
		{Quote{Text: "Patients should take forty tablets of it each morning after their meals."}, "differs; differs new.md line 3 " +
			"⟦quotation: Patients should take forty tablets of it each morning after their meals | document: ~~Patients should take forty tablets of it each evening after their meals~~⟧ [~~Patients should take forty tablets of it each evening after their meals.~~ → ]"},
		{Quote{Text: "Metformin is given in summer … Stop it before an operation"}, "struck out; struck out new.md line 1 [Metformin ~~is given in summer~~ is given with meals. → Metformin is given with meals.]; struck out dose.md line 5 [1. ~~Stop it before an operation.~~ → ] " + out},
		{Quote{Text: "Metformin is given in winter"}, "differs; differs new.md line 1 Metformin is ⟦quotation: given in winter | document: given with meals⟧"},
	} {
		got := checked(t, ix, c.quote)[0]
		got = strings.Join(strings.Fields(strings.ReplaceAll(got, " ;", ";")), " ")
		if got != c.want {
			t.Errorf("%+v: %s, want\n%s", c.quote, got, c.want)
		}
	}
}

// TestCheckQuotesContext: words of two rows or items put together, and a sentence without its condition, are exact
// with a remark.
func TestCheckQuotesContext(t *testing.T) {
	t.Parallel()
	const joined, list = "it joins words of separate rows, list items or headings", "Do not give penicillin"
	n := indextest.NewNotesFolder(t, map[string]string{
		"a.md":  "| Drug | Allowed | Dose |\n| --- | --- | --- |\n| Penicillin | no | - |\n| Codeine | yes | 30 mg |\n\n- " + list + "\n- Codeine may be given\n  with food\n\nAlcohol\n\n## Allowed\n\nMilk\n",
		"b.md":  "Unless he bleeds, give heparin. He bleeds, so give vitamin K.\n\nBut first, wash your hands. 如果出血，停用肝素。在2024年，他改用利伐沙班。Unless she’s bleeding, give dalteparin.\n",
		"c.csv": "drug,dose\nwarfarin,5\nheparin,7\n",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for text, want := range map[string]string{
		"no Codeine": joined, "yes 30 mg " + list: joined, list + " Codeine": joined, "Alcohol Allowed Milk": joined,
		"Codeine yes 30 mg": "", "Codeine may be given with food": "", list + "\nCodeine may be given": "",
		"Give heparin": "it comes after “Unless”", "give dalteparin": "it comes after “Unless”", "他改用利伐沙班": "", "5 heparin 7": joined, "停用肝素": "it comes after “如果”", "Unless he bleeds, give heparin": "", "so give vitamin K": "", "wash your hands": "",
	} {
		got := checked(t, ix, Quote{Text: text})[0]
		if isExact := strings.HasPrefix(got, "exact in 1;"); !isExact || want != "" && !strings.HasSuffix(got, want) || want == "" && strings.Contains(got, " it ") {
			t.Errorf("%q: %s, want %q", text, got, want)
		}
	}
}

// TestCheckQuotesOutOfTime: what there is no time for is reported.
func TestCheckQuotesOutOfTime(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "an axolotl swims", "b.md": "axolotl"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	c, err := ix.checkQuotes(t.Context(), QuoteQuery{Quotes: []Quote{{Text: "an axolotl swims"}}, Timeout: -time.Second})
	if err != nil || !c.Incomplete || c.Quotes[0].Verdict != QuoteNotFound || len(c.Notes) != 1 || c.Notes[0].Kind != notice.SearchTimedOut {
		t.Errorf("without time there is %+v, %v", c, err)
	}
}
