package extract

import (
	"errors"
	"io"
	"net/url"
	"path"
	"strings"
)

// An epub reads a book (EPUB 3.3, and 2.0.1 with its NCX).
type epub struct {
	*archive
	w         writer
	encrypted map[string]bool // files under a protection
	names     map[string]string
	chapters  int
	missing   []int // positions in the spine of what could not be read
	locked    bool  // a chapter is under a protection
}

func readEPUB(raw []byte, _ Progress) (Content, error) {
	a, err := openArchive(raw)
	if err != nil {
		return Content{}, err
	}
	b := &epub{archive: a, encrypted: protected(a), names: make(map[string]string)}
	book := readPublication(a)
	for _, toc := range book.contents {
		b.readContents(toc)
	}
	for _, file := range book.spine {
		if err := b.chapter(file); err != nil && isLimit(err) {
			return Content{}, err
		} else if err != nil {
			b.chapters++ // those after it keep their numbers
			b.missing = append(b.missing, b.chapters)
		}
		if b.w.full {
			return Content{}, ErrTooMuchText
		}
	}
	if len(b.w.parts) == 0 && b.locked {
		return Content{}, skip("%s: protected by DRM", ErrPassword)
	}
	c, err := b.w.content()
	c.Title = sensibleTitle(book.title)
	c.Note = missing("chapter", b.missing)
	return c, err
}

// chapter writes one file of the spine. It fails if that cannot be read.
func (b *epub) chapter(file string) error {
	if b.encrypted[strings.ToLower(file)] {
		b.locked = true
		return ErrPassword
	}
	r, err := b.open(file)
	if err != nil {
		return asSkip(err)
	}
	clean := newXMLSource(r)
	clean.limit = maxText // it is read whole
	page, err := io.ReadAll(clean)
	if err != nil {
		return asSkip(err)
	}
	source := string(page)
	if !isXHTML(source) {
		source = closeTags(source) // it is XHTML, whatever it says
	}
	text, title, err := markdownOf(source)
	if errors.Is(err, ErrNoText) {
		return nil // a picture
	}
	if err != nil {
		return asSkip(err)
	}
	b.chapters++
	b.write(text, title, file)
	return nil
}

func (b *epub) write(text, title, file string) {
	heading := firstHeading(text)
	name := b.names[strings.ToLower(file)]
	if name == "" {
		name = heading
	}
	b.w.part(Part{Unit: Chapter, Number: b.chapters, Name: name})
	if heading == "" {
		if name == "" {
			name = sensibleTitle(oneLine(title))
		}
		b.w.heading(1, name)
	}
	b.w.block()
	b.w.write(strings.Trim(text, "\n") + "\n")
}

var atxHeading = pattern(`(?m)^#{1,6}[ \t]+(.+?)[ \t#]*$`)

// firstHeading returns the text of the first heading, or "".
func firstHeading(text string) string {
	if m := atxHeading().FindStringSubmatch(text); m != nil {
		return oneLine(m[1])
	}
	return ""
}

// protected returns the files, in lower case, that are encrypted. Fonts that
// are only obfuscated do not count (EPUB 3.3, 4.2.6.3.2).
func protected(a *archive) map[string]bool {
	files := make(map[string]bool)
	a.walk("META-INF/encryption.xml", func(x *xmlReader) {
		algorithm := ""
		x.descend(func(e element) bool {
			switch e.name {
			case "EncryptedData":
				algorithm = ""
			case "EncryptionMethod":
				algorithm = e.attr("Algorithm")
			case "CipherReference":
				if algorithm != "http://www.idpf.org/2008/embedding" && algorithm != "http://ns.adobe.com/pdf/enc#RC" {
					files[strings.ToLower(bookFile("", e.attr("URI")))] = true
				}
			}
			return false
		})
	})
	return files
}

// bookFile returns the name in the archive of what a reference leads to, seen
// from folder.
func bookFile(folder, reference string) string {
	reference, _, _ = strings.Cut(reference, "#")
	if plain, err := url.PathUnescape(reference); err == nil {
		reference = plain
	}
	return entryName(path.Join(folder, reference))
}
