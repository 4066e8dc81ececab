// Package chm reads books and manuals in compiled HTML help (CHM). Each page is a chapter named
// after its entry in the table of contents; the pages in that table come first, in its order, and
// then the others.
//
// The container is described by Matthew Russotto and in the "Unofficial (Preliminary) HTML Help
// Specification" by Pabs, the compression in "Microsoft LZX Data Compression Format". No pure Go
// library was found that reads it.
package chm

import (
	"errors"
	"path"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
)

var errDamaged = extract.Skip("damaged CHM")

// IsCHM reports whether a file begins like compiled HTML help.
func IsCHM(start []byte) bool { return strings.HasPrefix(string(start[:min(len(start), 4)]), magic) }

// maxSource is the maximum number of bytes of HTML read from a file.
const maxSource = 2 * extract.MaxTextBytes

// Read returns the text of the pages, each as a chapter.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	a, err := openArchive(raw)
	if err != nil {
		return extract.Content{}, err
	}
	if err := a.readCompressionTables(); err != nil {
		return extract.Content{}, err
	}
	h := helpFile{archive: a, sources: make(map[int]pageSource)}
	if err := h.loadPages(); err != nil {
		return extract.Content{}, err
	}
	for _, p := range h.pagesInOrder() {
		if err := h.writePage(p); err != nil {
			return extract.Content{}, err
		}
	}
	c, err := h.w.Content()
	if err == extract.ErrNoText && len(h.damaged) > 0 {
		err = errDamaged
	}
	c.Title = markdown.RemoveGeneratedTitle(h.title)
	c.ExtractionNote = extract.Chapter.Noun().IncompleteNote(h.damaged)
	return c, err
}

// A helpFile holds the state while one CHM file is read.
type helpFile struct {
	*archive
	systemInfo
	sources     map[int]pageSource // HTML of the pages, by the index of their entry in the archive
	topics      []topic
	sourceBytes int // total size of the pages and tables of contents in bytes
	w           markdown.Writer
	chapters    int
	damaged     []int // numbers of the damaged chapters
}

// A pageSource is the HTML of one page as it is stored.
type pageSource struct {
	html    []byte
	damaged bool
}

// loadPages unpacks the pages, the metadata of the archive, and the table of contents.
func (h *helpFile) loadPages() error {
	var files []int
	for i, e := range h.entries {
		if isPage(e.name) || path.Ext(lowerName(e.name)) == ".hhc" || e.name == "/#SYSTEM" {
			files = append(files, i)
			if h.sourceBytes += e.size; h.sourceBytes > maxSource {
				return extract.ErrTooMuchText
			}
		}
	}
	err := h.readFiles(files, func(file int, content []byte, damaged bool) {
		if h.entries[file].name == "/#SYSTEM" {
			h.systemInfo = readSystem(content)
			return
		}
		h.sources[file] = pageSource{content, damaged}
	})
	if err != nil {
		return err
	}
	h.readTopics()
	return nil
}

// readTopics reads the table of contents that the metadata of the archive names or, if that fails,
// the first one that has topics.
func (h *helpFile) readTopics() {
	if i, ok := h.byName[lowerName(h.contentsFile)]; ok {
		h.topics = readContents(h.sources[i].html)
	}
	for i, e := range h.entries {
		if len(h.topics) == 0 && path.Ext(lowerName(e.name)) == ".hhc" {
			h.topics = readContents(h.sources[i].html)
		}
	}
}

func isPage(name string) bool {
	switch path.Ext(lowerName(name)) {
	case ".htm", ".html", ".xhtml":
		return true
	}
	return false
}

// A page is a file in the archive, with its name in the table of contents; "" if it has none.
type page struct {
	file int
	name string
}

// pagesInOrder returns the pages in reading order: those in the table of contents, and then the
// others.
func (h *helpFile) pagesInOrder() (pages []page) {
	taken := make(map[int]bool)
	add := func(file int, name string) {
		if !taken[file] && isPage(h.entries[file].name) {
			taken[file] = true
			pages = append(pages, page{file, name})
		}
	}
	if i, ok := h.byName[referencedFile(h.firstPage)]; ok && !slices.ContainsFunc(h.topics, func(t topic) bool { return t.file == referencedFile(h.firstPage) }) {
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

// writePage writes a page as a chapter. It returns an error only if the whole file must be
// abandoned.
func (h *helpFile) writePage(p page) error {
	s := h.sources[p.file]
	text, title, err := "", "", error(extract.ErrNoText)
	if d, decodeErr := html.Decode(s.html); decodeErr == nil {
		text, title, err = html.Markdown(d.Text)
	}
	switch {
	case err != nil && extract.IsLimitError(err):
		return err
	case h.chapters >= extract.MaxArchiveEntries:
		return extract.ErrTooManyFiles
	case errors.Is(err, extract.ErrNoText) && !s.damaged:
		return nil // a page without text, such as a frame set or a picture
	}
	h.chapters++
	if s.damaged {
		h.damaged = append(h.damaged, h.chapters)
	}
	if text != "" {
		h.w.WriteChapter(h.chapters, p.name, markdown.RemoveGeneratedTitle(markdown.OneLine(title)), text)
	}
	if h.w.IsFull {
		return extract.ErrTooMuchText
	}
	return nil
}
