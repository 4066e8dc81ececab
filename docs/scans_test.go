package docs

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/ocr"
	"vademecum/internal/base/message"
)

func TestTakeRecognised(t *testing.T) {
	reason := extract.Skip("scanned PDF: no text layer").Reason
	unsure := ocr.Page{NoTextReason: extract.Skip("unsure").Reason}
	for _, test := range []struct {
		name    string
		text    string // of page 1
		scans   []int
		known   ocr.Pages
		want    string
		pages   []int
		says    string // the note, or the reason
		waiting int
	}{
		{name: "nothing known", scans: []int{1, 2}, says: "scanned PDF: no text layer", waiting: 2},
		{name: "nothing known beside text", text: "Cover.\n", scans: []int{2}, want: "Cover.\n", pages: []int{1}, says: "scanned PDF: no text layer", waiting: 1},
		{name: "all", scans: []int{1, 2}, known: ocr.Pages{1: {Text: "One.\n", ConfidencePercent: 90}, 2: {Text: "Two.\n", ConfidencePercent: 80}},
			want: "One.\n\nTwo.\n", pages: []int{1, 2}, says: "the text of 2 pages was recognised from their pictures (about 85 % sure)"},
		{name: "after a stamp", text: "No. 7\n", scans: []int{1, 3}, known: ocr.Pages{1: {Text: "Letter.\n", ConfidencePercent: 91}, 3: unsure},
			want: "No. 7\n\nLetter.\n", pages: []int{1}, says: "the text of 1 page was recognised from its picture (about 91 % sure); 1 scanned page yields no text: unsure"},
		{name: "some", scans: []int{1, 2, 3}, known: ocr.Pages{2: {Text: "Two.\n", ConfidencePercent: 70}},
			want: "Two.\n", pages: []int{2}, says: "the text of 1 page was recognised from its picture (about 70 % sure); pages still to be recognised: 2", waiting: 2},
		{name: "nothing sure", scans: []int{1, 2}, known: ocr.Pages{1: unsure, 2: unsure}, says: "scanned PDF: no text layer; 2 scanned pages yield no text; the reason for the last one: unsure"},
		{name: "nothing sure yet", scans: []int{1, 2}, known: ocr.Pages{1: unsure}, says: "scanned PDF: no text layer", waiting: 1},
	} {
		c := extract.Content{Text: test.text, UnrecognisedPages: extract.UnrecognisedPages{Pages: test.scans, MissingPagesNote: reason}}
		if test.text != "" {
			c.Parts = []extract.Part{{Kind: extract.Page, Number: 1}}
		}
		err := takeRecognised(&c, test.known)
		says := c.ExtractionNote
		if err != nil {
			says = err.(*extract.SkipError).Reason
		}
		var pages []int
		for _, p := range c.Parts {
			pages = append(pages, p.Number)
			if p.StartByte > 0 && c.Text[p.StartByte-2:p.StartByte] != "\n\n" {
				t.Errorf("%s: page %d begins at %d of %q", test.name, p.Number, p.StartByte, c.Text)
			}
		}
		if c.Text != test.want || (err != nil) != (test.want == "") || !slices.Equal(pages, test.pages) || says.String() != test.says || extract.UnrecognisedPageCount(says) != test.waiting {
			t.Errorf("%s: %q on pages %v, %q, %d waiting, %v", test.name, c.Text, pages, says, extract.UnrecognisedPageCount(says), err)
		}
		if HasOCRNote(says) != strings.Contains(test.says, "recognised from") {
			t.Errorf("%s: that text was recognised is %v", test.name, HasOCRNote(says))
		}
	}
}

// TestManyScans: how many pages of a file are recognised is told before and after.
func TestManyScans(t *testing.T) {
	c := extract.Content{}
	known := make(ocr.Pages)
	for i := range 2 * maxRecognisedPages {
		c.UnrecognisedPages.Pages = append(c.UnrecognisedPages.Pages, i+1)
		known[i+1] = ocr.Page{Text: "a\n", ConfidencePercent: 90}
	}
	if due := dueOf(c.UnrecognisedPages); len(due) != maxRecognisedPages {
		t.Errorf("%d are due", len(due))
	}
	const limit = "only the first 1000 of 2000 scanned pages are recognised"
	for _, text := range []string{"", "a cover\n"} {
		waiting := extract.Content{Text: text, UnrecognisedPages: c.UnrecognisedPages}
		skip, says := new(extract.SkipError), message.Message("")
		if err := takeRecognised(&waiting, nil); errors.As(err, &skip) {
			says = skip.Reason
		} else {
			says = waiting.ExtractionNote
		}
		if !strings.Contains(says.String(), limit) || extract.UnrecognisedPageCount(says) != maxRecognisedPages {
			t.Errorf("of pages that wait it says %q", says)
		}
	}
	if err := takeRecognised(&c, known); err != nil || c.ExtractionNote.String() != "the text of 1000 pages was recognised from their pictures (about 90 % sure); "+limit {
		t.Errorf("%q, %v", c.ExtractionNote, err)
	}
}

// TestRecognisedBesideSections: the sections of a page stay where they are on it.
func TestRecognisedBesideSections(t *testing.T) {
	c := extract.Content{Text: "Care.\n\nDrugs.\n\nEnd.\n", UnrecognisedPages: extract.UnrecognisedPages{Pages: []int{2}}, Parts: []extract.Part{
		{Kind: extract.Page, Number: 1, Name: "3"}, {Kind: extract.Page, Number: 1, Name: "4", StartByte: 7}, {Kind: extract.Page, Number: 3, Name: "4", StartByte: 15},
	}}
	if err := takeRecognised(&c, ocr.Pages{2: {Text: "Scan.\n", ConfidencePercent: 90}}); err != nil {
		t.Fatal(err)
	}
	want := []extract.Part{
		{Kind: extract.Page, Number: 1, Name: "3"}, {Kind: extract.Page, Number: 1, Name: "4", StartByte: 7},
		{Kind: extract.Page, Number: 2, StartByte: 15}, {Kind: extract.Page, Number: 3, Name: "4", StartByte: 22},
	}
	if c.Text != "Care.\n\nDrugs.\n\nScan.\n\nEnd.\n" || !slices.Equal(c.Parts, want) {
		t.Errorf("it is %q, %+v", c.Text, c.Parts)
	}
}
