package extract

import (
	"path"
	"slices"
	"strings"
)

// A publication is what the package document of a book says (EPUB 3.3, 5).
type publication struct {
	title    string
	spine    []string // files in the order of reading
	contents []string // files with a table of contents, the better first
}

type manifestItem struct{ file, kind, properties string }

// readPublication reads the package document. Where it is lost, the files are read
// in the order of their names.
func readPublication(a *archive) publication {
	var b publication
	opf := packageFile(a)
	items := make(map[string]manifestItem)
	folder := path.Dir(opf)
	toc := ""
	a.walk(opf, func(x *xmlReader) {
		x.descend(func(e element) bool {
			switch e.name {
			case "title":
				if text := oneLine(x.text()); b.title == "" {
					b.title = text
				}
				return true
			case "item":
				if len(items) < maxEntries {
					items[e.attr("id")] = manifestItem{bookFile(folder, e.attr("href")), e.attr("media-type"), e.attr("properties")}
				}
			case "spine":
				toc = e.attr("toc")
			case "itemref":
				if item, ok := items[e.attr("idref")]; ok && len(b.spine) < maxEntries && item.isText() {
					b.spine = append(b.spine, item.file)
				}
			}
			return false
		})
	})
	b.contents = contentsOf(items, toc)
	if len(b.spine) == 0 {
		b.spine = pagesByName(a)
	}
	return b
}

func (m *manifestItem) isText() bool {
	return !strings.HasPrefix(m.kind, "image/") && !strings.HasPrefix(m.kind, "audio/") && !strings.HasPrefix(m.kind, "video/")
}

// packageFile returns the name of the package document.
func packageFile(a *archive) string {
	name := ""
	a.walk("META-INF/container.xml", func(x *xmlReader) {
		x.descend(func(e element) bool {
			if e.name == "rootfile" && name == "" {
				name = bookFile("", e.attr("full-path"))
			}
			return false
		})
	})
	if a.holds(name) {
		return name
	}
	for _, f := range a.files {
		if strings.HasSuffix(strings.ToLower(f.Name), ".opf") {
			return f.Name
		}
	}
	return name
}

// contentsOf returns the files with a table of contents: that of EPUB 3 and
// that of EPUB 2, which the spine names.
func contentsOf(items map[string]manifestItem, toc string) []string {
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

// pagesByName returns all files that look like chapters, by name.
func pagesByName(a *archive) []string {
	var files []string
	for _, f := range a.files {
		switch strings.ToLower(path.Ext(f.Name)) {
		case ".xhtml", ".html", ".htm":
			files = append(files, f.Name)
		}
	}
	slices.Sort(files)
	return files
}

// readContents reads the names of the chapters: those in the nav element for
// the contents (EPUB 3.3, 7.4), or in an NCX (OPF 2.0.1, 2.4.1).
func (b *epub) readContents(file string) {
	folder := path.Dir(file)
	b.walk(file, func(x *xmlReader) {
		label := ""
		x.descend(func(e element) bool {
			switch e.name {
			case "nav":
				kind := e.attr("type")
				return kind != "" && kind != "toc" // a list of pages or landmarks
			case "a":
				b.name(bookFile(folder, e.attr("href")), oneLine(x.text()))
				return true
			case "navLabel":
				label = oneLine(x.text())
				return true
			case "content":
				b.name(bookFile(folder, e.attr("src")), label)
			case "pageList", "navList":
				return true
			}
			return false
		})
	})
}

// name keeps the first name of a chapter.
func (b *epub) name(file, name string) {
	file = strings.ToLower(file)
	if name != "" && b.names[file] == "" && len(b.names) < maxEntries {
		b.names[file] = name
	}
}
