package docs

import (
	"strings"

	"vademecum/docs/chunk"
	"vademecum/docs/extract"
	"vademecum/docs/text"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Section returns the section of a text of that media type under a heading, including the heading.
// For "A#B", as in links, B is the heading. If there is no such heading, the error lists the
// headings.
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

// noHeadingError returns an error that says that no heading has this title and lists the titles
// that exist.
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
