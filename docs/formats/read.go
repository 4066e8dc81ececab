package formats

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/textile"
	"vademecum/docs/formats/child"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Read returns the content of the file called name. For a picture, or a file that has only scanned
// pages, the content has no text and lists the pages for OCR. If nothing can be read, the error is
// a *extract.SkipError; any other error, such as that of ctx, is not the fault of the file.
func Read(ctx context.Context, name string, raw []byte) (extract.Content, error) {
	if len(raw) > extract.MaxFileBytes {
		return extract.Content{}, extract.ErrTooLarge
	}
	if IsPicture(name) {
		return pictureContent(name, raw), nil
	}
	f, err := formatFor(name, raw)
	if err != nil {
		return extract.Content{}, err
	}
	c, err := f.extractContent(ctx, f.withoutTemplateComments(name, raw))
	if err != nil {
		return extract.Content{}, err
	}
	cleanText(&c, f.tidyFor(name))
	if strings.TrimSpace(c.Text) == "" && len(c.UnrecognisedPages.Pages) == 0 {
		return extract.Content{}, extract.ErrNoText
	}
	if f.hasTitle && !markdown.TextMentionsTitle(c.Text[:min(len(c.Text), opensWithTitle)], c.Title) {
		c.Title = "" // the title in the properties may be that of a template or of an earlier document
	}
	c.MIME = cmp.Or(c.MIME, f.mime)
	c.ExtractionNote = message.Join(c.ExtractionNote, attachmentsNote(c.UnreadAttachments))
	if c.Form == extract.PlainText {
		c.Form = f.form
	}
	return c, nil
}

// opensWithTitle is the number of bytes at the start of a text in which the title must occur to be
// believed.
const opensWithTitle = 4 << 10

func (f *format) extractContent(ctx context.Context, raw []byte) (extract.Content, error) {
	switch {
	case f.inChild:
		return child.Read(ctx, f.name(), raw)
	case f.read == nil:
		return charset.Read(raw)
	}
	return f.read(raw, extract.NoProgress)
}

// readerFor returns the reader of the format. The readers of archives and of documents attached to
// mail are not in the list of formats, as they use that list themselves.
func (f *format) readerFor() extract.Reader {
	switch {
	case f.isArchive:
		return readArchive
	case f.readWith != nil:
		return f.readWith(attachmentReader{})
	}
	return f.read
}

const maxNamed = 20 // maximum attached documents that a note names

// attachmentsNote returns a note that names the unread attachments of a file; "" if none of them is
// a document.
func attachmentsNote(attached []string) message.Message {
	names := slices.DeleteFunc(slices.Clone(attached), func(name string) bool {
		ext := Extension(name)
		return !formatOfExtension(ext).isNamed && oldFormats()[ext] == ""
	})
	if len(names) == 0 {
		return ""
	}
	named := names[:min(len(names), maxNamed)]
	list := strings.Join(named, ", ")
	if others := len(names) - len(named); others > 0 {
		return message.New("documents attached to it are not read: %s and %d others", list, others)
	}
	return message.New("documents attached to it are not read: %s", list)
}

// ContentOfText returns the content of a text that does not come from a file: its markup is that of
// files with the given name.
func ContentOfText(name, text string) extract.Content {
	f := formatOf(name)
	if f.inChild {
		f = textFormat
	}
	text = strings.TrimPrefix(strings.ToValidUTF8(text, "\uFFFD"), "\uFEFF")
	c := extract.Content{Text: text, Form: f.form, MIME: f.mime}
	c.MIME = c.TextMIME()
	cleanText(&c, f.tidyFor(name))
	return c
}

// IsReadInChild reports whether a file with that name may be read in a child process, which takes
// time.
func IsReadInChild(name string) bool {
	return formatOf(name).inChild || oldFormats()[Extension(name)] != ""
}

// RunIfChild must be called first in main: the program reads some formats in child processes of
// itself. In such a process it never returns.
func RunIfChild() {
	child.RunIfChild(func(format string) child.FormatFunctions {
		if f := byExtension[format]; f != nil {
			return child.FormatFunctions{Read: f.readerFor(), Draw: f.draw}
		}
		return child.FormatFunctions{Draw: drawers[format]}
	})
}

// tidyFor returns the function that tidies the text of a file, or nil if the text must stay as it is.
// Files with an unknown extension are often programs, in which tildes have another meaning.
func (f *format) tidyFor(name string) func(string) string {
	ext := Extension(name)
	switch {
	case f != textFormat:
		return f.tidy
	case ext == ".textile":
		return textile.MarkStruck
	case wikiExtensions[ext] || ext == ".txt":
		return func(text string) string { return markdown.ReplaceStrikeTags(f.tidy(text)) }
	case ext != "" && byExtension[ext] == nil:
		return nil
	}
	return f.tidy
}

// wikiExtensions are the extensions of pages of wikis, in which HTML tags strike text out.
var wikiExtensions = map[string]bool{".wiki": true, ".mediawiki": true, ".mw": true, ".dokuwiki": true}

// cleanText replaces every line end of the text, "\n", "\r\n" or "\r", with a line feed, and
// control characters as [present.CleanBlock] does, since the text is shown to people and models.
// Line numbers do not change, as each of the three is one line end in RFC 5147. Character positions
// do not change either, but by tidy, which removes hidden text and tags from Markdown and adds joiners to
// stray tildes; nil stands for no change.
func cleanText(c *extract.Content, tidy func(string) string) {
	clean := func(text string) string {
		if strings.IndexByte(text, '\r') >= 0 {
			text = lineFeeds.Replace(text)
		}
		if tidy != nil {
			text = tidy(text)
		}
		return present.CleanBlock(text)
	}
	var starts []*int // where the text must not be joined; a format has parts or sections
	for i := range c.Parts {
		starts = append(starts, &c.Parts[i].StartByte)
	}
	for i := range c.Sections {
		starts = append(starts, &c.Sections[i].StartByte)
	}
	var out strings.Builder
	from := 0
	for _, start := range starts {
		out.WriteString(clean(c.Text[from:*start]))
		from, *start = *start, out.Len()
	}
	last := clean(c.Text[from:])
	if out.Len() == 0 {
		c.Text = last
		return
	}
	out.WriteString(last)
	c.Text = out.String()
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")
