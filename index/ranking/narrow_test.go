package ranking

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// TestNarrow: a passage is narrowed to what has the words of the question. One that has
// none stays whole, as one that a model has found, unless many are wanted.
func TestNarrow(t *testing.T) {
	whole := strings.Repeat("The river bends here, and a mill stands beside it. ", 20) + "The zebra drinks at dusk. " + strings.Repeat("Nobody counts the stones on its bank. ", 20)
	whole = strings.TrimSpace(whole)
	narrowed := func(wanted int, words ...string) string {
		return narrowedTo(t, whole, wanted, words...).Text
	}
	if got := narrowed(5, "zebra", "dusk"); !strings.Contains(got, "The zebra drinks at dusk.") || len(got) > shownMost {
		t.Errorf("narrowed to %q", got)
	}
	if got := narrowed(5, "lion"); got != whole {
		t.Errorf("without a word of the question %q is left", got)
	}
	if got := narrowed(40, "lion"); !strings.HasPrefix(whole, got) || len(got) > shownMost {
		t.Errorf("of forty %q is shown", got)
	}
	if first := narrowed(5, "mill"); !strings.HasPrefix(whole, first) {
		t.Errorf("of equal parts the first is not shown: %q", first)
	}
}

// narrowedTo narrows a passage that is a whole document.
func narrowedTo(t *testing.T, whole string, wanted int, words ...string) *Passage {
	t.Helper()
	d := search.NewDocument(&catalog.Record{ID: 1, Path: "a.md", TextMIME: "text/markdown"}, 0)
	c := search.Candidate{Chunk: search.Chunk{Document: d, Span: text.SpanOf(whole, 0, len(whole))}, Score: 1}
	p := newPassage(&c)
	p.Text, p.chunks = whole, []search.Chunk{c.Chunk}
	r := &Ranking{Question: Question{PassagesPerPage: wanted}, chosen: []*Passage{p}, bodies: map[*search.Document]text.Body{d: {Text: whole}}}
	for _, w := range words {
		r.found.Words = append(r.found.Words, search.Word{Forms: []string{w}, Weight: 1})
	}
	if err := narrowPassages(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if got := whole[p.Span.StartByte:p.Span.EndByte]; got != p.Text {
		t.Errorf("the span holds %q, the passage %q", got, p.Text)
	}
	return p
}

// TestBestLineHolds: the line that answers best is none that is struck out, unless only that one answers.
func TestBestLineHolds(t *testing.T) {
	list := "- ~~zebra drinks at dusk~~\n- zebra drinks at dawn\n- ~~lion at dusk~~\n"
	whole := list + strings.Repeat("- nobody counts the stones on its bank\n", 60)
	for word, want := range map[string]string{"zebra": "- zebra drinks at dawn", "lion": "- ~~lion at dusk~~"} {
		if p := narrowedTo(t, whole, 5, word, "dusk"); strings.TrimSpace(p.BestLine) != want {
			t.Errorf("%s: the best line is %q, want %q", word, p.BestLine, want)
		}
	}
}

// TestNarrowKeepsLists: a list is shown with what introduces it and to its end, without
// what stands before it and says nothing more; one that is too long says where it goes on,
// and what its items are below.
func TestNarrowKeepsLists(t *testing.T) {
	before := strings.Repeat("The zebra drinks at dusk. ", 40) + "\n\n"
	list := "The zebra eats:\n\n- grass that is fresh\n- leaves of the acacia\n  - but seldom\n- bark, when there is nothing else\n\n"
	after := strings.Repeat("Nobody counts the stones on its bank. ", 20)
	p := narrowedTo(t, before+list+after, 5, "zebra", "leav")
	if !strings.Contains(p.Text, strings.TrimSpace(list)) || strings.Contains(p.Text, "dusk") {
		t.Errorf("narrowed to %q", p.Text)
	}
	long := "The zebra eats:\n\n" + strings.Repeat("- grass that is fresh and leaves of the acacia\n", 30) + "- lions, never\n" + strings.Repeat("- bark, when there is nothing else in reach\n", 30) + "\n"
	p = narrowedTo(t, before+long+after, 5, "lion")
	if len(p.Heading) != 1 || p.Heading[0] != "The zebra eats" || len(p.OmittedSpans) != 1 {
		t.Fatalf("%q is below %q and goes on in %v", p.Text, p.Heading, p.OmittedSpans)
	}
	whole := before + long + after
	if rest := whole[p.OmittedSpans[0].StartByte:p.OmittedSpans[0].EndByte]; !strings.HasPrefix(rest, "- bark") || !strings.HasSuffix(strings.TrimSpace(long), rest) {
		t.Errorf("it goes on with %q", rest)
	}
}

// TestBridgeGaps: two passages of a document with little between them are shown as one, and
// those below other headings, or far apart, are not.
func TestBridgeGaps(t *testing.T) {
	whole := "First of all. " + strings.Repeat("x", 100) + " Second of all. " + strings.Repeat("y", 1200) + " Third of all."
	d := search.NewDocument(&catalog.Record{ID: 1, Path: "a.md", TextMIME: "text/markdown"}, 0)
	passageOf := func(said string, heading ...string) *Passage {
		at := strings.Index(whole, said)
		c := search.Candidate{Chunk: search.Chunk{Document: d, Span: text.SpanOf(whole, at, at+len(said)), Heading: heading}, Score: 1}
		p := newPassage(&c)
		p.Text, p.chunks = said, []search.Chunk{c.Chunk}
		return p
	}
	for name, tt := range map[string]struct {
		chosen []*Passage
		want   int
	}{
		"near":                {[]*Passage{passageOf("Second of all.", "A"), passageOf("First of all.", "A")}, 1},
		"other heading":       {[]*Passage{passageOf("Second of all.", "A"), passageOf("First of all.", "B")}, 2},
		"a candidate between": {[]*Passage{passageOf("Second of all."), passageOf("First of all.")}, 2},
		"far":                 {[]*Passage{passageOf("Third of all."), passageOf("First of all.")}, 2},
		"three":               {[]*Passage{passageOf("Third of all."), passageOf("First of all."), passageOf("Second of all.")}, 2},
	} {
		r := &Ranking{chosen: tt.chosen, bodies: map[*search.Document]text.Body{d: {Text: whole}}}
		if name == "a candidate between" {
			at := strings.Index(whole, "xx")
			r.candidates = []search.Candidate{{Chunk: search.Chunk{Document: d, Span: text.SpanOf(whole, at, at+50)}}}
		}
		if err := bridgeGaps(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if len(r.chosen) != tt.want {
			t.Errorf("%s: %d passages, want %d", name, len(r.chosen), tt.want)
		}
		for _, p := range r.chosen {
			if whole[p.Span.StartByte:p.Span.EndByte] != p.Text {
				t.Errorf("%s: the span of %q is another", name, p.Text)
			}
		}
	}
}

// TestNarrowShowsRows: a passage does not end with the names of the columns, however long the
// first row is.
func TestNarrowShowsRows(t *testing.T) {
	row := "| " + strings.Repeat("members of then and now ", 40) + "| twelve |"
	p := narrowedTo(t, "# Zebra\n\n| zebra | count |\n|---|---|\n"+row+"\n"+row+"\n\n"+strings.Repeat("Nobody counts the stones. ", 30), 5, "zebra")
	if !strings.Contains(p.Text, "members of then") {
		t.Errorf("narrowed to %q", p.Text)
	}
}

// TestBriefLineBelowTitle: what the title and the headings have does not choose the line, unless the lines
// have nothing else of the question.
func TestBriefLineBelowTitle(t *testing.T) {
	whole := "Children: 5 mg in the morning.\n\nThe most of zebrutin in a day is 40 mg.\n"
	for _, of := range []struct {
		title, heading, want string
		words                []string
	}{
		{"Zebrutin", "", "Children", []string{"zebrutin", "children"}},
		{"", "Zebrutin", "Children", []string{"zebrutin", "children"}},
		{"", "", "The most", []string{"zebrutin", "children"}},
		{"Zebrutin", "", "The most", []string{"zebrutin", "lion"}},
	} {
		d := search.NewDocument(&catalog.Record{ID: 1, Path: "a.md", Title: of.title, TextMIME: "text/markdown"}, 0)
		c := search.Candidate{Chunk: search.Chunk{Document: d, Span: text.SpanOf(whole, 0, len(whole)), Heading: []string{of.heading}}, Score: 1}
		p := newPassage(&c)
		p.Text, p.chunks = whole, []search.Chunk{c.Chunk}
		r := &Ranking{Question: Question{PassagesPerPage: 5, SingleLines: true}, chosen: []*Passage{p}, bodies: map[*search.Document]text.Body{d: {Text: whole}}}
		for i, w := range of.words {
			r.found.Words = append(r.found.Words, search.Word{Forms: []string{w}, Weight: float64(2 - i)})
		}
		if err := narrowPassages(t.Context(), r); err != nil || !strings.HasPrefix(p.Text, of.want) {
			t.Errorf("below %q and %q, %q are answered by %q (%v)", of.title, of.heading, of.words, p.Text, err)
		}
	}
}

// TestBriefJoinsNone: where a line of each is shown, neighbours stay apart.
func TestBriefJoinsNone(t *testing.T) {
	d := search.NewDocument(&catalog.Record{ID: 1, Path: "a.md", TextMIME: "text/markdown"}, 0)
	at := func(number int) *Passage {
		return newPassage(&search.Candidate{Chunk: search.Chunk{Document: d, Number: number, Span: text.Span{StartByte: 10 * number, EndByte: 10*number + 9}}, Score: 1})
	}
	r := &Ranking{chosen: []*Passage{at(0)}}
	if r.adjoiningPassage(at(1)) == nil {
		t.Error("neighbours are not joined")
	}
	if r.SingleLines = true; r.adjoiningPassage(at(1)) != nil {
		t.Error("in brief neighbours are joined")
	}
}

// TestLesserComesLater: what is not worth a place on the first page has one on the next.
func TestLesserComesLater(t *testing.T) {
	c := newCorpus(t)
	c.put("good.md", "Zebra stripes and zebra grass, all of zebras.")
	c.put("lesser.md", "Of many animals on the plain that drink at dusk, beside the river, one is the zebra, which nobody counts.")
	of := shelf{documents: slices.Collect(maps.Keys(c.texts))}
	for page, want := range []string{"good.md", "lesser.md"} {
		p := phrasing("zebra stripes grass")
		r, err := Rank(t.Context(), c, Question{
			Text: p.Text, Phrasings: []search.Phrasing{p}, PassagesPerPage: 5, Page: page, MinScoreShare: 0.9,
			SimilarFolders: func() *SimilarFolders { return NewSimilarFolders(of.paths) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if all := r.Passages(); len(all) != 1 || all[0].Document.Path != want || r.HasMore() != (page == 0) {
			t.Errorf("page %d has %d passages, more: %v", page, len(all), r.HasMore())
		}
		r.Release()
	}
}

// TestNarrowByWording: what is shown of a passage is chosen by the wording that found it, not
// by the words that other wordings repeat; and a row by what stands in it, not by the names
// of its columns.
func TestNarrowByWording(t *testing.T) {
	grades := "The larynx is injured in grades.\n\n" + strings.Repeat("- The larynx has a classification of injuries of the larynx\n", 40) + strings.Repeat("- Nobody counts that\n", 60) + "- Schaefer V is a separation\n" + strings.Repeat("- Nobody counts that\n", 20)
	d := search.NewDocument(&catalog.Record{ID: 1, Path: "a.md", TextMIME: "text/markdown"}, 0)
	shownFor := func(whole string, by [search.MaxPhrasings]float32, words ...search.Word) string {
		c := search.Candidate{Chunk: search.Chunk{Document: d, Span: text.SpanOf(whole, 0, len(whole))}, Score: 1, ScoresByPhrasing: by}
		p := newPassage(&c)
		p.Text, p.chunks = whole, []search.Chunk{c.Chunk}
		r := &Ranking{Question: Question{PassagesPerPage: 5}, chosen: []*Passage{p}, bodies: map[*search.Document]text.Body{d: {Text: whole}}}
		r.found.Words = words
		if err := narrowPassages(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		return p.Text
	}
	asked := []search.Word{{Forms: []string{"schaefer"}, Weight: 1}, {Forms: []string{"larynx"}, Weight: 1, PhrasingIndex: 1}, {Forms: []string{"classif"}, Weight: 1, PhrasingIndex: 1}}
	if got := shownFor(grades, [search.MaxPhrasings]float32{1, 0.2}, asked...); !strings.Contains(got, "Schaefer V") {
		t.Errorf("found by the question, it shows %q", got)
	}
	if got := shownFor(grades, [search.MaxPhrasings]float32{0.2, 1}, asked...); strings.Contains(got, "Schaefer V") {
		t.Errorf("found by the other wording, it shows %q", got)
	}
	table := "| number | height | span |\n|---|---|---|\n" + strings.Repeat("| 10 | one hundred and seventy | one hundred and seventy |\n", 40) + "| zebra | tall | wide |\n"
	byAll := [search.MaxPhrasings]float32{1}
	if got := shownFor(table, byAll, search.Word{Forms: []string{"height"}, Weight: 2}, search.Word{Forms: []string{"span"}, Weight: 2}, search.Word{Forms: []string{"zebra"}, Weight: 1}); !strings.Contains(got, "| zebra |") {
		t.Errorf("the row that was asked for is not in %q", got)
	}
}

// TestPlacesOfWhatIsCutAreFew: of a long list of which every second line has the words of the
// question not each that is cut is named, and of lines in a row their range is.
func TestPlacesOfWhatIsCutAreFew(t *testing.T) {
	scattered := strings.Repeat("The zebra drinks at dusk.\n\nNobody counts the stones on its bank.\n\n", 60)
	if p := narrowedTo(t, scattered, 5, "zebra"); len(p.OmittedSpans) != mostRest {
		t.Errorf("%d places are named", len(p.OmittedSpans))
	}
	row := strings.Repeat("The zebra drinks at dusk. ", 120)
	p := narrowedTo(t, row, 5, "zebra")
	if len(p.OmittedSpans) != 1 || p.OmittedSpans[0].StartByte <= p.Span.EndByte-2 || p.OmittedSpans[0].EndByte < len(row)-2 {
		t.Errorf("of %d characters %v are shown and %v named", len(row), p.Span, p.OmittedSpans)
	}
}

// TestNarrowKeepsLabels: a line whose label is a word of the question is shown where it stands near
// what has more of the question's words, and named where it is far from it.
func TestNarrowKeepsLabels(t *testing.T) {
	for _, line := range []string{"Fax: 030 901820", "- **Fax**：030 901820"} {
		filler := func(n int) string { return strings.Repeat("Nobody counts the stones on its bank. ", n) }
		whole := func(between int) string {
			return "The practice sends its letters by fax to the clinic. " + filler(between) + "\n\nAddress: Seestrasse 10\n" + line + "\nOpen: weekdays\n\n" + filler(60)
		}
		if got := narrowedTo(t, whole(18), 5, "practice", "fax", "clinic").Text; !strings.Contains(got, line) || !strings.HasPrefix(got, "The practice") {
			t.Errorf("narrowed to %q", got)
		}
		far := whole(60)
		p := narrowedTo(t, far, 5, "practice", "fax", "clinic")
		if len(p.OmittedSpans) != 1 || !strings.Contains(far[p.OmittedSpans[0].StartByte:p.OmittedSpans[0].EndByte], line) {
			t.Errorf("narrowed to %q, more of it in %v", p.Text, p.OmittedSpans)
		}
	}
}

// briefly reduces a document to what answers in brief.
func briefly(t *testing.T, whole, mime string, words ...string) *Passage {
	t.Helper()
	return brieflyAsked(t, strings.Join(words, " "), whole, mime, words...)
}

// brieflyAsked does the same for a question with the given words.
func brieflyAsked(t *testing.T, question, whole, mime string, words ...string) *Passage {
	t.Helper()
	d := search.NewDocument(&catalog.Record{ID: 1, Path: "a.md", TextMIME: mime}, 0)
	c := search.Candidate{Chunk: search.Chunk{Document: d, Span: text.SpanOf(whole, 0, len(whole))}, Score: 1}
	p := newPassage(&c)
	p.Text, p.chunks = whole, []search.Chunk{c.Chunk}
	r := &Ranking{Question: Question{Text: question, PassagesPerPage: 5, SingleLines: true}, chosen: []*Passage{p}, bodies: map[*search.Document]text.Body{d: {Text: whole}}}
	for _, w := range words {
		r.found.Words = append(r.found.Words, search.Word{Forms: []string{w}, Weight: 1})
	}
	if err := narrowPassages(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestBriefShowsEqualItems: rows and items that answer as well as the best are shown with it if they are
// near, and named if not; sentences are not.
func TestBriefShowsEqualItems(t *testing.T) {
	const rows = "name;due;what\nLion;May;cage\nZebra;June;grass\nLion;June;meat\nZebra;July;hay\nLion;July;bones\n"
	far := strings.Repeat("Lion;August;nothing of all that was ordered for him\n", 10)
	for _, c := range []struct {
		what, mime, whole, want string
		words                   []string
		named                   string
	}{
		{"rows", "text/csv", rows, "Zebra;June;grass\nLion;June;meat\nZebra;July;hay", []string{"zebra"}, ""},
		{"the best row alone", "text/csv", rows, "Zebra;July;hay", []string{"zebra", "hay"}, ""},
		{"far rows", "text/csv", rows + far + "Zebra;May;straw\nZebra;June;oats\n", "Zebra;June;grass\nLion;June;meat\nZebra;July;hay", []string{"zebra"}, "Zebra;May;straw\nZebra;June;oats"},
		{"items", "text/markdown", "Animals:\n\n- The zebra eats. It sleeps.\n- The lion sleeps\n- A zebra drinks\n", "- The zebra eats. It sleeps.\n- The lion sleeps\n- A zebra drinks", []string{"zebra"}, ""},
		{"items of another list", "text/markdown", "- The zebra eats.\n\nMore.\n\n- A zebra drinks\n", "- The zebra eats.", []string{"zebra"}, "- A zebra drinks"},
		{"sentences", "text/plain", "The zebra eats. The lion sleeps. A zebra drinks.", "The zebra eats.", []string{"zebra"}, ""},
		{"no word", "text/csv", rows, "Lion;May;cage", []string{"tiger"}, ""},
	} {
		p := briefly(t, c.whole, c.mime, c.words...)
		named := ""
		for _, s := range p.OmittedSpans {
			named += c.whole[s.StartByte:s.EndByte]
		}
		if p.Text != c.want || named != c.named {
			t.Errorf("%s: shown is\n%s\nand named %q, want\n%s\nand %q", c.what, p.Text, named, c.want, c.named)
		}
	}
}

// TestNarrowShowsTextOfMails: what a mail says counts more than the names in its header, which are shown
// with it if they are near, and more than its subject, which is in the citation.
func TestNarrowShowsTextOfMails(t *testing.T) {
	whole := "# Rent of the house\n\nFrom: Ann <ann@north.example>\nTo: Bob <bob@zebra.example>\nCc: Cid <cid@south.example>\nDate: Tue, 5 Nov 2024 09:12:00 +0000\n\nDear Bob,\n\nThe rents have not reached us.\n\n" + strings.Repeat("Nobody counts the stones. ", 60)
	p := narrowedTo(t, whole, 40, "zebra", "rent")
	if !strings.Contains(p.Text, "The rents") || !strings.Contains(p.Text, "zebra.example") {
		t.Errorf("shown is %q", p.Text)
	}
	if p = briefly(t, whole, "text/markdown", "zebra", "rent"); p.Text != "The rents have not reached us." {
		t.Errorf("in brief shown is %q", p.Text)
	}
	if p = briefly(t, whole, "text/markdown", "zebra"); !strings.Contains(p.Text, "zebra.example") {
		t.Errorf("of a word in the header, shown is %q", p.Text)
	}
}

// TestNarrowNamesOtherWords: a line that was cut and has a word of the question that is not shown is named,
// unless the word weighs little.
func TestNarrowNamesOtherWords(t *testing.T) {
	const filler = "Nobody counts the stones. "
	whole := "The zebra stripes are the zebra stripes of grass. " + strings.Repeat(filler, 60) + "A lion came. " + strings.Repeat(filler, 60)
	p := narrowedTo(t, whole, 5, "zebra", "stripe", "lion")
	if len(p.OmittedSpans) != 1 || whole[p.OmittedSpans[0].StartByte:p.OmittedSpans[0].EndByte] != "A lion came." {
		t.Errorf("shown is %q, more of it in %v", p.Text, p.OmittedSpans)
	}
	if p = narrowedTo(t, whole, 5, "zebra", "stripe", "grass", "lion"); len(p.OmittedSpans) != 0 {
		t.Errorf("shown is %q, more of it in %v", p.Text, p.OmittedSpans)
	}
}
