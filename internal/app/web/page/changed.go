package page

import (
	"encoding/hex"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strconv"

	"vademecum/index"
)

// changedView tells a browser what has happened to the document that it shows.
type changedView struct {
	To     string // link to the current document
	IsGone bool
}

// watchLink returns the URL at which a script asks whether the shown version of a document is still
// current. at are the URL parameters of the page that shows it.
func watchLink(d index.Document, at url.Values) string {
	q := maps.Clone(at)
	q.Set("path", d.Path)
	q.Set("hash", shortHash(d))
	return "/doc/state?" + q.Encode()
}

// shortHash returns the beginning of the hash of a document's content, which identifies its
// version.
func shortHash(d index.Document) string { return hex.EncodeToString(d.Hash[:8]) }

// documentState tells an open page whether its document has changed or is gone.
func (v *request) documentState() {
	ctx, cancel := v.timed()
	defer cancel()
	view := changedView{}
	d, err := v.view.Library.DescribeDocument(ctx, v.r.FormValue("path"))
	switch {
	case isGone(err):
		view.IsGone = true
	case errors.Is(err, index.ErrDatabaseUnreachable):
		v.failAway()
		return
	case err != nil:
		_, problem := v.explain(err)
		v.fail(http.StatusServiceUnavailable, problem)
		return
	case shortHash(d) != v.r.FormValue("hash"):
		view.To = sameView(d.Path, v.r.URL.Query())
	}
	v.showPart(v.w, v.r, http.StatusOK, "doc-state", view)
}

// sameView returns a link to a document with the view settings in the parameters of another URL.
func sameView(path string, shown url.Values) string {
	q := some(shown, append([]string{"at", "q", "beside", "as", "find", "hit", "page", "zoom"}, turning...)...)
	q.Set("path", path)
	link := "/doc?" + q.Encode()
	for _, place := range [][2]string{{"find", "hit"}, {"at", "passage"}, {"heading", "heading"}} {
		if q.Has(place[0]) {
			return link + "#" + place[1]
		}
	}
	return link
}

// Watch returns the URL at which a script asks whether the shown version of the document is still
// current.
func (view *documentView) Watch() string {
	at := maps.Clone(view.hidden)
	maps.Copy(at, view.turned)
	if view.Hits > 0 {
		at.Set("hit", strconv.Itoa(view.Hit))
	}
	return watchLink(view.Document, at)
}
