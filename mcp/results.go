package mcp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/operations"
	"vademecum/internal/base/present"
)

// render builds the result of a search, within room: the notes, then each passage after its
// citation, best first, as many as fit, and then end, the closing lines.
func (m ResultsMode) render(a index.Answer, end string, room index.Budget) *mcp.CallToolResult {
	passages := a.Passages
	first := firstNote(a.Notes)
	left := room.Subtract(operations.TextSize(first + end))
	if !left.HasRoomFor(m.sizeOfPassages(a)) {
		left = left.Subtract(index.Budget{Characters: maxOmittedNoteSize, Bytes: maxOmittedNoteSize})
	}
	var content []mcp.Content
	if first != "" {
		content = append(content, textBlock(first))
	}
	shown := 0
	for ; shown < len(passages); shown++ {
		blocks := m.passageBlocks(a.ShownBefore+shown+1, passages[shown])
		size := sizeOfContent(blocks...)
		if !left.HasRoomFor(size) && shown == 0 { // its path is so long that it fits only once
			blocks = ResultsText.passageBlocks(a.ShownBefore+shown+1, passages[shown])
			size = sizeOfContent(blocks...)
		}
		if !left.HasRoomFor(size) {
			break
		}
		left = left.Subtract(size)
		content = append(content, blocks...)
	}
	if len(passages) == 0 {
		end = notice.NothingFound(a.Incomplete).String() + "\n" + end
	}
	if end = omittedNote(passages, shown, a.ShownBefore) + end; end != "" {
		content = append(content, textBlock(strings.TrimSpace(end)))
	}
	if m != ResultsResource {
		content = textFirst(content)
	} else if t, ok := content[0].(*mcp.TextContent); ok {
		t.Text = strings.TrimPrefix(t.Text, "\n") // no text precedes it
	}
	return &mcp.CallToolResult{Content: content}
}

// textFirst joins all text into one block that precedes the resources, as smolagents and many
// hand-written clients give their model only the first block of a result.
func textFirst(content []mcp.Content) []mcp.Content {
	text := joinText(content)
	resources := slices.DeleteFunc(content, func(c mcp.Content) bool { _, isText := c.(*mcp.TextContent); return isText })
	if len(resources) > 0 {
		text.Text += "\n"
	}
	return slices.Insert(resources, 0, mcp.Content(text))
}

// sizeOfPassages returns the size of the passages of an answer when returned in this form.
func (m ResultsMode) sizeOfPassages(a index.Answer) (size index.Budget) {
	for i, p := range a.Passages {
		size = size.Add(sizeOfContent(m.passageBlocks(a.ShownBefore+i+1, p)...))
	}
	return size
}

// textBlock returns a text block that begins and ends with a line feed, as Copilot CLI 1.0 joins
// blocks without a separator.
func textBlock(text string) *mcp.TextContent { return &mcp.TextContent{Text: "\n" + text + "\n"} }

// passageBlocks returns the content blocks of a passage in this form.
func (m ResultsMode) passageBlocks(rank int, p index.Passage) []mcp.Content {
	above := fmt.Sprintf("[%d] %s", rank, operations.Citation(p))
	if m == ResultsResource {
		return []mcp.Content{textBlock(above), embeddedResource(rank, p)}
	}
	text := textBlock(above + "\n" + operations.Fenced(p.JoinDividedWords(p.Text)))
	if m == ResultsText {
		return []mcp.Content{text}
	}
	return []mcp.Content{text, embeddedResource(rank, p)}
}

// joinText joins all text into one block.
func joinText(content []mcp.Content) *mcp.TextContent {
	var all []string
	for _, c := range content {
		if t, ok := c.(*mcp.TextContent); ok {
			all = append(all, strings.Trim(t.Text, "\n"))
		}
	}
	return &mcp.TextContent{Text: strings.Join(all, "\n\n")}
}

// maxOmittedNoteSize is the maximum size, in characters and in bytes, of the note on passages that do not
// fit.
const maxOmittedNoteSize = 900

// omittedNote returns a note that names the passages that are not shown, or only their number if
// the names are too long. before is the number of passages on the previous pages.
func omittedNote(passages []index.Passage, shown, before int) string {
	if shown == len(passages) {
		return ""
	}
	const opening = "Left out to keep the answer short"
	names := ""
	named := shown
	for ; named < len(passages); named++ {
		next := fmt.Sprintf(" [%d] %s;", before+named+1, notice.FormatCitation(passages[named].Path, passages[named].Place))
		if len(names)+len(next) > maxOmittedNoteSize/2 {
			break
		}
		names += next
	}
	more := notice.CountNoun(len(passages)-named, "more passage")
	switch {
	case named == len(passages):
		return opening + " (read_doc shows them):" + strings.TrimSuffix(names, ";") + ".\n"
	case named > shown:
		return opening + " (read_doc shows them):" + names + " and " + more + ".\n"
	}
	return opening + ": " + more + ". Ask with a narrower path for them.\n"
}

// embeddedResource returns a passage as an embedded resource with metadata.
func embeddedResource(rank int, p index.Passage) *mcp.EmbeddedResource {
	meta := mcp.Meta{
		"rank": rank, "score": p.Score, "path": present.CleanLine(p.Path), "title": present.CleanLine(p.Title),
		"place": present.CleanLine(p.Place.String()), "startLine": p.StartLine, "endLine": p.EndLine,
		"lexicalRank": p.LexicalRank, "vectorRank": p.VectorRank,
	}
	if p.IsRelatedOnly {
		meta["relatedByWordParts"] = true
	}
	if len(p.Heading) > 0 {
		meta["headingPath"] = p.Heading
	}
	if len(p.Tags) > 0 {
		meta["tags"] = p.Tags
	}
	if p.Date != 0 {
		meta["date"] = p.Date
	}
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: p.URI, MIMEType: p.TextMIME, Text: p.JoinDividedWords(p.Text), Meta: meta}}
}

// firstNote returns the notes that precede the passages. They are on one line, as a list would
// separate the passages from their citations.
func firstNote(notes []notice.Note) string {
	first, _ := notice.SplitShownFirst(notes)
	return strings.TrimSpace(operations.FormatNotes(notice.EnglishLines(first)))
}
