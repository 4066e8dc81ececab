package page

import (
	"net/http"

	"vademecum/docs"
	"vademecum/docs/formats"
	"vademecum/index"
	"vademecum/internal/desktop"
)

// reveal opens the file of a document, or shows it in its folder, on this machine.
func (v *visit) reveal() {
	if !v.isHere() {
		v.fail(http.StatusForbidden, "files are opened only where the server is on your machine")
		return
	}
	ctx, cancel := v.timed()
	defer cancel()
	part, err := v.shelf.Library.Read(ctx, index.Reading{Ref: v.r.PostFormValue("path"), Room: index.Room{Characters: 1, Bytes: 4}})
	if err != nil {
		v.fail(http.StatusNotFound, "there is no such document")
		return
	}
	file, _, err := docs.ParseFileURI(part.Document.URI)
	if err != nil {
		v.fail(http.StatusNotFound, "there is no such document")
		return
	}
	v.audit("reveal")(1, part.Path)
	hand := desktop.Reveal
	if v.r.PostFormValue("how") == "open" && formats.MayOpen(file) {
		hand = desktop.Open
	}
	if err := hand(v.r.Context(), file); err != nil {
		v.o.Logger.Warn("a file cannot be shown", "error", err)
		v.fail(http.StatusInternalServerError, "this machine opened no window for it")
		return
	}
	http.Redirect(v.w, v.r, documentLink(part.Path, "", ""), http.StatusSeeOther)
}
