package html

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/marker"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"golang.org/x/net/html"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/numberformat"
	"vademecum/internal/base/lazyregexp"
)

// The converter would write < and > in text as character references. They are therefore replaced by
// Unicode noncharacters, which no text contains, until it has finished.
var (
	hideAngles = strings.NewReplacer("<", "\uFDD0", ">", "\uFDD1")
	showAngles = strings.NewReplacer("\uFDD0", "<", "\uFDD1", ">")
)

// treeMarkdown converts HTML into Markdown through a tree of its elements. It fails if elements are
// nested more deeply than the parser allows, and with extract.ErrNoText if all text is hidden.
func treeMarkdown(source string, sheets []*StyleSheet) (markdown, title string, err error) {
	tree, err := html.ParseWithOptions(strings.NewReader(source), html.ParseOptionEnableScripting(false))
	if err != nil {
		return "", "", fmt.Errorf("parse HTML: %w", err)
	}
	hidesText := applyStyles(tree, sheets)
	title = pageTitle(tree)
	showBookmarks(tree)
	dropNavigation(tree)
	reshapeTree(tree)
	prepareTree(tree, surroundings{})
	out, err := pageConverter().ConvertNode(tree)
	if err != nil {
		return "", "", fmt.Errorf("convert HTML: %w", err)
	}
	text := showAngles.Replace(showStruck(trimLines(string(out))))
	if hidesText && strings.TrimSpace(text) == "" {
		return "", title, extract.ErrNoText
	}
	return text, title, nil
}

// pageConverter converts web pages into Markdown for reading and searching: it does not escape the
// author's words. It does not use the table plugin, which allocates as many columns as a cell
// claims to span.
var pageConverter = sync.OnceValue(func() *converter.Converter {
	c := converter.NewConverter(
		converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false))),
		converter.WithEscapeMode(converter.EscapeModeDisabled),
	)
	c.Register.RendererFor("table", converter.TagTypeBlock, renderTable, converter.PriorityEarly)
	c.Register.RendererFor("ol", converter.TagTypeBlock, renderNumberedList, converter.PriorityEarly)
	for _, name := range []string{"h1", "h2", "h3", "h4", "h5", "h6"} {
		c.Register.RendererFor(name, converter.TagTypeBlock, renderHeading, converter.PriorityEarly)
	}
	c.Register.RendererFor("br", converter.TagTypeInline, renderBreak, converter.PriorityEarly)
	return c
})

// renderHeading writes a heading. The converter itself would mistake a number sign at the end of
// the heading for one that it has escaped.
func renderHeading(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	var buf bytes.Buffer
	ctx.RenderChildNodes(ctx, &buf, n)
	var out markdown.Writer
	out.WriteHeading(int(n.Data[1]-'0'), buf.String())
	w.WriteString("\n\n" + out.Text.String() + "\n\n")
	return converter.RenderSuccess
}

func renderBreak(_ converter.Context, w converter.Writer, _ *html.Node) converter.RenderStatus {
	w.WriteByte('\n')
	return converter.RenderSuccess
}

// renderNumberedList writes a list with the numbers that readers of the page see. The converter
// itself would pad them with zeros.
func renderNumberedList(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	format, step, first := numberFormat(n), 1, 1
	if hasAttribute(n, "reversed") {
		step, first = -1, countItems(n)
	}
	number := attributeNumber(n, "start", first)
	w.WriteString("\n\n")
	for item := n.FirstChild; item != nil; item = item.NextSibling {
		var buf bytes.Buffer
		ctx.RenderNodes(ctx, &buf, item)
		text := bytes.TrimSpace(buf.Bytes())
		if len(text) == 0 {
			continue
		}
		number = attributeNumber(item, "value", number)
		prefix := numberformat.FormatListNumber(format, number) + ". "
		number += step
		w.WriteString(prefix)
		w.Write(indentLines(text, len(prefix)))
		w.WriteByte('\n')
	}
	w.WriteString("\n\n")
	return converter.RenderSuccess
}

// numberFormat returns the number format of a list (HTML Standard, 4.4.5, and CSS Lists and
// Counters 3, 3.3), as named in package numberformat; "" for decimal.
func numberFormat(list *html.Node) string {
	kind := attributeValue(list, "type")
	if m := listStyle.FindStringSubmatch(attributeValue(list, "style")); m != nil {
		kind = strings.ToLower(m[1])
	}
	return map[string]string{
		"a": "lowerLetter", "lower-alpha": "lowerLetter", "lower-latin": "lowerLetter", "A": "upperLetter", "upper-alpha": "upperLetter", "upper-latin": "upperLetter",
		"i": "lowerRoman", "lower-roman": "lowerRoman", "I": "upperRoman", "upper-roman": "upperRoman",
	}[kind]
}

var listStyle = lazyregexp.New(`(?i)list-style(?:-type)?\s*:[^;]*?\b((?:lower|upper)-(?:alpha|latin|roman))`)

func countItems(list *html.Node) int {
	count := 0
	for item := range list.ChildNodes() {
		if isElement(item, "li") {
			count++
		}
	}
	return count
}

// indentLines indents all lines of text but the first. This includes the lines of code blocks,
// whose line ends are represented by a marker until the whole page is written.
func indentLines(text []byte, width int) []byte {
	for bytes.Contains(text, []byte("\n\n\n")) {
		text = bytes.ReplaceAll(text, []byte("\n\n\n"), []byte("\n\n"))
	}
	spaces := bytes.Repeat([]byte(" "), width)
	for _, end := range [][]byte{[]byte("\n"), marker.BytesMarkerCodeBlockNewline} {
		text = bytes.ReplaceAll(text, end, append(bytes.Clone(end), spaces...))
	}
	return text
}

// trimLines removes white space at the ends of lines.
func trimLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(line, " \t\r\n"))
		b.WriteByte('\n')
	}
	return b.String()
}

// pageTitle returns the title of a page: its title element, its og:title (for links to it), or its
// first heading.
func pageTitle(tree *html.Node) string {
	var declared, heading string
	for n := range tree.Descendants() {
		switch {
		case isElement(n, "title"):
			if title := nodeText(n); title != "" {
				return title
			}
		case isElement(n, "meta") && attributeValue(n, "property") == "og:title" && declared == "":
			declared = markdown.OneLine(attributeValue(n, "content"))
		case isElement(n, "h1") && heading == "":
			heading = nodeText(n)
		}
	}
	if declared != "" {
		return declared
	}
	return heading
}

func isElement(n *html.Node, name string) bool {
	return n.Type == html.ElementNode && n.Data == name && n.Namespace == ""
}

// nodeText returns the text under a node on one line.
func nodeText(n *html.Node) string {
	var b strings.Builder
	for e := range n.Descendants() {
		if e.Type == html.TextNode {
			b.WriteString(e.Data)
		}
	}
	return markdown.OneLine(b.String())
}

func attributeValue(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

func hasAttribute(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

// attributeNumber returns the value of an attribute as a non-negative number, or defaultValue if it
// is not such a number.
func attributeNumber(n *html.Node, key string, defaultValue int) int {
	if number, err := strconv.Atoi(attributeValue(n, key)); err == nil && 0 <= number && number < 1e9 {
		return number
	}
	return defaultValue
}
