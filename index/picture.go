package index

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/layout"
	"vademecum/docs/formats"
	"vademecum/docs/text"
	"vademecum/index/search"
	syncs "vademecum/index/sync"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// PageDrawingQuery requests a page as a PNG, to be shown at a scale; PageImageQuery is for models.
type PageDrawingQuery struct {
	// reference to the document, as ReadQuery.Ref; what its fragment names is marked, unless that is
	// the whole page
	Ref         string
	Page        int            // page number; 0 means the first page of the fragment
	ZoomPercent int            // percent of the size that fits a window; 0 means 100
	Words       HighlightWords // words to be marked
}

// DrawPage renders a page of a document as PNG, whether it is indexed or not. The error matches
// ErrNotFound if there is no such document.
func (ix *Index) DrawPage(ctx context.Context, q PageDrawingQuery) ([]byte, error) {
	return syncs.ReadWithRepair(ctx, ix.syncer, func() ([]byte, error) {
		d, _, err := ix.findReferenced(ctx, q.Ref)
		if err != nil {
			return nil, err
		}
		var picture []byte
		if d.SkipReason != "" {
			picture, err = ix.drawUnread(ctx, d, q)
		} else {
			picture, err = ix.drawRead(ctx, q)
		}
		if err != nil {
			return nil, message.Errorf("%s: %v", present.QuoteName(ix.folders.ShownPath(d.Location())), err)
		}
		return picture, nil
	})
}

// drawUnread renders a page of a document that has no text, such as a scan.
func (ix *Index) drawUnread(ctx context.Context, d *search.Document, q PageDrawingQuery) ([]byte, error) {
	if d.Folder == search.NoFolder || !formats.CanDrawPages(d.Path) {
		return nil, errNoPages
	}
	raw, err := ix.folders[d.Folder].LoadPicture(ctx, d.Path)
	if err != nil {
		return nil, err
	}
	what := extract.DrawingRequest{Page: max(1, q.Page), ZoomPercent: q.ZoomPercent}
	return ix.pictures.getOrDraw(ctx, pictureKey{raw.Hash, fmt.Sprint(what)}, func() ([]byte, error) { return raw.DrawPage(ctx, what) })
}

var (
	errNoPages = message.Errorf("it has no pages that can be shown as images")
	errChanged = message.Errorf("its file has changed and has not been read again yet: ask again")
)

func (ix *Index) drawRead(ctx context.Context, q PageDrawingQuery) ([]byte, error) {
	d, body, fragment, err := ix.findBody(ctx, q.Ref)
	if err != nil {
		return nil, err
	}
	if d.Folder == search.NoFolder || len(body.Parts) == 0 || body.Parts[0].Kind != extract.Page {
		return nil, errNoPages
	}
	span, err := ReadQuery{}.wantedSpan(d, body, fragment)
	if err != nil {
		return nil, err
	}
	page := q.Page
	if page == 0 {
		page = body.PartNumber(span)
	}
	what := markOnPage(body, span, q.Words, extract.DrawingRequest{Page: page, ZoomPercent: q.ZoomPercent})
	return ix.pictures.getOrDraw(ctx, pictureKey{d.Hash, fmt.Sprint(what)}, func() ([]byte, error) {
		raw, err := ix.folders[d.Folder].Load(ctx, d.Path)
		if err != nil {
			return nil, err
		}
		if raw.Hash != d.Hash { // the file has changed, so that marks would be in the wrong places
			return nil, errChanged
		}
		return raw.DrawPage(ctx, what)
	})
}

// markOnPage adds the marks of a passage and of words on a page to a drawing request for the page.
func markOnPage(body text.Body, passage text.Span, words HighlightWords, what extract.DrawingRequest) extract.DrawingRequest {
	what.Words = words.charactersIn(body.PartText(what.Page))
	what.Passage.From, what.Passage.To = body.CharacterRangeInPart(passage, what.Page)
	if places, ok := layout.Parse(body.PackedLayoutOf(what.Page)); ok {
		what.PassageQuads = places.LineAreas(what.Passage)
		for _, word := range what.Words {
			what.WordQuads = append(what.WordQuads, places.LineAreas(word)...)
		}
	}
	return what
}

// mostWordsDrawn is the maximum number of words marked on a page.
const mostWordsDrawn = 300

// charactersIn returns the positions of the words in the text of a page.
func (w HighlightWords) charactersIn(text string) (all []extract.CharacterRange) {
	at := 0
	for _, r := range w.SplitText(text) {
		next := at + utf8.RuneCountInString(r.Text)
		if (r.IsQueryWord || r.IsRelatedWord) && len(all) < mostWordsDrawn {
			all = append(all, extract.CharacterRange{From: at, To: next})
		}
		at = next
	}
	return all
}

// Limits on pictures: enough are kept for a few documents that a reader pages through; few are
// rendered at once, because each takes the whole file into memory.
const (
	picturesKept = 16 << 20 // bytes
	drawnAtOnce  = 2
)

// pictureKey identifies a picture.
type pictureKey struct {
	hash [32]byte // hash of the file
	what string
}

// pictureCache caches the most recently used pictures.
type pictureCache struct {
	drawing chan struct{} // holds an element for each picture being rendered

	mu    sync.Mutex
	kept  map[pictureKey][]byte
	order []pictureKey // least recently used first
	bytes int
}

func newPictureCache() *pictureCache {
	return &pictureCache{drawing: make(chan struct{}, drawnAtOnce), kept: make(map[pictureKey][]byte)}
}

// getOrDraw returns the cached picture, or else the result of draw.
func (p *pictureCache) getOrDraw(ctx context.Context, key pictureKey, draw func() ([]byte, error)) ([]byte, error) {
	if picture := p.get(key); picture != nil {
		return picture, nil
	}
	select {
	case p.drawing <- struct{}{}:
		defer func() { <-p.drawing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if picture := p.get(key); picture != nil { // rendered for another caller in the meantime
		return picture, nil
	}
	picture, err := draw()
	if err != nil {
		return nil, err
	}
	p.put(key, picture)
	return picture, nil
}

func (p *pictureCache) get(key pictureKey) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	picture := p.kept[key]
	if picture != nil {
		i := slices.Index(p.order, key)
		p.order = append(slices.Delete(p.order, i, i+1), key)
	}
	return picture
}

// put caches a picture, and removes the least recently used ones.
func (p *pictureCache) put(key pictureKey, picture []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept[key] != nil || len(picture) > picturesKept {
		return
	}
	p.kept[key], p.order, p.bytes = picture, append(p.order, key), p.bytes+len(picture)
	for p.bytes > picturesKept {
		oldest := p.order[0]
		p.bytes -= len(p.kept[oldest])
		p.order = p.order[1:]
		delete(p.kept, oldest)
	}
}
