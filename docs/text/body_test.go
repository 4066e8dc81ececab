package text

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/extract"
)

// paper has three pages with text, the second of which has none.
func paper() Body {
	text := "Title\n\nFirst page\ngoes on.\n\nThird page.\nIts end.\n\nFourth\n"
	return Body{Text: text, Parts: []extract.Part{
		{Kind: extract.Page, Number: 1, StartByte: 0},
		{Kind: extract.Page, Number: 3, StartByte: strings.Index(text, "Third")},
		{Kind: extract.Page, Number: 4, StartByte: strings.Index(text, "Fourth")},
	}}
}

func budget() Body {
	text := "# Budget\n\n| Month | Sum |\n| --- | --- |\n| May | 10 |\n| July | 30 |\n| August | 40 |\n\n# Notes\n\ntext\n"
	sheet := func(number, row int, name, at string) extract.Part {
		return extract.Part{Kind: extract.Sheet, Number: number, FirstRow: row, Name: name, StartByte: strings.Index(text, at)}
	}
	return Body{Text: text, Parts: []extract.Part{
		sheet(1, 0, "Budget", "# Budget"), sheet(1, 1, "Budget", "| Month"), sheet(1, 2, "Budget", "| May"), sheet(1, 7, "Budget", "| July"),
		sheet(2, 0, "Notes", "# Notes"),
	}}
}

// ward has rows that do not begin with 1.
func ward() Body {
	text := "# A\n| n |\n| 1 |\n| 2 |\n# B\n| 11 |\n| 12 |\n# C\nend\n"
	part := func(number, row int, at string) extract.Part {
		return extract.Part{Kind: extract.Sheet, Number: number, FirstRow: row, StartByte: strings.Index(text, at)}
	}
	return Body{Text: text, Parts: []extract.Part{part(1, 0, "# A"), part(1, 138, "| n |"), part(2, 0, "# B"), part(2, 1, "| 11"), part(3, 0, "# C")}}
}

func spanIn(b Body, from, to string) Span {
	start := strings.Index(b.Text, from)
	return SpanOf(b.Text, start, start+strings.Index(b.Text[start:], to)+len(to))
}

// TestRowsAreCountedOnce checks that a table has the same rows however much around it a span covers.
func TestRowsAreCountedOnce(t *testing.T) {
	b := budget()
	for _, c := range []struct{ from, to, want string }{
		{"# Budget", "40 |", "sheet 1 (Budget), rows 1-8"},
		{"# Budget", "40 |\n", "sheet 1 (Budget), rows 1-8"},
		{"# Budget", "40 |\n\n", "sheet 1 (Budget), rows 1-8"},
		{"| Month", "--- |", "sheet 1 (Budget), row 1"},
		{"| Month", "--- |\n", "sheet 1 (Budget), row 1"},
	} {
		if got := b.Location(spanIn(b, c.from, c.to)).String(); got != c.want {
			t.Errorf("from %q to %q are %s, want %s", c.from, c.to, got, c.want)
		}
	}
}

func TestBodyFragmentAndPlace(t *testing.T) {
	tests := []struct {
		name            string
		body            Body
		from, to        string
		fragment, place string
	}{
		{"whole page", paper(), "Third", "end.", "page=3", "page 3"},
		{"lines of a page", paper(), "First", "on.", "page=1&L3-4", "page 1"},
		{"part of a line", paper(), "page.", "end", "page=3&char=6,19", "page 3"},
		{"over the end of a page", paper(), "Its", "Fourth", "page=3&L2-4", "pages 3-4"},
		{"lines", Body{Text: "a\nb\nc"}, "b", "c", "L2-3", "lines 2-3"},
		{"one line", Body{Text: "a\nb\nc"}, "b", "b", "L2", "line 2"},
		{"rows", budget(), "| May", "40 |", "sheet=1&L5-7", "sheet 1 (Budget), rows 2-8"},
		{"one row", budget(), "| August", "40 |", "sheet=1&L7", "sheet 1 (Budget), row 8"},
		{"header and heading", budget(), "# Budget", "10 |", "sheet=1&L1-5", "sheet 1 (Budget), rows 1-2"},
		{"sheet without rows", budget(), "# Notes", "text", "sheet=2", "sheet 2 (Notes)"},
		{"over the end of a sheet", ward(), "| 2 |", "| 12 |", "sheet=1&L4-7", "sheet 1, row 140 to sheet 2, row 2"},
		{"from a sheet without rows", ward(), "| 12 |", "end", "sheet=2&L3-5", "sheets 2-3"},
	}
	for _, tt := range tests {
		s := spanIn(tt.body, tt.from, tt.to)
		if got := tt.body.URIFragment(s); got != tt.fragment {
			t.Errorf("%s: fragment %s, want %s", tt.name, got, tt.fragment)
		}
		if got, err := tt.body.ResolveFragment(tt.fragment); err != nil || got != s {
			t.Errorf("%s: %s resolves to %+v, %v, want %+v", tt.name, tt.fragment, got, err, s)
		}
		if got := tt.body.Location(s).String(); got != tt.place {
			t.Errorf("%s: place %q, want %q", tt.name, got, tt.place)
		}
	}
}

// TestBodyResolvesRange: what is cited over several parts is read as a whole, of those that have text.
func TestBodyResolvesRange(t *testing.T) {
	for _, tt := range []struct {
		body                      Body
		fragment, from, to, place string
	}{
		{paper(), "page=1-3", "Title", "Its end.", "pages 1-3"},
		{paper(), "page=3-3", "Third", "Its end.", "page 3"},
		{paper(), "page=2-3", "Third", "Its end.", "page 3"},
		{paper(), "page=3-9", "Third", "Fourth", "pages 3-4"},
		{budget(), "sheet=1&row=2-7", "| May", "30 |", "sheet 1 (Budget), rows 2-7"},
		{budget(), "sheet=1&row=8", "| August", "40 |", "sheet 1 (Budget), row 8"},
		{budget(), "sheet=1&row=3-99", "| July", "40 |", "sheet 1 (Budget), rows 7-8"},
		{ward(), "sheet=1-2&row=140-1", "| 2 |", "| 11 |", "sheet 1, row 140 to sheet 2, row 1"},
		{ward(), "sheet=1-2", "# A", "| 12 |", "sheet 1, row 138 to sheet 2, row 2"},
		{budget(), "sheet=Notes", "# Notes", "text", "sheet 2 (Notes)"},
		{budget(), "sheet=budget&row=2-7", "| May", "30 |", "sheet 1 (Budget), rows 2-7"},
		{namedOddly(), "chapter=R&D", "beta", "beta", "chapter 2 (R&D)"},
		{namedOddly(), "chapter=R&D&L1", "beta", "beta", "chapter 2 (R&D)"},
		{namedOddly(), "chapter=R", "alpha", "alpha", "chapter 1 (R)"},
		{namedOddly(), "chapter=2", "beta", "beta", "chapter 2 (R&D)"},
		{namedOddly(), "chapter=2024", "gamma", "delta", "chapters 3-4"},
		{namedOddly(), "chapter=5", "epsilon", "epsilon", "chapter 5 (2)"},
	} {
		want := spanIn(tt.body, tt.from, tt.to)
		got, err := tt.body.ResolveFragment(tt.fragment)
		if err != nil || got != want {
			t.Errorf("%s resolves to %+v, %v, want %+v", tt.fragment, got, err, want)
		}
		if place := tt.body.Location(got).String(); place != tt.place {
			t.Errorf("%s: place %q, want %q", tt.fragment, place, tt.place)
		}
	}
}

// namedOddly has chapters whose names look like fragments and numbers, two of them with the same.
func namedOddly() Body {
	b := Body{}
	for i, chapter := range [][2]string{{"R", "alpha"}, {"R&D", "beta"}, {"2024", "gamma"}, {"2024", "delta"}, {"2", "epsilon"}} {
		b.Parts = append(b.Parts, extract.Part{Kind: extract.Chapter, Number: i + 1, Name: chapter[0], StartByte: len(b.Text)})
		b.Text += chapter[1] + "\n"
	}
	return b
}

func TestBodyResolveRejects(t *testing.T) {
	for _, tt := range []struct {
		body           Body
		fragment, want string
	}{
		{paper(), "page=2", "there is no text on page 2: the last with text is 4"},
		{paper(), "page=x", `fragment "page=x": give a number, as in "page=3"`},
		{paper(), "page=3-1", `fragment "page=3-1": give a number, as in "page=3"`},
		{budget(), "sheet=1&row=9-3", `fragment "row=9-3": want rows, as in "row=5-9"`},
		{budget(), "sheet=Costs", `there is no "sheet=Costs": give a number, as in sheet=3, or a name: Budget; Notes`},
		{budget(), "sheet=7", "there is no text on sheet 7: the last with text is 2"},
		{paper(), "page=7-9", "there is no text on page 7: the last with text is 4"},
		{paper(), "slide=1", "it has pages and no slides"},
		{Body{Text: "a"}, "page=1", "it has lines and no pages: want LFROM-TO"},
		{paper(), "page=1&row=3", `fragment "row=3": want L`},
	} {
		if _, err := tt.body.ResolveFragment(tt.fragment); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.fragment, err, tt.want)
		}
	}
}

// TestDivisions: pages are told where they begin in what is shown, and sheets once.
func TestDivisions(t *testing.T) {
	b := Body{Text: "one\ntwo\nthree\n", Parts: []extract.Part{{Kind: extract.Page, Number: 1}, {Kind: extract.Page, Number: 2, StartByte: 4}, {Kind: extract.Page, Number: 3, StartByte: 8}}}
	for span, want := range map[Span]string{
		{StartByte: 0, EndByte: 14}: "[{0 1 page 1} {4 2 page 2} {8 3 page 3}]",
		{StartByte: 5, EndByte: 9}:  "[{0 2 page 2} {3 3 page 3}]",
	} {
		if got := fmt.Sprint(b.Divisions(span)); got != want {
			t.Errorf("%+v: %s, want %s", span, got, want)
		}
	}
	rows := Body{Text: "a\nb\n", Parts: []extract.Part{{Kind: extract.Sheet, Number: 1, Name: "Budget", FirstRow: 1}, {Kind: extract.Sheet, Number: 1, Name: "Budget", FirstRow: 7, StartByte: 2}}}
	if got := fmt.Sprint(rows.Divisions(Span{EndByte: 4})); got != "[{0 1 sheet 1 (Budget)}]" {
		t.Error(got)
	}
	if got := (Body{Text: "a\n"}).Divisions(Span{EndByte: 2}); got != nil {
		t.Errorf("a text of lines has %v", got)
	}
}

// TestWithin: what of a page a span holds is counted in characters from where the page
// begins, and a span that is all of it holds nothing in particular.
func TestWithin(t *testing.T) {
	b := paper()
	for name, test := range map[string]struct {
		from, to string
		page     int
		want     [2]int
	}{
		"words":            {"page", "goes", 1, [2]int{13, 22}},
		"whole page":       {"Third", "end.", 3, [2]int{0, 0}},
		"begins here":      {"Its", "Fourth", 3, [2]int{12, 22}},
		"ends here, whole": {"Its", "Fourth", 4, [2]int{0, 0}},
		"ends here":        {"Its", "Fou", 4, [2]int{0, 3}},
		"elsewhere":        {"Its", "Fourth", 1, [2]int{0, 0}},
		"no such page":     {"Its", "Fourth", 2, [2]int{0, 0}},
	} {
		if from, to := b.CharacterRangeInPart(spanIn(b, test.from, test.to), test.page); [2]int{from, to} != test.want {
			t.Errorf("%s: %d to %d, want %v", name, from, to, test.want)
		}
	}
	if n := b.PartNumber(spanIn(b, "Its", "Fourth")); n != 3 {
		t.Errorf("it begins on page %d", n)
	}
	if n := (Body{Text: "a"}).PartNumber(Span{EndByte: 1}); n != 0 {
		t.Errorf("a text without pages begins on %d", n)
	}
}

// TestNumbersAreNoNamesOfPages: a page without text is not replaced by one whose section has its number as its name.
func TestNumbersAreNoNamesOfPages(t *testing.T) {
	b := Body{Text: "a\nb\n", Parts: []extract.Part{{Kind: extract.Page, Number: 1, Name: "3"}, {Kind: extract.Page, Number: 2, StartByte: 2}}}
	if s, err := b.ResolveFragment("page=3"); err == nil {
		t.Errorf("page 3 is %+v", s)
	}
	b.Parts[0].Kind, b.Parts[1].Kind = extract.Sheet, extract.Sheet
	if s, err := b.ResolveFragment("sheet=3"); err != nil || s.StartByte != 0 {
		t.Errorf("sheet 3 is %+v, %v", s, err)
	}
}
