package render

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Raw HTML in Markdown. Elements that only affect the appearance are written. Others are omitted
// but their text is kept, except that of scripts and the like.

// inlineTags are the inline elements that are allowed in raw HTML.
var inlineTags = []string{"b", "strong", "i", "em", "u", "s", "del", "ins", "sub", "sup", "kbd", "mark", "small", "code"}

// blockTags maps the block elements that are allowed in raw HTML to the elements that are written
// for them.
var blockTags = map[string]string{
	"p": "p", "div": "div", "center": "div", "section": "div", "details": "div", "figure": "div", "summary": "p", "figcaption": "p", "blockquote": "blockquote", "pre": "pre",
	"ul": "ul", "ol": "ol", "li": "li", "dl": "dl", "dt": "dt", "dd": "dd", "table": "table", "thead": "thead", "tbody": "tbody", "tr": "tr", "th": "th", "td": "td",
	"h1": "h2", "h2": "h2", "h3": "h2", "h4": "h2", "h5": "h2", "h6": "h2", // h2 stands for the right level
}

// unseen are the HTML elements whose text browsers do not display.
var unseen = []string{"script", "style", "template", "noscript", "iframe", "object", "head", "title", "textarea", "select", "svg", "math", "noembed", "noframes", "xmp", "plaintext"}

// safeWebAddress returns a web or mail address for a link; "" for any other URL.
func safeWebAddress(to string) string {
	const most = 4000 // bytes
	to = strings.TrimSpace(to)
	u, err := url.Parse(to)
	if err != nil || len(to) > most {
		return ""
	}
	switch u.Scheme {
	case "http", "https":
		if u.Host == "" {
			return ""
		}
	case "mailto":
	default:
		return ""
	}
	return u.String()
}

// writeRawHTML writes an HTML tag within a paragraph, if it is allowed.
func (w *writer) writeRawHTML(n *ast.RawHTML) {
	source := n.Segments.Value(w.marked.source)
	tokens := html.NewTokenizer(strings.NewReader(string(source)))
	kind := tokens.Next()
	token := tokens.Token()
	name := token.Data
	switch {
	case kind == html.EndTagToken:
		w.closeElement(name)
	case kind != html.StartTagToken && kind != html.SelfClosingTagToken:
	case name == "br":
		w.writeMarkup("<br>\n")
	case name == "img":
		w.writePicture(attributeValue(token.Attr, "src"), attributeValue(token.Attr, "alt"))
	case slices.Contains(inlineTags, name) && len(w.marked.open) < deepestInline && kind == html.StartTagToken:
		w.writeTag(name)
		w.marked.open = append(w.marked.open, name)
	case name == "a" && kind == html.StartTagToken && len(w.marked.open) < deepestInline:
		if open := w.linkTag(attributeValue(token.Attr, "href")); open != "" {
			w.writeMarkup(open)
			w.marked.open = append(w.marked.open, "a")
			w.marked.isInLink = true
		}
	}
}

// closeElement closes the innermost open element if its name is name.
func (w *writer) closeElement(name string) {
	if n := len(w.marked.open); n > w.marked.outer && w.marked.open[n-1] == name {
		w.closeElementsTo(n - 1)
	}
}

// closeElementsTo closes the innermost open elements until at most most are open.
func (w *writer) closeElementsTo(most int) {
	for n := len(w.marked.open); n > most; n-- {
		name := w.marked.open[n-1]
		w.marked.open = w.marked.open[:n-1]
		w.writeMarkup("</", name, ">")
		if name == "a" {
			w.marked.isInLink = false
		}
	}
}

func attributeValue(all []html.Attribute, name string) string {
	for _, a := range all {
		if a.Key == name && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

// mostHTML is the maximum size, in bytes, of an HTML block that is parsed.
const mostHTML = 32 << 10

// writeHTMLBlock writes the visible content of an HTML block.
func (w *writer) writeHTMLBlock(n *ast.HTMLBlock) {
	r := w.rangeOf(n)
	if n.HasClosure() {
		r.To = max(r.To, w.marked.base+n.ClosureLine.Stop)
	}
	source := w.Body[r.From:r.To]
	w.writeMarkup("<div")
	w.writePosition(r.From, r.To, "html")
	w.writeMarkup(">")
	w.writeAnchorsUpTo(r.To)
	nodes, err := []*html.Node(nil), error(nil)
	if len(source) <= mostHTML {
		nodes, err = html.ParseFragment(strings.NewReader(source), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	}
	if err != nil || len(source) > mostHTML {
		w.writeMarkup("<pre>")
		w.writeWords(source)
		w.writeMarkup("</pre>")
	}
	for _, node := range nodes {
		w.writeHTMLNode(node, 0)
	}
	w.writeMarkup("</div>\n")
}

// writeHTMLNode writes an HTML node and its children.
func (w *writer) writeHTMLNode(n *html.Node, depth int) {
	switch {
	case n.Type == html.TextNode:
		w.writeWords(displayText(n.Data))
		return
	case n.Type != html.ElementNode || n.Namespace != "" || slices.Contains(unseen, n.Data):
		return
	}
	open, end := "", ""
	switch {
	case depth > deepest:
	case n.Data == "br" || n.Data == "hr":
		w.writeMarkup("<", n.Data, ">")
		return
	case n.Data == "img":
		w.writeHTMLPicture(n)
		return
	case n.Data == "a":
		if open = w.linkTag(attributeValue(n.Attr, "href")); open != "" {
			w.marked.isInLink = true
			defer func() { w.marked.isInLink = false }()
			end = "a"
		}
	case slices.Contains(inlineTags, n.Data):
		end = n.Data
	case blockTags[n.Data] != "" && isAllowedIn(n):
		if end = blockTags[n.Data]; end == "h2" {
			end = w.headingElement(int(n.Data[1] - '0'))
		}
	}
	switch {
	case end != "" && open == "":
		w.writeTag(end)
	default:
		w.writeMarkup(open)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.writeHTMLNode(c, depth+1)
	}
	if end != "" {
		w.writeMarkup("</", end, ">")
	}
}

// isAllowedIn reports whether an HTML element may occur within its parent.
func isAllowedIn(n *html.Node) bool {
	parent := ""
	if n.Parent != nil {
		parent = n.Parent.Data
	}
	switch n.Data {
	case "li":
		return parent == "ul" || parent == "ol"
	case "dt", "dd":
		return parent == "dl"
	}
	return true
}

func (w *writer) writeHTMLPicture(n *html.Node) {
	source := attributeValue(n.Attr, "src")
	if safeWebAddress(source) == "" && w.PictureURL != nil {
		if to := w.PictureURL(Link{Target: source}); isOwnAddress(to) {
			width := strings.TrimSuffix(attributeValue(n.Attr, "width"), "px")
			if _, err := strconv.Atoi(width); err != nil {
				width = ""
			}
			w.writeImg(to, attributeValue(n.Attr, "alt"), width)
			return
		}
	}
	w.writePicture(source, attributeValue(n.Attr, "alt"))
}
