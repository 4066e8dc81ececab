package librarytest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"vademecum/docs/meta"
	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/quote"
)

// testFind checks that every occurrence of a text is found, in recently saved files as well, and
// only in the documents that match the filter.
func testFind(k *fixture) {
	k.write("cardio/new.md", "The blood\npressure of a new note.\n")
	k.sync()
	for _, c := range []struct {
		q                 index.FindQuery
		places, documents int
		first             string
	}{
		{index.FindQuery{Text: "BLOOD pressure"}, 3, 2, "cardio/pressure.md#L1 # <Blood pressure>"},
		{index.FindQuery{Text: "Blood pressure", IsExactSpelling: true}, 1, 1, "cardio/pressure.md#L1 # <Blood pressure>"},
		{index.FindQuery{Text: "with \"quotes\""}, 200, 1, "long.txt#L1 One line of many, <with \"quotes\"> in it."},
		{index.FindQuery{Text: `\bax\w+s\b`, IsRegexp: true}, 1, 1, "long.txt#L201 The last line tells of <axolotls>."},
		{index.FindQuery{Text: "note", Filter: index.Filter{Path: "cardio/**"}}, 1, 1, "cardio/new.md#L2 pressure of a new <note>."},
		{index.FindQuery{Text: "axolotls", Filter: index.Filter{Path: "cardio/**"}}, 0, 0, ""},
	} {
		found, err := index.Ask(k.Context(), k.library, c.q)
		first := ""
		if len(found.Found) > 0 {
			l := found.Found[0].Lines[0]
			first = found.Found[0].Path + "#" + l.Fragment + " " + l.Highlighted("<", ">")
		}
		if err != nil || found.Occurrences != c.places || found.Documents != c.documents || first != c.first {
			k.Errorf("%+v is found %d times in %d documents, first %q, %v; want %d in %d, %q", c.q, found.Occurrences, found.Documents, first, err, c.places, c.documents, c.first)
		}
	}
	if _, err := index.Ask(k.Context(), k.library, index.FindQuery{Text: "(", IsRegexp: true}); err == nil {
		k.Error("what is no pattern is looked for")
	}
}

// testCheckQuotes checks that all quotations are answered in order, including those that cannot be
// checked and those in recently saved files.
func testCheckQuotes(k *fixture) {
	k.write("cardio/new.md", "A walk lowers it by 5 mmHg,\nand it is not dangerous.\n")
	k.sync()
	checked, err := index.Ask(k.Context(), k.library, index.QuoteQuery{Quotes: []index.Quote{
		{Text: "“a walk lowers it by 5 mmHg and it is not dangerous”"},
		{Text: "walk lowers it by 15 mmHg"},
		{Text: "Statins lower the cholesterol of most people"},
		{Text: " "},
		{Text: "less salt lowers the blood pressure", Path: "asthma.md"},
		{Text: "So does a walk each day", Path: "cardio/pressure.md"},
		{Text: "An inhaler opens the bronchi", Path: "none.md"},
	}})
	if err != nil {
		k.Fatal(err)
	}
	want := []string{
		"exact cardio/new.md#char=0,51", "differs cardio/new.md#char=2,26: walk lowers it by ⟦quotation: 15 | document: 5⟧ mmHg", "nowhere", "not checked (there is nothing to check: it contains no words)",
		"exact cardio/pressure.md#char=18,53 (it is not in asthma.md)", "exact cardio/pressure.md#char=56,79", "exact asthma.md#char=10,38 (no such document: none.md)",
	}
	for i, q := range checked.Quotes {
		got := string(q.Verdict)
		for _, p := range q.Parts {
			got += " " + p.Path + "#" + p.Fragment
			if len(p.DiffRuns) > 0 {
				got += ": " + quote.FormatDifferences(p.DiffRuns)
			}
			if part := k.read(index.ReadQuery{Ref: p.URI + "#" + p.Fragment}); part.Span != p.Span {
				k.Errorf("%s#%s reads back %+v, want %+v", p.URI, p.Fragment, part.Span, p.Span)
			}
		}
		if q.Note != "" {
			got += " (" + q.Note.String() + ")"
		}
		if i >= len(want) || got != want[i] {
			k.Errorf("quotation %d: %s, want %s", i+1, got, want[i])
		}
	}
	for _, quotes := range [][]index.Quote{nil, make([]index.Quote, index.MaxQuotes+1)} {
		if _, err := index.Ask(k.Context(), k.library, index.QuoteQuery{Quotes: quotes}); err == nil {
			k.Errorf("%d quotations are checked", len(quotes))
		}
	}
}

// testSearch checks that a passage is found and reads back unchanged.
func testSearch(k *fixture) {
	a := k.search(index.Query{Text: "what lowers blood pressure?", TopK: 1})
	if len(a.Passages) != 1 || a.Incomplete {
		k.Fatalf("it found %d passages, incomplete %t", len(a.Passages), a.Incomplete)
	}
	p := a.Passages[0]
	if p.Path != "cardio/pressure.md" || p.Title != "Blood pressure" || p.Score != 1 || p.StartLine < 1 || p.EndLine < p.StartLine || !strings.Contains(p.Text, "Less salt") {
		k.Errorf("it found %+v", p)
	}
	if part := k.read(index.ReadQuery{Ref: p.URI}); part.Text != p.Text || part.Span != p.Span || part.Place != p.Place {
		k.Errorf("%s reads back as %+v, want %+v", p.URI, part, p)
	}
	if a := k.search(index.Query{Text: "Bluthochdruck", OtherWordings: []string{"asthma inhaler"}}); !strings.HasPrefix(pathsOf(a), "asthma.md") {
		k.Errorf("in other words it found %q", pathsOf(a))
	}
}

func testFilter(k *fixture) {
	if a := k.search(index.Query{Text: "blood pressure inhaler axolotl", Filter: index.Filter{Path: "cardio"}}); pathsOf(a) != "cardio/pressure.md" {
		k.Errorf("in cardio it found %q", pathsOf(a))
	}
	if a := k.search(index.Query{Text: "blood", Filter: index.Filter{Path: "*.pdf"}}); len(a.Passages) > 0 || len(a.Notes) == 0 {
		k.Errorf("where there is no document it found %q, notes %q", pathsOf(a), a.Notes)
	}
	if a := k.search(index.Query{Text: "blood zyxwvut"}); !strings.Contains(strings.Join(notice.EnglishLines(a.Notes), " "), "zyxwvut") {
		k.Errorf("a word that is nowhere: notes %q", a.Notes)
	}
}

// testFilterByFrontMatter checks filters on front matter and the counts of its values.
func testFilterByFrontMatter(k *fixture) {
	k.write("soup.md", "---\nstatus: draft\ndate: 2023-05-06\n---\nBlood soup with salt. #food/soup\n")
	only := index.Filter{}
	if err := errors.Join(only.AddTags("food"), only.AddKeyValues("status=draft")); err != nil {
		k.Fatal(err)
	}
	soup := only.Conditions
	only.Conditions = append(soup[:len(soup):len(soup)], meta.Condition{NotAfter: 20230000})
	if a := k.search(index.Query{Text: "salt", Filter: only}); pathsOf(a) != "soup.md" || a.Passages[0].Date != 20230506 || !slices.Equal(a.Passages[0].Tags, []string{"food/soup"}) {
		k.Errorf("it found %+v", a.Passages)
	}
	if all, err := k.library.List(k.Context(), only); err != nil || len(all) != 1 || all[0].Path != "soup.md" {
		k.Errorf("it lists %+v, %v", all, err)
	}
	want := []index.TagCount{{Tag: "food", Documents: 1}, {Tag: "food/soup", Documents: 1}}
	if tags, err := k.library.Tags(k.Context(), index.Filter{}); err != nil || !slices.Equal(tags, want) {
		k.Errorf("tags are %v, %v", tags, err)
	}
	if keys, values := k.library.FrontMatterValues(""), k.library.FrontMatterValues("status"); !slices.Equal(keys, []string{"date", "status"}) || !slices.Equal(values, []string{"draft"}) {
		k.Errorf("keys are %q, values %q", keys, values)
	}
	only.Conditions = append(soup[:len(soup):len(soup)], meta.Condition{NotAfter: 20220000})
	for name, f := range map[string]index.Filter{"none": only, "all": {}, "a path": {Path: "*.md"}} {
		if why, err := k.library.ExplainNoMatch(k.Context(), f); err != nil || (len(why) > 0) != (name == "none") {
			k.Errorf("of %s it says %q, %v", name, why, err)
		}
	}
}

func testMistakes(k *fixture) {
	k.sync()
	for what, q := range map[string]index.Query{
		"an empty query":    {Text: " "},
		"too many wanted":   {Text: "blood", TopK: index.MaxTopK + 1},
		"too many wordings": {Text: "blood", OtherWordings: make([]string, index.MaxOtherWordings+1)},
		"a long query":      {Text: strings.Repeat("blood ", index.MaxQueryRunes)},
	} {
		if _, err := index.Ask(k.Context(), k.library, q); err == nil || strings.Contains(err.Error(), "\n") {
			k.Errorf("%s: error %v, want one line", what, err)
		}
	}
	for what, r := range map[string]index.ReadQuery{
		"a file that is no text":   {Ref: "photo.png"},
		"lines of a part":          {Ref: "asthma.md#line=0,1", StartLine: 1},
		"lines beyond the end":     {Ref: "asthma.md", StartLine: 1000},
		"a page that is not there": {Ref: "asthma.md#page=7"},
		"a path that leads out":    {Ref: "../asthma.md"},
	} {
		if part, err := index.Ask(k.Context(), k.library, r); err == nil || errors.Is(err, index.ErrNotFound) {
			k.Errorf("%s reads %q, error %v", what, part.Text, err)
		}
	}
}

func testCancelled(k *fixture) {
	k.sync()
	ctx, cancel := context.WithCancel(k.Context())
	cancel()
	if err := k.library.WaitFresh(ctx, index.WaitPurposeAnswer); !errors.Is(err, context.Canceled) {
		k.Errorf("settle: %v", err)
	}
	if _, err := k.library.Sync(ctx, index.Scope{}); !errors.Is(err, context.Canceled) {
		k.Errorf("sync: %v", err)
	}
	if _, added, err := k.library.AddTexts(ctx, []string{"A ferret sleeps all day."}, nil); !errors.Is(err, context.Canceled) || added != 0 {
		k.Errorf("add texts: added %d, %v", added, err)
	}
	if a := k.search(index.Query{Text: "inhaler"}); pathsOf(a) != "asthma.md" {
		k.Errorf("and after it was found %q", pathsOf(a))
	}
}

// testConcurrentQueries checks concurrent queries, even before the Library is loaded.
func testConcurrentQueries(k *fixture) {
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := k.library.WaitFresh(k.Context(), index.WaitPurposeAutocompletion); err != nil {
				k.Error(err)
			}
			if err := k.library.WaitFresh(k.Context(), index.WaitPurposeAnswer); err != nil {
				k.Error(err)
			}
			a, err := index.Ask(k.Context(), k.library, index.Query{Text: "inhaler"})
			if err != nil || pathsOf(a) != "asthma.md" {
				k.Errorf("it found %q, %v", pathsOf(a), err)
			}
			all, err := k.library.List(k.Context(), index.Filter{})
			if err != nil || len(all) != 4 {
				k.Errorf("it lists %d documents, %v", len(all), err)
			}
			if _, err := k.library.Sync(k.Context(), index.Scope{}); err != nil {
				k.Error(err)
			}
			k.library.State()
			k.library.FreshnessNotes()
		})
	}
	group.Wait()
}
