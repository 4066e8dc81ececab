package manual

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown is how the topics are written. HTML in them would be left out.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table))

func parse(source []byte) ast.Node { return markdown.Parser().Parse(text.NewReader(source)) }

// plain returns what a reader sees of the inline content of a node, without pictures.
func plain(n ast.Node, source []byte) string {
	var out strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			out.WriteString(unescaped(c.Segment.Value(source)))
			if c.SoftLineBreak() || c.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.CodeSpan:
			for t := c.FirstChild(); t != nil; t = t.NextSibling() {
				out.Write(t.(*ast.Text).Segment.Value(source))
			}
		case *ast.Link:
			out.WriteString(linked(plain(c, source), string(c.Destination)))
		case *ast.Image:
		default:
			out.WriteString(plain(c, source))
		}
	}
	return out.String()
}

func unescaped(text []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(text))))
}

// linked is a link for whoever cannot click on it.
func linked(label, to string) string {
	topic := topicOf(to)
	switch {
	case topic == "" && strings.Contains(to, "://"):
		return label + " (" + to + ")"
	case topic == "":
		return label
	case label == topic:
		return "vademecum help " + topic
	}
	return label + " (vademecum help " + topic + ")"
}
