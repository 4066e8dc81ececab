package docx

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"io"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/lazyregexp"
)

// rootElement matches the root element of a document in a single XML file, as written by Word 2003
// (wordDocument) or by Word 2007 and later (package).
var rootElement = lazyregexp.New(`^<(?:[\w.-]+:)?(?:(wordDocument)|(package))[\s>]`)

var errNoDocument = extract.Skip("not a Word document, or damaged: save it as .docx")

// IsWordXML reports whether a file begins like a Word document in a single XML file.
func IsWordXML(start []byte) bool {
	m := rootElement.FindSubmatch(zipxml.SkipProlog(start))
	return m != nil && (m[1] != nil || bytes.Contains(start, []byte("office/2006/xmlPackage")) && bytes.Contains(start, []byte(`"Word.Document"`)))
}

// readXML reads a document in a single XML file.
func readXML(raw []byte, p extract.ProgressReporter) (extract.Content, error) {
	source := zipxml.NewXMLSanitizer(bytes.NewReader(raw))
	source.MaxTokenBytes = extract.MaxUnpackedBytes
	clean, err := io.ReadAll(io.LimitReader(source, extract.MaxUnpackedBytes))
	if err != nil {
		return extract.Content{}, zipxml.AsSkipError(err)
	}
	m := rootElement.FindSubmatch(zipxml.SkipProlog(clean[:min(len(clean), extract.SniffBytes)]))
	if m == nil {
		return extract.Content{}, errNoDocument
	}
	if m[1] == nil {
		return readParts(clean, p)
	}
	packed, err := zipxml.Pack("word/document.xml", clean, "word/_rels/document.xml.rels", []byte(relationsOf2003))
	if err != nil {
		return extract.Content{}, err
	}
	c, err := readArchive(packed, p)
	c.Title = titleOf2003(clean)
	if err == extract.ErrNoText && bytes.Contains(clean, []byte("binData")) {
		err = extract.ErrOnlyPictures
	}
	return c, err
}

// relationsOf2003 are the relationships that a Word 2003 document is given: its only part also
// contains the styles.
const relationsOf2003 = `<Relationships><Relationship Id="s" Type="x/styles" Target="document.xml"/></Relationships>`

// titleOf2003 returns the title in the properties of a Word 2003 document, or "".
func titleOf2003(raw []byte) (title string) {
	_ = zipxml.ReadXML(bytes.NewReader(raw), func(x *zipxml.Reader) { // an error in the properties does not matter
		x.EachDescendant(func(e zipxml.Element) bool {
			if e.Name == "DocumentProperties" {
				x.EachChild(func(e zipxml.Element) {
					if e.Name == "Title" {
						title = markdown.RemoveGeneratedTitle(markdown.OneLine(x.ReadText()))
					}
				}, nil)
				x.StopWith(io.EOF)
			}
			return e.Name != "wordDocument"
		})
	})
	return title
}

// readParts reads an XML file that contains the parts of an Office document one after the other.
func readParts(raw []byte, p extract.ProgressReporter) (extract.Content, error) {
	d := xml.NewDecoder(bytes.NewReader(raw))
	d.Strict = false
	var namesAndContents []any
	name, from, inText, binary := "", int64(0), false, []byte(nil)
	for len(namesAndContents) < extract.MaxArchiveEntries {
		token, err := d.RawToken()
		if err != nil {
			break // keep the parts before the error
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch e := (zipxml.Element{Name: t.Name.Local, Attributes: t.Attr}); {
			case t.Name.Space != "pkg":
			case e.Name == "part":
				name = strings.TrimPrefix(e.Attribute("name"), "/")
			case e.Name == "xmlData":
				from = d.InputOffset()
			case e.Name == "binaryData":
				inText, binary = true, nil
			}
		case xml.CharData:
			if inText {
				binary = append(binary, t...)
			}
		case xml.EndElement:
			switch {
			case t.Name.Space != "pkg":
			case t.Name.Local == "xmlData" && from > 0:
				content := raw[from:d.InputOffset()]
				content, from = content[:max(0, bytes.LastIndex(content, []byte("</")))], 0
				namesAndContents = append(namesAndContents, name, content)
			case t.Name.Local == "binaryData" && inText:
				content, _ := io.ReadAll(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(binary))) // decode as much as is valid
				namesAndContents, inText = append(namesAndContents, name, content), false
			}
		}
	}
	packed, err := zipxml.Pack(namesAndContents...)
	if err != nil {
		return extract.Content{}, err
	}
	return readArchive(packed, p)
}

// readSectionHeaders reads the headers and footers in the properties of a section.
func (d *document) readSectionHeaders(x *zipxml.Reader) {
	x.EachChild(func(e zipxml.Element) {
		if e.Name != "hdr" && e.Name != "ftr" || len(d.sectionHeaders) >= extract.MaxNestingDepth {
			return
		}
		var lines markdown.BlockLineBuilder
		d.readTextBox(x, lines.AddBlock)
		d.sectionHeaders = append(d.sectionHeaders, lines.String())
	}, nil)
}

// listMarker returns the marker of an item from the text that Word 2003 stored for it.
func listMarker(text string) string {
	if !office.ContainsLetter(text) && !strings.ContainsAny(text, "0123456789") {
		return markdown.Bullet
	}
	return markdown.OneLine(text)
}
