package pdf

import (
	"encoding/hex"
	"errors"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
)

// A file is a PDF that is open in its own instance of the engine, so that no file has access to
// data that another one has left in memory.
type file struct {
	engine   pdfium.Pool
	raw      []byte
	instance pdfium.Pdfium // instance of the engine; nil if the file is not open
	document references.FPDF_DOCUMENT
	pages    int
	form     form
	attached []string // names of the files in file attachment annotations
}

// open opens the file in a new instance of the engine. It closes the file first if it is open.
func (d *file) open() error {
	d.close()
	d.form = form{}
	instance, err := d.engine.GetInstance(time.Minute)
	if err != nil {
		return err
	}
	d.instance = instance
	opened, err := instance.OpenDocument(&requests.OpenDocument{File: &d.raw})
	if err != nil {
		return err
	}
	d.document = opened.Document
	count, err := instance.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: d.document})
	if err != nil {
		return err
	}
	if count.PageCount <= 0 {
		return errors.New("no pages")
	}
	d.pages = count.PageCount
	return nil
}

// close discards the instance and everything that is open in it.
func (d *file) close() {
	if d.instance != nil {
		_ = d.instance.Kill()
		d.instance = nil
	}
}

// title returns the title in the metadata, or "" if it is the author or was made up by a program.
func (d *file) title() string {
	title := markdown.CleanMetadataTitle(decodeHexText(d.metadata("Title")))
	if !markdown.MayBeDocumentTitle(title) || d.isAuthor(title) {
		return ""
	}
	return title
}

func (d *file) isAuthor(name string) bool {
	return strings.EqualFold(name, markdown.OneLine(d.metadata("Author")))
}

// decodeHexText decodes a text that consists of the bytes of a string in hexadecimal digits, in the
// encoding of the author's system: some programs write "<4D69>" inside a literal string. It returns
// any other text unchanged.
func decodeHexText(text string) string {
	digits, ok := strings.CutPrefix(strings.TrimSpace(text), "<")
	digits, closed := strings.CutSuffix(digits, ">")
	raw, err := hex.DecodeString(digits)
	if !ok || !closed || err != nil {
		return text
	}
	decoded, err := charset.Decode(raw)
	if err != nil {
		return ""
	}
	return decoded.Text
}

func (d *file) metadata(tag string) string {
	text, err := d.instance.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: d.document, Tag: tag})
	if err != nil {
		return ""
	}
	return text.Value
}

func (d *file) pageRequest(index int) requests.Page {
	return requests.Page{ByIndex: &requests.PageByIndex{Document: d.document, Index: index}}
}

// A textPage is the text of an open page as the engine returns it.
type textPage struct {
	file  *file
	index int // page index, from 0
	ref   references.FPDF_TEXTPAGE
	text  string
	units int // length of text in UTF-16 units, in which the engine counts
	chars int // number of characters on the page, some of which may be missing in text

	ticks map[int]rune // ☑ or ☐, by the index in text of the character that the box precedes
	boxes map[int]bool // indexes of the annotations that are these boxes

	strikes []box // areas whose text annotations strike out
}

// openPage opens the page with an index, from 0, and reads its text.
func (d *file) openPage(index int) (*textPage, error) {
	loaded, err := d.instance.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: d.pageRequest(index)})
	if err != nil {
		return nil, err
	}
	p := &textPage{file: d, index: index, ref: loaded.TextPage}
	count, err := d.instance.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: p.ref})
	if err != nil || count.Count <= 0 {
		return p, err
	}
	p.chars = count.Count
	text, err := d.instance.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: p.ref, Count: p.chars})
	if err != nil {
		return nil, err
	}
	p.text, p.units = text.Text, utf16Length(text.Text)
	return p, nil
}

func utf16Length(text string) (n int) {
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

func (p *textPage) close() error {
	_, err := p.file.instance.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: p.ref})
	return err
}

// isHyphen reports whether the noCharacter at an index stands for the hyphen at the end of a line,
// rather than for a glyph without a Unicode character.
func (p *textPage) isHyphen(textIndex int) bool {
	index, err := p.charIndex(textIndex)
	if err != nil {
		return false
	}
	hyphen, err := p.file.instance.FPDFText_IsHyphen(&requests.FPDFText_IsHyphen{TextPage: p.ref, Index: index})
	return err == nil && hyphen.IsHyphen
}

// isComplete reports whether the text of the page has all of its characters, so that indexes are
// the same in both.
func (p *textPage) isComplete() bool { return p.chars == p.units }

// charIndex converts an index in the text of the page to the index among all characters of the
// page.
func (p *textPage) charIndex(textIndex int) (int, error) {
	if p.isComplete() {
		return textIndex, nil
	}
	at, err := p.file.instance.FPDFText_GetCharIndexFromTextIndex(&requests.FPDFText_GetCharIndexFromTextIndex{TextPage: p.ref, NTextIndex: textIndex})
	if err != nil {
		return 0, err
	}
	return at.CharIndex, nil
}
