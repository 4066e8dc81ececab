package page

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/formats"
	"vademecum/docs/text"
	"vademecum/index"
	"vademecum/internal/base/message"
)

// pictureView is the image of a page of a document.
type pictureView struct {
	Source string
	Page   string // link to the image on a page of its own
	Place  message.Message
}

// mostPictures is the maximum number of page images shown for a passage that spans pages.
const mostPictures = 2

// lookOf returns the link to the image of a page of the document; "" if there is none.
func (view *documentView) lookOf(page text.Division) string {
	if !view.hasLook() {
		return ""
	}
	return view.pageImageLink(page.Number)
}

// hasLook reports whether the document can be shown as an image: its pages can be drawn, or it is a
// picture.
func (view *documentView) hasLook() bool {
	return view.MIME == "application/pdf" || formats.IsPicture(view.Path) && strings.HasPrefix(view.MIME, "image/")
}

// illustrate adds images of the pages on which a passage is.
func (view *documentView) illustrate(fragment string, pages []text.Division) {
	if fragment == "" || !view.hasLook() {
		return
	}
	for _, page := range pages[:min(len(pages), mostPictures)] {
		q := url.Values{"ref": {view.Path + "#" + fragment}, "page": {strconv.Itoa(page.Number)}}
		if view.Question != "" {
			q.Set("q", view.Question)
		}
		if len(view.Beside) > 0 {
			q["beside"] = view.Beside
		}
		view.Pictures = append(view.Pictures, pictureView{"/picture?" + q.Encode(), view.pageImageLink(page.Number), page.Location})
	}
}

// wordsIn returns the words to highlight in a document: those of the question that led to it, and
// their substitutes that were found.
func wordsIn(q url.Values) index.HighlightWords {
	beside := q["beside"]
	return index.NewHighlightWords(strings.TrimSpace(q.Get("q"))).WithRelated(beside[:min(len(beside), mostBesideWords)]...)
}

// picture sends the image of a page of a document with a passage marked. If that fails, the visitor
// still has the text, which the same page shows.
func (v *request) picture() {
	ctx, cancel := v.timed()
	defer cancel()
	q := v.r.URL.Query()
	page := number(q.Get("page"))
	if page == 0 && q.Get("page") != "" {
		v.fail(http.StatusNotFound, message.New("the page cannot be shown as an image"))
		return
	}
	picture, err := v.view.Library.DrawPage(ctx, index.PageDrawingQuery{Ref: q.Get("ref"), Page: page, ZoomPercent: number(q.Get("zoom")), Words: wordsIn(q)})
	if skipped := new(extract.SkipError); errors.As(err, &skipped) {
		v.fail(http.StatusNotFound, skipped.Reason)
		return
	}
	if err != nil {
		v.o.Logger.Debug("a page is not drawn", "error", err)
		v.fail(http.StatusNotFound, message.New("the page cannot be shown as an image"))
		return
	}
	v.w.Header().Set("Content-Type", "image/png")
	v.w.Header().Set("Content-Length", strconv.Itoa(len(picture)))
	_, _ = v.w.Write(picture) // fails only if the browser has disconnected
}
