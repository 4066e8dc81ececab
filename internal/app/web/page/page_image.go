package page

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"strconv"

	"vademecum/docs/extract"
	"vademecum/docs/formats"
	"vademecum/index"
	"vademecum/internal/base/message"
)

// pageImageView is the page that shows a page of a document as an image.
type pageImageView struct {
	Path, Title    string
	Page, Last     int // Last is 0 if unknown
	Source         string
	Zoom           int // percent
	Zooms          []zoomLink
	Previous, Next string
	Text           string          // link to the text of the document; "" if there is none
	Problem        message.Message // why the image is not shown
	Watch          string          // see watchLink
	Local, MayOpen bool
}

type zoomLink struct {
	Percent int
	To      string
}

// zooms are the sizes at which a page of a document can be shown, in percent of the available
// width.
var zooms = []int{50, 100, 150, 200, 300}

// pageImageLink returns a link to the image of a page of the document.
func (view *documentView) pageImageLink(page int) string { return pageImageLink(view.Path, page, 0) }

func pageImageLink(name string, page, zoom int) string {
	q := url.Values{"path": {name}, "page": {strconv.Itoa(page)}}
	if zoom > 0 && zoom != 100 {
		q.Set("zoom", strconv.Itoa(zoom))
	}
	return "/doc?" + q.Encode()
}

// showPageImage shows a page of a document as an image, whether the document is indexed or not. The
// image is drawn before the HTML is sent, so that the HTML can show an error.
func (v *request) showPageImage(ctx context.Context, ref string, page int) {
	shown := v.audit("read")
	d, err := v.view.Library.DescribeDocument(ctx, ref)
	switch {
	case errors.Is(err, index.ErrDatabaseUnreachable):
		v.failAway()
		return
	case err != nil || !formats.CanDrawPages(d.Path):
		v.fail(http.StatusNotFound, message.New("there is no such document, or it has no pages"))
		return
	}
	view := pageImageView{Path: d.Path, Title: cmp.Or(d.Title, path.Base(d.Path)), Page: page, Zoom: 100, Watch: watchLink(d, some(v.r.URL.Query(), "page", "zoom")), Local: v.isHere(), MayOpen: v.isHere() && formats.IsSafeToOpen(d.Path)}
	for _, z := range zooms {
		if strconv.Itoa(z) == v.r.FormValue("zoom") {
			view.Zoom = z
		}
	}
	for _, z := range zooms {
		view.Zooms = append(view.Zooms, zoomLink{z, pageImageLink(d.Path, page, z)})
	}
	if d.SkipReason == "" {
		view.Text = documentLink(d.Path, "page="+strconv.Itoa(page), "")
		if part, err := index.Ask(ctx, v.view.Library, index.ReadQuery{Ref: d.Path}); err == nil && len(part.Divisions) > 0 {
			view.Last = part.Divisions[len(part.Divisions)-1].Number
		}
	}
	if page > 1 {
		view.Previous = pageImageLink(d.Path, page-1, view.Zoom)
	}
	q := url.Values{"ref": {d.Path}, "page": {strconv.Itoa(page)}, "zoom": {strconv.Itoa(view.Zoom)}}
	_, err = v.view.Library.DrawPage(ctx, index.PageDrawingQuery{Ref: d.Path, Page: page, ZoomPercent: view.Zoom})
	skipped := new(extract.SkipError)
	switch {
	case err == nil:
		view.Source, view.Next = "/picture?"+q.Encode(), pageImageLink(d.Path, page+1, view.Zoom)
	case errors.As(err, &skipped):
		view.Problem = skipped.Reason
		if view.Last > page {
			view.Next = pageImageLink(d.Path, page+1, view.Zoom)
		}
	case errors.Is(err, formats.ErrMissingConverter):
		view.Problem = message.FromError(formats.ErrMissingConverter)
	default:
		v.o.Logger.Debug("a page is not drawn", "error", err)
		view.Problem = message.New("the page cannot be shown as an image")
	}
	shown(1, d.Path)
	v.show("page-image", view)
}

// unreadView is the page of a file that has no text: why it has none, and links to its images.
type unreadView struct {
	index.Document
	Why            message.Message
	Picture, Paged string // links to the file as a picture, and to its pages
	Local, MayOpen bool
}

// unread shows a file that has no text, with the reason.
func (v *request) unread(ctx context.Context, ref string, why error) {
	_, reason := v.explain(why)
	view := unreadView{Why: reason}
	d, err := v.view.Library.DescribeDocument(ctx, ref)
	if err == nil {
		d.Title = cmp.Or(d.Title, path.Base(d.Path))
		view.Document, view.Local, view.MayOpen = d, v.isHere(), v.isHere() && formats.IsSafeToOpen(d.Path)
		if d.SkipReason != "" {
			view.Why = d.SkipReason
		}
		switch {
		case formats.IsBrowserPicture(d.Path):
			view.Picture = "/file?" + url.Values{"path": {d.Path}}.Encode()
		case formats.CanDrawPages(d.Path) && !formats.IsMissingConverterSkip(d.SkipReason):
			view.Paged = pageImageLink(d.Path, 1, 0)
		}
	}
	v.show("unread", view)
}

// file sends a picture that documents embed, from the folder. Active content in the picture cannot
// run.
func (v *request) file() {
	ctx, cancel := v.timed()
	defer cancel()
	p, err := v.view.Library.Picture(ctx, v.r.FormValue("path"))
	if err != nil {
		v.o.Logger.Debug("a picture is not shown", "error", err)
		v.fail(http.StatusNotFound, message.New("there is no such picture"))
		return
	}
	h := v.w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	h.Set("Content-Type", p.MIME)
	h.Set("Content-Length", strconv.Itoa(len(p.Content)))
	_, _ = v.w.Write(p.Content) // fails only if the browser has disconnected
}
