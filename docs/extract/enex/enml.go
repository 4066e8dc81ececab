package enex

import (
	"errors"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/internal/lazyregexp"
)

// What ENML has beside HTML: boxes to tick, and passages under a password.
var (
	todoTag   = lazyregexp.New(`<en-todo\b[^>]*>`)
	encrypted = lazyregexp.New(`(?s)<en-crypt\b[^>]*>.*?(</en-crypt>|$)`)
)

// markdown returns the text of the note, which need not have any.
func (n *note) markdown() (string, error) {
	enml := encrypted().ReplaceAllString(n.content, "(encrypted)")
	enml = todoTag().ReplaceAllStringFunc(enml, func(tag string) string {
		if strings.Contains(tag, `checked="true"`) {
			return "[x] "
		}
		return "[ ] "
	})
	if !html.IsXHTML(enml) {
		enml = html.CloseTags(enml)
	}
	text, _, err := html.Markdown(enml)
	if errors.Is(err, extract.ErrNoText) {
		text, err = "", nil
	}
	return strings.Trim(text, "\n"), err
}
