package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// twoPages is a PDF whose second page has several passages.
func twoPages(word string) string {
	var lines []string
	for i := range 44 {
		if i%11 == 10 {
			lines = append(lines, "")
			continue
		}
		lines = append(lines, fmt.Sprintf("Line %d of the page tells at some length of the %s of the patient.", i, word))
	}
	lines[25] = "Here stands the axolotl, and nowhere else."
	return string(extracttest.PDF("", extracttest.PDFLines("First page."), extracttest.PDFLines(lines...)))
}

// TestDraw: the page of a passage is drawn with the passage marked, and without when
// the page is asked for.
func TestDraw(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"paper.pdf": twoPages("heart"), "a.md": "# Heart\n\nText.\n"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	passage := mustSearch(t, ix, Query{Text: "axolotl", TopK: 1}).Passages[0]
	if !strings.Contains(passage.URI, "page=2&") {
		t.Fatalf("the passage is %s", passage.URI)
	}
	draw := func(ref string, page int) []byte {
		t.Helper()
		picture, err := ix.DrawPage(t.Context(), PageDrawingQuery{Ref: ref, Page: page})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(picture)); err != nil {
			t.Fatal(err)
		}
		return picture
	}
	marked, plain := draw(passage.URI, 0), draw("paper.pdf#page=2", 0)
	if bytes.Equal(marked, plain) {
		t.Error("the passage is not marked")
	}
	if worded, err := ix.DrawPage(t.Context(), PageDrawingQuery{Ref: "paper.pdf#page=2", Words: NewHighlightWords("axolotl")}); err != nil || bytes.Equal(worded, plain) {
		t.Errorf("a word is not marked on a page that is all of the passage: %v", err)
	}
	if worded, err := ix.DrawPage(t.Context(), PageDrawingQuery{Ref: passage.URI, Words: NewHighlightWords("axolotl")}); err != nil || bytes.Equal(worded, marked) {
		t.Errorf("a word is not marked in the passage: %v", err)
	}
	if !bytes.Equal(draw("paper.pdf", 2), plain) || bytes.Equal(draw("paper.pdf", 0), plain) {
		t.Error("a page without a passage is another by its number")
	}
	if !bytes.Equal(draw(passage.URI, 1), draw("paper.pdf", 1)) {
		t.Error("what stands on another page is marked")
	}
	for ref, want := range map[string]string{
		"a.md":             errNoPages.Error(),
		"paper.pdf#page=9": "there is no text on page 9",
	} {
		if _, err := ix.DrawPage(t.Context(), PageDrawingQuery{Ref: ref}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", ref, err, want)
		}
	}
	if _, err := ix.DrawPage(t.Context(), PageDrawingQuery{Ref: "paper.pdf", Page: 7}); !errors.As(err, new(*extract.SkipError)) {
		t.Errorf("a page that there is not: %v", err)
	}
	if _, err := ix.DrawPage(t.Context(), PageDrawingQuery{Ref: "../../etc/passwd"}); !errors.Is(err, ErrNotFound) && err == nil {
		t.Error("a file outside is drawn")
	}
	n.Write("paper.pdf", twoPages("liver"))
	if _, err := ix.DrawPage(t.Context(), PageDrawingQuery{Ref: passage.URI, Page: 1}); err != nil {
		t.Errorf("what is kept is not used: %v", err)
	}
	ix.pictures = newPictureCache()
	if _, err := ix.DrawPage(t.Context(), PageDrawingQuery{Ref: passage.URI}); !errors.Is(err, errChanged) {
		t.Errorf("of a file that was changed: %v", err)
	}
}

// TestPicturesBounded: pictures take no more memory than they may, and those that are
// TestMarkedPageImage: a page that is shown to people has the passage and the words of a question
// marked, and one that is shown to a model has not.
func TestMarkedPageImage(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"paper.pdf": twoPages("heart"), "photo.png": photo(t)})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	passage := mustSearch(t, ix, Query{Text: "axolotl", TopK: 1}).Passages[0]
	show := func(q PageImageQuery) PageImage {
		t.Helper()
		q.MaxBytes = 150 << 10
		look, err := ix.pageImage(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return look
	}
	plain, marked := show(PageImageQuery{Ref: passage.URI}), show(PageImageQuery{Ref: passage.URI, WithHighlights: true})
	asked := show(PageImageQuery{Ref: passage.URI, WithHighlights: true, HighlightQuery: "axolotl"})
	if bytes.Equal(plain.JPEG, marked.JPEG) || bytes.Equal(marked.JPEG, asked.JPEG) {
		t.Error("the passage or the words are not marked")
	}
	if marked.Page != 2 || marked.LastTextPage != 2 || plain.LastTextPage != 0 {
		t.Errorf("it is page %d of %d", marked.Page, marked.LastTextPage)
	}
	first := show(PageImageQuery{Ref: passage.URI, WithHighlights: true, Page: 1})
	if unmarked := show(PageImageQuery{Ref: "paper.pdf#page=1"}); !bytes.Equal(first.JPEG, unmarked.JPEG) || first.Place.String() != "page 1" {
		t.Errorf("%v has the marks of another page", first.Place)
	}
	if look := show(PageImageQuery{Ref: "photo.png", WithHighlights: true, HighlightQuery: "x"}); look.LastTextPage != 0 || len(look.JPEG) == 0 {
		t.Errorf("of a picture are seen %d pages", look.LastTextPage)
	}
	if _, err := ix.pageImage(t.Context(), PageImageQuery{Ref: passage.URI, WithHighlights: true, Page: 9, MaxBytes: 150 << 10}); err == nil {
		t.Error("there is a page 9")
	}
}

// asked for stay.
func TestPicturesBounded(t *testing.T) {
	t.Parallel()
	p := newPictureCache()
	drawn := 0
	get := func(page, size int) {
		t.Helper()
		key := pictureKey{what: fmt.Sprint(page)}
		picture, err := p.getOrDraw(t.Context(), key, func() ([]byte, error) { drawn++; return make([]byte, size), nil })
		if err != nil || len(picture) != size {
			t.Errorf("%d bytes, %v", len(picture), err)
		}
	}
	for page := range 40 {
		get(page, picturesKept/8)
		get(0, picturesKept/8)
	}
	if drawn != 40 || p.bytes > picturesKept || len(p.kept) != 8 || len(p.order) != 8 {
		t.Errorf("%d were drawn; %d bytes in %d pictures, %d in order", drawn, p.bytes, len(p.kept), len(p.order))
	}
	get(-1, picturesKept+1)
	if p.bytes > picturesKept || len(p.kept) != 8 {
		t.Errorf("after a large one: %d bytes in %d pictures", p.bytes, len(p.kept))
	}
	for range drawnAtOnce {
		p.drawing <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.getOrDraw(ctx, pictureKey{what: "99"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("who is gone waits: %v", err)
	}
}
