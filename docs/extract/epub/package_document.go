package epub

import (
	"path"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// A packageDocument holds the relevant content of the package document of a book (EPUB 3.3, 5).
type packageDocument struct {
	title         string
	spine         []string // files in reading order
	contentsFiles []string // files with a table of contents, the preferred one first
	contentsPages []string // files that may show the table of contents to the reader
}

type manifestItem struct{ file, kind, properties string }

// readPackageDocument reads the package document. If it is missing, the spine consists of all HTML
// files, sorted by name.
func readPackageDocument(a *zipxml.Archive) packageDocument {
	var b packageDocument
	opf := packageDocumentName(a)
	items := make(map[string]manifestItem)
	folder := path.Dir(opf)
	toc := ""
	a.ReadXMLFile(opf, func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			switch e.Name {
			case "title":
				if text := markdown.OneLine(x.ReadText()); b.title == "" {
					b.title = text
				}
				return true
			case "item":
				if len(items) < extract.MaxArchiveEntries {
					items[e.Attribute("id")] = manifestItem{resolveReference(folder, e.Attribute("href")), e.Attribute("media-type"), e.Attribute("properties")}
				}
			case "spine":
				toc = e.Attribute("toc")
			case "reference": // OPF 2.0.1, 2.6
				if e.Attribute("type") == "toc" && len(b.contentsPages) < extract.MaxNestingDepth {
					b.contentsPages = append(b.contentsPages, resolveReference(folder, e.Attribute("href")))
				}
			case "itemref":
				if item, ok := items[e.Attribute("idref")]; ok && len(b.spine) < extract.MaxArchiveEntries && item.isText() {
					b.spine = append(b.spine, item.file)
				}
			}
			return false
		})
	})
	b.contentsFiles = contentsFiles(items, toc)
	b.contentsPages = append(b.contentsPages, b.contentsFiles...)
	if len(b.spine) == 0 {
		b.spine = chapterFilesByName(a)
	}
	return b
}

func (m *manifestItem) isText() bool {
	return !strings.HasPrefix(m.kind, "image/") && !strings.HasPrefix(m.kind, "audio/") && !strings.HasPrefix(m.kind, "video/")
}

// packageDocumentName returns the path in the archive of the package document, which lists the
// files of the book.
func packageDocumentName(a *zipxml.Archive) string {
	name := ""
	a.ReadXMLFile("META-INF/container.xml", func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			if e.Name == "rootfile" && name == "" {
				name = resolveReference("", e.Attribute("full-path"))
			}
			return false
		})
	})
	if a.HasFile(name) {
		return name
	}
	for _, f := range a.Files {
		if strings.HasSuffix(strings.ToLower(f.Name), ".opf") {
			return f.Name
		}
	}
	return name
}

// contentsFiles returns the files with a table of contents: the EPUB 3 navigation document and the
// EPUB 2 NCX, whose id in the manifest is toc.
func contentsFiles(items map[string]manifestItem, toc string) []string {
	nav, ncx := "", items[toc].file
	for _, item := range items {
		switch {
		case slices.Contains(strings.Fields(item.properties), "nav"):
			nav = max(nav, item.file)
		case item.kind == "application/x-dtbncx+xml" && items[toc].file == "":
			ncx = max(ncx, item.file)
		}
	}
	return slices.DeleteFunc([]string{nav, ncx}, func(file string) bool { return file == "" })
}

// chapterFilesByName returns all files that look like chapters, sorted by name.
func chapterFilesByName(a *zipxml.Archive) []string {
	var files []string
	for _, f := range a.Files {
		switch strings.ToLower(path.Ext(f.Name)) {
		case ".xhtml", ".html", ".htm":
			files = append(files, f.Name)
		}
	}
	slices.Sort(files)
	return files
}

// readChapterNames reads the names of the chapters from the nav element with the table of contents
// (EPUB 3.3, 7.4) or from an NCX (OPF 2.0.1, 2.4.1).
func (b *bookReader) readChapterNames(file string) {
	folder := path.Dir(file)
	b.ReadXMLFile(file, func(x *zipxml.Reader) {
		label := ""
		x.EachDescendant(func(e zipxml.Element) bool {
			switch e.Name {
			case "nav":
				kind := e.Attribute("type")
				if kind == "landmarks" {
					b.readLandmarks(x, folder)
				}
				return kind != "" && kind != "toc" // skip a list of pages or landmarks
			case "a":
				b.nameChapter(resolveReference(folder, e.Attribute("href")), markdown.OneLine(x.ReadText()))
				return true
			case "navLabel":
				label = markdown.OneLine(x.ReadText())
				return true
			case "content":
				b.nameChapter(resolveReference(folder, e.Attribute("src")), label)
			case "pageList", "navList":
				return true
			}
			return false
		})
	})
}

// readLandmarks records the file that shows the table of contents (EPUB 3.3, 7.4.5).
func (b *bookReader) readLandmarks(x *zipxml.Reader, folder string) {
	x.EachDescendant(func(e zipxml.Element) bool {
		if e.Name == "a" && e.Attribute("type") == "toc" && len(b.contentsPages) < extract.MaxNestingDepth {
			b.contentsPages[strings.ToLower(resolveReference(folder, e.Attribute("href")))] = true
		}
		return false
	})
}

// nameChapter records name as that of the chapter in file, unless it already has one.
func (b *bookReader) nameChapter(file, name string) {
	file = strings.ToLower(file)
	if name != "" && b.chapterNames[file] == "" && len(b.chapterNames) < extract.MaxArchiveEntries {
		b.chapterNames[file] = name
	}
}
