package pdf

import (
	"strings"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/responses"

	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
)

// Limits of an outline that is read.
const (
	maxBookmarks     = 5000
	maxBookmarkDepth = 16
)

// chapterNames returns the names of the chapters and sections of the file (ISO
// 32000-1, 12.3.3) by the page, counted from 0, where each begins; of several
// on one page, the first. The error is that of an engine that may be broken
// then.
//
// PDFium and go-pdfium follow an outline that is a loop for ever: hence the
// bookmarks are counted first.
func (d *file) chapterNames() (map[int]string, error) {
	budget := maxBookmarks
	if err := d.countBookmarks(nil, maxBookmarkDepth, &budget); err != nil || budget < 0 {
		return nil, err
	}
	all, err := d.instance.GetBookmarks(&requests.GetBookmarks{Document: d.document})
	if err != nil {
		return nil, err
	}
	names := make(map[int]string)
	nameChapters(all.Bookmarks, names)
	return names, nil
}

// countBookmarks takes the number of bookmarks under parent, which is nil for
// the topmost, from the budget, until that is negative, as it is for those
// too deep.
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

func nameChapters(bookmarks []responses.GetBookmarksBookmark, names map[int]string) {
	for _, b := range bookmarks {
		if name := markdown.OneLine(cleanMetadata(b.Title)); name != "" && b.DestInfo != nil && names[b.DestInfo.PageIndex] == "" {
			names[b.DestInfo.PageIndex] = name
		}
		nameChapters(b.Children, names)
	}
}

// cleanMetadata returns a string of the file, which is not shown by a font, with
// \n at the ends of lines and without what is no character.
func cleanMetadata(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		if c == '\n' || charset.HasUnicodeMeaning(c) {
			return c
		}
		return -1
	}, strings.ToValidUTF8(s, "")))
}
