// Package djvu reads the text layer of scanned documents in DjVu, page by page.
//
// The format is described in "DjVu3: Specification of the DjVu Image Compression
// Format" of LizardTech, 2005. The one library in Go that was found,
// janreggie/go-djvulibre, is a port of one under the GPL that does not unpack texts.
package djvu

import (
	"regexp"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/message"
)

var (
	errDamaged  = extract.Skip("damaged DjVu", "已损坏的 DjVu")
	errScanned  = extract.Skip("scanned DjVu: no text layer", "扫描的 DjVu，没有文字层")
	errIndirect = extract.Skip("DjVu whose pages are files of their own: save it as one file", "各页为单独文件的 DjVu：请另存为一个文件")
)

// IsDjVu tells whether a file begins as one in DjVu does.
func IsDjVu(start []byte) bool {
	return strings.HasPrefix(string(start[:min(len(start), len(magic))]), magic)
}

// Read returns the text of the pages of a file, with the names of bookmarks.
func Read(raw []byte, _ extract.Progress) (extract.Content, error) {
	if !IsDjVu(raw) {
		return extract.Content{}, errDamaged
	}
	r := reading{unpacker: unpacker{left: maxAll}, raw: raw}
	var err error
	whole := chunks(raw[len("AT&T"):], func(c chunk) bool {
		switch kind, data := c.form(); kind {
		case "DJVU":
			r.pages++
			err = r.page(data)
		case "DJVM":
			err = r.document(data)
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

// A reading collects the pages of a file.
type reading struct {
	unpacker
	raw     []byte
	w       markdown.Writer
	names   map[int]string // of bookmarks, by page
	read    int            // bytes of the parts so far
	pages   int
	scanned int   // without text
	damaged []int // numbers of pages
}

// document reads a file with several pages. Their order is that of the directory.
func (r *reading) document(data []byte) error {
	var d directory
	var bookmarks []byte
	chunks(data, func(c chunk) bool {
		switch c.id {
		case "DIRM":
			d = r.directory(c.data)
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
		if r.pages >= extract.MaxEntries {
			return extract.ErrTooManyFiles
		}
		if err := r.part(start); err != nil {
			return err
		}
	}
	return nil
}

// formAt returns the kind of the part that begins there, and what it holds.
func (r *reading) formAt(start int) (kind string, data []byte) {
	if start < 0 || start > len(r.raw) {
		return "", nil
	}
	chunks(r.raw[start:], func(c chunk) bool {
		kind, data = c.form()
		return false
	})
	return kind, data
}

// part reads a part of the file if it is a page. Where there is none, one is
// missing. Parts that together are larger than the file lie in one another.
func (r *reading) part(start int) error {
	kind, data := r.formAt(start)
	if r.read += len(data); r.read > len(r.raw) {
		return errDamaged
	}
	switch kind {
	case "DJVU":
		r.pages++
		return r.page(data)
	case "":
		r.pages++
		r.damaged = append(r.damaged, r.pages)
	}
	return nil
}

// page reads a page. It fails if the file is given up.
func (r *reading) page(data []byte) error {
	var layer []byte
	var err error
	whole := chunks(data, func(c chunk) bool {
		switch c.id {
		case "TXTa":
			layer, err = c.data, r.take(len(c.data))
		case "TXTz":
			layer, err = r.unpack(c.data)
		default:
			return true
		}
		return false
	})
	switch {
	case err != nil && extract.IsLimit(err):
		return err
	case err != nil || !whole:
		r.damaged = append(r.damaged, r.pages)
	}
	text := paragraphs(textOf(layer))
	switch {
	case text != "":
		r.w.BeginPart(extract.Part{Unit: extract.Page, Number: r.pages, Name: r.names[r.pages]})
		r.w.EndBlock()
		r.w.WriteRaw(text + "\n")
	case err == nil && whole:
		r.scanned++
	}
	if r.w.IsFull {
		return extract.ErrTooMuchText
	}
	return nil
}

// textOf returns the text of a layer: it stands behind its size, and before the
// places of its words.
func textOf(layer []byte) string {
	r := textReader(layer)
	return r.sized(3)
}

// Signs that end parts of a page in the text, beside the line feed.
var ends = strings.NewReplacer("\v", "\n\n", "\x1D", "\n\n", "\x1F", "\n\n", "\f", "\n\n", "\r\n", "\n", "\r", "\n", "\x00", "")

const softHyphen = "\u00AD"

// dividedWord is a word that goes on in the next line.
var dividedWord = regexp.MustCompile(`(\p{L})-\n(\p{Ll})`)

// paragraphs returns a text whose paragraphs are apart by blank lines. A hyphen that
// divides a word between two lines becomes a soft one.
func paragraphs(text string) string {
	var b strings.Builder
	blank := false
	for line := range strings.SplitSeq(ends.Replace(strings.ToValidUTF8(text, "\uFFFD")), "\n") {
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

func (r *reading) content(whole bool) (extract.Content, error) {
	c, err := r.w.Content()
	switch {
	case err == extract.ErrNoText && (len(r.damaged) > 0 || r.pages == 0):
		return extract.Content{}, errDamaged
	case err == extract.ErrNoText:
		return extract.Content{}, errScanned
	case err != nil:
		return extract.Content{}, err
	}
	c.Form = extract.Plain
	c.Note = message.Join(r.scannedNote(), extract.Page.Noun().IncompleteNote(r.damaged))
	if !whole && len(r.damaged) == 0 {
		c.Note = message.Join(c.Note, extract.UnfinishedNote(errDamaged))
	}
	return c, nil
}

// scannedNote says how many pages have no text, "" of none.
func (r *reading) scannedNote() message.Message {
	switch r.scanned {
	case 0:
		return ""
	case 1:
		return message.New("1 of %d pages has no text (scanned)", "%d 页中有 1 页没有文字（扫描件）", r.pages)
	}
	return message.New("%d of %d pages have no text (scanned)", "%[2]d 页中有 %[1]d 页没有文字（扫描件）", r.scanned, r.pages)
}
