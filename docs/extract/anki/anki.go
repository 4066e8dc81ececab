// Package anki reads decks and collections of flash cards that Anki exports: the fields of each
// note, under the name of its deck. Card layouts and schedules are left out.
package anki

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

var errDamaged = extract.Skip("damaged Anki file")

// collectionNames are the possible names of the database in an export, newest format first. Next to
// a newer database, collection.anki2 only tells old versions of Anki that they are too old.
var collectionNames = []string{compressedCollection, "collection.anki21", "collection.anki2"}

const compressedCollection = "collection.anki21b" // compressed with zstd (RFC 8878)

// Read reads an export (.apkg, .colpkg). Each deck is a chapter.
func Read(raw []byte, p extract.ProgressReporter) (extract.Content, error) {
	file, err := readCollection(raw)
	if err != nil {
		return extract.Content{}, err
	}
	c, err := openCollection(file)
	if err != nil {
		return extract.Content{}, err
	}
	notes, err := c.notes()
	c.close()
	if err != nil && (len(notes) == 0 || extract.IsLimitError(err)) {
		return extract.Content{}, err
	}
	content, contentErr := writeNotes(notes, p)
	if err != nil {
		content.ExtractionNote = extract.UnfinishedNote(err)
	}
	return content, contentErr
}

// readCollection returns the newest database in an export.
func readCollection(raw []byte) ([]byte, error) {
	a, err := zipxml.Open(raw)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(collectionNames, a.HasFile)
	if at < 0 {
		return nil, errDamaged
	}
	r, err := a.Open(collectionNames[at])
	if err != nil {
		return nil, zipxml.AsSkipError(err)
	}
	if collectionNames[at] != compressedCollection {
		file, err := io.ReadAll(r)
		if err != nil {
			return nil, zipxml.AsSkipError(err)
		}
		return file, nil
	}
	return unpack(r, extract.MaxUnpackedBytes)
}

// unpack decompresses zstd data. It fails if the result has more than maxBytes.
func unpack(r io.Reader, maxBytes int64) ([]byte, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(maxBytes)), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, errDamaged
	}
	defer d.Close()
	file, err := io.ReadAll(io.LimitReader(d, maxBytes+1))
	switch {
	case int64(len(file)) > maxBytes:
		return nil, extract.ErrUnpackedTooLarge
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		return nil, extract.ErrUnpackedTooLarge
	case err != nil:
		return nil, errDamaged
	}
	return file, nil
}

// A note is the content from which Anki makes one or more cards.
type note struct {
	id     int64 // creation time, by which Anki identifies a note
	deck   string
	names  []string // names of the fields; may be shorter than fields
	fields []string // contents of the fields, in HTML
}

// notesPerPage is how many notes count as one page when progress is reported.
const notesPerPage = 500

// writeNotes writes the notes, each deck as a chapter, and reports progress to p.
func writeNotes(notes []note, p extract.ProgressReporter) (extract.Content, error) {
	slices.SortStableFunc(notes, func(a, b note) int {
		return cmp.Or(strings.Compare(a.deck, b.deck), cmp.Compare(a.id, b.id))
	})
	var w markdown.Writer
	pages := (len(notes) + notesPerPage - 1) / notesPerPage
	for i, n := range notes {
		if i == 0 || n.deck != notes[i-1].deck {
			w.BeginPart(extract.Part{Kind: extract.Chapter, Number: len(w.Parts) + 1, Name: n.deck})
			w.WriteHeading(1, n.deck)
		}
		w.WriteParagraph(n.text())
		if w.IsFull {
			return extract.Content{}, extract.ErrTooMuchText
		}
		if done := i + 1; done%notesPerPage == 0 || done == len(notes) {
			p.ReportPage(&extract.Content{Text: w.Text.String(), Parts: w.Parts}, (done+notesPerPage-1)/notesPerPage, pages)
		}
	}
	c, err := w.Content()
	if err == nil {
		c.Text = w.Text.String() // not trimmed, so that it begins with the text reported to p
	}
	return c, err
}

// text returns the fields that have text, each on one or more lines. If a note has more than two
// fields (a question and an answer), all but the first are preceded by their names.
func (n *note) text() string {
	var b strings.Builder
	for i, field := range n.fields {
		text := fieldText(field)
		if text == "" {
			continue
		}
		if i > 0 && i < len(n.names) && len(n.names) > 2 {
			b.WriteString(n.names[i] + ": ")
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}
