package page

import (
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"

	"vademecum/index"
)

// changedView tells of a document that is being read what has become of it.
type changedView struct {
	To     string // the document as it is now
	IsGone bool
}

// watchLink is where a script asks whether a document is still as it is shown.
func watchLink(d index.Document) string {
	return "/doc/state?" + url.Values{"path": {d.Path}, "hash": {shortHash(d)}}.Encode()
}

// shortHash tells the states of a document apart.
func shortHash(d index.Document) string { return hex.EncodeToString(d.Hash[:8]) }

// documentState tells a page that is open whether its document has changed since, or is gone.
func (v *request) documentState() {
	ctx, cancel := v.timed()
	defer cancel()
	view := changedView{}
	d, err := v.shelf.Library.About(ctx, v.r.FormValue("path"))
	switch {
	case isGone(err):
		view.IsGone = true
	case errors.Is(err, index.ErrAway):
		v.failAway()
		return
	case err != nil:
		_, problem := v.explain(err)
		v.fail(http.StatusServiceUnavailable, problem)
		return
	case shortHash(d) != v.r.FormValue("hash"):
		view.To = documentLink(d.Path, "", "")
	}
	v.showPart(v.w, v.r, http.StatusOK, "doc-state", view)
}

// Watch is where a script asks whether the document is still as it is shown.
func (view *documentView) Watch() string { return watchLink(view.Document) }
