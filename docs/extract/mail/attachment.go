package mail

import (
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/message"
)

// An AttachmentReader reads the documents that are attached to a message.
type AttachmentReader interface {
	// Reads reports whether files with that name are documents that it reads.
	Reads(name string) bool

	// Read returns the content of a document as Markdown. The error is for people.
	Read(name string, raw []byte, p extract.ProgressReporter) (extract.Content, error)
}

// ReaderWith returns a reader like Read that also reads the documents attached to a single message,
// and to messages attached to it.
func ReaderWith(reader AttachmentReader) extract.Reader {
	return func(raw []byte, p extract.ProgressReporter) (extract.Content, error) {
		return readMail(raw, messageWriter{reader: reader, progress: p})
	}
}

// OutlookReaderWith returns a reader like ReadOutlook that also reads attached documents.
func OutlookReaderWith(reader AttachmentReader) extract.Reader {
	return func(raw []byte, p extract.ProgressReporter) (extract.Content, error) {
		return readOutlook(raw, messageWriter{reader: reader, progress: p})
	}
}

// attachedProgress is the ProgressReporter of an attached document. It reports the message so far for each page
// of the document, which gives the reader time for the next one.
type attachedProgress struct {
	extract.ProgressReporter
	message       extract.Content // what is written before the document
	number, total int
}

func (a attachedProgress) ReportPage(*extract.Content, int, int) {
	a.ProgressReporter.ReportPage(&a.message, a.number, a.total)
}

// writeDocument writes an attached document of a message that is nested at the given depth. What
// was written before is reported first, so that it is kept if the document makes the process fail.
func (m *messageWriter) writeDocument(f *mimePart, depth int) {
	m.attachments++
	soFar := extract.Content{Text: strings.TrimRight(m.w.Text.String(), "\n"), Title: m.title} // the final text may end here
	progress := attachedProgress{m.progress, soFar, m.attachments, m.attachments + 1}
	progress.ReportPage(nil, 0, 0)
	c, err := m.reader.Read(f.name, f.content(), progress)
	if err == nil && m.w.Text.Len()+len(c.Text)+len(f.name) > extract.MaxTextBytes/2 { // the message itself comes first
		err = extract.ErrTooMuchText
	}
	if err != nil {
		m.incomplete = append(m.incomplete, message.New("%s (%v)", f.name, message.FromError(err)))
		return
	}
	if c.ExtractionNote != "" {
		m.incomplete = append(m.incomplete, message.New("%s (%v)", f.name, c.ExtractionNote))
	}
	m.unreadFiles = append(m.unreadFiles, c.UnreadAttachments...)
	m.w.WriteHeading(depth+2, markdown.OneLine(f.name))
	m.writeMarkdown(c.Text, depth+2)
}

// attachmentsNote names the attached documents that were not read, or not completely, with the
// reasons.
func (m *messageWriter) attachmentsNote() message.Message {
	const named = 20 // maximum number of documents that are named
	var all message.Message
	for _, one := range m.incomplete[:min(len(m.incomplete), named)] {
		all = message.Join(all, one)
	}
	switch others := len(m.incomplete) - named; {
	case all == "":
		return ""
	case others == 1:
		return message.New("not read, or not completely: %v; and 1 other file", all)
	case others > 1:
		return message.New("not read, or not completely: %v; and %d other files", all, others)
	}
	return message.New("not read, or not completely: %v", all)
}
