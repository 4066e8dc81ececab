package djvu

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// pagesByName maps the names by which bookmarks refer to pages to their numbers.
func (r *documentReader) pagesByName(d pageDirectory) map[string]int {
	pages := make(map[string]int)
	number := 0
	for i, start := range d.starts {
		if kind, _ := r.formAt(start); kind != "DJVU" && kind != "" {
			continue
		}
		if number++; i < len(d.names) {
			pages[d.names[i]] = number
		}
	}
	return pages
}

// readBookmarks records the first bookmark title (NAVM) of each page as its chapter name. If the
// bookmarks are damaged, it records those before the damage.
func (r *documentReader) readBookmarks(packed []byte, pages map[string]int) {
	if packed == nil {
		return
	}
	plain, err := r.decode(packed)
	if err != nil {
		return
	}
	r.chapterNames = make(map[int]string)
	texts := textReader(plain[min(2, len(plain)):])
	for range min(numberAt(plain, 0, 2), extract.MaxArchiveEntries) {
		if len(texts) == 0 {
			return
		}
		texts = texts[1:] // skip the number of nested bookmarks
		title, target := shortenTitle(texts.readSized(3)), texts.readSized(3)
		if page := bookmarkPage(target, pages); r.chapterNames[page] == "" && "#"+title != target {
			r.chapterNames[page] = title
		}
	}
}

// bookmarkPage returns the number of the page that a bookmark refers to by name or number; 0 if
// there is none.
func bookmarkPage(target string, pages map[string]int) int {
	name, ok := strings.CutPrefix(target, "#")
	if !ok {
		return 0
	}
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	if page := pages[name]; page > 0 {
		return page
	}
	page, _ := strconv.Atoi(name)
	return page
}

func shortenTitle(title string) string {
	title = markdown.OneLine(strings.ToValidUTF8(title, "\uFFFD"))
	if utf8.RuneCountInString(title) <= markdown.MaxHeadingCharacters {
		return title
	}
	return string([]rune(title)[:markdown.MaxHeadingCharacters]) + "…"
}
