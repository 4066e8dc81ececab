package drawing

import (
	"bytes"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/internal/base/lazyregexp"
)

// noteKey is the front matter key of notes in which the Excalidraw plug-in of Obsidian stores
// drawings (https://github.com/zsviczian/obsidian-excalidraw-plugin).
const noteKey = "excalidraw-plugin:"

// IsExcalidrawNote reports whether Markdown that begins with head is a note with a drawing.
func IsExcalidrawNote(head []byte) bool {
	front, ok := bytes.CutPrefix(head, []byte("---"))
	if !ok {
		return false
	}
	front, _, _ = bytes.Cut(front, []byte("\n---"))
	return bytes.Contains(front, []byte("\n"+noteKey))
}

// ReadExcalidrawNote reads Markdown with an Excalidraw drawing: the user's text, and the texts of
// the drawing, which the file repeats as a list. Other additions of the plug-in become blank lines,
// so that line numbers do not change.
func ReadExcalidrawNote(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	c, err := charset.Read(raw)
	if err != nil {
		return c, err
	}
	var n noteReader
	rest := n.copyFrontMatter(c.Text)
	says := false
	for line := range strings.Lines(rest) {
		line = n.shownText(strings.TrimRight(line, "\r\n"))
		says = says || strings.TrimSpace(line) != ""
		n.text.WriteString(line + "\n")
	}
	if !says {
		return extract.Content{}, extract.ErrNoText
	}
	c.Text, c.Form = strings.TrimRight(n.text.String(), "\n")+"\n", extract.Markdown
	return c, nil
}

// A noteReader holds the state while a note is read.
type noteReader struct {
	text      strings.Builder
	section   string // name of the current section added by the plug-in, or ""
	inDrawing bool   // whether the current line is in the code block with the drawing
}

var (
	noteWarning = lazyregexp.New(`^==⚠.*⚠==`)
	noteSection = lazyregexp.New(`^#{1,2} (Excalidraw Data|Text Elements|Element Links|Embedded Files|Drawing)\s*$`)
	noteAnchor  = lazyregexp.New(`\s\^[A-Za-z0-9_-]{8,21}\s*$`)
	noteID      = lazyregexp.New(`^[A-Za-z0-9_-]{8,40}: `)
)

// copyFrontMatter copies the front matter of a text to the output, and returns the rest of the
// text.
func (n *noteReader) copyFrontMatter(text string) (rest string) {
	if end := strings.Index(text, "\n---"); end >= 0 && strings.HasPrefix(text, "---") {
		n.text.WriteString(text[:end+1])
		n.text.WriteString("---\n")
		_, rest, _ = strings.Cut(text[end+1:], "\n")
		return rest
	}
	return text
}

// shownText returns the next line without the parts that readers do not see.
func (n *noteReader) shownText(line string) string {
	switch {
	case n.inDrawing:
		n.inDrawing = strings.TrimSpace(line) != "```"
		return ""
	case n.section == "Drawing" && strings.HasPrefix(line, "```"):
		n.inDrawing = true
		return ""
	case strings.TrimSpace(line) == "%%", noteWarning.MatchString(line):
		return ""
	}
	if m := noteSection.FindStringSubmatch(line); m != nil {
		n.section = m[1]
		return ""
	}
	switch n.section {
	case "Text Elements":
		return noteAnchor.ReplaceAllString(line, "")
	case "Element Links", "Embedded Files":
		return noteID.ReplaceAllString(line, "")
	}
	return line
}
