// Package mindmap reads mind maps and outlines of XMind, FreeMind, Freeplane and
// OPML: the root as the title, its branches as sections, and what is below these
// as nested lists, each topic with its notes, labels and address. What is only
// seen, such as colours, icons and pictures, is left out.
//
// Libraries in Go were compared and not taken: those for OPML (chrisppy/go-opml v1.0.0,
// hawx.me/code/riviera) decode a tree as deep and as large as it is and know no notes,
// and that for XMind (erda-project/erda/pkg/xmind v1.5.0) reads titles alone, by Python.
package mindmap

import (
	"regexp"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/titles"
	"vademecum/internal/message"
)

// maxTopics bounds the topics of a file, which take more memory than the bytes
// that say them.
const maxTopics = 100_000

var (
	errTooManyTopics = extract.Skip("more than 100000 topics", "超过 100000 个主题")
	errDamaged       = extract.Skip("damaged mind map", "已损坏的思维导图")
	errOutline       = extract.Skip("damaged outline", "已损坏的大纲")
)

// A sheet is one map. A file may have several.
type sheet struct {
	name      string // or ""
	root      topic
	relations []relation
}

// A topic is one node of a map.
type topic struct {
	id    string
	title string   // on one line
	lines []string // that stand under the title: notes, labels, an address
	below []*topic
}

// A relation is an arrow from one topic to another that says something.
type relation struct{ from, to, label string }

// note adds the lines of a note that have text.
func (t *topic) note(text string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			t.lines = append(t.lines, line)
		}
	}
}

// label adds the labels, which people also call tags.
func (t *topic) label(labels []string) {
	if len(labels) > 0 {
		t.note("Labels: " + markdown.OneLine(strings.Join(labels, ", ")))
	}
}

// address matches what leads out of a map, rather than to another topic or to a
// file that is packed with it.
var address = regexp.MustCompile(`(?i)^(https?|ftp|mailto|file|obsidian|zotero):\S+$`)

// link adds an address.
func (t *topic) link(to string) {
	if to = strings.TrimSpace(to); address.MatchString(to) {
		t.note(to)
	}
}

// size is what the topic counts of the text that is held, in bytes.
func (t *topic) size() int {
	n := len(t.id) + len(t.title) + extract.CellCost
	for _, line := range t.lines {
		n += len(line)
	}
	return n
}

// A file is one that is being read.
type file struct {
	sheets []*sheet
	topics int
	held   int // bytes of the topics
	locked int // topics that are encrypted
}

// sheet begins another map.
func (f *file) sheet() (*sheet, error) {
	if len(f.sheets) >= maxTopics {
		return nil, errTooManyTopics
	}
	s := new(sheet)
	f.sheets = append(f.sheets, s)
	return s, nil
}

// begin counts a topic that begins below another, which holds it from now on.
func (f *file) begin(within *topic) (*topic, error) {
	if f.topics++; f.topics > maxTopics {
		return nil, errTooManyTopics
	}
	t := new(topic)
	within.below = append(within.below, t)
	return t, nil
}

// hold accounts for the text of a topic that is read.
func (f *file) hold(t *topic) error {
	if f.held += t.size(); f.held > extract.MaxText {
		return extract.ErrTooMuchText
	}
	return nil
}

// content returns the text of a file that was read up to an error.
func (f *file) content(err error) (extract.Content, error) {
	if err == errTooManyTopics || err != nil && extract.IsLimit(err) {
		return extract.Content{}, err
	}
	var w markdown.Writer
	title := ""
	for i, s := range f.sheets {
		if len(f.sheets) > 1 {
			w.BeginPart(extract.Part{Unit: extract.Page, Number: i + 1, Name: s.name})
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
	c.Title = titles.WithoutMadeUp(title)
	if contentErr == extract.ErrNoText && f.locked > 0 {
		contentErr = extract.ErrPassword
	}
	var notes []message.Message
	if err != nil {
		notes = append(notes, extract.UnfinishedNote(err))
	}
	c.Note = message.Join(append(notes, lockedNote(f.locked))...)
	return c, contentErr
}

// lockedNote says that topics are encrypted, "" of none.
func lockedNote(n int) message.Message {
	switch n {
	case 0:
		return ""
	case 1:
		return message.New("1 topic is encrypted", "1 个主题已加密")
	}
	return message.New("%d topics are encrypted", "%d 个主题已加密", n)
}

// markup matches the tags that programs put into topics. Others, as in
// "vector<int>", are words.
var markup = regexp.MustCompile(`(?i)</?(a|b|body|br|code|div|em|font|h[1-6]|html|i|img|li|mark|ol|p|s|span|strong|sub|sup|u|ul)(\s[^<>]*)?/?>`)

// plain returns the text of what may be marked up as HTML.
func plain(text string) string {
	if !markup.MatchString(text) {
		return text
	}
	shown, _, err := html.Markdown(text)
	if err != nil {
		return ""
	}
	return shown
}
