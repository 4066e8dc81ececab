// Package org marks what is struck out in Emacs Org mode.
package org

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// Characters that may stand before and after the marks of emphasis, beside spaces (Org Syntax, 4.10). A zero
// width space separates marks from the letters of a word.
const (
	beforeMark = "-–—('\"{\u200B"
	afterMark  = "-–—.,;:!?'\")}[\\\u200B"
)

var (
	codeText  = lazyregexp.New(`(?s)(?:^|[\s\-–—('"{\x{200B}])(?:=[^\s=](?:.*?[^\s])?=|~[^\s~](?:.*?[^\s])?~)(?:$|[\s\-–—.,;:!?'")}\[\\\x{200B}])`)
	listItem  = lazyregexp.New(`^\s*(?:[-+]|\s\*|\d+[.)]|[A-Za-z][.)])(?:\s|$)`)
	codeBlock = lazyregexp.New(`(?i)^\s*#\+begin_(src|example|export|comment|html|latex|ascii)(?:\s|$)`)
)

// maxParagraph is the length in bytes above which a paragraph stays as it is.
const maxParagraph = 64 << 10

// maxStruck is the maximum length of struck-out text in bytes.
const maxStruck = 4 << 10

// maxIndent is the maximum indentation of a line with struck-out text: in a line that is indented more, marks of
// Markdown are code.
const maxIndent = 3

// MarkStruck returns a text in Org mode with the marks of Markdown around what is struck out, by which
// all other code recognises it: "+70 mg+" becomes "~~70 mg~~". Line numbers do not change.
func MarkStruck(text string) string {
	if !strings.Contains(text, "+") && !strings.Contains(text, markdown.Strikethrough) {
		return text
	}
	m := marker{isFirst: true}
	for line := range strings.Lines(text) {
		m.addLine(line)
	}
	m.endParagraph()
	return m.out.String()
}

// A marker marks struck-out text, paragraph by paragraph.
type marker struct {
	out       strings.Builder
	paragraph strings.Builder
	codeEnd   string // beginning, in lower case, of the line that ends the code block; "" outside of one
	isFirst   bool   // whether the paragraph does not follow another directly
}

func (m *marker) addLine(line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case m.codeEnd != "":
		if strings.HasPrefix(strings.ToLower(trimmed), m.codeEnd) {
			m.codeEnd = ""
		}
		m.copyLine(line)
	case trimmed == "":
		m.copyLine(line)
	case codeBlock.MatchString(line):
		m.codeEnd = "#+end_" + strings.ToLower(codeBlock.FindStringSubmatch(line)[1])
		m.copyLine(line)
	case isVerbatim(trimmed):
		m.copyLine(line)
	case line[0] == '*' || trimmed[0] == '|' || strings.HasPrefix(trimmed, "#+"):
		m.endParagraph()
		m.paragraph.WriteString(line)
		m.endParagraph()
	default:
		if listItem.MatchString(line) {
			m.endParagraph()
		}
		m.paragraph.WriteString(line)
	}
}

// isVerbatim reports whether a line is a comment, fixed-width text, or part of a drawer.
func isVerbatim(line string) bool {
	return line == "#" || strings.HasPrefix(line, "# ") || line[0] == ':'
}

// copyLine ends the paragraph and copies a line that belongs to no paragraph.
func (m *marker) copyLine(line string) {
	m.endParagraph()
	m.out.WriteString(line)
	m.isFirst = true
}

// endParagraph writes the paragraph with marks.
func (m *marker) endParagraph() {
	text := m.paragraph.String()
	if text == "" {
		return
	}
	m.paragraph.Reset()
	marked := markParagraph(text)
	if content := strings.TrimLeft(marked, " \t"); m.isFirst && marked != text && len(marked)-len(content) > maxIndent {
		marked = strings.Repeat(" ", maxIndent) + content
	}
	m.out.WriteString(marked)
	m.isFirst = false
}

func markParagraph(text string) string {
	if len(text) > maxParagraph {
		return text
	}
	text = markdown.EscapeTildes(text)
	lines := lineEnds(text)
	code := codeRanges(text, lines)
	isRow := strings.HasPrefix(strings.TrimLeft(text, " \t"), "|") // in which marks belong to one cell
	closing := 0                                                   // offset of the first mark after open that may end struck-out text
	var out strings.Builder
	copied := 0
	for open := range len(text) {
		if open < copied || text[open] != '+' || !canOpen(text, open) {
			continue
		}
		for closing = max(closing, open+2); closing < len(text) && (text[closing] != '+' || !canClose(text, closing)); {
			closing++
		}
		if closing >= len(text) {
			break
		}
		struck := text[open+1 : closing]
		if len(struck) > maxStruck || lines.between(open, closing) > 1 || !hasWord(struck) || isWithin(code, open) || isRow && strings.Contains(struck, "|") {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(text[:open])
		out.WriteString(text[copied:open] + markdown.MarkStruck(before, struck, ""))
		copied = closing + 1
	}
	return out.String() + text[copied:]
}

// canOpen reports whether the mark at an offset may begin struck-out text.
func canOpen(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+1:])
	return (at == 0 || unicode.IsSpace(before) || strings.ContainsRune(beforeMark, before)) && at+1 < len(text) && !unicode.IsSpace(after) && after != '+'
}

// canClose reports whether the mark at an offset may end struck-out text.
func canClose(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+1:])
	return !unicode.IsSpace(before) && (at+1 == len(text) || unicode.IsSpace(after) || strings.ContainsRune(afterMark, after))
}

// hasWord reports whether a text has letters or digits, unlike the border of a table.
func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// lineOffsets are the offsets of the line ends of a text.
type lineOffsets []int

func lineEnds(text string) (ends lineOffsets) {
	for i := range len(text) {
		if text[i] == '\n' {
			ends = append(ends, i)
		}
	}
	return ends
}

// between returns the number of line ends between two offsets.
func (l lineOffsets) between(from, to int) int {
	first, _ := slices.BinarySearch(l, from)
	last, _ := slices.BinarySearch(l, to)
	return last - first
}

// codeRanges returns the parts of a text that are code, over two lines at most.
func codeRanges(text string, lines lineOffsets) [][]int {
	return slices.DeleteFunc(codeText.FindAllStringIndex(text, -1), func(r []int) bool { return lines.between(r[0], r[1]-1) > 1 })
}

func isWithin(ranges [][]int, at int) bool {
	i, _ := slices.BinarySearchFunc(ranges, at, func(r []int, at int) int { return r[1] - at })
	return i < len(ranges) && ranges[i][0] <= at
}
