package chunk

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/text"
	"vademecum/internal/base/lazyregexp"
)

// Running lines repeat at the top or the bottom of page after page: the page number, the title of a
// book, a copyright notice. They do not belong to the content of the page, and programs write them
// before or after its text, in either position.

const (
	edgeLines   = 3   // lines at either end of a page that may be running lines
	leastPages  = 4   // minimum number of pages with a running line
	ofPages     = 0.4 // minimum fraction of all pages: even pages often have another line than odd ones
	leastNumber = 3   // minimum number of pages on which a number differs equally from the page number
	longestRun  = 200 // maximum length of a running line, in runes
)

// An edgeLine is a line near the top or the bottom of a page.
type edgeLine struct {
	page       int
	start, end int
	line       string // with white space collapsed
	key        string // the line with every number replaced by 0
	numbers    []int  // numbers in the line that are small enough for page numbers
}

// withoutRunningLines returns the text with its running lines blanked out. The first occurrence of
// each is kept, except for page numbers. Offsets do not change.
func withoutRunningLines(body text.Body) string {
	pages := pageEdges(body)
	if len(pages) < leastNumber {
		return body.Text
	}
	runs := findRunningLines(pages)
	seen := make(map[string]bool)
	var blank []byte
	for _, edges := range pages {
		for _, e := range outermostRunning(edges, runs) {
			if !seen[e.key] && !isPageNumber(e.key) {
				seen[e.key] = true
				continue
			}
			if blank == nil {
				blank = []byte(body.Text)
			}
			for i := e.start; i < e.end; i++ {
				blank[i] = ' '
			}
		}
	}
	if blank == nil {
		return body.Text
	}
	return string(blank)
}

// pageEdges lists the lines at the edges of each page that has lines.
func pageEdges(body text.Body) [][]edgeLine {
	var pages [][]edgeLine
	for i, p := range body.Parts {
		if p.Kind != extract.Page {
			return nil
		}
		if i > 0 && p.Number == body.Parts[i-1].Number { // a section of the page
			continue
		}
		end := len(body.Text)
		if next := slices.IndexFunc(body.Parts[i:], func(q extract.Part) bool { return q.Number != p.Number }); next >= 0 {
			end = body.Parts[i+next].StartByte
		}
		var lines []edgeLine
		s := lineScanner{text: body.Text[:end], pos: p.StartByte}
		for from, to, ok := s.next(); ok; from, to, ok = s.next() {
			if !isBlank(body.Text[from:to]) {
				lines = append(lines, edgeLine{page: p.Number, start: from, end: to})
			}
		}
		if len(lines) > 2*edgeLines {
			lines = append(lines[:edgeLines:edgeLines], lines[len(lines)-edgeLines:]...)
		}
		for i := range lines {
			lines[i].setText(body.Text)
		}
		pages = append(pages, lines)
	}
	return pages
}

var digits = lazyregexp.New(`\d+`)

// setText stores the text of the line, which e.start and e.end delimit in text, in the forms in which
// lines are compared. A line too long for a running line is left empty.
func (e *edgeLine) setText(text string) {
	line := text[e.start:e.end]
	if len(line) > utf8.UTFMax*longestRun {
		return
	}
	for _, written := range digits.FindAllString(line, -1) {
		if n, err := strconv.Atoi(written); err == nil {
			e.numbers = append(e.numbers, n)
		}
	}
	e.line = strings.Join(strings.Fields(line), " ")
	e.key = digits.ReplaceAllString(e.line, "0")
}

// lineOccurrences counts the lines with the same key.
type lineOccurrences struct {
	pages   int            // number of pages with the key
	same    map[string]int // number of pages with exactly the same line, by line
	offsets map[int]int    // number of pages, by number in the line minus page number
}

// runningLines recognises the lines that repeat from page to page: headers and footers.
type runningLines struct {
	keys  map[string]*lineOccurrences
	least int // minimum number of pages with a running line
}

func findRunningLines(pages [][]edgeLine) runningLines {
	r := runningLines{make(map[string]*lineOccurrences), max(leastPages, int(ofPages*float64(len(pages))))}
	for _, edges := range pages {
		on := make(map[string]bool)
		for _, e := range edges {
			if e.key == "" || on[e.key] {
				continue
			}
			on[e.key] = true
			k := r.keys[e.key]
			if k == nil {
				k = &lineOccurrences{same: make(map[string]int), offsets: make(map[int]int)}
				r.keys[e.key] = k
			}
			k.pages++
			k.same[e.line]++
			for _, n := range e.numbers {
				k.offsets[n-e.page]++
			}
		}
	}
	return r
}

// isRunning reports whether a line is a running header or footer: it is on enough pages and, if its
// numbers vary, one of them is the page number.
func (r runningLines) isRunning(e edgeLine) bool {
	k := r.keys[e.key]
	switch {
	case k == nil:
		return false
	case isPageNumber(e.key):
		return k.countsPages(e, leastNumber)
	case k.same[e.line] >= r.least:
		return true
	}
	return k.pages >= r.least && (pageWords.MatchString(e.key) || len(strings.Fields(e.key)) > shortLine) && k.countsPages(e, r.least)
}

// shortLine is the maximum number of words in a line that may be a numbered heading, such as
// "Exercise 7".
const shortLine = 3

// countsPages reports whether a number in the line follows the page number on at least that many
// pages.
func (k *lineOccurrences) countsPages(e edgeLine, least int) bool {
	for _, n := range e.numbers {
		if k.offsets[n-e.page] >= least {
			return true
		}
	}
	return false
}

// isPageNumber reports whether a line is only a page number, possibly with the number of pages, as
// in "- 7 -", "Page 7 of 12" or "第 7 页 共 12 页".
func isPageNumber(key string) bool {
	return strings.Contains(key, "0") && !hasLetter(pageWords.ReplaceAllString(key, ""))
}

var pageWords = lazyregexp.New(`(?i)\b(page|pages|pg|p|of|seite|von|slide)\b|第|页|頁|共|张|張`)

// outermostRunning returns the running lines of a page that have only running lines between them
// and the edge of the page.
func outermostRunning(edges []edgeLine, r runningLines) (all []edgeLine) {
	from := 0
	for from < len(edges) && r.isRunning(edges[from]) {
		all = append(all, edges[from])
		from++
	}
	for to := len(edges); to > from && r.isRunning(edges[to-1]); to-- {
		all = append(all, edges[to-1])
	}
	return all
}
