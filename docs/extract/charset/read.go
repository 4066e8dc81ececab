package charset

import (
	"bytes"
	"strings"

	"vademecum/docs/extract"
	"vademecum/internal/base/message"
)

// Read decodes a text file, and notes how many bytes or characters cannot be decoded.
func Read(raw []byte) (extract.Content, error) {
	d, err := Decode(raw)
	if err != nil {
		return extract.Content{}, err
	}
	c := extract.Content{Text: d.Text, Encoding: d.Encoding, IsEncodingGuessed: d.IsGuessed}
	if n := strings.Count(d.Text, "\uFFFD") - bytes.Count(raw, []byte("\uFFFD")); n > 0 {
		c.ExtractionNote = message.New("%d bytes or characters that cannot be decoded are shown as \uFFFD", n)
	}
	return c, nil
}
