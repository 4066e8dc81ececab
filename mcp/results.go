package mcp

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/base/present"
)

// render builds the result of a search: each passage after its citation, best first, as many as
// fit, and then the closing lines.
func (m ResultsMode) render(a index.Answer, end string, room index.Budget) *mcp.CallToolResult {
	passages := a.Passages
	first := firstNote(a.Notes)
	left := room.Subtract(textSize(first + end))
	if !left.HasRoomFor(m.sizeOfPassages(passages)) {
		left = left.Subtract(index.Budget{Characters: leftOutMost, Bytes: leftOutMost})
	}
	var content []mcp.Content
	if first != "" {
		content = append(content, textBlock(first))
	}
	shown := 0
	for ; shown < len(passages); shown++ {
		blocks := m.passageBlocks(shown+1, passages[shown])
		size := sizeOfContent(blocks...)
		if !left.HasRoomFor(size) && shown == 0 { // its path is so long that it fits only once
			blocks = ResultsText.passageBlocks(shown+1, passages[shown])
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
	if end = omittedNote(passages, shown) + end; end != "" {
		content = append(content, textBlock(strings.TrimSpace(end)))
	}
	if m != ResultsResource {
		content = textFirst(content)
	} else if t, ok := content[0].(*mcp.TextContent); ok {
		t.Text = strings.TrimPrefix(t.Text, "\n") // no text precedes it
	}
	return &mcp.CallToolResult{Content: content}
}

// textFirst puts all text into one block before the resources, as smolagents and many hand-written
// clients give their model only the first block of a result.
func textFirst(content []mcp.Content) []mcp.Content {
	text := joinText(content)
	resources := slices.DeleteFunc(content, func(c mcp.Content) bool { _, isText := c.(*mcp.TextContent); return isText })
	if len(resources) > 0 {
		text.Text += "\n"
	}
	return slices.Insert(resources, 0, mcp.Content(text))
}

// sizeOfPassages returns the size of passages in this form.
func (m ResultsMode) sizeOfPassages(passages []index.Passage) (size index.Budget) {
	for i, p := range passages {
		size = size.Add(sizeOfContent(m.passageBlocks(i+1, p)...))
	}
	return size
}

// textBlock returns a text between line feeds, as Copilot CLI 1.0 puts nothing between blocks.
func textBlock(text string) *mcp.TextContent { return &mcp.TextContent{Text: "\n" + text + "\n"} }

// passageBlocks returns a passage in this form.
func (m ResultsMode) passageBlocks(rank int, p index.Passage) []mcp.Content {
	above := fmt.Sprintf("[%d] %s", rank, citation(p))
	if m == ResultsResource {
		return []mcp.Content{textBlock(above), embeddedResource(rank, p)}
	}
	text := textBlock(above + "\n" + fenced(p.JoinDividedWords(p.Text)))
	if m == ResultsText {
		return []mcp.Content{text}
	}
	return []mcp.Content{text, embeddedResource(rank, p)}
}

// fenced puts a text between two lines of backticks, more than the text has in a row. So nothing in
// it can be mistaken for its end, and thus for a citation or note of this server.
func fenced(text string) string {
	longest, run := 0, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", max(3, longest+1))
	return fence + "\n" + text + "\n" + fence
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

// citation tells a model where a passage is: the path and place, in the form that read_doc takes,
// and the headings above. For a part of a line, the path includes the fragment.
func citation(p index.Passage) string {
	if _, fragment, _ := strings.Cut(p.URI, "#"); strings.Contains(fragment, "char=") {
		p.Path += "#" + fragment
	}
	out := notice.Citation(p.Path, p.Place).String()
	if above := headingPath(p); above != "" {
		out += " — " + above
	}
	if tagged := notice.DateAndTags(p.Date.String(), p.Tags); tagged != "" {
		out += " (" + tagged + ")"
	}
	if p.Related {
		out += "\n" + notice.ByWordParts.String()
	}
	if p.Sparse {
		out += "\nlittle text on this page: read_doc with as image shows it"
	}
	if rest := notice.InDocument(p.Rest).String(); rest != "" {
		out += "\nmore of it in: " + present.CleanLine(rest)
	}
	if same := notice.SameText(p.Copies, p.MoreCopies).String(); same != "" {
		out += "\nsame text in: " + present.CleanLine(same)
	}
	if near := notice.SameText(p.Near, p.MoreNear).String(); near != "" {
		out += "\nin part also in: " + present.CleanLine(near)
	}
	if others := notice.SameText(p.Versions, p.MoreVersions).String(); others != "" {
		out += "\nin other languages: " + present.CleanLine(others)
	}
	return out
}

// longestHeadings is the maximum length of the headings in a citation, in characters; the innermost
// ones are kept.
const longestHeadings = 200

// headingPath returns the headings of a passage, except a title that repeats the file's name and a
// heading that the passage begins with.
func headingPath(p index.Passage) string {
	all := p.Heading
	if len(all) > 0 && repeatsName(all[0], p.Path) {
		all = all[1:]
	}
	if n := len(all); n > 0 && strings.HasPrefix(strings.TrimLeft(p.Text, "#=* "), all[n-1]) {
		all = all[:n-1]
	}
	above := present.CleanLine(strings.Join(all, " > "))
	if r := []rune(above); len(r) > longestHeadings {
		return "…" + string(r[len(r)-longestHeadings:])
	}
	return above
}

// repeatsName reports whether a title only repeats the name of the file, with or without its
// extension, ignoring case, spaces and punctuation.
func repeatsName(title, file string) bool {
	name, _, _ := strings.Cut(path.Base(file), "#")
	title = lettersOnly(title)
	return title == lettersOnly(name) || title == lettersOnly(strings.TrimSuffix(name, path.Ext(name)))
}

func lettersOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// leftOutMost is the maximum size of the note on passages that did not fit, in characters and in
// bytes.
const leftOutMost = 900

// omittedNote lists the passages that are not shown, if the list is short enough.
func omittedNote(passages []index.Passage, shown int) string {
	if shown == len(passages) {
		return ""
	}
	const opening = "Left out to keep the answer short"
	names := ""
	named := shown
	for ; named < len(passages); named++ {
		next := fmt.Sprintf(" [%d] %s;", named+1, notice.Citation(passages[named].Path, passages[named].Place))
		if len(names)+len(next) > leftOutMost/2 {
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

// embeddedResource returns a passage as a resource with metadata.
func embeddedResource(rank int, p index.Passage) *mcp.EmbeddedResource {
	meta := mcp.Meta{
		"rank": rank, "score": p.Score, "path": present.CleanLine(p.Path), "title": present.CleanLine(p.Title),
		"place": present.CleanLine(p.Place.String()), "startLine": p.StartLine, "endLine": p.EndLine,
		"lexicalRank": p.LexicalRank, "vectorRank": p.VectorRank,
	}
	if p.Related {
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

// longestNote is the maximum length of a note in characters.
const longestNote = 600

// firstNote returns the notes that precede the passages on one line, as a list there would separate
// the passages from their citations.
func firstNote(notes []notice.Note) string {
	first, _ := notice.SplitFirst(notes)
	return strings.TrimSpace(noteText(notice.Lines(first)))
}

// noteText formats notes for the reader, one per line.
func noteText(notes []string) string {
	var out strings.Builder
	for _, n := range notes {
		out.WriteString("Note: " + shorten(n, longestNote) + "\n")
	}
	return out.String()
}

// shorten cuts a text to a number of characters and marks the cut.
func shorten(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
