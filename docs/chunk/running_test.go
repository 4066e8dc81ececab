package chunk

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/text"
)

// paged is a text of pages.
func paged(pages ...string) Blocks {
	var body text.Body
	for i, p := range pages {
		body.Parts = append(body.Parts, extract.Part{Kind: extract.Page, Number: i + 1, StartByte: len(body.Text)})
		body.Text += p + "\n\n"
	}
	return ParseBlocks(body, extract.PlainText)
}

// TestRunningLines: numbers of pages and what else stands on page after page are in no
// chunk, but for the first page that has it. What a page says stays.
func TestRunningLines(t *testing.T) {
	words := []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"}
	each := func(format string) []string {
		var pages []string
		for i, w := range words {
			pages = append(pages, strings.NewReplacer("WORD", w, "NUMBER", fmt.Sprint(i+9), "EVEN", []string{"The Book", "A Chapter"}[i%2]).Replace(format))
		}
		return pages
	}
	for _, c := range []struct {
		name  string
		pages []string
		want  []string
	}{
		{"a number first", each("-NUMBER-\nThe text WORD."), each("The text WORD.")},
		{"a number last", each("The text WORD.\nNUMBER"), each("The text WORD.")},
		{"Chinese numbers", each("正文 WORD。\n第 NUMBER 页 共 99 页"), each("正文 WORD。")},
		{"copyright", each("Copyright © 2023 Pearson\nThe text WORD."), append([]string{"Copyright © 2023 Pearson\nThe text alpha."}, each("The text WORD.")[1:]...)},
		{"copyright with a number", each("The text WORD.\n© 2006 Alta Plana Corporation Page NUMBER"),
			append([]string{"The text alpha.\n© 2006 Alta Plana Corporation Page 9"}, each("The text WORD.")[1:]...)},
		{"a page with nothing else", append(each("NUMBER\nThe text WORD."), "17"), each("The text WORD.")},
		{"counted headings", each("Exercise NUMBER\nThe text WORD."), each("Exercise NUMBER\nThe text WORD.")},
		{"other numbers", []string{"7\none", "3\ntwo", "12\nthree", "5\nfour"}, []string{"7\none", "3\ntwo", "12\nthree", "5\nfour"}},
		{"a line of few pages", append([]string{"Note\na", "Note\nb"}, each("The text WORD.")...), append([]string{"Note\na", "Note\nb"}, each("The text WORD.")...)},
		{"two pages", []string{"1\none", "2\ntwo"}, []string{"1\none", "2\ntwo"}},
	} {
		if got := texts(paged(c.pages...).Chunks()); !slices.Equal(got, c.want) {
			t.Errorf("%s: the chunks are %q, want %q", c.name, got, c.want)
		}
	}
	got := texts(paged(each("EVEN\nThe text WORD.")...).Chunks())
	if len(got) != 8 || got[0] != "The Book\nThe text alpha." || got[1] != "A Chapter\nThe text beta." || got[5] != "The text zeta." {
		t.Errorf("even and odd pages: the chunks are %q", got)
	}
}

// TestPageSections: no chunk reaches from one section of a page into the next, and what runs from
// page to page is looked for at the edges of pages.
func TestPageSections(t *testing.T) {
	blocks := paged("The Book\n3 Care\n\nCall.", "The Book\nmore care\n\n4 Drugs\nGive insulin.", "The Book\nmore drugs", "The Book\nthe end")
	parts := blocks.body.Parts
	for i, name := range []string{"3 Care", "3 Care", "4 Drugs", "4 Drugs"} {
		parts[i].Name = name
	}
	drugs := extract.Part{Kind: extract.Page, Number: 2, Name: "4 Drugs", StartByte: strings.Index(blocks.body.Text, "4 Drugs")}
	blocks.body.Parts = slices.Insert(parts, 2, drugs)
	var got []string
	for _, c := range blocks.Chunks() {
		got = append(got, blocks.body.Location(c.Span).String()+": "+c.Text)
	}
	if want := []string{
		"page 1 (3 Care): The Book\n3 Care\n\nCall.", "page 2 (3 Care): more care", "page 2 (4 Drugs): 4 Drugs\nGive insulin.", "page 3 (4 Drugs): more drugs", "page 4 (4 Drugs): the end",
	}; !slices.Equal(got, want) {
		t.Errorf("the chunks are %q", got)
	}
}
