// Package iwork reads Apple Pages, Numbers and Keynote documents. Those since 2013 consist of
// archives of objects, those of iWork '05 to '09 of XML. The text of Pages includes headings,
// lists, tables, notes and text boxes. Each Keynote slide, with its notes, is a part, and so is
// each Numbers sheet, with its tables. If none of this can be read, the embedded preview is read
// instead. Charts, formulas, comments and template placeholders are left out.
//
// Apple has not published the format. It was reverse-engineered by Sean Patrick O'Brien
// (github.com/obriensp/iWorkFileFormat), the authors of SheetJS (oss.sheetjs.com/notes/iwa) and
// those of numbers-parser (github.com/masaccio/numbers-parser). Messages and fields have the names
// used there, such as TSWP.StorageArchive.
//
// No Go library was used: github.com/dunhamsteve/iwork (2024) produces HTML, has 50,000 lines, most
// of them generated, and does not support cells written since 2018. Snappy and the wire format of
// protocol buffers are so simple that they are decoded here, within limits.
//
// Of 114 files from Apache Tika, numbers-parser, keynote-parser and PandaPage, dated 2009 to 2025,
// it reads all that contain text and are neither damaged nor encrypted, in at most 0.2 s each.
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
	errTooMuch = extract.ErrUnpackedTooLarge
	errTooMany = extract.Skip("more than 1000000 objects")
)

// Read reads a Pages, Numbers or Keynote document.
func Read(raw []byte, p extract.ProgressReporter) (extract.Content, error) {
	a, err := zipxml.Open(raw)
	if err != nil {
		return extract.Content{}, err
	}
	if isEncrypted(a) {
		return extract.Content{}, extract.ErrPasswordProtected
	}
	c, err := readDocument(a)
	if err == nil || err == errTooMany || extract.IsLimitError(err) || errors.Is(err, extract.ErrPasswordProtected) {
		return c, err
	}
	return readPreview(a, p, err)
}

// readDocument reads the document itself, not its preview.
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

// readPreview reads the embedded PDF, which shows how the document looked when it was saved. cause
// is the error by which the document itself could not be read.
func readPreview(a *zipxml.Archive, p extract.ProgressReporter, cause error) (extract.Content, error) {
	for _, f := range a.Files {
		if !strings.EqualFold(path.Base(f.Name), "preview.pdf") {
			continue
		}
		raw, err := a.ReadFile(f.Name)
		if err != nil {
			return extract.Content{}, cause
		}
		c, err := pdf.Read(raw, p)
		if err != nil {
			return extract.Content{}, cause
		}
		c.Title = ""
		c.ExtractionNote = messages.Join(messages.New("only the preview inside could be read (%v)", cause), c.ExtractionNote)
		return c, nil
	}
	return extract.Content{}, cause
}
