package mindmap

import (
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract/markdown"
)

// write writes a map as an outline with headings and nested lists.
func (s *sheet) write(w *markdown.Writer) {
	writeHeading(w, 1, &s.root)
	s.writeRelations(w)
	if !hasSections(s.root.children) {
		writeItems(w, 0, s.root.children)
		return
	}
	for _, branch := range s.root.children {
		writeHeading(w, 2, branch)
		writeItems(w, 0, branch.children)
	}
}

// hasSections reports whether any of the topics has children or notes. Otherwise their headings
// would have no text below them.
func hasSections(branches []*topic) bool {
	for _, t := range branches {
		if len(t.children) > 0 || len(t.lines) > 0 {
			return true
		}
	}
	return false
}

func writeHeading(w *markdown.Writer, level int, t *topic) {
	heading := markdown.Block{Kind: markdown.Heading, Level: level, Text: t.title}
	heading.Write(w)
	w.WriteParagraph(strings.Join(t.lines, "\n"))
	w.EndBlock()
}

// writeItems writes topics as list items at nesting level depth, from 0. A topic without a title is
// replaced by its children.
func writeItems(w *markdown.Writer, depth int, topics []*topic) {
	for _, t := range topics {
		inner := depth
		if t.title != "" {
			w.WriteListItem(depth, markdown.Bullet, t.title)
			inner++
		}
		for _, line := range t.lines {
			writeContinuation(w, inner, line)
		}
		writeItems(w, inner, t.children)
	}
}

const maxIndent = 8 // maximum level shown by indentation, as for the items of a markdown.Writer

// writeContinuation writes a line of a note as part of the list item above it.
func writeContinuation(w *markdown.Writer, depth int, line string) {
	if !w.JoinNextBlock {
		w.EndBlock()
	}
	w.WriteRaw(strings.Repeat("  ", min(depth, maxIndent+1)) + line + "\n")
	w.JoinNextBlock = true
}

// writeRelations writes the labels of arrows, each with the names of the topics that it connects.
func (s *sheet) writeRelations(w *markdown.Writer) {
	if len(s.relations) == 0 {
		return
	}
	names := make(map[string]string)
	s.root.collectNames(names)
	for _, r := range s.relations {
		text := r.label
		if from, to := names[r.from], names[r.to]; from != "" && to != "" {
			text = from + " → " + to + ": " + r.label
		}
		w.WriteListItem(0, markdown.Bullet, text)
	}
	w.EndBlock()
}

const maxName = 60 // maximum characters of the name of a topic

func (t *topic) collectNames(names map[string]string) {
	if t.id != "" && t.title != "" {
		names[t.id] = shortenTitle(t.title)
	}
	for _, b := range t.children {
		b.collectNames(names)
	}
}

func shortenTitle(title string) string {
	if utf8.RuneCountInString(title) <= maxName {
		return title
	}
	return string([]rune(title)[:maxName]) + "…"
}
