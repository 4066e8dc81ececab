// Package epub reads books in EPUB: the chapters in reading order, each a part with its
// name in the table of contents.
package epub

import (
	"errors"
	"io"
	"net/url"
	"path"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// A bookReader reads a book (EPUB 3.3, and 2.0.1 with its NCX).
type bookReader struct {
	*zipxml.Archive
	w                   markdown.Writer
	encryptedFiles      map[string]bool // files under a protection
	chapterNames        map[string]string
	contentsPages       map[string]bool // files that may show the table of contents
	chapters            int
	missingChapters     []int // positions in the spine of what could not be read
	hasEncryptedChapter bool  // a chapter is under a protection
}

// Read returns the text of a book.
func Read(raw []byte, _ extract.Progress) (extract.Content, error) {
	a, err := zipxml.Open(raw)
	if err != nil {
		return extract.Content{}, err
	}
	b := &bookReader{Archive: a, encryptedFiles: encryptedFiles(a), chapterNames: make(map[string]string), contentsPages: make(map[string]bool)}
	book := readPackageDocument(a)
	for _, toc := range book.contentsFiles {
		b.readChapterNames(toc)
	}
	for _, file := range book.contentsPages {
		b.contentsPages[strings.ToLower(file)] = true
	}
	for _, file := range book.spine {
		if err := b.writeChapter(file); err != nil && extract.IsLimit(err) {
			return extract.Content{}, err
		} else if err != nil {
			b.chapters++ // those after it keep their numbers
			b.missingChapters = append(b.missingChapters, b.chapters)
		}
		if b.w.IsFull {
			return extract.Content{}, extract.ErrTooMuchText
		}
	}
	if len(b.w.Parts) == 0 && b.hasEncryptedChapter {
		return extract.Content{}, extract.Skip("%s: protected by DRM", extract.ErrPassword)
	}
	c, err := b.w.Content()
	c.Title = markdown.DropMadeUpTitle(book.title)
	c.Note = extract.Chapter.Noun().IncompleteNote(b.missingChapters)
	return c, err
}

// writeChapter writes one file of the spine. It fails if that cannot be read.
func (b *bookReader) writeChapter(file string) error {
	if b.encryptedFiles[strings.ToLower(file)] {
		b.hasEncryptedChapter = true
		return extract.ErrPassword
	}
	r, err := b.Open(file)
	if err != nil {
		return zipxml.SkipReason(err)
	}
	clean := zipxml.NewCleanSource(r)
	clean.MaxToken = extract.MaxText // it is read whole
	page, err := io.ReadAll(clean)
	if err != nil {
		return zipxml.SkipReason(err)
	}
	source := string(page)
	if !html.IsXHTML(source) {
		source = html.CloseTags(source) // it is XHTML, whatever its declaration
	}
	if b.contentsPages[strings.ToLower(file)] && html.IsContents(source) {
		return nil // the names of chapters, which the chapters have themselves
	}
	text, title, err := html.Markdown(source)
	if errors.Is(err, extract.ErrNoText) {
		return nil // a picture
	}
	if err != nil {
		return zipxml.SkipReason(err)
	}
	b.chapters++
	b.w.WriteChapter(b.chapters, b.chapterNames[strings.ToLower(file)], markdown.DropMadeUpTitle(markdown.OneLine(title)), text)
	return nil
}

// encryptedFiles returns the files, in lower case, that are encrypted. Fonts that
// are only obfuscated do not count (EPUB 3.3, 4.2.6.3.2).
func encryptedFiles(a *zipxml.Archive) map[string]bool {
	files := make(map[string]bool)
	a.WalkFile("META-INF/encryption.xml", func(x *zipxml.Reader) {
		algorithm := ""
		x.EachDescendant(func(e zipxml.Element) bool {
			switch e.Name {
			case "EncryptedData":
				algorithm = ""
			case "EncryptionMethod":
				algorithm = e.Attribute("Algorithm")
			case "CipherReference":
				if algorithm != "http://www.idpf.org/2008/embedding" && algorithm != "http://ns.adobe.com/pdf/enc#RC" {
					files[strings.ToLower(resolveReference("", e.Attribute("URI")))] = true
				}
			}
			return false
		})
	})
	return files
}

// resolveReference returns the name in the archive of what a reference leads to, seen
// from folder.
func resolveReference(folder, reference string) string {
	reference, _, _ = strings.Cut(reference, "#")
	if plain, err := url.PathUnescape(reference); err == nil {
		reference = plain
	}
	return zipxml.EntryName(path.Join(folder, reference))
}
