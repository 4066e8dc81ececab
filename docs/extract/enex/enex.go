// Package enex reads notes exported by Evernote: each is a section with its title, dates, tags and
// text. Embedded files are never decoded.
package enex

import (
	"bytes"
	"io"
	"iter"
	"strings"
	"time"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/message"
)

var errDamaged = extract.Skip("damaged Evernote export")

// IsExport reports whether a file that begins with start is an Evernote export.
func IsExport(start []byte) bool {
	return bytes.HasPrefix(start, []byte("<")) && bytes.Contains(start, []byte("<en-export"))
}

// Read reads an export (evernote-export4.dtd) note by note. An error affects only its note, and
// only one note is held in memory.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	if bytes.HasPrefix(raw, []byte("\xFF\xFE")) || bytes.HasPrefix(raw, []byte("\xFE\xFF")) {
		d, err := charset.Decode(raw)
		if err != nil {
			return extract.Content{}, err
		}
		raw = []byte(d.Text)
	}
	r := reader{hasSeveralNotes: bytes.Count(raw, noteTag) > 1}
	for element := range eachNoteElement(raw) {
		if r.notes++; r.notes > extract.MaxArchiveEntries {
			r.unreadNotes = bytes.Count(raw, noteTag) - extract.MaxArchiveEntries
			break
		}
		r.writeNote(element)
		if r.w.IsFull {
			return extract.Content{}, extract.ErrTooMuchText
		}
	}
	if r.notes == 0 {
		return extract.Content{}, errDamaged
	}
	c, err := r.w.Content()
	c.Title = r.title
	c.ExtractionNote, c.UnreadAttachments = r.missingMessage(), r.attachedFiles
	return c, err
}

// A reader converts the notes of an export to Markdown.
type reader struct {
	w               markdown.Writer
	hasSeveralNotes bool   // whether there is more than one note
	title           string // title of the note if there is only one
	notes           int    // number of notes so far
	damagedNotes    []int  // numbers of damaged notes
	unreadNotes     int    // number of notes that were not read because of a limit
	attachedFiles   []string
}

// writeNote writes a note as a section. If there are several notes, their headings are at level 2,
// so that the title of the first is not taken as that of the whole document.
func (r *reader) writeNote(element []byte) {
	n, whole := parseNote(element)
	text, err := n.toMarkdown()
	if !whole || err != nil {
		r.damagedNotes = append(r.damagedNotes, r.notes)
	}
	level := 1
	if r.hasSeveralNotes {
		level = 2
	} else {
		r.title = n.title
	}
	if n.title == "" {
		n.title = "(no title)"
	}
	r.attachedFiles = append(r.attachedFiles, n.files...)
	r.w.WriteHeading(level, n.title)
	r.w.WriteParagraph(n.factLines())
	if text != "" {
		r.w.EndBlock()
		r.w.WriteRaw(markdown.MoveHeadingsBelow(level, text) + "\n")
	}
	for _, task := range n.tasks {
		r.w.WriteListItem(0, markdown.Bullet, task)
	}
	if len(n.files) > 0 {
		r.w.WriteParagraph("Attachments: " + strings.Join(n.files, ", "))
	}
}

// missingMessage returns a message on how many notes of the export were not read, or "" if all
// were.
func (r *reader) missingMessage() message.Message {
	var left message.Message
	if r.unreadNotes > 0 {
		left = message.New("%d notes after the first %d are not read", r.unreadNotes, extract.MaxArchiveEntries)
	}
	return message.Join(extract.NoteNoun.IncompleteNote(r.damagedNotes), left)
}

var noteTag = []byte("<note>")

// eachNoteElement yields the elements of the notes. It finds their tags without parsing XML,
// because in the text of a note they would be escaped.
func eachNoteElement(raw []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		_, rest, found := bytes.Cut(raw, noteTag)
		for found {
			var element []byte
			element, rest, found = bytes.Cut(rest, noteTag)
			if !yield(element) {
				return
			}
		}
	}
}

// A note is a note of an export. Its times are kept as written.
type note struct {
	title, created, updated, source, author string
	tags, files, tasks                      []string
	content                                 string // content in ENML, Evernote's markup
}

// parseNote returns the fields of a note that can be read. whole reports whether these are all.
func parseNote(element []byte) (n note, whole bool) {
	element, _, whole = bytes.Cut(element, []byte("</note>"))
	x := zipxml.NewReader(&dataSkipper{rest: element})
	x.EachDescendant(func(e zipxml.Element) bool {
		switch e.Name {
		case "title":
			n.title = markdown.OneLine(x.ReadText())
		case "created":
			n.created = x.ReadText()
		case "updated":
			n.updated = x.ReadText()
		case "tag":
			n.tags = append(n.tags, markdown.OneLine(x.ReadText()))
		case "author":
			n.author = markdown.OneLine(x.ReadText())
		case "source-url":
			n.source = webAddress(x.ReadText())
		case "content":
			n.content = x.ReadText()
		case "resource":
			n.addFile(x)
		case "task":
			n.addTask(x)
		default:
			return false
		}
		return true
	})
	return n, whole && x.Err == io.EOF
}

// addFile adds the name of a file attached to the note.
func (n *note) addFile(x *zipxml.Reader) {
	x.EachDescendant(func(e zipxml.Element) bool {
		if e.Name != "file-name" {
			return false
		}
		if name := markdown.OneLine(x.ReadText()); name != "" {
			n.files = append(n.files, name)
		}
		return true
	})
}

// addTask adds the task in the current element to the note.
func (n *note) addTask(x *zipxml.Reader) {
	box, title, due := "[ ] ", "", ""
	x.EachDescendant(func(e zipxml.Element) bool {
		switch e.Name {
		case "title":
			title = markdown.OneLine(x.ReadText())
		case "taskStatus":
			if strings.TrimSpace(x.ReadText()) == "completed" {
				box = "[x] "
			}
		case "dueDate":
			due = ", due " + formatTime(x.ReadText())
		default:
			return false
		}
		return true
	})
	if title != "" {
		n.tasks = append(n.tasks, box+title+due)
	}
}

// webAddress returns a web address without its query, or "" for any other address.
func webAddress(s string) string {
	s = markdown.OneLine(s)
	if !strings.HasPrefix(s, "http://") && !strings.HasPrefix(s, "https://") {
		return ""
	}
	s, _, _ = strings.Cut(s, "?")
	return s
}

// factLines returns the metadata of a note, one item per line.
func (n *note) factLines() string {
	var b strings.Builder
	updated := formatTime(n.updated)
	if updated == formatTime(n.created) {
		updated = ""
	}
	for _, fact := range [][2]string{
		{"Created", formatTime(n.created)}, {"Updated", updated}, {"Tags", strings.Join(n.tags, ", ")},
		{"Author", n.author}, {"Source", n.source},
	} {
		if fact[1] != "" {
			b.WriteString(fact[0] + ": " + fact[1] + "\n")
		}
	}
	return b.String()
}

// formatTime formats a time such as 20240305T172000Z for people.
func formatTime(s string) string {
	s = strings.TrimSpace(s)
	t, err := time.Parse("20060102T150405Z", s)
	if err != nil {
		return markdown.OneLine(s)
	}
	return t.Format("2006-01-02 15:04 UTC")
}

// A dataSkipper reads XML without the Base64 data of attached files, which may exceed the limit for
// one token.
type dataSkipper struct {
	ready []byte // bytes to return next
	rest  []byte // bytes after ready, which may contain data elements
}

// Read returns everything except the content of data elements.
func (d *dataSkipper) Read(p []byte) (int, error) {
	for len(d.ready) == 0 {
		if len(d.rest) == 0 {
			return 0, io.EOF
		}
		d.skipNextData()
	}
	n := copy(p, d.ready)
	d.ready = d.ready[n:]
	return n, nil
}

// skipNextData makes the text before the next data element ready, and skips the content of that
// element.
func (d *dataSkipper) skipNextData() {
	d.ready, d.rest = d.rest, nil
	i := bytes.Index(d.ready, []byte("<data"))
	if i < 0 {
		return
	}
	tag := bytes.IndexByte(d.ready[i:], '>')
	if tag < 0 {
		return
	}
	start := i + tag + 1
	if length := bytes.IndexByte(d.ready[start:], '<'); length >= 0 {
		d.rest = d.ready[start+length:]
	}
	d.ready = d.ready[:start]
}
