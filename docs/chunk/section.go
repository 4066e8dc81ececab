package chunk

import (
	"strconv"
	"strings"
	"unicode"

	"vademecum/docs/meta"
	"vademecum/docs/text"
)

// Headings lists the titles of the headings, in order.
func (b Blocks) Headings() (titles []string) {
	for _, block := range b.parsed {
		if block.kind == heading && block.title != "" {
			titles = append(titles, block.title)
		}
	}
	return titles
}

// Section returns the range of a heading and the text below it, up to the next heading of the same
// or a higher level. ok is false if no heading matches title. Titles are compared like names of
// notes, or by the anchors of Markdown links ("by-train" for "By train", "by-train-1" for the
// second with that name), or by their words, as some programs omit punctuation in links. If several
// headings match, the first with the closest match is used. "^mark" denotes the block that ends
// with that mark.
func (b Blocks) Section(title string) (start, end int, ok bool) {
	title = meta.Fold(title)
	if mark, isMark := strings.CutPrefix(title, "^"); isMark {
		return b.blockWithID(mark)
	}
	at := b.headingIndex(title)
	if at < 0 {
		return 0, 0, false
	}
	first := b.parsed[at]
	end = len(b.body.Text)
	for _, block := range b.parsed[at+1:] {
		if block.kind == heading && block.level <= first.level {
			end = block.start
			break
		}
	}
	start, end = text.TrimBlankLines(b.body.Text, first.start, end)
	return start, end, true
}

// headingIndex returns the index of the heading block for a folded title, or -1.
func (b Blocks) headingIndex(title string) int {
	byAnchor, byWords := -1, -1
	before := make(map[string]int) // number of preceding headings by anchor
	words := withoutPunctuation(title)
	for i, block := range b.parsed {
		if block.kind != heading {
			continue
		}
		if meta.Fold(block.title) == title {
			return i
		}
		a := headingAnchor(block.title)
		if n := before[a]; byAnchor < 0 && title != "" && (n == 0 && a == title || n > 0 && a+"-"+strconv.Itoa(n) == title) {
			byAnchor = i
		}
		before[a]++
		if byWords < 0 && words != "" && withoutPunctuation(block.title) == words {
			byWords = i
		}
	}
	if byAnchor >= 0 {
		return byAnchor
	}
	return byWords
}

// withoutPunctuation returns a folded title with its punctuation replaced by spaces.
func withoutPunctuation(title string) string {
	isSign := func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) }
	return strings.Join(strings.FieldsFunc(meta.Fold(title), isSign), " ")
}

// blockWithID returns the block with an Obsidian block ID: the item or paragraph that ends
// with "^mark", or the block before a "^mark" on a line of its own.
func (b Blocks) blockWithID(id string) (start, end int, ok bool) {
	var before block
	for _, block := range b.parsed {
		for from := block.start; from < block.end && block.kind != rows; {
			line, _, _ := strings.Cut(b.body.Text[from:block.end], "\n")
			isOwn, ends := endsWithBlockID(strings.TrimRight(line, " \t\r"), id)
			switch {
			case isOwn && from == block.start:
				return before.start, before.end, before.end > 0
			case ends && block.kind == list:
				return from, from + len(line), true
			case ends:
				return block.start, from + len(line), true
			}
			from += len(line) + 1
		}
		before = block
	}
	return 0, 0, false
}

// endsWithBlockID reports whether a line ends with a block ID, alone on the line (isOwn) or after a
// space.
func endsWithBlockID(line, id string) (isOwn, ends bool) {
	before, ok := strings.CutSuffix(meta.Fold(line), "^"+id)
	isOwn = ok && before == "" && id != ""
	return isOwn, isOwn || ok && id != "" && strings.HasSuffix(before, " ")
}

// headingAnchor returns the URL fragment of a heading, as most programs form it: lower case, with
// hyphens for spaces and without other punctuation.
func headingAnchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.In(r, unicode.L, unicode.M, unicode.N):
			return r
		}
		return -1
	}, meta.Fold(title))
}
