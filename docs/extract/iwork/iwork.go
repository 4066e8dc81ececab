// Package iwork reads documents of Apple's Pages, Numbers and Keynote: those since 2013,
// which hold archives of objects, and those of iWork '05 to '09, which hold XML. The text of
// Pages comes with headings, lists, tables, notes and text boxes; each slide of Keynote is a
// part, with its notes, and each sheet of Numbers, with its tables. Where none of this can
// be read, the embedded preview is. Charts, formulas, comments and placeholders of templates
// are left out.
//
// Apple has not published the format. It was reverse-engineered by Sean Patrick O'Brien
// (github.com/obriensp/iWorkFileFormat), the makers of SheetJS (oss.sheetjs.com/notes/iwa)
// and those of numbers-parser (github.com/masaccio/numbers-parser): the messages and their
// fields are called here as there, such as TSWP.StorageArchive.
//
// No library in Go was taken: that of github.com/dunhamsteve/iwork (2024) makes HTML, has
// 50,000 lines, most of them generated, and knows no cells since 2018. Snappy and the wire
// format of protocol buffers are so small that they are decoded here, within limits.
//
// Of 114 files of Apache Tika, numbers-parser, keynote-parser and PandaPage, of 2009 to
// 2025, all are read that hold text and are neither damaged nor encrypted, in 0.2 s at most.
package iwork

import (
	"errors"
	"path"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/pdf"
	"vademecum/docs/extract/zipxml"
	messages "vademecum/internal/base/message"
)

var (
	errDamaged = extract.Skip("damaged iWork document")
	errTooMuch = extract.ErrUnpacksTooMuch
	errTooMany = extract.Skip("more than 1000000 objects")
)

// Read reads a document of Pages, Numbers or Keynote.
func Read(raw []byte, p extract.Progress) (extract.Content, error) {
	a, err := zipxml.Open(raw)
	if err != nil {
		return extract.Content{}, err
	}
	if isEncrypted(a) {
		return extract.Content{}, extract.ErrPassword
	}
	c, err := readDocument(a)
	if err == nil || err == errTooMany || extract.IsLimit(err) || errors.Is(err, extract.ErrPassword) {
		return c, err
	}
	return readPreview(a, p, err)
}

// readDocument reads what the programs read, not the preview.
func readDocument(a *zipxml.Archive) (extract.Content, error) {
	index, err := openArchives(a)
	if err != nil {
		return extract.Content{}, err
	}
	if index != nil {
		return readArchiveDocument(index)
	}
	for _, f := range a.Files {
		switch path.Base(f.Name) {
		case "index.xml", "index.apxl", "index.xml.gz", "index.apxl.gz":
			return readXMLDocument(a, f.Name)
		}
	}
	return extract.Content{}, errDamaged
}

// readPreview reads the PDF that shows what the document looked like when it was
// saved, as the document itself cannot be read because of an error.
func readPreview(a *zipxml.Archive, p extract.Progress, because error) (extract.Content, error) {
	for _, f := range a.Files {
		if !strings.EqualFold(path.Base(f.Name), "preview.pdf") {
			continue
		}
		raw, err := a.ReadFile(f.Name)
		if err != nil {
			return extract.Content{}, because
		}
		c, err := pdf.Read(raw, p)
		if err != nil {
			return extract.Content{}, because
		}
		c.Title = ""
		c.Note = messages.Join(messages.New("only the preview inside could be read (%v)", because), c.Note)
		return c, nil
	}
	return extract.Content{}, because
}
