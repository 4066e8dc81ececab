package page

import (
	"net/http"

	"vademecum/docs"
	"vademecum/docs/formats"
	"vademecum/internal/base/message"
	"vademecum/internal/base/system"
)

// reveal opens the file of a document on this machine, or shows the file in its folder.
func (v *request) reveal() {
	if !v.isHere() {
		v.fail(http.StatusForbidden, message.New("files are opened only where the server is on your machine"))
		return
	}
	ctx, cancel := v.timed()
	defer cancel()
	d, err := v.view.Library.DescribeDocument(ctx, v.r.PostFormValue("path"))
	if err != nil {
		v.fail(http.StatusNotFound, message.New("there is no such document"))
		return
	}
	file, _, err := docs.ParseFileURI(d.URI)
	if err != nil {
		v.fail(http.StatusNotFound, message.New("there is no such document"))
		return
	}
	v.audit("reveal")(1, d.Path)
	hand := system.RevealOnDesktop
	if v.r.PostFormValue("how") == "open" && formats.IsSafeToOpen(file) {
		hand = system.OpenOnDesktop
	}
	if err := hand(v.r.Context(), file); err != nil {
		v.o.Logger.Warn("a file cannot be shown", "error", err)
		v.fail(http.StatusInternalServerError, message.New("this machine opened no window for it"))
		return
	}
	http.Redirect(v.w, v.r, documentLink(d.Path, "", ""), http.StatusSeeOther)
}
