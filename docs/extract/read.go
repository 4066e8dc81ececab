package extract

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// Read returns what the bytes of the file called name say. The error is a
// *SkipError if they say nothing that can be read; any other error, such as
// that of ctx, is no fault of the file.
func Read(ctx context.Context, name string, raw []byte) (Content, error) {
	if len(raw) > MaxSize {
		return Content{}, ErrTooLarge
	}
	f, err := formatFor(name, raw)
	if err != nil {
		return Content{}, err
	}
	c, err := f.content(ctx, raw)
	if err != nil {
		return Content{}, err
	}
	if strings.TrimSpace(c.Text) == "" {
		return Content{}, ErrNoText
	}
	c.tidy()
	c.MIME = f.mime
	if c.Form == Plain {
		c.Form = f.form
	}
	return c, nil
}

func (f *format) content(ctx context.Context, raw []byte) (Content, error) {
	switch {
	case f.read == nil:
		return readText(raw)
	case f.apart:
		return readApart(ctx, f, raw)
	}
	return f.read(raw, Unwatched)
}

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

// TextOf returns the content of a text that is no file, by its name.
func TextOf(name, text string) Content {
	f := formatOf(name)
	if f.apart {
		f = &textFormat
	}
	text = strings.TrimPrefix(strings.ToValidUTF8(text, "\uFFFD"), "\uFEFF")
	c := Content{Text: text, Form: f.form, MIME: textMIME(f.mime, f.form)}
	c.tidy()
	return c
}

// IsApart tells whether a file of that name may be read in a child process,
// which takes its time.
func IsApart(name string) bool { return formatOf(name).apart || oldFormats[extension(name)] != "" }
