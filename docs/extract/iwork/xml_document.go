package iwork

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"path"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// An xmlReader holds the state while a document of iWork '05 to '09 is read. Apple has described
// its elements and attributes for Keynote ("Keynote APXL"); Pages and Numbers use the same ones.
type xmlReader struct {
	*zipxml.Reader
	w              markdown.Writer
	title          string
	outlines       map[string]office.OutlineLevel // outline levels of paragraph styles, by identifier
	isPlain        bool                           // whether paragraphs are written without their outline levels
	attached       map[string][]markdown.Block
	notes          []string // footnotes to which the text has not referred yet
	noteCount      int
	menuChoices    map[string]string // entries of the menus that cells refer to, by id
	tables         *[]*table         // tables of the current sheet; nil outside Numbers
	floatingBlocks []markdown.Block  // floating objects of Pages, then headers and footers
	footers        office.FooterDeduplicator
	slides         int
	sheets         int
}

// readXMLDocument reads a document from a file in its archive, which may be compressed with gzip.
func readXMLDocument(a *zipxml.Archive, name string) (extract.Content, error) {
	part, err := a.Open(name)
	if err != nil {
		return extract.Content{}, zipxml.AsSkipError(err)
	}
	if path.Ext(name) == ".gz" {
		unpacked, err := gzip.NewReader(part)
		if err != nil {
			return extract.Content{}, errDamaged
		}
		part = io.LimitReader(unpacked, extract.MaxUnpackedBytes)
	}
	r := bufio.NewReader(part)
	head, _ := r.Peek(64) // the reader of the document will return the same error
	if len(head) > 0 && !bytes.HasPrefix(bytes.TrimLeft(head, "\xEF\xBB\xBF \t\r\n"), []byte("<")) {
		return extract.Content{}, errDamaged
	}
	x := &xmlReader{outlines: make(map[string]office.OutlineLevel), attached: make(map[string][]markdown.Block), menuChoices: make(map[string]string)}
	err = zipxml.ReadXML(r, func(z *zipxml.Reader) {
		x.Reader = z
		x.EachDescendant(x.readTopElement)
	})
	return x.content(err)
}

// content returns the content that was read before err, with a note on err. It returns err instead
// if nothing was read or a limit was exceeded.
func (x *xmlReader) content(err error) (extract.Content, error) {
	if err != nil && extract.IsLimitError(err) {
		return extract.Content{}, err
	}
	x.writeBlocks(x.floatingBlocks)
	c, contentErr := x.w.Content()
	switch {
	case contentErr == extract.ErrNoText && err != nil:
		return c, err
	case err != nil:
		c.ExtractionNote = extract.UnfinishedNote(err)
	}
	c.Title = x.title
	return c, contentErr
}

func (x *xmlReader) writeBlocks(blocks []markdown.Block) {
	for i := range blocks {
		blocks[i].Write(&x.w)
	}
}

// readTopElement reads a top-level element of a document. It reports whether it has consumed the
// element; otherwise the children are to be read one by one.
func (x *xmlReader) readTopElement(e zipxml.Element) bool {
	switch e.Name {
	case "presentation":
		x.isPlain = true
		return false
	case "metadata":
		x.readMetadata()
	case "slide":
		x.readSlide()
	case "workspace":
		x.readSheet(e)
	case "drawables":
		x.floatingBlocks = append(x.floatingBlocks, x.readBlocks()...)
	case "header", "footer":
		x.floatingBlocks = append(x.floatingBlocks, x.footers.KeepUnseen(x.readBlocks())...)
	case "text-storage":
		x.writeBlocks(x.readBlocks())
	default:
		return x.skipsElement(e)
	}
	return true
}

// skipsElement reports whether an element is to be skipped, because it belongs to the template or
// the style sheet rather than to the document. It records the styles in it.
func (x *xmlReader) skipsElement(e zipxml.Element) bool {
	switch e.Name {
	case "stylesheet", "printingss":
		x.EachDescendant(func(e zipxml.Element) bool {
			if e.Name == "paragraphstyle" {
				x.readStyle(e)
			}
			return e.Name == "paragraphstyle"
		})
	case "theme-list", "section-prototypes", "annotations", "sticky-notes", "thumbnails", "ui-state", "publication-info", "version-history":
	default:
		return false
	}
	return true
}

// readStyle records the outline level of a paragraph style under both names by which other elements
// may refer to it.
func (x *xmlReader) readStyle(e zipxml.Element) {
	level := styleNameOutline(e.Attribute("name"))
	if based, known := x.outlines[e.Attribute("parent-ident")]; known && e.Attribute("name") == "" {
		level = based
	}
	for _, name := range []string{e.Attribute("ident"), e.Attribute("ID")} {
		if x.CountBytes(len(name)); name != "" {
			x.outlines[name] = level
		}
	}
}

func (x *xmlReader) readMetadata() {
	x.EachChild(func(e zipxml.Element) {
		if e.Name != "title" {
			return
		}
		x.EachChild(func(e zipxml.Element) { x.title = markdown.OneLine(e.Attribute("string")) }, nil)
	}, nil)
}

func (x *xmlReader) readSlide() {
	x.slides++
	s := slide{number: x.slides}
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "title-placeholder", "title":
			s.title = oneLine(x.readBlocks())
		case "body-placeholder", "body", "bullets", "page":
			s.blocks = append(s.blocks, x.readBlocks()...)
		case "notes":
			s.notes = append(s.notes, x.readBlocks()...)
		default:
			x.skipsElement(e)
		}
	}, nil)
	s.writeTo(&x.w)
}

func (x *xmlReader) readSheet(e zipxml.Element) {
	x.sheets++
	var s spreadsheet
	x.tables = &s.tables
	s.otherBlocks = x.readBlocks()
	s.writeTo(&x.w, extract.Part{Kind: extract.Sheet, Number: x.sheets, Name: markdown.OneLine(e.Attribute("workspace-name"))})
}

// readBlocks returns the paragraphs and tables in the current element.
func (x *xmlReader) readBlocks() []markdown.Block {
	var all []markdown.Block
	x.EachDescendant(func(e zipxml.Element) bool {
		switch e.Name {
		case "p":
			all = append(all, x.readParagraph(e)...)
		case "footnotes":
			x.readFootnotes()
		case "attachment":
			x.attached[e.Attribute("ID")] = x.readBlocks()
		case "tabular-model":
			all = append(all, x.readTable(e)...)
		default:
			return x.skipsElement(e)
		}
		return true
	})
	return all
}

const endOfNote = "\f"

// readFootnotes reads the footnotes of a text, which are stored before it.
func (x *xmlReader) readFootnotes() {
	var text strings.Builder
	for _, b := range x.readBlocks() {
		text.WriteString(b.Text + "\n")
	}
	for note := range strings.SplitSeq(text.String(), endOfNote) {
		if note = markdown.OneLine(note); note != "" {
			x.notes = append(x.notes, note)
		}
	}
}

// A paragraph collects the text of a paragraph while it is read.
type paragraph struct {
	text        strings.Builder
	blocksAfter []markdown.Block // objects anchored in the paragraph, which follow it
}

// readParagraph returns a paragraph, followed by the objects anchored in it.
func (x *xmlReader) readParagraph(e zipxml.Element) []markdown.Block {
	var p paragraph
	x.readText(&p)
	x.CountBytes(extract.CellOverheadBytes)
	b := markdown.Block{Text: strings.Trim(p.text.String(), " \t\r\n")}
	outline, known := x.outlines[e.Attribute("style")]
	heading, isHeading := outline.HeadingLevel()
	switch depth := e.NumberAttribute("list-level", 0); {
	case known && isHeading && !x.isPlain:
		b.Kind, b.Level = markdown.Heading, heading
	case depth > 0:
		b.Kind, b.Level, b.Marker = markdown.ListItem, depth-1, markdown.Bullet
	}
	if b.Text == "" {
		return p.blocksAfter
	}
	return append([]markdown.Block{b}, p.blocksAfter...)
}

// readText appends the text of the current element to a paragraph.
func (x *xmlReader) readText(p *paragraph) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "br", "lnbr", "crbr", "pgbr":
			p.text.WriteByte('\n')
		case "footnotebr":
			p.text.WriteString(endOfNote)
		case "tab":
			p.text.WriteByte(' ')
		case "footnote":
			x.addFootnote(p)
		case "attachment-ref":
			p.blocksAfter = append(p.blocksAfter, x.attached[e.Attribute("IDREF")]...)
			delete(x.attached, e.Attribute("IDREF")) // so that each object is written only once
		case "attachment":
			p.blocksAfter = append(p.blocksAfter, x.readBlocks()...)
		case "ghost-text", "ghost-text-ref", "page-number", "page-count", "footnote-mark":
		default:
			x.readText(p)
		}
	}, func(text []byte) {
		if x.CountBytes(len(text)); x.Err == nil {
			p.text.Write(text)
		}
	})
}

// addFootnote inserts the marker of the next note into a paragraph, and adds the note itself after
// it.
func (x *xmlReader) addFootnote(p *paragraph) {
	if len(x.notes) == 0 {
		return
	}
	x.noteCount++
	marker := footnoteMarker(x.noteCount)
	p.text.WriteString(marker)
	p.blocksAfter = append(p.blocksAfter, markdown.Block{Text: marker + ": " + x.notes[0]})
	x.notes = x.notes[1:]
}
