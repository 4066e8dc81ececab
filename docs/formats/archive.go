package formats

import (
	"errors"
	"fmt"
	"log/slog"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/archive"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/dicom"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/schema"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

var (
	errNested    = extract.Skip("an archive within the archive")
	errNoMembers = extract.Skip("zip archive in which no document could be read")
)

// IsArchiveName reports whether a file with that name is read as an archive.
func IsArchiveName(name string) bool { return formatOf(name).isArchive }

// An archiveReader reads the documents in an archive.
type archiveReader struct {
	progress extract.ProgressReporter
	files    *archive.Archive
	w        markdown.Writer
	parts    int
	refused  []incompleteMember
	locked   int // number of refused members that have a password
	others   int // number of members that are not documents
	attached []string
	slack    map[string]schema.SlackNames // names of the users and channels in Slack exports, by the root folder of the export
}

// An incompleteMember is a member of an archive that was not read, or not completely, with the reason.
type incompleteMember struct {
	name     string
	why      message.Message
	isUnread bool // whether nothing was read of the member, as opposed to a part
}

// readArchive reads a zip archive as one document: each member is a chapter named by its path in
// the archive or, if it has pages, slides, sheets or chapters itself, several, such as
// "talks/tides.pptx#slide=2". The note lists members that cannot be read. Nested archives are not
// opened.
func readArchive(raw []byte, p extract.ProgressReporter) (extract.Content, error) {
	files, err := archive.OpenZip(raw)
	if err != nil {
		return extract.Content{}, err
	}
	r := archiveReader{progress: p, files: files}
	for i := range files.Members {
		if err := r.readMember(&files.Members[i]); err != nil {
			return extract.Content{}, err
		}
		p.ReportPage(&extract.Content{Text: r.w.Text.String(), Parts: r.w.Parts}, i+1, len(files.Members))
	}
	return r.content()
}

// content returns the content of the members that were read, with a note on the others, or the
// error if none was read.
func (r *archiveReader) content() (extract.Content, error) {
	if len(r.w.Parts) == 0 {
		if r.locked > 0 && r.locked == len(r.refused) {
			return extract.Content{}, extract.ErrPasswordProtected
		}
		return extract.Content{}, r.nothingReadError()
	}
	c, err := r.w.Content()
	if err != nil {
		return extract.Content{}, err
	}
	c.Text = r.w.Text.String() // the same text that was reported as progress
	c.ExtractionNote, c.UnreadAttachments = r.unreadNote(), r.attached
	return c, nil
}

// nothingReadError returns the error for an archive of which no member was read, with the reasons.
func (r *archiveReader) nothingReadError() error {
	if len(r.refused) == 0 {
		return errNoMembers
	}
	const named = 3 // maximum number of members whose names a note gives with their reasons
	reason := message.New("%v: %v", errNoMembers, r.nameFirstUnread(named))
	switch others := len(r.refused) - named; {
	case others == 1:
		reason = message.New("%v; and 1 other file", reason)
	case others > 1:
		reason = message.New("%v; and %d other files", reason, others)
	}
	return &extract.SkipError{Reason: withMembers(reason, r.unreadMembers())}
}

// readMember reads a member of the archive and writes its content, or records why it cannot be
// read. It returns only errors that are not the fault of the member, such as an exceeded limit.
func (r *archiveReader) readMember(m *archive.Member) error {
	if dataFormats()[Extension(m.Name)] {
		r.others++
		return nil
	}
	f, c, err := r.extractMember(m)
	if err == nil {
		c = memberAsMarkdown(f, m.Name, c)
	}
	if err == nil && r.w.Text.Len()+len(c.Text)+2*len(m.Name) > extract.MaxTextBytes {
		err = extract.ErrTooMuchText
	}
	switch {
	case err != nil && !errors.As(err, new(*extract.SkipError)):
		return fmt.Errorf("read %s: %w", shownName(m.Name), err)
	case errors.Is(err, extract.ErrNoText), errors.Is(err, extract.ErrEmptyFile), errors.Is(err, dicom.ErrNoReport):
		r.others++
	case err != nil:
		r.refused = append(r.refused, incompleteMember{m.Name, message.FromError(err), true})
		if errors.Is(err, extract.ErrPasswordProtected) {
			r.locked++
		}
	default:
		r.attached = append(r.attached, c.UnreadAttachments...)
		r.writeMember(shownName(m.Name), c)
	}
	return nil
}

// extractMember reads a member with the reader of its format.
func (r *archiveReader) extractMember(m *archive.Member) (f *format, c extract.Content, err error) {
	defer func() {
		if p := recover(); p != nil { // affects only this member
			slog.Debug("internal error", "doing", "read a member of an archive", "panic", p, "stack", string(debug.Stack()))
			err = extract.Skip("damaged")
		}
	}()
	if err := m.CheckReadable(); err != nil {
		return nil, c, err
	}
	if reason := SkipReason(m.Name, m.Size()); reason != "" {
		return nil, c, &extract.SkipError{Reason: reason}
	}
	raw, err := r.files.Read(m)
	if err != nil {
		return nil, c, err
	}
	if f, c, err = readContained(m.Name, raw, memberProgress{r.progress}); err != nil {
		return nil, c, err
	}
	if r.files.IsNotionExport && len(c.Parts) == 0 {
		c.Text = archive.RemoveNotionPageIDs(c.Text)
	}
	if f == byExtension[".sy"] && len(c.Parts) == 0 {
		c.Text = r.slackNamesFor(m.Name).Replace(c.Text)
	}
	note := c.ExtractionNote
	if len(c.UnrecognisedPages.Pages) > 0 {
		note = message.Join(note, message.New("%v, and scans in an archive are not recognised: unpack it", c.UnrecognisedPages.MissingPagesNote))
	}
	cleanText(&c, f.tidyFor(m.Name))
	switch {
	case strings.TrimSpace(c.Text) == "" && len(c.UnrecognisedPages.Pages) > 0:
		return nil, c, &extract.SkipError{Reason: note}
	case strings.TrimSpace(c.Text) == "":
		return nil, c, extract.ErrNoText
	case note != "":
		r.refused = append(r.refused, incompleteMember{m.Name, note, false})
	}
	return f, c, nil
}

// readContained reads a file within another one with the reader of its format. It opens no archives,
// and of mail it reads no attached documents.
func readContained(name string, raw []byte, p extract.ProgressReporter) (f *format, c extract.Content, err error) {
	if f, err = formatFor(name, raw); err != nil {
		return nil, c, err
	}
	switch {
	case f.isArchive:
		return nil, c, errNested
	case f.read == nil:
		c, err = charset.Read(raw)
	default:
		c, err = f.read(raw, p)
	}
	return f, c, err
}

// slackNamesFor returns the names of users and channels for a file of Slack messages, or nil for
// any other file.
func (r *archiveReader) slackNamesFor(name string) schema.SlackNames {
	root, isDay := schema.SlackExportRoot(name)
	if names, isKnown := r.slack[root]; isKnown || !isDay {
		return names
	}
	var files [][]byte
	for i := range r.files.Members {
		if m := &r.files.Members[i]; path.Dir(m.Name) == root && slices.Contains(schema.SlackNameFiles, path.Base(m.Name)) {
			raw, _ := r.files.Read(m) // an unreadable file yields no names
			files = append(files, raw)
		}
	}
	if r.slack == nil {
		r.slack = make(map[string]schema.SlackNames)
	}
	r.slack[root] = schema.ReadSlackNames(files...)
	return r.slack[root]
}

// memberProgress is the ProgressReporter of a member. It ignores pages, since those of a member are
// not pages of the archive.
type memberProgress struct{ extract.ProgressReporter }

func (memberProgress) ReportPage(*extract.Content, int, int) {}

// memberAsMarkdown converts the content of a member to Markdown: data becomes a code block.
func memberAsMarkdown(f *format, name string, c extract.Content) extract.Content {
	form := c.Form
	if form == extract.PlainText {
		form = f.form
	}
	isSource := f == textFormat && byExtension[Extension(name)] == nil && Extension(name) != ""
	switch {
	case form == extract.LineRecords, form == extract.Table, isSource:
		var w markdown.Writer
		w.WriteCodeBlock("", c.Text)
		c.Text, c.Parts = w.Text.String(), nil
	case form == extract.Markdown && len(c.Parts) == 0:
		c.Text = markdown.MoveHeadingsBelow(1, c.Text)
	}
	if !strings.HasSuffix(c.Text, "\n") {
		c.Text += "\n"
	}
	return c
}

// writeMember writes a member. Each of its parts becomes a part of the archive.
func (r *archiveReader) writeMember(name string, c extract.Content) {
	if len(c.Parts) == 0 || c.Parts[0].StartByte > 0 {
		r.beginPart(name)
		r.w.WriteHeading(1, name)
	}
	from, number := 0, 0
	for _, p := range c.Parts {
		if p.Number == number {
			continue // another run of rows of the same sheet
		}
		r.appendText(c.Text[from:p.StartByte])
		r.beginPart(fmt.Sprintf("%s#%v=%d", name, p.Kind, p.Number))
		if p.StartByte == 0 {
			r.w.WriteHeading(1, name)
		}
		from, number = p.StartByte, p.Number
	}
	r.appendText(c.Text[from:])
}

// beginPart begins the next chapter of the text, with the given name.
func (r *archiveReader) beginPart(name string) {
	r.parts++
	r.w.BeginPart(extract.Part{Kind: extract.Chapter, Number: r.parts, Name: name})
}

func (r *archiveReader) appendText(text string) {
	if text != "" {
		r.w.EndBlock()
		r.w.WriteRaw(text)
	}
}

// shownName returns the name of a member in a form that is safe to show: the author of the archive
// chose it.
func shownName(name string) string { return present.CleanLine(markdown.OneLine(name)) }

// unreadNote names the members that were not read, or not completely, and the reasons.
// UnreadMembers recognises it.
func (r *archiveReader) unreadNote() message.Message {
	return withMembers(r.summariseUnread(), r.unreadMembers())
}

// unreadMembers lists the members of which nothing was read.
func (r *archiveReader) unreadMembers() (all []UnreadMember) {
	for _, m := range r.refused {
		if m.isUnread && len(all) < maxUnread {
			all = append(all, UnreadMember{m.shown(), m.why})
		}
	}
	return all
}

// shown returns the name of a member in a form that is safe to show, limited in length.
func (m *incompleteMember) shown() string {
	const longest = 200 // maximum length in characters
	name := []rune(shownName(m.name))
	return string(name[:min(len(name), longest)])
}

// nameFirstUnread names at most maxCount of the members that were not read, or not completely, with
// the reasons.
func (r *archiveReader) nameFirstUnread(maxCount int) (all message.Message) {
	for _, m := range r.refused[:min(len(r.refused), maxCount)] {
		all = message.Join(all, message.New("%s (%v)", m.shown(), m.why))
	}
	return all
}

func (r *archiveReader) summariseUnread() message.Message {
	named, others := r.nameFirstUnread(maxNamed), r.others+max(0, len(r.refused)-maxNamed)
	switch {
	case named == "" && others == 0:
		return ""
	case named == "" && others == 1:
		return message.New("1 file in it is not a document")
	case named == "":
		return message.New("%d files in it are not documents", others)
	case others == 0:
		return message.New("not read, or not completely: %v", named)
	case others == 1:
		return message.New("not read, or not completely: %v; and 1 other file", named)
	}
	return message.New("not read, or not completely: %v; and %d other files", named, others)
}
