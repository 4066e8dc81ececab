package pdf

import (
	"math"
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/responses"

	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
)

// Limits on the bookmarks of a file.
const (
	maxBookmarks     = 5000
	maxBookmarkDepth = 16
)

// A section is a chapter or section of the file to which a bookmark leads.
type section struct {
	name string
	top  float64 // position of the heading in points above the bottom of the page; NaN if unknown
}

// sections returns the chapters and sections of the file (ISO 32000-1, 12.3.3) by the page on which
// each begins, counted from 0, in order. If it returns an error, the engine may be broken.
//
// PDFium and go-pdfium do not terminate if an outline contains a cycle: therefore the bookmarks are
// counted first.
func (d *file) sections() (map[int][]section, error) {
	budget := maxBookmarks
	if err := d.countBookmarks(nil, maxBookmarkDepth, &budget); err != nil || budget < 0 {
		return nil, err
	}
	all, err := d.instance.GetBookmarks(&requests.GetBookmarks{Document: d.document})
	if err != nil {
		return nil, err
	}
	sections := make(map[int][]section)
	d.addSections(all.Bookmarks, sections)
	return sections, nil
}

// countBookmarks subtracts the number of bookmarks below parent from the budget; a nil parent means
// the top level. It stops when the budget is negative, which it also becomes if bookmarks are
// nested too deeply.
func (d *file) countBookmarks(parent *references.FPDF_BOOKMARK, depth int, budget *int) error {
	first, err := d.instance.FPDFBookmark_GetFirstChild(&requests.FPDFBookmark_GetFirstChild{Document: d.document, Bookmark: parent})
	if err != nil {
		return err
	}
	if first.Bookmark != nil && depth == 0 {
		*budget = -1
	}
	for b := first.Bookmark; b != nil && *budget >= 0; {
		*budget--
		if err := d.countBookmarks(b, depth-1, budget); err != nil {
			return err
		}
		next, err := d.instance.FPDFBookmark_GetNextSibling(&requests.FPDFBookmark_GetNextSibling{Document: d.document, Bookmark: *b})
		if err != nil {
			return err
		}
		b = next.Bookmark
	}
	return nil
}

func (d *file) addSections(bookmarks []responses.GetBookmarksBookmark, sections map[int][]section) {
	for _, b := range bookmarks {
		if name := markdown.OneLine(cleanMetadata(b.Title)); name != "" && b.DestInfo != nil {
			page := b.DestInfo.PageIndex
			sections[page] = append(sections[page], section{name, d.topOf(b.DestInfo.Reference)})
		}
		d.addSections(b.Children, sections)
	}
}

func (d *file) topOf(dest references.FPDF_DEST) float64 {
	place, err := d.instance.FPDFDest_GetLocationInPage(&requests.FPDFDest_GetLocationInPage{Dest: dest})
	if err != nil || place.Y == nil {
		return math.NaN()
	}
	return float64(*place.Y)
}

// headingLine returns the index of the line that is the heading of a section: of the lines with its
// name, the one nearest to the target of the bookmark, or else the first line below the target; -1
// if that is unknown.
func (s section) headingLine(lines []textLine) int {
	heading, nearest, below := -1, math.Inf(1), -1
	name := headingKey(s.name)
	for i, line := range lines {
		away := math.Abs(line.start.y - s.top)
		if isHeading(headingKey(line.text), name) && (heading < 0 || away < nearest) {
			heading, nearest = i, away
		}
		if below < 0 && line.start.y < s.top {
			below = i
		}
	}
	if heading < 0 {
		return below
	}
	return heading
}

// headingKey returns the letters and digits of a heading in lower case, for comparison.
func headingKey(text string) string {
	return strings.Map(func(r rune) rune {
		if isWordCharacter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// isHeading reports whether a line is the name of a section, with or without its number, or the
// start of a name that continues on the next line.
func isHeading(line, name string) bool {
	const number = 6 // maximum length in bytes of the number before a name
	if line == "" || name == "" {
		return false
	}
	return strings.HasSuffix(line, name) && len(line) <= len(name)+number ||
		strings.HasSuffix(name, line) && len(name) <= len(line)+number && len(line) > number ||
		strings.HasPrefix(name, line) && len(line) > 2*number
}

// cleanMetadata returns a string from the metadata with its lines separated by \n and without
// invalid characters.
func cleanMetadata(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		if c == '\n' || charset.HasUnicodeMeaning(c) {
			return c
		}
		return -1
	}, strings.ToValidUTF8(s, "")))
}
