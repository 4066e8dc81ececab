package docs

import (
	"strings"

	"vademecum/docs/chunk"
	"vademecum/docs/extract"
	"vademecum/docs/text"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Section returns the part of a text of that media type that stands below a heading,
// with the heading. Of "A#B", as links have it, B counts. The error says which
// headings there are when there is no such.
func Section(body text.Body, mime, heading string) (text.Span, error) {
	title := heading[strings.LastIndexByte(heading, '#')+1:]
	var blocks chunk.Blocks
	if mime == "text/markdown" {
		blocks = chunk.ParseBlocks(body, extract.Markdown)
	}
	start, end, ok := blocks.Section(title)
	if !ok {
		return text.Span{}, noHeadingError(title, blocks.Headings())
	}
	return text.SpanOf(body.Text, start, end), nil
}

// noHeadingError says that there is no heading of a title among those that there are.
func noHeadingError(title string, titles []string) error {
	const most = 8
	if len(titles) == 0 {
		return message.Errorf("there is no heading %s: it has no headings", present.QuoteShort(title))
	}
	more := message.Message("")
	if n := len(titles) - most; n > 0 {
		titles, more = titles[:most], message.New("; and %d more", n)
	}
	return message.Errorf("there is no heading %s: there are %s%v", present.QuoteShort(title), present.CleanLine(strings.Join(titles, "; ")), more)
}
