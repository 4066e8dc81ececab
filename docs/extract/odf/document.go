// Package odf reads OpenDocument files: texts, spreadsheets and presentations (OpenDocument 1.3,
// part 3).
package odf

import (
	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// A document holds the state while an OpenDocument file is read.
type document struct {
	*zipxml.Archive
	w            markdown.Writer
	styles       map[string]paragraphStyle
	textStyles   map[string]textStyle
	cellStyles   map[string]textStyle
	hiddenStyles map[string]bool // styles of sheets and slides that hide them
	cellFormat   textFormat      // format of the text in the current cell of a spreadsheet
	lists        map[string]*listCounter
	outline      listCounter // counter for the numbers of headings
	noteCount    int
	pendingNotes []string // notes of the current block, to be written after it
	openObjects  int      // nesting depth of the current embedded object
}

// openDocument opens a document, which is an archive or a single XML file.
func openDocument(raw []byte) (*document, error) {
	raw, err := packFlat(raw)
	if err != nil {
		return nil, err
	}
	a, err := zipxml.Open(raw)
	if err != nil {
		return nil, err
	}
	if isEncrypted(a) {
		return nil, extract.ErrPasswordProtected
	}
	return &document{Archive: a, styles: make(map[string]paragraphStyle), textStyles: make(map[string]textStyle), cellStyles: make(map[string]textStyle), hiddenStyles: make(map[string]bool), lists: make(map[string]*listCounter)}, nil
}

// contentUntilError returns the content that was written before err, with a note on it, or err if
// nothing was written or a limit was exceeded.
func (d *document) contentUntilError(err error) (extract.Content, error) {
	if err != nil && (d.w.Text.Len() == 0 || extract.IsLimitError(err)) {
		return extract.Content{}, zipxml.AsSkipError(err)
	}
	c, contentErr := d.w.Content()
	c.Title = d.ReadTitle("meta.xml")
	if err != nil {
		c.ExtractionNote = extract.UnfinishedNote(err)
	}
	return c, d.ExplainNoText(contentErr)
}

// isEncrypted reports whether the manifest contains encryption data (OpenDocument 1.3, part 2,
// 4.4).
func isEncrypted(a *zipxml.Archive) bool {
	encrypted := false
	a.ReadXMLFile("META-INF/manifest.xml", func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			encrypted = encrypted || e.Name == "encryption-data"
			return encrypted
		})
	})
	return encrypted
}

func (d *document) writeNotes() {
	notes := d.pendingNotes
	d.pendingNotes = nil
	for _, n := range notes {
		d.w.WriteParagraph(n)
	}
}
