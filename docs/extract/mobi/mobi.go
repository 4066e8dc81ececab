// Package mobi reads books of Mobipocket and Kindle without DRM: the older format, its successor
// KF8 (.azw3), files with both, and PalmDOC texts. Each source file of the book is a chapter, with
// its name in the table of contents.
//
// The formats are described at https://wiki.mobileread.com/wiki/MOBI,
// https://wiki.mobileread.com/wiki/PalmDOC and https://wiki.mobileread.com/wiki/KF8. The only Go
// library found that reads them, madeofpendletonwool/mobi-go, is under the GPL.
package mobi

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

var (
	errDamaged     = extract.Skip("damaged book")
	errDRM         = extract.Skip("%s: protected by DRM", extract.ErrPasswordProtected)
	errOtherFormat = extract.Skip("Kindle book in an unsupported format (Topaz or KFX): convert it to EPUB")
)

// IsBook reports whether a file begins like a Mobipocket or Kindle book, or a PalmDOC text.
func IsBook(start []byte) bool {
	return len(start) > typeEnd && isBookType(string(start[typeAt:typeEnd]))
}

// otherSignatures are the first bytes of Kindle books in other formats.
var otherSignatures = []string{"TPZ0", "CONT\x02", "\xEADRMION\xEE"}

// maxSource is the maximum number of bytes of HTML that are read from a book.
const maxSource = 2 * extract.MaxTextBytes

// Read returns the text of a book.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	for _, s := range otherSignatures {
		if bytes.HasPrefix(raw, []byte(s)) {
			return extract.Content{}, errOtherFormat
		}
	}
	d, err := openDatabase(raw)
	if err != nil {
		return extract.Content{}, err
	}
	b, err := openBook(d)
	if err != nil {
		return extract.Content{}, err
	}
	kept, err := b.unpackText()
	if err != nil && (len(kept) == 0 || extract.IsLimitError(err)) {
		return extract.Content{}, err
	}
	r := bookWriter{encoding: b.detectEncoding(kept)}
	c, contentErr := r.content(b, kept)
	c.Title = markdown.RemoveGeneratedTitle(b.title)
	if err != nil && contentErr == nil {
		c.ExtractionNote = extract.UnfinishedNote(err)
	}
	return c, contentErr
}

// A bookWriter writes the chapters of a book.
type bookWriter struct {
	w        markdown.Writer
	chapters int
	encoding textEncoding
}

func (r *bookWriter) content(b *book, kept []byte) (extract.Content, error) {
	if !htmlTag.Match(kept) {
		r.w.WriteParagraph(strings.ReplaceAll(r.encoding.decode(kept), "\r", "\n"))
	} else {
		for _, c := range b.splitChapters(b.assembleFragments(kept)) {
			if err := r.writeChapter(c); err != nil {
				return extract.Content{}, err
			}
		}
	}
	c, err := r.w.Content()
	if r.encoding.guessed {
		c.Encoding, c.IsEncodingGuessed = r.encoding.name, true
	}
	return c, err
}

var htmlTag = lazyregexp.New(`(?i)<(html|body|p|div|br|h[1-6]|mbp:pagebreak)[\s/>]`)

// A textEncoding is an encoding in which the text of a book may be decoded.
type textEncoding struct {
	name    string // "" for UTF-8
	guessed bool
}

// detectEncoding returns the encoding of a book's text. A declaration of Windows-1252 is often
// wrong.
func (b *book) detectEncoding(text []byte) textEncoding {
	if b.utf8 {
		return textEncoding{}
	}
	d, err := charset.DecodeCheckingLabel(withoutNULs(text), windows1252)
	if err != nil || !d.IsGuessed {
		return textEncoding{name: windows1252}
	}
	return textEncoding{d.Encoding, true}
}

const windows1252 = "windows-1252"

func withoutNULs(b []byte) []byte { return bytes.ReplaceAll(b, []byte{0}, nil) }

// decode returns text of the book, decoded from the encoding e.
func (e textEncoding) decode(text []byte) string {
	text = withoutNULs(text)
	switch {
	case e.name == "" || utf8.Valid(text):
		return strings.ToValidUTF8(string(text), "\uFFFD")
	case e.name == windows1252:
		plain, _ := charmap.Windows1252.NewDecoder().Bytes(text) // Windows-1252 maps all bytes to characters
		return string(plain)
	}
	d, err := charset.DecodeCheckingLabel(text, e.name)
	if err != nil {
		return ""
	}
	return d.Text
}

// writeChapter writes a chapter. It returns an error only if the whole book must be abandoned.
func (r *bookWriter) writeChapter(c chapter) error {
	text, title, err := html.Markdown(r.encoding.decode(c.source))
	switch {
	case err != nil && extract.IsLimitError(err):
		return err
	case err != nil:
		return nil // a chapter without text, such as a picture
	case r.chapters >= extract.MaxArchiveEntries:
		return extract.ErrTooManyFiles
	}
	r.chapters++
	r.w.WriteChapter(r.chapters, c.name, markdown.RemoveGeneratedTitle(markdown.OneLine(title)), text)
	if r.w.IsFull {
		return extract.ErrTooMuchText
	}
	return nil
}
