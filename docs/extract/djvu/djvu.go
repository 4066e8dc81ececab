// Package djvu reads the text layer of scanned documents in DjVu, page by page.
//
// The format is described in "DjVu3: Specification of the DjVu Image Compression Format" by
// LizardTech, 2005. The only Go library found, janreggie/go-djvulibre, is a port of GPL code and
// does not decompress text layers.
package djvu

import (
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

var (
	errDamaged  = extract.Skip("damaged DjVu")
	errScanned  = extract.Skip("scanned DjVu: no text layer")
	errIndirect = extract.Skip("DjVu whose pages are separate files: save it as a single file")
)

// IsDjVu reports whether a file begins like DjVu.
func IsDjVu(start []byte) bool {
	return strings.HasPrefix(string(start[:min(len(start), len(magic))]), magic)
}

// Read returns the text of the pages of a file. Bookmarks give pages their names.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	if !IsDjVu(raw) {
		return extract.Content{}, errDamaged
	}
	r := documentReader{bzzDecoder: bzzDecoder{remainingBytes: maxAll}, raw: raw}
	var err error
	whole := eachChunk(raw[len("AT&T"):], func(c chunk) bool {
		switch kind, data := c.formContent(); kind {
		case "DJVU":
			r.pages++
			err = r.readPage(data)
		case "DJVM":
			err = r.readDocument(data)
		default:
			err = errDamaged
		}
		return false
	})
	if err != nil {
		return extract.Content{}, err
	}
	return r.content(whole)
}

// A documentReader collects the text of the pages of a file.
type documentReader struct {
	bzzDecoder
	raw          []byte
	w            markdown.Writer
	chapterNames map[int]string // titles of bookmarks, by page number
	partBytes    int            // total size of the parts read so far
	pages        int
	scannedPages int   // number of pages without text
	damagedPages []int // numbers of damaged pages
}

// readDocument reads a file with several pages, in the order of the directory.
func (r *documentReader) readDocument(data []byte) error {
	var d pageDirectory
	var bookmarks []byte
	eachChunk(data, func(c chunk) bool {
		switch c.id {
		case "DIRM":
			d = r.readDirectory(c.data)
		case "NAVM":
			bookmarks = c.data
		}
		return c.id != "FORM"
	})
	if !d.bundled {
		return errIndirect
	}
	r.readBookmarks(bookmarks, r.pagesByName(d))
	for _, start := range d.starts {
		if r.pages >= extract.MaxArchiveEntries {
			return extract.ErrTooManyFiles
		}
		if err := r.readPart(start); err != nil {
			return err
		}
	}
	return nil
}

// formAt returns the kind and the content of the part that begins at start.
func (r *documentReader) formAt(start int) (kind string, data []byte) {
	if start < 0 || start > len(r.raw) {
		return "", nil
	}
	eachChunk(r.raw[start:], func(c chunk) bool {
		kind, data = c.formContent()
		return false
	})
	return kind, data
}

// readPart reads a part of the file if it is a page. A part that cannot be found counts as a
// damaged page. If the parts are larger than the file in total, they overlap, which is an error.
func (r *documentReader) readPart(start int) error {
	kind, data := r.formAt(start)
	if r.partBytes += len(data); r.partBytes > len(r.raw) {
		return errDamaged
	}
	switch kind {
	case "DJVU":
		r.pages++
		return r.readPage(data)
	case "":
		r.pages++
		r.damagedPages = append(r.damagedPages, r.pages)
	}
	return nil
}

// readPage reads a page. It returns an error only if the whole file must be abandoned.
func (r *documentReader) readPage(data []byte) error {
	var layer []byte
	var err error
	whole := eachChunk(data, func(c chunk) bool {
		switch c.id {
		case "TXTa":
			layer, err = c.data, r.countBytes(len(c.data))
		case "TXTz":
			layer, err = r.decode(c.data)
		default:
			return true
		}
		return false
	})
	switch {
	case err != nil && extract.IsLimitError(err):
		return err
	case err != nil || !whole:
		r.damagedPages = append(r.damagedPages, r.pages)
	}
	text := splitParagraphs(layerText(layer))
	switch {
	case text != "":
		r.w.BeginPart(extract.Part{Kind: extract.Page, Number: r.pages, Name: r.chapterNames[r.pages]})
		r.w.EndBlock()
		r.w.WriteRaw(text + "\n")
	case err == nil && whole:
		r.scannedPages++
	}
	if r.w.IsFull {
		return extract.ErrTooMuchText
	}
	return nil
}

// layerText returns the text in a text layer, in which the size precedes the text and the positions
// of the words follow it.
func layerText(layer []byte) string {
	r := textReader(layer)
	return r.readSized(3)
}

// textSeparators replaces the characters that separate parts of a page by line feeds.
var textSeparators = strings.NewReplacer("\v", "\n\n", "\x1D", "\n\n", "\x1F", "\n\n", "\f", "\n\n", "\r\n", "\n", "\r", "\n", "\x00", "")

const softHyphen = "\u00AD"

// dividedWord matches a word hyphenated at the end of a line.
var dividedWord = lazyregexp.New(`(\p{L})-\n(\p{Ll})`)

// splitParagraphs inserts a blank line between the paragraphs of a text. It turns the hyphen
// of a word divided between two lines into a soft hyphen.
func splitParagraphs(text string) string {
	var b strings.Builder
	blank := false
	for line := range strings.SplitSeq(textSeparators.Replace(strings.ToValidUTF8(text, "\uFFFD")), "\n") {
		line = markdown.OneLine(line)
		if line == "" {
			blank = true
			continue
		}
		if b.Len() > 0 {
			if blank {
				b.WriteByte('\n')
			}
			b.WriteByte('\n')
		}
		b.WriteString(line)
		blank = false
	}
	return dividedWord.ReplaceAllString(b.String(), "$1"+softHyphen+"\n$2")
}

func (r *documentReader) content(whole bool) (extract.Content, error) {
	c, err := r.w.Content()
	switch {
	case err == extract.ErrNoText && (len(r.damagedPages) > 0 || r.pages == 0):
		return extract.Content{}, errDamaged
	case err == extract.ErrNoText:
		return extract.Content{}, errScanned
	case err != nil:
		return extract.Content{}, err
	}
	c.Form = extract.PlainText
	c.ExtractionNote = message.Join(r.scannedNote(), extract.Page.Noun().IncompleteNote(r.damagedPages))
	if !whole && len(r.damagedPages) == 0 {
		c.ExtractionNote = message.Join(c.ExtractionNote, extract.UnfinishedNote(errDamaged))
	}
	return c, nil
}

// scannedNote returns a note on how many pages have no text; "" if all have.
func (r *documentReader) scannedNote() message.Message {
	switch r.scannedPages {
	case 0:
		return ""
	case 1:
		return message.New("1 of %d pages has no text (scanned)", r.pages)
	}
	return message.New("%d of %d pages have no text (scanned)", r.scannedPages, r.pages)
}
