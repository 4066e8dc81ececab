package page

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"vademecum/docs/extract"
	"vademecum/docs/text"
)

// pictureView is a page of a document as it looks.
type pictureView struct{ Source, Place string }

// mostPictures is how many pages are shown of a passage that goes on for more.
const mostPictures = 2

// illustrate adds pictures of the pages that a passage stands on.
func (view *documentView) illustrate(fragment string, pages []text.Division) {
	if fragment == "" || view.MIME != "application/pdf" {
		return
	}
	for _, page := range pages[:min(len(pages), mostPictures)] {
		q := url.Values{"ref": {view.Path + "#" + fragment}, "page": {strconv.Itoa(page.Number)}}
		view.Pictures = append(view.Pictures, pictureView{"/picture?" + q.Encode(), page.Place})
	}
}

// picture shows a page of a document as it looks, with a passage marked. It is for
// the page of the document, which has the text too where this fails.
func (v *visit) picture() {
	ctx, cancel := v.timed()
	defer cancel()
	q := v.r.URL.Query()
	page := number(q.Get("page"))
	if page == 0 && q.Get("page") != "" {
		v.fail(http.StatusNotFound, "the page cannot be shown as it looks")
		return
	}
	picture, err := v.shelf.Library.Draw(ctx, q.Get("ref"), page)
	if skipped := new(extract.SkipError); errors.As(err, &skipped) {
		v.fail(http.StatusNotFound, v.words.reason(skipped.Reason))
		return
	}
	if err != nil {
		v.o.Logger.Debug("a page is not drawn", "error", err)
		v.fail(http.StatusNotFound, "the page cannot be shown as it looks")
		return
	}
	v.w.Header().Set("Content-Type", "image/png")
	v.w.Header().Set("Content-Length", strconv.Itoa(len(picture)))
	_, _ = v.w.Write(picture) // a browser that is gone is noticed elsewhere
}
