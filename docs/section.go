package docs

import (
	"strings"

	"vademecum/docs/chunk"
	"vademecum/docs/extract"
	"vademecum/docs/text"
)

// Section returns the part of a text of that media type that stands below a heading,
// with the heading; ok is false when there is none. Of "A#B", as links have it, B
// counts.
func Section(body text.Body, mime, heading string) (span text.Span, ok bool) {
	if mime != "text/markdown" {
		return span, false
	}
	title := heading[strings.LastIndexByte(heading, '#')+1:]
	start, end, ok := chunk.Parse(body, extract.Markdown).Section(title)
	if !ok {
		return span, false
	}
	return text.SpanOf(body.Text, start, end), true
}
