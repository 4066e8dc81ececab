package formats

import (
	"log/slog"
	"runtime/debug"
	"strings"

	"vademecum/docs/extract"
	"vademecum/internal/base/message"
)

// attachmentReader reads the documents that are attached to mail. Its formats are those that a note
// names where they are not read.
type attachmentReader struct{}

func (attachmentReader) Reads(name string) bool {
	return formatOfExtension(Extension(name)).isNamed
}

func (attachmentReader) Read(name string, raw []byte, p extract.ProgressReporter) (c extract.Content, err error) {
	defer func() {
		if p := recover(); p != nil { // affects only this document
			slog.Debug("internal error", "doing", "read an attachment", "panic", p, "stack", string(debug.Stack()))
			err = extract.Skip("damaged")
		}
	}()
	if reason := SkipReason(name, int64(len(raw))); reason != "" {
		return c, &extract.SkipError{Reason: reason}
	}
	f, c, err := readAttached(name, raw, p)
	if err != nil {
		return c, err
	}
	if len(c.UnrecognisedPages.Pages) > 0 {
		c.ExtractionNote = message.Join(c.ExtractionNote, message.New("%v, and scans attached to mail are not recognised: save them as files", c.UnrecognisedPages.MissingPagesNote))
	}
	cleanText(&c, f.tidyFor(name))
	switch {
	case strings.TrimSpace(c.Text) == "" && len(c.UnrecognisedPages.Pages) > 0:
		return c, &extract.SkipError{Reason: c.ExtractionNote}
	case strings.TrimSpace(c.Text) == "":
		return c, extract.ErrNoText
	}
	return memberAsMarkdown(f, name, c), nil
}

// readAttached reads an attached file. A zip archive is read as one that is a file of its own: it opens no
// archives in it, and reads no documents attached to mail in it.
func readAttached(name string, raw []byte, p extract.ProgressReporter) (*format, extract.Content, error) {
	if f, err := formatFor(name, raw); err == nil && f.isArchive {
		c, err := readArchive(raw, p)
		return f, c, err
	}
	return readContained(name, raw, p)
}
