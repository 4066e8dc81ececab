package docs

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path"
	"strings"
	"time"
	"unicode"

	"vademecum/docs/chunk"
	"vademecum/docs/extract"
	"vademecum/docs/formats"
	"vademecum/docs/meta"
	"vademecum/docs/ocr"
	"vademecum/docs/text"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// A Document is the text of one file, or a text without a file.
type Document struct {
	text.Body
	Path           string          // slash-separated, relative to the folder
	Title          string          // from the content; if it has none, the file name without its extension
	MIME           string          // media type of the file, such as application/pdf
	TextMIME       string          // media type of the text, such as text/plain
	Size           int64           // size of the file in bytes
	ModTime        time.Time       // modification time of the file
	Hash           [32]byte        // SHA-256 of the file
	ExtractionNote message.Message // what is missing from the text and why; "" if nothing is

	IsGenerated bool // whether a program wrote the file for other programs

	Encoding          string // encoding of a text file, such as GB18030 or UTF-16LE; "" for UTF-8
	IsEncodingGuessed bool   // whether Encoding was detected from the content alone, without a byte order mark

	Meta meta.Data // metadata found in the text; Markdown and plain text only

	blocks   chunk.Blocks
	sections []extract.DatedSection
}

// IsProse reports whether the document is text for people rather than data or a program: by its
// name, or because its reader produced prose from a data file.
func (d Document) IsProse() bool {
	return !d.IsGenerated && (formats.IsProse(d.Path) || d.TextMIME == "text/markdown")
}

// NewTextDocument returns a document from text alone: Markdown if path has the extension
// of a Markdown file, else plain text. Its ModTime is zero.
func NewTextDocument(path, text string) Document {
	d := Document{Path: path, Size: int64(len(text)), Hash: sha256.Sum256([]byte(text))}
	d.setContent(formats.ContentOfText(path, text))
	return d
}

// IsSlowToRead reports whether reading a file with that name may take seconds.
func IsSlowToRead(path string) bool { return formats.IsReadInChild(path) }

// Document extracts the text, including that of scanned pages recognised earlier by recogniser,
// which may be nil. If the file should not be indexed, the error matches *extract.SkipError
// (errors.As).
func (r RawFile) Document(ctx context.Context, recogniser *ocr.Recogniser) (Document, error) {
	content, err := formats.Read(ctx, r.Path, r.bytes)
	if err == nil && len(content.UnrecognisedPages.Pages) > 0 {
		err = takeRecognised(&content, recogniser.StoredPages(ctx, r.Hash))
	}
	if err != nil {
		return Document{}, fmt.Errorf("read %s: %w", present.QuoteName(r.Path), err)
	}
	if len(content.Parts) == 0 {
		content.Text = r.names.slack.Replace(content.Text)
	}
	d := Document{Path: r.Path, Size: r.Size, ModTime: r.ModTime, Hash: r.Hash, IsGenerated: generatedKind(r.Path, formats.IsProse(r.Path), r.bytes) != ""}
	d.setContent(content)
	d.addAliases(r.links)
	d.addProgramNames(r.names)
	return d, nil
}

// setContent sets the fields that are derived from the content and the path.
func (d *Document) setContent(c extract.Content) {
	d.Body = text.Body{Text: c.Text, Parts: c.Parts}
	d.MIME, d.TextMIME, d.ExtractionNote = c.MIME, c.TextMIME(), c.ExtractionNote
	d.Encoding, d.IsEncodingGuessed = c.Encoding, c.IsEncodingGuessed
	if isMarkdown := c.MIME == "text/markdown"; isMarkdown || c.Form == extract.PlainText && c.MIME == "text/plain" {
		d.Meta = meta.ReadData(d.Path, c.Text, isMarkdown)
	}
	if day, err := meta.ParseDate(c.Date); err == nil {
		d.Meta.Date = day
	}
	d.blocks, d.sections = chunk.ParseBlocks(d.Body, c.Form), c.Sections
	if d.Title = d.blocks.Title(c.Title, path.Base(d.Path)); d.Title == "" {
		d.Title = stem(path.Base(d.Path))
	}
}

// maxExtension is the length of the longest extension, ".excalidraw.md".
const maxExtension = 14

// stem returns a file name without its extension. A dot in running text, as in
// "v1.5 notes", does not begin an extension.
func stem(name string) string {
	ext := name[len(name)-len(formats.Extension(name)):]
	if len(ext) == len(name) || len(ext) > maxExtension || strings.ContainsFunc(ext, unicode.IsSpace) {
		return name
	}
	return strings.TrimSuffix(name, ext)
}

// Chunks splits the document into passages, in order and without overlap. They leave out only white
// space and running headers and footers.
func (d *Document) Chunks() []chunk.Chunk { return d.blocks.Chunks() }

// ChunkDates returns the days of each chunk in a document whose messages or events have dates of their
// own, otherwise nil.
func (d *Document) ChunkDates(chunks []chunk.Chunk) (all []meta.DateRange) {
	if len(d.sections) == 0 {
		return nil
	}
	next := 0 // the section after that of the chunk
	for _, c := range chunks {
		for next < len(d.sections) && d.sections[next].StartByte <= c.StartByte {
			next++
		}
		var days meta.DateRange
		if next > 0 {
			days = daysOf(d.sections[next-1])
		}
		all = append(all, days)
	}
	return all
}

// daysOf returns the days of a section, or zero if they are unknown.
func daysOf(s extract.DatedSection) meta.DateRange {
	first, err := meta.ParseDate(s.First)
	last, lastErr := meta.ParseDate(s.Last)
	switch {
	case err != nil:
		return meta.DateRange{}
	case lastErr != nil || last < first:
		last = first
	}
	return meta.DateRange{First: first, Last: last}
}

// TextHash returns the SHA-256 of the text without leading and trailing white space, so that a text
// that a client has read in text mode has the same hash as the file.
func (d *Document) TextHash() [32]byte {
	return sha256.Sum256([]byte(strings.TrimSpace(d.Text)))
}
