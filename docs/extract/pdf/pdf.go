// Package pdf reads PDF with PDFium, which runs as WebAssembly and can access only the bytes of the
// file and one font. The compiled machine code in the user's cache directory is the only data on
// disk that this package accesses.
package pdf

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"

	"vademecum/docs/extract"
	"vademecum/internal/base/message"
)

var (
	errDamaged   = extract.Skip("damaged PDF")
	errEncrypted = extract.Skip("unknown encryption method")
	errScanned   = extract.Skip("scanned PDF: no text layer")
	errNoUnicode = extract.Skip("no readable text: its fonts do not say which characters they contain")
)

// maxFailures is the number of failed pages after which the rest of a file is skipped: a damaged
// file may claim to have a million.
const maxFailures = 100

// maxHandles is the number of objects of pages after which a file is reopened, as an open file remembers all of
// them, in some 300 bytes each.
const maxHandles = 100_000

// Read reads the text of a PDF (ISO 32000), page by page.
func Read(raw []byte, p extract.ProgressReporter) (extract.Content, error) {
	engine, err := sharedEngine(p)
	if err != nil {
		return extract.Content{}, err
	}
	d := file{engine: engine, raw: raw}
	defer d.close()
	if err := d.open(); err != nil {
		return extract.Content{}, openSkipReason(err)
	}
	r := fileReader{file: &d, progress: p}
	r.content.Title = d.title()
	if r.sections, err = d.sections(); err != nil && d.open() != nil {
		return extract.Content{}, errDamaged
	}
	r.read()
	if d.instance == nil { // the file was closed after a damaged page
		return r.result()
	}
	if d.isDynamicForm() && isPlaceholder(r.text.String()) {
		return d.readDynamicForm()
	}
	r.content.UnreadAttachments = append(d.attachmentNames(), d.attached...)
	return r.result()
}

func openSkipReason(err error) error {
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword):
		return extract.ErrPasswordProtected
	case errors.Is(err, pdfiumerrors.ErrSecurity):
		return errEncrypted
	}
	return errDamaged
}

// A fileReader collects the text of the pages of a file.
type fileReader struct {
	file     *file
	progress extract.ProgressReporter
	text     strings.Builder
	sections map[int][]section // chapters and sections by the index of the page on which they begin
	section  string            // name of the current section
	table    *table            // table at the end of the last page, which may continue; nil if there is none
	content  extract.Content   // the content except its text and the note on what is missing, which are set at the end

	pages           int   // number of pages read so far, of any kind
	scannedPages    int   // number of pages without text but with an image
	stampedPages    []int // numbers, from 1, of the pages with hardly any text on an image, such as a stamped scan
	unreadablePages int   // number of pages whose text has no known characters
	unrecognised    []int // numbers, from 1, of the scanned and the unreadable pages
	damagedPages    int
	isFull          bool // whether extract.MaxTextBytes was reached
}

func (r *fileReader) read() {
	for r.pages < r.file.pages && r.damagedPages <= maxFailures {
		err := r.readPage(r.pages)
		if r.isFull {
			return
		}
		r.pages++
		if err != nil {
			r.damagedPages++
			if r.file.open() != nil { // reopen the file, as the engine may be broken as well
				return
			}
		} else if r.file.handles > maxHandles && r.file.open() != nil {
			return
		}
		r.content.Text = r.text.String()
		r.progress.ReportPage(&r.content, r.pages, r.file.pages)
	}
}

const maxStamp = 100 // maximum number of characters on a page that may only have a stamp or a number as its text

// readPage adds the text of the page with an index, from 0.
func (r *fileReader) readPage(index int) error {
	p, err := r.file.openPage(index)
	if err != nil {
		return err
	}
	var blocks []string
	table := r.table
	r.table = nil
	lines, readable := p.lines()
	headings := headingsOf(r.sections[index], lines)
	var text string
	var starts []int
	switch {
	case !readable:
		r.unreadablePages++
		r.unrecognised = append(r.unrecognised, index+1)
	case len(lines) > 0:
		if index == 0 && !p.containsTitle(r.content.Title) {
			r.content.Title = cmp.Or(p.title(lines), r.content.Title)
		}
		text, starts = p.joinParagraphs(lines, headings)
		blocks = append(blocks, text)
		if p.units < maxStamp && r.file.imageCoverage(index) > 0.5 {
			r.stampedPages = append(r.stampedPages, index+1)
		}
	case r.file.imageCoverage(index) > 0:
		r.scannedPages++
		r.unrecognised = append(r.unrecognised, index+1)
	}
	if blocks = append(blocks, p.pageAnnotations()...); len(blocks) > 0 {
		start := r.addPage(index, strings.Join(blocks, "\n\n")+"\n", sectionParts(headings, starts))
		if len(starts) > leastRows && p.isComplete() && !r.isFull {
			r.followTable(table, p.tableRows(lines), pageRange{starts, start, start + len(text)})
		}
	} else if n := len(r.sections[index]); n > 0 {
		r.section = r.sections[index][n-1].name
	}
	return p.close()
}

// headingsOf returns the names of the sections of a page, by the index of the line that is their
// heading, or by -1 if that is unknown, in which case the name applies to the whole page.
func headingsOf(sections []section, lines []textLine) map[int]string {
	headings := make(map[int]string, len(sections))
	for _, s := range sections {
		if line := s.headingLine(lines); headings[line] == "" {
			headings[line] = s.name
		}
	}
	return headings
}

// sectionParts returns a part for each section of a page, in order, with its start in the text of
// the page.
func sectionParts(headings map[int]string, starts []int) (parts []extract.Part) {
	if name := headings[-1]; name != "" {
		parts = append(parts, extract.Part{Name: name})
	}
	for line, start := range starts {
		if name := headings[line]; name != "" {
			parts = append(parts, extract.Part{Name: name, StartByte: start})
		}
	}
	return parts
}

// addPage adds the text of a page, after a blank line, and the parts of the sections that begin on
// it. A section may continue over several pages. The result is the start of the page in the text.
func (r *fileReader) addPage(index int, text string, sections []extract.Part) (start int) {
	if r.text.Len()+len(text)+1 > extract.MaxTextBytes {
		r.isFull = true
		return 0
	}
	if r.text.Len() > 0 {
		r.text.WriteByte('\n')
	}
	start = r.text.Len()
	if len(sections) == 0 || sections[0].StartByte > 0 {
		sections = slices.Insert(sections, 0, extract.Part{Name: r.section})
	}
	for _, s := range sections {
		r.section = s.Name
		r.content.Parts = append(r.content.Parts, extract.Part{Kind: extract.Page, Number: index + 1, Name: s.Name, StartByte: start + s.StartByte})
	}
	r.text.WriteString(text)
	return start
}

func (r *fileReader) result() (extract.Content, error) {
	switch {
	case r.text.Len() > 0:
		r.content.Text, r.content.ExtractionNote, r.content.UnrecognisedPages = r.text.String(), r.missingPagesNote(), r.unrecognisedPages()
	case len(r.unrecognised) == 0:
		return extract.Content{}, r.noTextReason()
	default:
		r.content.UnrecognisedPages = extract.UnrecognisedPages{Pages: r.unrecognised, MissingPagesNote: message.FromError(r.noTextReason())}
	}
	return r.content, nil
}

// noTextReason returns the most likely reason why the file has no text.
func (r *fileReader) noTextReason() error {
	switch {
	case r.unreadablePages > 0:
		return errNoUnicode
	case r.scannedPages > 0:
		return errScanned
	case r.damagedPages > 0:
		return errDamaged
	}
	return extract.ErrNoText
}

// missingPagesNote returns a note on the pages whose text is missing and cannot be recognised
// either.
func (r *fileReader) missingPagesNote() message.Message {
	var notes []message.Message
	switch {
	case r.isFull:
		notes = append(notes, extract.FirstPagesNote(r.pages, r.file.pages, extract.ErrTooMuchText.Reason))
	case r.pages < r.file.pages:
		notes = append(notes, extract.FirstPagesNote(r.pages, r.file.pages, message.New("the rest is damaged")))
	}
	return message.Join(append(notes, r.pagesMessage(r.damagedPages, "%d of %d pages is damaged", "%d of %d pages are damaged"))...)
}

// unrecognisedPages returns the pages that need OCR in a file that also has text.
func (r *fileReader) unrecognisedPages() extract.UnrecognisedPages {
	const fonts = "%d of %d pages cannot be read: the fonts do not say which characters they hold"
	s := extract.UnrecognisedPages{Pages: r.unrecognised}
	notes := []message.Message{r.pagesMessage(r.scannedPages, "%d of %d pages has no text (scanned)", "%d of %d pages have no text (scanned)")}
	if 2*(r.scannedPages+len(r.stampedPages)) > r.pages { // other files have a page or two that look similar
		s.Pages = slices.Sorted(slices.Values(slices.Concat(r.unrecognised, r.stampedPages)))
		notes = append(notes, r.pagesMessage(len(r.stampedPages), "%d of %d pages has hardly any text on an image (scanned)", "%d of %d pages have hardly any text on an image (scanned)"))
	}
	s.MissingPagesNote = message.Join(append(notes, r.pagesMessage(r.unreadablePages, fonts, fonts))...)
	return s
}

// pagesMessage returns a message on n of the pages in the singular form one or the plural form
// more, or "" if n is 0.
func (r *fileReader) pagesMessage(n int, one, more string) message.Message {
	switch n {
	case 0:
		return ""
	case 1:
		more = one
	}
	return message.New(more, n, r.file.pages)
}
