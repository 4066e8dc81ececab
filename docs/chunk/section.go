package chunk

import (
	"strings"
	"unicode"

	"vademecum/docs/meta"
	"vademecum/docs/text"
)

// Headings lists the titles of the headings of the text, in their order.
func (b Blocks) Headings() (titles []string) {
	for _, block := range b.parsed {
		if block.kind == heading && block.title != "" {
			titles = append(titles, block.title)
		}
	}
	return titles
}

// Section returns the range of what stands below the first heading of a title, with
// the heading, up to the next one of its level or above; ok is false when no
// heading of the text has that title. Titles are compared as names of notes are, or
// by the anchors that links in Markdown have ("by-train" for "By train").
func (b Blocks) Section(title string) (start, end int, ok bool) {
	title = meta.Fold(title)
	level, end := 0, len(b.body.Text)
	for _, block := range b.parsed {
		if block.kind != heading {
			continue
		}
		if ok && block.level <= level {
			end = block.start
			break
		}
		if !ok && (meta.Fold(block.title) == title || title != "" && anchor(block.title) == title) {
			start, level, ok = block.start, block.level, true
		}
	}
	if !ok {
		return 0, 0, false
	}
	start, end = text.TrimBlank(b.body.Text, start, end)
	return start, end, true
}

// anchor is the fragment by which links lead to a heading, as most programs make it:
// small letters with hyphens for spaces, without other marks.
func anchor(title string) string {
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
