package manual

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown parses and renders the topics. It omits raw HTML.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table))

func parseMarkdown(source []byte) ast.Node { return markdown.Parser().Parse(text.NewReader(source)) }

// plainText returns the text within a node, without pictures.
func plainText(n ast.Node, source []byte) string {
	var out strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			out.WriteString(unescape(c.Segment.Value(source)))
			if c.SoftLineBreak() || c.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.CodeSpan:
			for t := c.FirstChild(); t != nil; t = t.NextSibling() {
				out.Write(t.(*ast.Text).Segment.Value(source))
			}
		case *ast.Link:
			out.WriteString(linkAsText(plainText(c, source), string(c.Destination)))
		case *ast.Image:
		default:
			out.WriteString(plainText(c, source))
		}
	}
	return out.String()
}

func unescape(text []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(text))))
}

// linkAsText returns a link as plain text, for readers who cannot click on it.
func linkAsText(label, to string) string {
	topic := topicOf(to)
	switch {
	case topic == "" && strings.Contains(to, "://"):
		return label + " (" + to + ")"
	case topic == "":
		return label
	}
	return label + " (vademecum help " + topic + ")"
}
