package extract

import (
	"bytes"
	"fmt"
	"strings"
)

// readText reads a file that is its text.
func readText(raw []byte) (Content, error) {
	d, err := decode(raw)
	if err != nil {
		return Content{}, err
	}
	c := Content{Text: d.text, Encoding: d.encoding, Guessed: d.guessed}
	if n := strings.Count(d.text, "\uFFFD") - bytes.Count(raw, []byte("\uFFFD")); n > 0 {
		c.Note = fmt.Sprintf("%d bytes or characters that cannot be decoded are shown as \uFFFD", n)
	}
	return c, nil
}
