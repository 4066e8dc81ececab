// Package fb2 reads books in FictionBook 2, also zipped as .fb2.zip: the sections in order. Those
// that are chapters are parts.
package fb2

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

var errDamaged = extract.Skip("damaged book")

// A bookReader holds the state while a book is read (FictionBook 2.1,
// http://www.fictionbook.org/index.php/XML_Schema_Fictionbook_2.1).
type bookReader struct {
	w          markdown.Writer
	x          *zipxml.Reader
	title      string
	bodies     int
	chapters   int
	noteLabel  string // label of a note that is to be written before its text
	isFinished bool   // whether the remaining elements contain no text
}

// Read returns the text of a book.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	raw, err := unpackBook(raw)
	if err != nil {
		return extract.Content{}, err
	}
	d, err := html.Decode(raw)
	if err != nil {
		return extract.Content{}, err
	}
	var b bookReader
	err = zipxml.ReadXML(strings.NewReader(withoutXMLDeclaration(d.Text)), func(x *zipxml.Reader) {
		b.x = x
		x.EachDescendant(b.readPart)
	})
	switch {
	case b.isFinished:
		err = nil
	case b.bodies == 0 && (err == nil || !extract.IsLimitError(err)):
		return extract.Content{}, errDamaged
	}
	if err != nil && (b.w.Text.Len() == 0 || extract.IsLimitError(err)) {
		return extract.Content{}, err
	}
	c, contentErr := b.w.Content()
	c.Title, c.Encoding, c.IsEncodingGuessed = markdown.RemoveGeneratedTitle(b.title), d.Encoding, d.IsGuessed
	if err != nil {
		c.ExtractionNote = extract.UnfinishedNote(err)
	}
	return c, contentErr
}

// unpackBook returns the first book in a zip archive, or raw if it is not an archive.
func unpackBook(raw []byte) ([]byte, error) {
	if !bytes.HasPrefix(raw, []byte("PK\x03\x04")) {
		return raw, nil
	}
	a, err := zipxml.Open(raw)
	if err != nil {
		return nil, err
	}
	for _, f := range a.Files {
		if !strings.HasSuffix(strings.ToLower(f.Name), ".fb2") {
			continue
		}
		r, err := a.Open(f.Name)
		if err != nil {
			return nil, zipxml.AsSkipError(err)
		}
		book, err := io.ReadAll(io.LimitReader(r, extract.MaxFileBytes+1))
		switch {
		case len(book) > extract.MaxFileBytes:
			return nil, extract.ErrTooLarge
		case err != nil && (len(book) == 0 || !errors.Is(err, extract.ErrDamagedZip)):
			return nil, zipxml.AsSkipError(err)
		}
		return book, nil // if it is damaged, the part before the damage
	}
	return nil, extract.ErrNoText
}

// withoutXMLDeclaration removes the XML declaration: the encoding that it names is that before
// decoding.
func withoutXMLDeclaration(text string) string {
	if declaration, rest, ok := strings.Cut(text, "?>"); ok && strings.HasPrefix(strings.TrimSpace(declaration), "<?xml") {
		return rest
	}
	return text
}

// readPart reads the element e if it is a main part of the book, such as a body, and reports
// whether it is.
func (b *bookReader) readPart(e zipxml.Element) bool {
	switch e.Name {
	case "title-info":
		b.writeTitlePage()
	case "src-title-info", "document-info", "publish-info", "custom-info", "stylesheet":
	case "body":
		b.bodies++
		b.readBody(e)
	case "binary":
		if b.isFinished = b.bodies > 0; b.isFinished {
			b.x.StopWith(io.EOF)
		}
	default:
		return false
	}
	return true
}

// writeTitlePage writes the title, authors, annotation and series as the first chapter.
func (b *bookReader) writeTitlePage() {
	var authors []string
	series, begun := "", false
	begin := func() {
		if begun {
			return
		}
		begun = true
		b.beginChapter(shortenTitle(b.title))
		b.w.WriteHeading(1, b.title)
		b.writeParagraph(strings.Join(authors, ", "))
	}
	b.x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "book-title":
			b.title = markdown.OneLine(b.x.ReadText())
		case "author":
			if name := b.readPersonName(); name != "" && len(authors) < extract.MaxNestingDepth {
				authors = append(authors, name)
			}
		case "sequence":
			series = markdown.OneLine(e.Attribute("name") + " " + e.Attribute("number"))
		case "annotation":
			begin()
			b.readBlocks()
		}
	}, nil)
	begin()
	b.writeParagraph(series)
}

// readPersonName returns the name in the current element, which describes a person.
func (b *bookReader) readPersonName() string {
	parts := make(map[string]string)
	b.x.EachChild(func(e zipxml.Element) { parts[e.Name] = b.x.ReadText() }, nil)
	name := markdown.OneLine(parts["first-name"] + " " + parts["middle-name"] + " " + parts["last-name"])
	if name == "" {
		name = markdown.OneLine(parts["nickname"])
	}
	return name
}

// beginChapter begins the next chapter, with the given name.
func (b *bookReader) beginChapter(name string) {
	if b.chapters < extract.MaxArchiveEntries {
		b.chapters++
		b.w.BeginPart(extract.Part{Kind: extract.Chapter, Number: b.chapters, Name: name})
	}
}

// shortenTitle shortens a title to the maximum length of a chapter name.
func shortenTitle(title string) string {
	if utf8.RuneCountInString(title) <= markdown.MaxHeadingCharacters {
		return title
	}
	return string([]rune(title)[:markdown.MaxHeadingCharacters]) + "…"
}

// writeParagraph writes a paragraph, preceded by the label of a note if one is pending.
func (b *bookReader) writeParagraph(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if b.noteLabel != "" {
		text, b.noteLabel = b.noteLabel+" "+text, ""
	}
	b.w.WriteParagraph(text)
	if b.w.IsFull {
		b.x.StopWith(extract.ErrTooMuchText)
	}
}
