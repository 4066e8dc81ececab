package render

import (
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// altText returns the alternative text of a picture.
func altText(n ast.Node, source []byte) string {
	const most = 1000 // bytes
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering && out.Len() < most {
			out.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return unescapeMarkdown(out.String())
}

// writeLink writes a link with the content of a node.
func (w *writer) writeLink(to string, n ast.Node) {
	open := w.linkTag(unescapeMarkdown(to))
	if open == "" {
		w.writeInlines(n)
		return
	}
	w.writeMarkup(open)
	w.marked.nesting++
	w.marked.isInLink = true
	w.writeInlines(n)
	w.marked.isInLink = false
	w.marked.nesting--
	w.writeMarkup("</a>")
}

// linkTag returns the opening tag of a link; "" if its target is not allowed, or the link is inside
// another one.
func (w *writer) linkTag(to string) string {
	if w.marked.isInLink {
		return ""
	}
	if outside := safeWebAddress(to); outside != "" {
		return `<a href="` + html.EscapeString(outside) + `" rel="noreferrer noopener">`
	}
	path, fragment, _ := strings.Cut(to, "#")
	if strings.Contains(path, ":") { // a scheme that is not allowed
		return ""
	}
	return w.documentLinkTag(Link{Target: path, Fragment: fragment})
}

// documentLinkTag returns the opening tag of a link to another document, or to a heading of this
// one.
func (w *writer) documentLinkTag(l Link) string {
	if l.Target == "" {
		if h, ok := FindHeading(w.marked.headings, l.Fragment); ok && h.Offset >= w.From && !w.IsPassage {
			return `<a href="#L` + strconv.Itoa(h.Line) + `">`
		}
	}
	if w.LinkURL == nil || l == (Link{IsWiki: l.IsWiki}) {
		return ""
	}
	if to := w.LinkURL(l); isOwnAddress(to) {
		return `<a href="` + html.EscapeString(to) + `">`
	}
	return ""
}

// isOwnAddress reports whether a URL is a path of this server.
func isOwnAddress(to string) bool { return strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") }

func (w *writer) writeAutoLink(n *ast.AutoLink) {
	address := string(n.URL(w.marked.source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		address = "mailto:" + address
	}
	open := w.linkTag(address)
	w.writeMarkup(open)
	w.writeWords(string(n.Label(w.marked.source)))
	if open != "" {
		w.writeMarkup("</a>")
	}
}

func (w *writer) writeWikiLink(n *wikiLink) {
	if n.isEmbed && w.PictureURL != nil {
		if source := w.PictureURL(n.link); isOwnAddress(source) {
			w.writeImg(source, n.link.Target, n.size)
			return
		}
	}
	open := ""
	if !w.marked.isInLink {
		open = w.documentLinkTag(n.link)
	}
	if open == "" {
		w.writeMarkup(`<span class="nowhere">`)
		w.writeSegment(n.label, false)
		w.writeMarkup(`</span>`)
		return
	}
	w.writeMarkup(open)
	w.writeSegment(n.label, false)
	w.writeMarkup("</a>")
}

// writePicture writes a picture from the folder. For a picture elsewhere it writes a link, as
// nothing is loaded from other sites.
func (w *writer) writePicture(to, alt string) {
	to = unescapeMarkdown(to)
	if alt == "" {
		alt = to[strings.LastIndexByte(to, '/')+1:]
	}
	if safeWebAddress(to) == "" && w.PictureURL != nil {
		path, _, _ := strings.Cut(to, "#")
		if source := w.PictureURL(Link{Target: path}); isOwnAddress(source) {
			w.writeImg(source, alt, "")
			return
		}
	}
	open := w.linkTag(to)
	w.writeMarkup(`<span class="elsewhere">`, open)
	w.writeWords(displayText(alt))
	if open != "" {
		w.writeMarkup("</a>")
	}
	w.writeMarkup("</span>")
}

func (w *writer) writeImg(source, alt, size string) {
	w.writeMarkup(`<img src="`, html.EscapeString(source), `" alt="`, html.EscapeString(alt), `" loading="lazy"`)
	if n, err := strconv.Atoi(size); err == nil && 0 < n && n < 10_000 {
		w.writeMarkup(` width="`, strconv.Itoa(n), `"`)
	}
	w.writeMarkup(">")
}
