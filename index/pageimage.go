package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/formats"
	"vademecum/docs/text"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/index/sync"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// PageImageQuery requests an image of a page, or of a picture file.
type PageImageQuery struct {
	Ref      string              // reference to the document, as ReadQuery.Ref; its fragment selects the page
	Area     extract.PercentArea // area of the page to show
	MaxBytes int                 // maximum size of the image in bytes

	WithHighlights bool   // mark what the fragment names, unless that is the whole page, and the words of HighlightQuery
	HighlightQuery string // text whose words are to be marked
	Page           int    // page to show; 0 means that of the fragment
}

// PageImage is an image of a page, or a picture.
type PageImage struct {
	Path         string // as shown
	Place        message.Message
	Page         int // from 1
	LastTextPage int // last page with text; 0 if that is unknown
	JPEG         []byte
	Notes        []notice.Note // what the reader should know
}

// pageImage returns an image of a page of a document, or of a picture file, whether it is indexed or
// not. The error matches ErrNotFound if there is none.
func (ix *Index) pageImage(ctx context.Context, q PageImageQuery) (PageImage, error) {
	return sync.ReadWithRepair(ctx, ix.syncer, func() (PageImage, error) {
		before := ix.syncer.Freshness()
		d, fragment, err := ix.findReferenced(ctx, q.Ref)
		if err != nil {
			return PageImage{}, err
		}
		look, err := ix.showPage(ctx, d, fragment, q)
		if err != nil {
			return PageImage{}, message.Errorf("%s: %v", present.QuoteName(ix.folders.ShownPath(d.Location())), err)
		}
		look.Notes = ix.outdatedNotes(d, before)
		return look, nil
	})
}

func (ix *Index) showPage(ctx context.Context, d *search.Document, fragment string, q PageImageQuery) (PageImage, error) {
	isDeck := formats.CanDrawSlidePictures(d.Path)
	if d.Folder == search.NoFolder || !formats.CanDrawPages(d.Path) && !isDeck {
		if d.SkipReason != "" {
			return PageImage{}, message.Errorf("it cannot be shown: %v", d.SkipReason)
		}
		return PageImage{}, message.Errorf("it has no pages that can be shown as images: read it as text")
	}
	look := PageImage{Path: ix.folders.ShownPath(d.Location())}
	page, err := ix.pageOfFragment(ctx, d, fragment)
	if err != nil {
		return PageImage{}, err
	}
	page = cmp.Or(q.Page, page)
	what := extract.DrawingRequest{Page: page, Area: q.Area, MaxBytes: q.MaxBytes}
	look.Page = page
	switch {
	case isDeck:
		look.Place = message.New("slide %d", page)
	case !formats.IsPicture(d.Path) || page > 1:
		look.Place = message.New("page %d", page)
	}
	raw, err := ix.folders[d.Folder].LoadPicture(ctx, d.Path)
	if err != nil {
		return PageImage{}, err
	}
	if q.WithHighlights && d.SkipReason == "" && !isDeck {
		if what, look.LastTextPage, err = ix.marked(ctx, q, raw.Hash, what); err != nil {
			return PageImage{}, err
		}
	}
	look.JPEG, err = ix.pictures.getOrDraw(ctx, pictureKey{raw.Hash, fmt.Sprint(what)}, func() ([]byte, error) { return raw.DrawPage(ctx, what) })
	if skipped := new(extract.SkipError); errors.As(err, &skipped) {
		return PageImage{}, skipped // so that the file is named only once
	}
	return look, err
}

// marked adds the marks on a page of an indexed document to a drawing request, and returns the last
// page of the document that has text, or 0. read is the hash of the file to be drawn: if the file has
// changed since it was indexed, there are no marks, because they would be in the wrong places.
func (ix *Index) marked(ctx context.Context, q PageImageQuery, read [32]byte, what extract.DrawingRequest) (_ extract.DrawingRequest, last int, err error) {
	d, body, fragment, err := ix.findBody(ctx, q.Ref)
	if err != nil || len(body.Parts) == 0 || body.Parts[0].Kind != extract.Page {
		return what, 0, err
	}
	last = body.Parts[len(body.Parts)-1].Number
	span, err := ReadQuery{}.wantedSpan(d, body, fragment)
	if err != nil || read != d.Hash { // the page has no text, or the file is another
		return what, last, nil
	}
	return markOnPage(body, span, NewHighlightWords(q.HighlightQuery), what), last, nil
}

// sparse is the number of characters below which a page counts as mostly a picture.
const sparse = 300

// hasLittleText reports whether a span begins on a page with little text.
func hasLittleText(d Document, body text.Body, span text.Span) bool {
	if !CanShowPages(d.Path) || len(body.Parts) == 0 {
		return false
	}
	return utf8.RuneCountInString(strings.TrimSpace(body.PartText(body.PartNumber(span)))) < sparse
}

// CanShowPages reports whether the pages of a file with the given name can be shown as images, judging by its
// extension.
func CanShowPages(fileName string) bool { return formats.CanDrawPages(fileName) }

// pageOfFragment returns the page that a fragment names, or the first page if the fragment is
// empty. The page need not have text.
func (ix *Index) pageOfFragment(ctx context.Context, d *search.Document, fragment string) (int, error) {
	if fragment == "" {
		return 1, nil
	}
	unit, number, _ := strings.Cut(fragment, "=")
	if unit == "page" || unit == "slide" {
		number, _, _ = strings.Cut(number, "&")
		number, _, _ = strings.Cut(number, "-") // the first page of a range
		if page, err := strconv.Atoi(number); err == nil && page > 0 {
			return page, nil
		}
		return 0, message.Errorf("there is no %s %s", unit, present.QuoteName(number))
	}
	if d.SkipReason != "" {
		return 0, message.Errorf("#%s is not a page of the document: give one, such as #page=3", present.QuoteName(fragment))
	}
	body, ok, err := ix.store.Body(ctx, d)
	if err != nil || !ok {
		return 0, errors.Join(err, errChanged)
	}
	span, err := ReadQuery{}.wantedSpan(d, body, fragment)
	if err != nil {
		return 0, err
	}
	return max(1, body.PartNumber(span)), nil
}
