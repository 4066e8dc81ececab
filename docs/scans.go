package docs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/layout"
	"vademecum/docs/formats"
	"vademecum/docs/ocr"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// maxRecognisedPages is the maximum number of scanned pages of a file that are recognised, counted from
// its start. They take more than half an hour.
const maxRecognisedPages = 1000

// scanDots is the resolution, in dots per inch, at which pages are drawn for OCR; tesseract is
// trained for it.
const scanDots = 300

// ScannedPages returns the numbers of the pages of a file that need OCR, at most maxRecognisedPages. The
// errors are those of Document.
func (r RawFile) ScannedPages(ctx context.Context) ([]int, error) {
	content, err := formats.Read(ctx, r.Path, r.bytes)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", present.QuoteName(r.Path), err)
	}
	return dueOf(content.UnrecognisedPages), nil
}

func dueOf(s extract.UnrecognisedPages) []int { return s.Pages[:min(len(s.Pages), maxRecognisedPages)] }

// DrawScannedPage draws a page for OCR. If the page cannot be drawn or does not exist, the error matches
// *extract.SkipError (errors.As).
func (r RawFile) DrawScannedPage(ctx context.Context, page int) ([]byte, error) {
	return r.DrawPage(ctx, extract.DrawingRequest{Page: page, DotsPerInch: scanDots})
}

// IsPicture reports whether files with that name are pictures.
func IsPicture(name string) bool { return formats.IsPicture(name) }

// NeedsOCR reports whether a file is a picture that becomes a document once its text has been
// recognised.
func (f File) NeedsOCR() bool { return extract.UnrecognisedPageCount(f.SkipReason) > 0 }

// IsMissingConverterSkip reports whether a picture is skipped because no converter is installed.
func IsMissingConverterSkip(skip message.Message) bool { return formats.IsMissingConverterSkip(skip) }

// CountUnrecognisedPages returns how many pages of a document still need OCR, according to its note or the
// reason why it is not indexed.
func CountUnrecognisedPages(note, skip message.Message) int {
	return extract.UnrecognisedPageCount(note) + extract.UnrecognisedPageCount(skip)
}

// codeRecognised is the code of the note of a document that is complete because all of its scanned
// pages were recognised.
const codeRecognised = "recognised"

// IsOCRCompleteNote reports whether a note only says that text was recognised.
func IsOCRCompleteNote(note message.Message) bool { return note.Code() == codeRecognised }

// HasOCRNote reports whether a note says that text was recognised. It may say more.
func HasOCRNote(note message.Message) bool {
	return IsOCRCompleteNote(note) || extract.HasRecognisedPages(note)
}

// takeRecognised inserts the recognised text of scanned pages into a content and adds a note about
// it. If there is no text, the error is a *extract.SkipError.
func takeRecognised(c *extract.Content, known ocr.Pages) error {
	t := tallyOf(dueOf(c.UnrecognisedPages), known)
	if t.read > 0 {
		insert(c, known)
	}
	switch {
	case strings.TrimSpace(c.Text) == "" && t.left > 0:
		return &extract.SkipError{Reason: extract.WithUnrecognisedPageCount(message.Join(c.UnrecognisedPages.MissingPagesNote, beyond(c.UnrecognisedPages)), t.left)}
	case strings.TrimSpace(c.Text) == "" && t.failed == 1:
		return &extract.SkipError{Reason: message.Join(c.UnrecognisedPages.MissingPagesNote, t.why)}
	case strings.TrimSpace(c.Text) == "":
		return &extract.SkipError{Reason: message.Join(c.UnrecognisedPages.MissingPagesNote, t.failure())}
	case t.read+t.failed == 0:
		c.ExtractionNote = extract.WithUnrecognisedPageCount(message.Join(c.ExtractionNote, c.UnrecognisedPages.MissingPagesNote, beyond(c.UnrecognisedPages)), t.left)
		return nil
	}
	if c.ExtractionNote == "" && t.failed+t.left == 0 && len(c.UnrecognisedPages.Pages) <= maxRecognisedPages {
		c.ExtractionNote = t.recognisedNote().WithCode(codeRecognised)
		return nil
	}
	c.ExtractionNote = message.Join(c.ExtractionNote, t.recognisedNote(), t.failure(), beyond(c.UnrecognisedPages))
	if t.left > 0 {
		c.ExtractionNote = message.Join(c.ExtractionNote, message.New("pages still to be recognised: %d", t.left))
	}
	if t.read > 0 {
		c.ExtractionNote = extract.WithRecognisedPages(c.ExtractionNote, t.left)
	} else {
		c.ExtractionNote = extract.WithUnrecognisedPageCount(c.ExtractionNote, t.left)
	}
	return nil
}

// tally counts the scanned pages of a file by the result of OCR.
type tally struct {
	read, left int             // number of pages with text, and number of pages not recognised yet
	sure       int             // sum of the confidences, in percent, of the pages with text
	failed     int             // number of pages without text
	why        message.Message // reason of the last failure
}

func tallyOf(due []int, known ocr.Pages) (t tally) {
	for _, number := range due {
		switch page, ok := known[number]; {
		case !ok:
			t.left++
		case page.Text == "":
			t.failed, t.why = t.failed+1, page.NoTextReason
		default:
			t.read, t.sure = t.read+1, t.sure+page.ConfidencePercent
		}
	}
	return t
}

// recognisedNote states how many pages were recognised, and with what confidence; "" if none were.
func (t tally) recognisedNote() message.Message {
	switch t.read {
	case 0:
		return ""
	case 1:
		return message.New("the text of 1 page was recognised from its picture (about %d %% sure)", t.sure)
	}
	return message.New("the text of %d pages was recognised from their pictures (about %d %% sure)", t.read, t.sure/t.read)
}

// failure states how many pages yielded no text, with a reason; "" if none failed.
func (t tally) failure() message.Message {
	switch t.failed {
	case 0:
		return ""
	case 1:
		return message.New("1 scanned page yields no text: %v", t.why)
	}
	return message.New("%d scanned pages yield no text; the reason for the last one: %v", t.failed, t.why)
}

// beyond states that a file has more scanned pages than are recognised; "" if it does not.
func beyond(s extract.UnrecognisedPages) message.Message {
	if len(s.Pages) <= maxRecognisedPages {
		return ""
	}
	return message.New("only the first %d of %d scanned pages are recognised", maxRecognisedPages, len(s.Pages))
}

// insert inserts the text of recognised pages into a content, after the text that the file itself
// has on the same page.
func insert(c *extract.Content, known ocr.Pages) {
	own := make(map[int][]extract.Part, len(c.Parts)) // by page; their starts are relative to the page
	texts, layouts := make(map[int]string, len(c.Parts)+len(known)), make(map[int]string, len(known))
	for i, part := range c.Parts {
		end := len(c.Text)
		if i+1 < len(c.Parts) {
			end = c.Parts[i+1].StartByte
		}
		start := part.StartByte
		part.StartByte = len(texts[part.Number])
		own[part.Number] = append(own[part.Number], part)
		texts[part.Number] += c.Text[start:end]
	}
	for number := range texts {
		texts[number] = strings.TrimRight(texts[number], "\n") + "\n"
	}
	for _, number := range c.UnrecognisedPages.Pages {
		if page := known[number]; page.Text != "" {
			if texts[number] != "" {
				texts[number] += "\n"
			}
			layouts[number] = layout.AddPrecedingCharacters(page.PackedLayout, utf8.RuneCountInString(texts[number]))
			texts[number] += page.Text
		}
	}
	c.Parts = nil
	var text strings.Builder
	for _, number := range slices.Sorted(maps.Keys(texts)) {
		if text.Len() > 0 {
			text.WriteByte('\n')
		}
		if len(own[number]) == 0 {
			own[number] = []extract.Part{{}}
		}
		for _, part := range own[number] {
			c.Parts = append(c.Parts, extract.Part{Kind: extract.Page, Number: number, Name: part.Name, StartByte: text.Len() + part.StartByte, ContinuedColumnNames: part.ContinuedColumnNames, PackedLayout: layouts[number]})
		}
		text.WriteString(texts[number])
	}
	c.Text = text.String()
}
