// Package mail reads messages, and web pages saved as one: who wrote to whom and
// when, the text, the messages forwarded in it, and the names and texts of
// attachments.
//
// A library was compared and not taken: of the 177 messages by which
// github.com/jhillyerd/enmime v2.3.0 and Apache James Mime4J are tested this reader
// finds text in 174, enmime in 159, in about the same time. enmime brings sixteen
// modules with it, does not return from 5,000 parts inside one another, and reads
// neither mailboxes nor saved web pages.
package mail

import (
	"bytes"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/lazyregexp"
)

const maxDepth = 50 // parts and forwarded messages inside one another; each level is searched for its boundary once

var errDamaged = extract.Skip("damaged mail")

// Read reads a message (RFC 5322, MIME by RFC 2045 to 2049), several of
// them in a row as mail programs store them (RFC 4155), or a web page saved as
// a message (RFC 2557).
func Read(raw []byte, _ extract.Progress) (extract.Content, error) {
	if bytes.HasPrefix(raw, []byte("\xFF\xFE")) || bytes.HasPrefix(raw, []byte("\xFE\xFF")) {
		d, err := charset.Decode(raw)
		if err != nil {
			return extract.Content{}, err
		}
		raw = []byte(d.Text)
	}
	if bytes.IndexByte(raw, '\n') < 0 {
		raw = bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))
	}
	var m messageWriter
	for _, message := range splitMailbox(raw) {
		m.tree = mimeTree{}
		root, err := m.tree.parse(message, "text/plain", 0)
		if err != nil {
			return extract.Content{}, err
		}
		if page := root.page(); page != nil {
			return readSavedPage(root, page)
		}
		if !root.header.isMail() {
			continue
		}
		if err := m.message(root, 0); err != nil {
			return extract.Content{}, err
		}
	}
	if m.w.Text.Len() == 0 {
		return extract.Content{}, errDamaged
	}
	c, err := m.w.Content()
	c.Title = m.title
	if len(m.left) > 0 {
		c.Note = "documents attached to it are not read: " + strings.Join(m.left, ", ")
	}
	return c, err
}

// mailboxLine is the line before each message of a mailbox.
var mailboxLine = lazyregexp.New(`\n\r?\n(From \S+ +[A-Z][a-z][a-z] [A-Z][a-z][a-z] +\d[^\n]*\n)`)

// splitMailbox returns the messages of a mailbox, or a lone message.
func splitMailbox(raw []byte) [][]byte {
	raw = bytes.TrimLeft(raw, "\xEF\xBB\xBF \t\r\n")
	if !bytes.HasPrefix(raw, []byte("From ")) {
		return [][]byte{raw}
	}
	var messages [][]byte
	start := 0
	for _, m := range mailboxLine().FindAllSubmatchIndex(raw, extract.MaxEntries) {
		messages = append(messages, raw[start:m[2]])
		start = m[2]
	}
	return append(messages, raw[start:])
}

// readSavedPage reads the web page that a browser saved with its images.
func readSavedPage(root, page *mimePart) (extract.Content, error) {
	text, title, err := html.Markdown(page.html())
	if err != nil {
		return extract.Content{}, err
	}
	if title == "" {
		title = root.header["subject"]
	}
	return extract.Content{Text: text, Form: extract.Markdown, Title: title}, nil
}

// A messageWriter writes messages as Markdown.
type messageWriter struct {
	w     markdown.Writer
	tree  mimeTree // of the message that is read
	title string   // the subject of the first message
	left  []string // names of documents that are attached and not read
}

// message writes a message that is nested depth deep in others.
func (m *messageWriter) message(root *mimePart, depth int) error {
	subject := root.header["subject"]
	if m.title == "" {
		m.title = subject
	}
	if subject == "" {
		subject = "(no subject)"
	}
	m.w.Heading(depth+1, subject)
	m.w.Paragraph(root.header.shown())

	var l sortedParts
	l.add(root)
	if err := m.bodies(l.bodies); err != nil {
		return err
	}
	return m.files(l.files, depth)
}

// bodies writes what a message says itself.
func (m *messageWriter) bodies(bodies []bodyText) error {
	for _, b := range bodies {
		plain := b.plainText()
		m.plain(plain)
		html, err := b.htmlText()
		if err != nil {
			return err
		}
		if html != "" && !covers(plain, html) {
			m.markdown(html)
		}
	}
	return nil
}

// files lists what is attached, and writes forwarded messages and texts.
func (m *messageWriter) files(files []*mimePart, depth int) error {
	names := attachments(files)
	if len(names) > 0 {
		m.w.Paragraph("Attachments: " + strings.Join(names, ", "))
	}
	m.left = append(m.left, slices.DeleteFunc(names, func(name string) bool { return !documentName().MatchString(name) })...)
	for _, f := range files {
		var err error
		switch {
		case f.isMessage():
			err = m.forwarded(f, depth)
		case f.textKind() != "":
			err = m.attachedText(f, depth)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// documentName is what documents are called that are worth saving from a mail.
var documentName = lazyregexp.New(`(?i)\.(pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|epub|zip)$`)

// attachments returns the names of the files whose content is not shown.
func attachments(files []*mimePart) []string {
	var names []string
	for _, f := range files {
		if f.name != "" && !f.isMessage() && f.textKind() == "" {
			names = append(names, f.name)
		}
	}
	return names
}

// forwarded writes a message inside another, as plain text if it has no header.
func (m *messageWriter) forwarded(f *mimePart, depth int) error {
	root, err := m.tree.parse(bytes.TrimLeft(f.content(), " \t\r\n"), "text/plain", f.depth+1)
	if err != nil {
		return err
	}
	if len(root.header) == 0 {
		m.plain(f.text())
		return nil
	}
	return m.message(root, depth+1)
}

// attachedText writes a text that came with a message.
func (m *messageWriter) attachedText(f *mimePart, depth int) error {
	m.w.Heading(depth+2, f.name)
	switch f.textKind() {
	case "text/html":
		text, err := htmlOf(f)
		m.markdown(text)
		return err
	case "text/markdown":
		m.markdown(f.text())
	case "text/plain":
		m.plain(f.text())
	case "text/calendar":
		m.w.Code("", unfoldCalendar(f.text()))
	default:
		m.w.Code("", f.text())
	}
	return nil
}

// markdown writes text that is Markdown already.
func (m *messageWriter) markdown(text string) {
	if text = strings.Trim(text, "\n"); text != "" {
		m.w.EndBlock()
		m.w.Put(text + "\n")
	}
}

// plain writes plain text. A line of dashes is kept apart from the one before,
// which it would turn into a heading: "--" begins a signature, "---" ends the
// message of a patch.
func (m *messageWriter) plain(text string) {
	if len(text) > extract.MaxText {
		m.w.Full = true
		return
	}
	start, end := 0, 0
	for line := range strings.Lines(text) {
		if trimmed := strings.TrimSpace(line); trimmed == "" || trimmed == "--" || trimmed == "---" {
			m.w.Paragraph(text[start:end])
			start = end
		}
		end += len(line)
	}
	m.w.Paragraph(text[start:])
}
