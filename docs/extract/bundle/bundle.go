// Package bundle reads texts that are packed with their pictures: notes in TextBundle format
// (textbundle.org) and books exported by calibre.
package bundle

import (
	"archive/zip"
	"io"
	"path"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// Read reads the text of each bundle in a zip archive: text.md or similar (.textpack, and .bear2bk
// with several bundles), or index.html or index.txt (.htmlz and .txtz). If there are several, each
// is a chapter named after its bundle. The note counts those that cannot be read.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	a, err := zipxml.Open(raw)
	if err != nil {
		return extract.Content{}, err
	}
	texts := slices.DeleteFunc(slices.Clone(a.Files), func(f *zip.File) bool { return !isText(f.Name) })
	switch len(texts) {
	case 0:
		return extract.Content{}, extract.ErrNoText
	case 1:
		c, err := readText(a, texts[0])
		if title := a.ReadTitle("metadata.opf"); title != "" {
			c.Title = title
		}
		return c, err
	}
	return readAll(a, texts)
}

// readAll reads several texts as chapters, in the order of their names.
func readAll(a *zipxml.Archive, texts []*zip.File) (extract.Content, error) {
	slices.SortFunc(texts, func(x, y *zip.File) int { return strings.Compare(x.Name, y.Name) })
	var w markdown.Writer
	var unread []int
	for i, f := range texts {
		c, err := readText(a, f)
		switch {
		case err != nil && extract.IsLimitError(err):
			return extract.Content{}, err
		case err == nil && strings.TrimSpace(c.Text) != "":
			w.WriteChapter(len(w.Parts)+1, bundleName(f.Name), "", markdown.RemoveHidden(c.Text))
		case err != nil && err != extract.ErrNoText:
			unread = append(unread, i+1)
		}
		if w.IsFull {
			return extract.Content{}, extract.ErrTooMuchText
		}
	}
	c, err := w.Content()
	c.ExtractionNote = extract.NoteNoun.IncompleteNote(unread)
	return c, err
}

// isText reports whether name is the path of the text of a bundle, rather than of a picture.
func isText(name string) bool {
	base := strings.ToLower(path.Base(name))
	extension := path.Ext(base)
	switch {
	case strings.HasPrefix(name, "__MACOSX/"), !isPage(base) && !slices.Contains([]string{".md", ".markdown", ".mdown", ".mkd", ".txt", ".text"}, extension):
		return false
	case base == "index"+extension:
		return !strings.Contains(name, "/")
	}
	return base == "text"+extension && path.Base(path.Dir(name)) != "assets"
}

func isPage(name string) bool {
	return slices.Contains([]string{".html", ".htm", ".xhtml"}, strings.ToLower(path.Ext(name)))
}

// bundleName returns the name of the bundle that contains the text with the given path.
func bundleName(name string) string {
	return strings.TrimSuffix(markdown.OneLine(path.Base(path.Dir(name))), ".textbundle")
}

func readText(a *zipxml.Archive, f *zip.File) (extract.Content, error) {
	r, err := a.Open(f.Name)
	if err != nil {
		return extract.Content{}, zipxml.AsSkipError(err)
	}
	raw, err := io.ReadAll(io.LimitReader(r, extract.MaxFileBytes+1))
	switch {
	case err != nil:
		return extract.Content{}, zipxml.AsSkipError(err)
	case len(raw) > extract.MaxFileBytes:
		return extract.Content{}, extract.ErrTooLarge
	case isPage(f.Name):
		return html.Read(raw, extract.NoProgress)
	}
	c, err := charset.Read(raw)
	if err == nil && len(c.Text) > extract.MaxTextBytes {
		return extract.Content{}, extract.ErrTooMuchText
	}
	return c, err
}
