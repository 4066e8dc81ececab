// Package pdf reads PDF by PDFium, which runs as WebAssembly without access to
// anything but the bytes of the file and one font. The machine code that it is
// compiled to is kept in the user's cache folder: the only thing outside that a
// reader touches.
package pdf

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"

	"vademecum/docs/extract"
	"vademecum/internal/message"
)

var (
	errDamaged   = extract.Skip("damaged PDF", "已损坏的 PDF")
	errEncrypted = extract.Skip("encrypted in a way that is not known", "加密方式未知")
	errScanned   = extract.Skip("scanned PDF: no text layer", "扫描的 PDF，没有文字层")
	errNoUnicode = extract.Skip("no text that can be read: its fonts do not say which characters they hold", "没有可读的文字：字体没有说明所含的字符")
)

// maxFailures is how many pages of a file may fail before the rest is given
// up: a damaged file may claim to have a million.
const maxFailures = 100

// Read reads the text of a PDF (ISO 32000), page by page.
func Read(raw []byte, p extract.Progress) (extract.Content, error) {
	engine, err := startedEngine(p)
	if err != nil {
		return extract.Content{}, err
	}
	d := file{engine: engine, raw: raw}
	defer d.close()
	if err := d.open(); err != nil {
		return extract.Content{}, openReason(err)
	}
	r := reading{file: &d, progress: p}
	r.content.Title = d.title()
	if r.names, err = d.outline(); err != nil && d.open() != nil {
		return extract.Content{}, errDamaged
	}
	r.read()
	return r.result()
}

func openReason(err error) error {
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword):
		return extract.ErrPassword
	case errors.Is(err, pdfiumerrors.ErrSecurity):
		return errEncrypted
	}
	return errDamaged
}

// A reading collects the pages of a file.
type reading struct {
	file     *file
	progress extract.Progress
	text     strings.Builder
	names    map[int]string  // of chapters, by the page where they begin
	content  extract.Content // Text and Note are set at the end

	pages      int   // that are read, of whatever kind
	scanned    int   // without text, but with an image
	stamped    []int // with hardly any text on an image, such as a number on a scanned page; from 1
	unreadable int   // with text that is no characters
	unread     []int // the scanned and the unreadable ones, from 1
	damaged    int
	full       bool // the text has reached MaxText
}

func (r *reading) read() {
	for r.pages < r.file.pages && r.damaged <= maxFailures {
		err := r.page(r.pages)
		if r.full {
			return
		}
		r.pages++
		if err != nil {
			r.damaged++
			if r.file.open() != nil { // the engine may be broken, too
				return
			}
		}
		r.content.Text = r.text.String()
		r.progress.Page(&r.content, r.pages, r.file.pages)
	}
}

const maxStamp = 100 // characters of a page that may be no more than a stamp, a header or a number

// page adds a page, counted from 0.
func (r *reading) page(index int) error {
	p, err := r.file.openPage(index)
	if err != nil {
		return err
	}
	var blocks []string
	lines, readable := p.lines()
	switch {
	case !readable:
		r.unreadable++
		r.unread = append(r.unread, index+1)
	case len(lines) > 0:
		if index == 0 && !p.says(r.content.Title) {
			r.content.Title = cmp.Or(p.title(lines), r.content.Title)
		}
		blocks = append(blocks, p.paragraphs(lines))
		if p.runes < maxStamp && r.file.imageShare(index) > 0.5 {
			r.stamped = append(r.stamped, index+1)
		}
	case r.file.imageShare(index) > 0:
		r.scanned++
		r.unread = append(r.unread, index+1)
	}
	if blocks = append(blocks, r.file.annotations(index)...); len(blocks) > 0 {
		r.add(index, strings.Join(blocks, "\n\n")+"\n")
	}
	return p.close()
}

// add adds the text of a page, with a blank line before it.
func (r *reading) add(index int, text string) {
	if r.text.Len()+len(text)+1 > extract.MaxText {
		r.full = true
		return
	}
	if r.text.Len() > 0 {
		r.text.WriteByte('\n')
	}
	r.content.Parts = append(r.content.Parts, extract.Part{Unit: extract.Page, Number: index + 1, Name: r.names[index], Start: r.text.Len()})
	r.text.WriteString(text)
}

func (r *reading) result() (extract.Content, error) {
	switch {
	case r.text.Len() > 0:
		r.content.Text, r.content.Note, r.content.UnrecognisedPages = r.text.String(), r.note(), r.scans()
	case len(r.unread) == 0:
		return extract.Content{}, r.noText()
	default:
		r.content.UnrecognisedPages = extract.UnrecognisedPages{Pages: r.unread, Note: message.OfError(r.noText())}
	}
	return r.content, nil
}

// noText returns why there is no text, by what most explains it.
func (r *reading) noText() error {
	switch {
	case r.unreadable > 0:
		return errNoUnicode
	case r.scanned > 0:
		return errScanned
	case r.damaged > 0:
		return errDamaged
	}
	return extract.ErrNoText
}

// note says which pages are missing in the text for good.
func (r *reading) note() message.Message {
	var notes []message.Message
	switch {
	case r.full:
		notes = append(notes, extract.FirstPagesNote(r.pages, r.file.pages, extract.ErrTooMuchText.Reason))
	case r.pages < r.file.pages:
		notes = append(notes, extract.FirstPagesNote(r.pages, r.file.pages, message.New("the rest is damaged", "其余部分已损坏")))
	}
	return message.Join(append(notes, r.some(r.damaged, "is damaged", "are damaged", "已损坏"))...)
}

// scans says which pages of a file with text have to be recognised.
func (r *reading) scans() extract.UnrecognisedPages {
	const fonts = "cannot be read: the fonts do not say which characters they hold"
	s := extract.UnrecognisedPages{Pages: r.unread}
	notes := []message.Message{r.some(r.scanned, "has no text (scanned)", "have no text (scanned)", "没有文字（扫描件）")}
	if 2*(r.scanned+len(r.stamped)) > r.pages { // others have a page or two that look like that
		s.Pages = slices.Sorted(slices.Values(slices.Concat(r.unread, r.stamped)))
		notes = append(notes, r.some(len(r.stamped), "has hardly any text on an image (scanned)", "have hardly any text on an image (scanned)", "是几乎没有文字的图像（扫描件）"))
	}
	s.Note = message.Join(append(notes, r.some(r.unreadable, fonts, fonts, "无法读取：字体没有说明所含的字符"))...)
	return s
}

// some returns what is said of some pages of all; "" of none.
func (r *reading) some(n int, one, more, chinese string) message.Message {
	switch n {
	case 0:
		return ""
	case 1:
		more = one
	}
	return message.New("%d of %d pages "+more, "%[2]d 页中有 %[1]d 页"+chinese, n, r.file.pages)
}
