package manual

import (
	"bytes"
	"html/template"

	"github.com/yuin/goldmark/ast"

	"vademecum/internal/base/message"
)

// HTML returns a topic as HTML for a web page; "" if there is no such topic. Links to other topics
// lead to pages below pagesPath, a URL path without a trailing slash. Pictures, and links to files of
// the repository, which the page cannot reach, are left out.
func HTML(topic string, l message.Language, pagesPath string) (template.HTML, error) {
	source := Markdown(topic, l)
	doc := parseMarkdown(source)
	adaptLinks(doc, pagesPath)
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, source, doc); err != nil {
		return "", err
	}
	// safe: the source is embedded in the program, and raw HTML in it is omitted
	return template.HTML(out.String()), nil
}

// adaptLinks changes the links below a node for a web page; see HTML.
func adaptLinks(parent ast.Node, folder string) {
	for n := parent.FirstChild(); n != nil; {
		next := n.NextSibling()
		adaptLinks(n, folder)
		switch n := n.(type) {
		case *ast.Image:
			parent.RemoveChild(parent, n)
		case *ast.Link:
			to := string(n.Destination)
			if topic := topicOf(to); topic != "" {
				n.Destination = []byte(folder + "/" + topic)
			} else if bytes.Contains(n.Destination, []byte("://")) {
				n.SetAttributeString("rel", []byte("noreferrer noopener"))
			} else {
				for c := n.FirstChild(); c != nil; c = n.FirstChild() {
					parent.InsertBefore(parent, n, c)
				}
				parent.RemoveChild(parent, n)
			}
		}
		if n.Kind() == ast.KindParagraph && !n.HasChildren() {
			parent.RemoveChild(parent, n)
		}
		n = next
	}
}
