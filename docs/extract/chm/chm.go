// Package chm reads books and manuals in compiled HTML help: the pages in the order
// of the table of contents, and then the others, each a chapter with the name that
// the table gives it.
//
// The format is described by Matthew Russotto and in the "Unofficial (Preliminary)
// HTML Help Specification" of Pabs, the packing in "Microsoft LZX Data Compression
// Format". No library in pure Go was found that reads it.
package chm

import (
	"errors"
	"path"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/titles"
)

var errDamaged = extract.Skip("damaged CHM", "已损坏的 CHM")

// IsHelp tells whether a file begins as one of compiled HTML help does.
func IsHelp(start []byte) bool { return strings.HasPrefix(string(start[:min(len(start), 4)]), magic) }

// maxSource is how many bytes of HTML are read of a file.
const maxSource = 2 * extract.MaxText

// Read returns the text of the pages.
func Read(raw []byte, _ extract.Progress) (extract.Content, error) {
	a, err := openArchive(raw)
	if err != nil {
		return extract.Content{}, err
	}
	if err := a.readTables(); err != nil {
		return extract.Content{}, err
	}
	h := help{archive: a, sources: make(map[int]source)}
	if err := h.load(); err != nil {
		return extract.Content{}, err
	}
	for _, p := range h.pages() {
		if err := h.page(p); err != nil {
			return extract.Content{}, err
		}
	}
	c, err := h.w.Content()
	if err == extract.ErrNoText && len(h.damaged) > 0 {
		err = errDamaged
	}
	c.Title = titles.WithoutMadeUp(h.title)
	c.Note = extract.Chapter.Noun().IncompleteNote(h.damaged)
	return c, err
}

// A help is a file that is being read.
type help struct {
	*archive
	system
	sources  map[int]source // by entry
	topics   []topic
	held     int // bytes of sources
	w        markdown.Writer
	chapters int
	damaged  []int // numbers of chapters
}

// A source is a page as HTML.
type source struct {
	html    []byte
	damaged bool
}

// load unpacks the pages, what the archive says of itself, and the table of contents.
func (h *help) load() error {
	var files []int
	for i, e := range h.entries {
		if isPage(e.name) || path.Ext(foldedName(e.name)) == ".hhc" || e.name == "/#SYSTEM" {
			files = append(files, i)
			if h.held += e.bytes; h.held > maxSource {
				return extract.ErrTooMuchText
			}
		}
	}
	err := h.read(files, func(file int, content []byte, damaged bool) {
		if h.entries[file].name == "/#SYSTEM" {
			h.system = readSystem(content)
			return
		}
		h.sources[file] = source{content, damaged}
	})
	if err != nil {
		return err
	}
	h.readTopics()
	return nil
}

// readTopics reads the table of contents that the archive names, else the first that
// there is.
func (h *help) readTopics() {
	if i, ok := h.byName[foldedName(h.contents)]; ok {
		h.topics = readContents(h.sources[i].html)
	}
	for i, e := range h.entries {
		if len(h.topics) == 0 && path.Ext(foldedName(e.name)) == ".hhc" {
			h.topics = readContents(h.sources[i].html)
		}
	}
}

func isPage(name string) bool {
	switch path.Ext(foldedName(name)) {
	case ".htm", ".html", ".xhtml":
		return true
	}
	return false
}

// A page is one with the name that the table of contents gives it.
type page struct {
	file int
	name string
}

// pages returns the pages in the order of reading.
func (h *help) pages() (pages []page) {
	taken := make(map[int]bool)
	add := func(file int, name string) {
		if !taken[file] && isPage(h.entries[file].name) {
			taken[file] = true
			pages = append(pages, page{file, name})
		}
	}
	if i, ok := h.byName[pageName(h.first)]; ok && !slices.ContainsFunc(h.topics, func(t topic) bool { return t.file == pageName(h.first) }) {
		add(i, "")
	}
	for _, t := range h.topics {
		if i, ok := h.byName[t.file]; ok {
			add(i, t.name)
		}
	}
	for i := range h.entries {
		add(i, "")
	}
	return pages
}

// page writes a page. It fails if the file is given up.
func (h *help) page(p page) error {
	s := h.sources[p.file]
	text, title, err := "", "", error(extract.ErrNoText)
	if d, decodeErr := html.Decode(s.html); decodeErr == nil {
		text, title, err = html.Markdown(d.Text)
	}
	switch {
	case err != nil && extract.IsLimit(err):
		return err
	case h.chapters >= extract.MaxEntries:
		return extract.ErrTooManyFiles
	case errors.Is(err, extract.ErrNoText) && !s.damaged:
		return nil // a frame, or a picture
	}
	h.chapters++
	if s.damaged {
		h.damaged = append(h.damaged, h.chapters)
	}
	if text != "" {
		h.w.WriteChapter(h.chapters, p.name, titles.WithoutMadeUp(markdown.OneLine(title)), text)
	}
	if h.w.IsFull {
		return extract.ErrTooMuchText
	}
	return nil
}
