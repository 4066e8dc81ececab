package extract

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// treeMarkdown turns HTML into Markdown by its tree of elements. It fails where
// elements nest deeper than the parser goes.
func treeMarkdown(source string) (markdown, title string, err error) {
	tree, err := html.ParseWithOptions(strings.NewReader(source), html.ParseOptionEnableScripting(false))
	if err != nil {
		return "", "", fmt.Errorf("parse HTML: %w", err)
	}
	title = pageTitle(tree) // the converter takes the head away
	out, err := pages().ConvertNode(tree)
	if err != nil {
		return "", "", fmt.Errorf("convert HTML: %w", err)
	}
	return brokenCell.ReplaceAllString(string(out), " "), title, nil
}

// brokenCell is how the converter writes a line end in a cell of a table.
var brokenCell = regexp.MustCompile(`[ \t]*<br />`)

// pages converts web pages to Markdown that is for reading and searching: the
// words stay as their author wrote them, without marks of emphasis and without
// the targets of links.
var pages = sync.OnceValue(func() *converter.Converter {
	c := converter.NewConverter(
		converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(
			base.NewBasePlugin(),
			commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
			table.NewTablePlugin(
				table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal),
				table.WithNewlineBehavior(table.NewlineBehaviorPreserve),
				table.WithHeaderPromotion(true),
				table.WithSkipEmptyRows(true),
			),
		),
	)
	c.Register.TextTransformer(unescapeText, converter.PriorityLate)
	for _, name := range []string{"textarea", "noscript"} {
		c.Register.TagType(name, converter.TagTypeBlock, converter.PriorityEarly)
	}
	c.Register.TagType("template", converter.TagTypeRemove, converter.PriorityEarly)
	for _, name := range []string{"a", "b", "code", "em", "i", "strong", "s", "u", "tt", "kbd", "samp", "var"} {
		c.Register.RendererFor(name, converter.TagTypeInline, renderContent, converter.PriorityEarly)
	}
	for _, name := range []string{"dt", "dd", "summary", "figcaption", "caption", "legend", "option"} {
		c.Register.TagType(name, converter.TagTypeBlock, converter.PriorityEarly)
	}
	c.Register.RendererFor("img", converter.TagTypeInline, renderAlternative, converter.PriorityEarly)
	return c
})

// unescapeText takes back what the base plugin does to text in any mode.
func unescapeText(_ converter.Context, text string) string {
	return escapedText.Replace(text)
}

var escapedText = strings.NewReplacer("&lt;", "<", "&gt;", ">")

// renderContent writes what is in an element, unless it is a block of code.
func renderContent(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	ctx.RenderChildNodes(ctx, w, n)
	return converter.RenderSuccess
}

// renderAlternative writes the alternative text of an image.
func renderAlternative(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	for _, a := range n.Attr {
		if a.Key == "alt" {
			w.WriteString(oneLine(a.Val))
		}
	}
	return converter.RenderSuccess
}

// pageTitle returns the text of the first title element of a page's head.
func pageTitle(tree *html.Node) string {
	for n := range tree.Descendants() {
		if n.Type == html.ElementNode && n.Data == "title" && n.Namespace == "" && n.FirstChild != nil {
			return oneLine(n.FirstChild.Data)
		}
	}
	return ""
}
