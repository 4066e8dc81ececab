package enex

import (
	"errors"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/internal/base/lazyregexp"
)

// The extensions of HTML in ENML: check boxes, which are separate elements in older notes, and
// encrypted passages.
var (
	todoTag          = lazyregexp.New(`<en-todo\b[^>]*>|<li\b[^>]*--en-checked:[^>]*>(\s*<div\b[^<>/]*>)?`)
	encryptedPassage = lazyregexp.New(`(?s)<en-crypt\b[^>]*>.*?(</en-crypt>|$)`)
)

// Styles that give a div a special meaning.
const (
	codeStyle  = "-en-codeblock:true"
	tasksStyle = "--en-task-group:true" // marks a placeholder for tasks, which are stored outside the text
)

// toMarkdown returns the text of the note as Markdown, which may be "".
func (n *note) toMarkdown() (string, error) {
	enml := encryptedPassage.ReplaceAllString(n.content, "(encrypted)")
	enml = todoTag.ReplaceAllStringFunc(enml, checkboxText)
	enml = replaceDivs(enml, codeStyle, codeBlockHTML)
	enml = replaceDivs(enml, tasksStyle, func(string) string { return "" })
	if !html.IsXHTML(enml) {
		enml = html.ExpandSelfClosingTags(enml)
	}
	text, _, err := html.Markdown(enml)
	if errors.Is(err, extract.ErrNoText) {
		text, err = "", nil
	}
	return strings.Trim(text, "\n"), err
}

// checkboxText returns the text for a check box tag.
func checkboxText(tag string) string {
	box := "[ ] "
	if strings.Contains(tag, `checked="true"`) || strings.Contains(tag, "--en-checked:true") {
		box = "[x] "
	}
	if strings.HasPrefix(tag, "<li") {
		return tag + box
	}
	return box
}

var divTag = lazyregexp.New(`<div\b[^<>]*>|</div>`)

// replaceDivs replaces each div with the given style by the result of replace for its content. A
// div without an end tag extends to the end of the text.
func replaceDivs(enml, style string, replace func(content string) string) string {
	if !strings.Contains(enml, style) {
		return enml
	}
	var b strings.Builder
	from, start, depth := 0, 0, 0 // depth is the number of open divs within the one that is being replaced
	for _, tag := range divTag.FindAllStringIndex(enml, -1) {
		text := enml[tag[0]:tag[1]]
		switch {
		case strings.HasSuffix(text, "/>"):
		case depth > 0 && text == "</div>":
			if depth--; depth == 0 {
				b.WriteString(replace(enml[start:tag[0]]))
				from = tag[1]
			}
		case depth > 0:
			depth++
		case strings.Contains(text, style):
			b.WriteString(enml[from:tag[0]])
			start, depth = tag[1], 1
		}
	}
	if depth > 0 {
		return b.String() + replace(enml[start:])
	}
	return b.String() + enml[from:]
}

var (
	codeLineEnd = lazyregexp.New(`(<br\s*/?>)?(\s*</div>)+|<br\s*/?>`)
	anyTag      = lazyregexp.New(`<[^<>]*>`)
)

// codeBlockHTML converts a code block whose lines are elements into HTML.
func codeBlockHTML(content string) string {
	content = codeLineEnd.ReplaceAllString(content, "\n")
	return "<pre><code>" + anyTag.ReplaceAllString(content, "") + "</code></pre>"
}
