package page

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"vademecum/docs/formats"
	"vademecum/internal/app/web/render"
)

// leads returns functions for the URLs of the links and pictures in a document; both return "" for
// a target that the visitor may not see.
func (v *request) leads(path string) (link, picture func(render.Link) string) {
	link = func(l render.Link) string {
		to := path
		if l.Target != "" {
			to = v.view.Library.LinkTarget(path, l.Target, l.IsWiki)
		}
		if to == "" {
			return ""
		}
		return headingLink(to, l.Fragment)
	}
	picture = func(l render.Link) string {
		to := v.view.Library.LinkTarget(path, l.Target, l.IsWiki)
		switch {
		case to != "" && formats.IsBrowserPicture(to):
			return "/file?" + url.Values{"path": {to}}.Encode()
		case to != "" && formats.IsPicture(to): // converted to a format that browsers can show
			return "/picture?" + url.Values{"ref": {to}}.Encode()
		}
		return ""
	}
	return link, picture
}

// tagLinks returns a function that links a tag of a document, in any spelling, to a search for
// documents with that tag.
func tagLinks(tags []string) func(name string) string {
	return func(name string) string {
		name = strings.Trim(name, "/")
		i := slices.IndexFunc(tags, func(tag string) bool { return strings.EqualFold(tag, name) })
		if i < 0 {
			return ""
		}
		return tagLink(tags[i])
	}
}

// tagLink returns a link to a search for documents with a tag.
func tagLink(tag string) string {
	return searchForm{Given: map[string]string{"tag": tag}, Most: passagesShown}.link("/search")
}

// headingLink returns a link to a heading of a document, or to the beginning of the document for
// "".
func headingLink(path, heading string) string {
	if heading == "" {
		return documentLink(path, "", "")
	}
	return "/doc?" + url.Values{"path": {path}, "heading": {heading}}.Encode() + "#heading"
}

// mostBeside is the maximum number of neighbours listed before and after a document.
const mostBeside = 4

// mostLinked is the maximum number of link targets listed for a document.
const mostLinked = 20

// surround fills in the links of the document and its neighbours.
func (view *documentView) surround(v *request) {
	for i, c := range view.Path {
		if c == '/' {
			view.Folders = append(view.Folders, place{Name: path.Base(view.Path[:i]), To: searchForm{Given: map[string]string{"in": view.Path[:i]}}.link("/library/documents")})
		}
	}
	for _, from := range view.FirstLinkingPaths {
		view.LinksHere = append(view.LinksHere, place{Name: from, To: documentLink(from, "", "")})
	}
	for _, to := range view.DocumentPart.LinksTo.Targets[:min(len(view.DocumentPart.LinksTo.Targets), mostLinked)] {
		view.LinksTo = append(view.LinksTo, place{Name: to, To: documentLink(to, "", "")})
	}
	view.MoreLinksTo = len(view.DocumentPart.LinksTo.Targets) - len(view.LinksTo)
	view.Nowhere = view.DocumentPart.LinksTo.BrokenNames[:min(len(view.DocumentPart.LinksTo.BrokenNames), mostLinked)]
	before, after, err := v.view.Library.Neighbours(v.r.Context(), view.Path, mostBeside)
	if err != nil {
		return // the client is gone
	}
	for i := len(before) - 1; i >= 0; i-- {
		view.Before = append(view.Before, place{Name: before[i].Title, To: documentLink(before[i].Path, "", "")})
	}
	for _, d := range after {
		view.After = append(view.After, place{Name: d.Title, To: documentLink(d.Path, "", "")})
	}
	if view.hasLook() {
		view.Paged = view.pageImageLink(1)
	}
	view.MayOpen = view.Local && formats.IsSafeToOpen(view.Path)
}

// MoreLinks returns how many documents link to this one in addition to those listed.
func (view *documentView) MoreLinks() int { return view.LinkingCount - len(view.LinksHere) }
