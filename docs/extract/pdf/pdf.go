// Package pdf reads PDF by PDFium, which runs as WebAssembly without access to
// anything but the bytes of the file and one font. The machine code that it is
// compiled to is kept in the user's cache folder: the only thing outside that a
// reader touches.
package pdf

import (
	"cmp"
	"errors"
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

	pages      int // that are read, of whatever kind
	scanned    int // without text, but with an image
	stamped    int // with hardly any text on an image, such as a number on a scanned page
	unreadable int // with text that is no characters
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
	case len(lines) > 0:
		if index == 0 && !p.says(r.content.Title) {
			r.content.Title = cmp.Or(p.title(lines), r.content.Title)
		}
		blocks = append(blocks, p.paragraphs(lines))
		if p.runes < maxStamp && r.file.imageShare(index) > 0.5 {
			r.stamped++
		}
	case r.file.imageShare(index) > 0:
		r.scanned++
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
	if r.text.Len() == 0 {
		return extract.Content{}, r.noText()
	}
	r.content.Text, r.content.Note = r.text.String(), r.note()
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

// note says which pages are missing in the text.
func (r *reading) note() message.Message {
	all := r.file.pages
	var notes []message.Message
	add := func(n int, one, more, chinese string) {
		switch {
		case n == 1:
			notes = append(notes, message.New("%d of %d pages "+one, "%[2]d 页中有 %[1]d 页"+chinese, n, all))
		case n > 1:
			notes = append(notes, message.New("%d of %d pages "+more, "%[2]d 页中有 %[1]d 页"+chinese, n, all))
		}
	}
	switch {
	case r.full:
		notes = append(notes, extract.OnlyPages(r.pages, all, extract.ErrTooMuchText.Reason))
	case r.pages < all:
		notes = append(notes, extract.OnlyPages(r.pages, all, message.New("the rest is damaged", "其余部分已损坏")))
	}
	const fonts = "cannot be read: the fonts do not say which characters they hold"
	add(r.scanned, "has no text (scanned)", "have no text (scanned)", "没有文字（扫描件）")
	if 2*(r.scanned+r.stamped) > r.pages { // others have a page or two that look like that
		add(r.stamped, "has hardly any text on an image (scanned)", "have hardly any text on an image (scanned)", "是几乎没有文字的图像（扫描件）")
	}
	add(r.unreadable, fonts, fonts, "无法读取：字体没有说明所含的字符")
	add(r.damaged, "is damaged", "are damaged", "已损坏")
	return message.Join(notes...)
}
