// Package mindmap reads mind maps and outlines of XMind, FreeMind, Freeplane and OPML. The root
// becomes the title, its branches become sections, and their descendants nested lists, each topic
// with its notes, labels and URL. Purely visual parts, such as colours, icons and pictures, are
// left out.
//
// Libraries in Go were compared and rejected: those for OPML (chrisppy/go-opml v1.0.0,
// hawx.me/code/riviera) decode trees of any depth and size and do not support notes; the one for
// XMind (erda-project/erda/pkg/xmind v1.5.0) reads only titles, through Python.
package mindmap

import (
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// maxTopics is the maximum number of topics of a file, which take more memory than their source.
const maxTopics = 100_000

var (
	errTooManyTopics = extract.Skip("more than 100000 topics")
	errDamaged       = extract.Skip("damaged mind map")
	errOutline       = extract.Skip("damaged outline")
)

// A sheet is one map. A file may have several.
type sheet struct {
	name      string // name of the sheet; may be ""
	root      topic
	relations []relation
}

// A topic is one node of a map.
type topic struct {
	id       string
	title    string   // title on one line
	lines    []string // notes, labels and a URL, below the title
	children []*topic
}

// A relation is a labelled arrow from one topic to another.
type relation struct{ from, to, label string }

// addNote adds the non-blank lines of a note.
func (t *topic) addNote(text string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			t.lines = append(t.lines, line)
		}
	}
}

// addLabels adds the labels of a topic, which some programs call tags.
func (t *topic) addLabels(labels []string) {
	if len(labels) > 0 {
		t.addNote("Labels: " + markdown.OneLine(strings.Join(labels, ", ")))
	}
}

// addressPattern matches URLs that lead out of a map, rather than to another topic or to a file
// packed with it.
var addressPattern = lazyregexp.New(`(?i)^(https?|ftp|mailto|file|obsidian|zotero):\S+$`)

// addLink adds a link if it is a URL that leads out of the map, see addressPattern.
func (t *topic) addLink(to string) {
	if to = strings.TrimSpace(to); addressPattern.MatchString(to) {
		t.addNote(to)
	}
}

// heldSize returns the number of bytes that the topic counts towards the limit on text in memory.
func (t *topic) heldSize() int {
	n := len(t.id) + len(t.title) + extract.CellOverheadBytes
	for _, line := range t.lines {
		n += len(line)
	}
	return n
}

// A mapFile holds the state while one file is read. It counts the topics and their text against the
// limits.
type mapFile struct {
	sheets          []*sheet
	topics          int
	heldBytes       int // bytes that the topics hold in memory
	encryptedTopics int // number of encrypted topics
}

// beginSheet adds another map to the file.
func (f *mapFile) beginSheet() (*sheet, error) {
	if len(f.sheets) >= maxTopics {
		return nil, errTooManyTopics
	}
	s := new(sheet)
	f.sheets = append(f.sheets, s)
	return s, nil
}

// beginTopic counts a new topic and adds it to the children of parent.
func (f *mapFile) beginTopic(parent *topic) (*topic, error) {
	if f.topics++; f.topics > maxTopics {
		return nil, errTooManyTopics
	}
	t := new(topic)
	parent.children = append(parent.children, t)
	return t, nil
}

// countHeldText counts the text of a topic against the limit.
func (f *mapFile) countHeldText(t *topic) error {
	if f.heldBytes += t.heldSize(); f.heldBytes > extract.MaxTextBytes {
		return extract.ErrTooMuchText
	}
	return nil
}

// contentUntilError returns the content that was read before err, or err if nothing was read or a
// limit was exceeded.
func (f *mapFile) contentUntilError(err error) (extract.Content, error) {
	if err == errTooManyTopics || err != nil && extract.IsLimitError(err) {
		return extract.Content{}, err
	}
	var w markdown.Writer
	title := ""
	for i, s := range f.sheets {
		if len(f.sheets) > 1 {
			w.BeginPart(extract.Part{Kind: extract.Page, Number: i + 1, Name: s.name})
		}
		if title == "" {
			title = s.root.title
		}
		s.write(&w)
	}
	if err != nil && w.Text.Len() == 0 {
		return extract.Content{}, err
	}
	c, contentErr := w.Content()
	c.Title = markdown.RemoveGeneratedTitle(title)
	if contentErr == extract.ErrNoText && f.encryptedTopics > 0 {
		contentErr = extract.ErrPasswordProtected
	}
	var notes []message.Message
	if err != nil {
		notes = append(notes, extract.UnfinishedNote(err))
	}
	c.ExtractionNote = message.Join(append(notes, encryptedNote(f.encryptedTopics))...)
	return c, contentErr
}

// encryptedNote states how many topics are encrypted; "" if none are.
func encryptedNote(n int) message.Message {
	switch n {
	case 0:
		return ""
	case 1:
		return message.New("1 topic is encrypted")
	}
	return message.New("%d topics are encrypted", n)
}

// markupTag matches the HTML tags that programs write in topics. Other angle brackets, as in
// "vector<int>", are text.
var markupTag = lazyregexp.New(`(?i)</?(a|b|body|br|code|div|em|font|h[1-6]|html|i|img|li|mark|ol|p|s|span|strong|sub|sup|u|ul)(\s[^<>]*)?/?>`)

// plainText returns the text of a topic, which may be HTML.
func plainText(text string) string {
	if !markupTag.MatchString(text) {
		return text
	}
	shown, _, err := html.Markdown(text)
	if err != nil {
		return ""
	}
	return shown
}
