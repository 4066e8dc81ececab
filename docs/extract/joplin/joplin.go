// Package joplin reads notes exported by Joplin: all in one tar archive (.jex), or each in its own
// file in a raw export. Other items, fields and IDs are left out.
package joplin

import (
	"archive/tar"
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/message"
)

var (
	errDamaged = extract.Skip("damaged Joplin export")
	errNoNote  = extract.Skip("part of a Joplin export, not a note")
)

// Read reads an export, in which each note is a chapter named after its path, such as
// "Home/Kitchen/Salt", or the file of a single note, whose lines it keeps.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	const magicAt, magic = 257, "ustar" // format of POSIX.1-1988
	if len(raw) > magicAt && bytes.HasPrefix(raw[magicAt:], []byte(magic)) {
		return readExport(raw)
	}
	i, ok := parseItem(raw)
	switch {
	case !ok:
		return extract.Content{}, errDamaged
	case i.fields["encryption_applied"] == "1":
		return extract.Content{}, extract.ErrPasswordProtected
	case i.fields["type_"] != typeNote:
		return extract.Content{}, errNoNote
	}
	body, err := i.body()
	if err != nil {
		return extract.Content{}, err
	}
	c := extract.Content{Text: "\n" + body, Form: extract.Markdown, MIME: "text/markdown", Title: i.title()}
	if c.Title != "" && !isTitledBy(body, c.Title) {
		c.Text = "# " + c.Title + c.Text
	}
	if len(c.Text) > extract.MaxTextBytes {
		return extract.Content{}, extract.ErrTooMuchText
	}
	return c, nil
}

// An export holds the content of an export file.
type export struct {
	items     map[string]item // notebooks by their IDs
	notes     []note
	files     []string // names of the attached files
	encrypted int
}

type note struct {
	item
	path string
}

func readExport(raw []byte) (extract.Content, error) {
	e := export{items: make(map[string]item)}
	err := e.readItems(raw)
	if err != nil && (len(e.notes) == 0 || extract.IsLimitError(err)) {
		return extract.Content{}, err
	}
	if len(e.notes) == 0 && e.encrypted > 0 {
		return extract.Content{}, extract.ErrPasswordProtected
	}
	c, contentErr := e.content()
	c.UnreadAttachments = e.files
	if e.encrypted > 0 {
		c.ExtractionNote = message.Join(c.ExtractionNote, message.New("encrypted notes or notebooks, which are not read: %d", e.encrypted))
	}
	if err != nil {
		c.ExtractionNote = message.Join(c.ExtractionNote, extract.UnfinishedNote(err))
	}
	return c, contentErr
}

// readItems reads the items of an export. If there is an error, it has read those before it.
func (e *export) readItems(raw []byte) error {
	remaining := int64(extract.MaxUnpackedBytes)
	for r := tar.NewReader(bytes.NewReader(raw)); ; {
		h, err := r.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return errDamaged
		case !itemName.MatchString(h.Name):
			continue
		}
		content, err := io.ReadAll(io.LimitReader(r, remaining+1)) // a sparse file may be larger than its archive
		if remaining -= int64(len(content)); remaining < 0 {
			return extract.ErrUnpackedTooLarge
		}
		if i, ok := parseItem(content); ok {
			e.addItem(i)
		}
		if err != nil {
			return errDamaged
		}
	}
}

func (e *export) addItem(i item) {
	switch kind := i.fields["type_"]; {
	case i.fields["encryption_applied"] == "1" && (kind == typeNote || kind == typeNotebook):
		e.encrypted++
	case kind == typeNote:
		e.notes = append(e.notes, note{item: i})
	case kind == typeNotebook:
		e.items[i.fields["id"]] = i
	case kind == typeFile && i.title() != "":
		e.files = append(e.files, i.title())
	}
}

// content returns the notes of the export as chapters, sorted by path.
func (e *export) content() (extract.Content, error) {
	for at := range e.notes {
		n := &e.notes[at]
		notebooks := n.notebooks(func(id string) (item, bool) { i, ok := e.items[id]; return i, ok })
		n.path = strings.TrimPrefix(notebooks+"/"+cmp.Or(n.title(), "(no title)"), "/")
	}
	slices.SortStableFunc(e.notes, func(a, b note) int { return strings.Compare(a.path, b.path) })
	var w markdown.Writer
	var unread []int
	for at, n := range e.notes {
		body, err := n.body()
		switch {
		case err != nil && extract.IsLimitError(err):
			return extract.Content{}, err
		case err != nil:
			unread = append(unread, at+1)
		}
		if title := n.title(); isTitledBy(body, title) {
			_, body, _ = strings.Cut(strings.TrimSpace(body), "\n")
		}
		w.BeginPart(extract.Part{Kind: extract.Chapter, Number: at + 1, Name: n.path})
		w.WriteHeading(1, n.path)
		if body = strings.Trim(body, "\n"); body != "" {
			w.EndBlock()
			w.WriteRaw(markdown.MoveHeadingsBelow(1, body) + "\n")
		}
		if w.IsFull {
			return extract.Content{}, extract.ErrTooMuchText
		}
	}
	c, err := w.Content()
	c.ExtractionNote = extract.NoteNoun.IncompleteNote(unread)
	return c, err
}
