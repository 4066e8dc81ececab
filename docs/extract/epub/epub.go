// Package epub reads books in EPUB: the chapters in reading order, each a part named after its
// entry in the table of contents.
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

// A bookReader holds the state while a book is read (EPUB 3.3, and 2.0.1 with its NCX).
type bookReader struct {
	*zipxml.Archive
	w                   markdown.Writer
	encryptedFiles      map[string]bool   // lower-case names of the encrypted files
	chapterNames        map[string]string // names in the table of contents, by lower-case file name
	contentsPages       map[string]bool   // lower-case names of the files that may show the table of contents
	chapters            int
	missingChapters     []int                       // numbers of the chapters that could not be read
	styleSheets         map[string]*html.StyleSheet // by file name
	styleBytes          int                         // bytes of style sheets so far
	hasEncryptedChapter bool                        // whether some chapter is encrypted
}

// Read returns the text of a book.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	a, err := zipxml.Open(raw)
	if err != nil {
		return extract.Content{}, err
	}
	b := &bookReader{Archive: a, encryptedFiles: encryptedFiles(a), chapterNames: make(map[string]string), contentsPages: make(map[string]bool), styleSheets: make(map[string]*html.StyleSheet)}
	book := readPackageDocument(a)
	for _, toc := range book.contentsFiles {
		b.readChapterNames(toc)
	}
	for _, file := range book.contentsPages {
		b.contentsPages[strings.ToLower(file)] = true
	}
	for _, file := range book.spine {
		if err := b.writeChapter(file); err != nil && extract.IsLimitError(err) {
			return extract.Content{}, err
		} else if err != nil {
			b.chapters++ // so that later chapters keep their numbers
			b.missingChapters = append(b.missingChapters, b.chapters)
		}
		if b.w.IsFull {
			return extract.Content{}, extract.ErrTooMuchText
		}
	}
	if len(b.w.Parts) == 0 && b.hasEncryptedChapter {
		return extract.Content{}, extract.Skip("%s: protected by DRM", extract.ErrPasswordProtected)
	}
	c, err := b.w.Content()
	c.Title = markdown.RemoveGeneratedTitle(book.title)
	c.ExtractionNote = extract.Chapter.Noun().IncompleteNote(b.missingChapters)
	return c, err
}

// writeChapter writes one file of the spine as a chapter. It returns an error if the file cannot be
// read.
func (b *bookReader) writeChapter(file string) error {
	if b.encryptedFiles[strings.ToLower(file)] {
		b.hasEncryptedChapter = true
		return extract.ErrPasswordProtected
	}
	r, err := b.Open(file)
	if err != nil {
		return zipxml.AsSkipError(err)
	}
	clean := zipxml.NewXMLSanitizer(r)
	clean.MaxTokenBytes = extract.MaxTextBytes // the whole page is read at once
	page, err := io.ReadAll(clean)
	if err != nil {
		return zipxml.AsSkipError(err)
	}
	source := string(page)
	if !html.IsXHTML(source) {
		source = html.ExpandSelfClosingTags(source) // the page must be XHTML, even if it does not declare that
	}
	if b.contentsPages[strings.ToLower(file)] && html.IsTableOfContents(source) {
		return nil // a page that only repeats the titles of the chapters
	}
	text, title, err := html.StyledMarkdown(source, b.readStyleSheets(file, html.StyleSheetLinks(source)))
	if errors.Is(err, extract.ErrNoText) {
		return nil // a page without text, such as a picture
	}
	if err != nil {
		return zipxml.AsSkipError(err)
	}
	b.chapters++
	b.w.WriteChapter(b.chapters, b.chapterNames[strings.ToLower(file)], markdown.RemoveGeneratedTitle(markdown.OneLine(title)), text)
	return nil
}

// maxStyleSheets is the maximum number of style sheets of a book that are read.
const maxStyleSheets = 256

// maxStyleBytes is the maximum number of bytes of all style sheets of a book that are read.
const maxStyleBytes = 8 << 20

// readStyleSheets returns the style sheets to which a chapter links, as far as they can be read.
func (b *bookReader) readStyleSheets(chapter string, links []string) (sheets []*html.StyleSheet) {
	for _, link := range links {
		file := resolveReference(path.Dir(chapter), link)
		if b.styleSheets[file] == nil && len(b.styleSheets) < maxStyleSheets {
			css, _ := b.ReadFile(file) // without it, the text is read as it is
			if b.styleBytes += len(css); b.styleBytes > maxStyleBytes {
				css = nil
			}
			b.styleSheets[file] = html.ParseStyleSheets(string(css))
		}
		if sheet := b.styleSheets[file]; sheet != nil {
			sheets = append(sheets, sheet)
		}
	}
	return sheets
}

// encryptedFiles returns the lower-case names of the encrypted files. Fonts that are only
// obfuscated do not count (EPUB 3.3, 4.2.6.3.2).
func encryptedFiles(a *zipxml.Archive) map[string]bool {
	files := make(map[string]bool)
	a.ReadXMLFile("META-INF/encryption.xml", func(x *zipxml.Reader) {
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

// resolveReference resolves a reference relative to folder, and returns the name of the file in the
// archive.
func resolveReference(folder, reference string) string {
	reference, _, _ = strings.Cut(reference, "#")
	if plain, err := url.PathUnescape(reference); err == nil {
		reference = plain
	}
	return zipxml.CleanEntryName(path.Join(folder, reference))
}
