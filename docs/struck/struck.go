// Package struck finds struck-out text, which stands between two pairs of tildes in Markdown and in what
// the readers of all formats make of a file: "Dose: ~~40 mg~~ 20 mg". What is struck out no longer holds.
//
// A pair of tildes strikes nothing out in code, beside a third tilde, or if the other pair is in another
// paragraph, list item or table cell.
package struck

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract/markdown"
)

// Mark stands on both sides of struck-out text.
const Mark = markdown.Strikethrough

// Range is a part of a text, as half-open byte offsets.
type Range struct{ Start, End int }

// Stretch is struck-out text with its marks.
type Stretch struct {
	Range
	Block Range // paragraph, heading, list item or table row that contains it
}

// Inner returns the struck-out text without its marks.
func (s Stretch) Inner() Range { return Range{s.Start + len(Mark), s.End - len(Mark)} }

// Find returns the struck-out stretches of a text, in order.
func Find(text string) []Stretch {
	if !hasMark(text, 2) {
		return nil
	}
	f := finder{text: text}
	f.findAll()
	return f.found
}

// FindInFragment returns the struck-out stretches of a text that was cut out of another. A stretch whose
// other mark was cut off extends beyond the fragment by the length of that mark.
func FindInFragment(text string) []Stretch {
	if !hasMark(text, 1) {
		return nil
	}
	f := finder{text: text, isFragment: true}
	f.findAll()
	return f.found
}

// hasMark reports whether a text has at least n marks.
func hasMark(text string, n int) bool {
	for ; n > 0; n-- {
		at := strings.Index(text, Mark)
		if at < 0 {
			return false
		}
		text = text[at+len(Mark):]
	}
	return true
}

// At returns the stretch whose struck-out text contains an offset; ok is false if there is none.
func At(stretches []Stretch, offset int) (s Stretch, ok bool) {
	for i := firstEndingAt(stretches, offset); i < len(stretches) && stretches[i].Start <= offset; i++ {
		if inner := stretches[i].Inner(); inner.Start <= offset && offset < inner.End {
			return stretches[i], true
		}
	}
	return Stretch{}, false
}

// Excerpt returns a range of a text. If the range begins or ends within a struck-out stretch, the mark
// that was cut off is added, as struck-out words must not look valid. A mark at an end of the range is
// left out if none of the text that it strikes out is in the range.
func Excerpt(text string, stretches []Stretch, from, to int) string {
	open, closing := "", ""
	for _, s := range stretches[firstEndingAt(stretches, from):] {
		if to <= s.Start {
			break
		}
		inner := s.Inner()
		switch {
		case s.End <= from:
		case inner.End <= from:
			from = min(s.End, to)
		case to <= inner.Start:
			to = max(s.Start, from)
		default:
			open, closing = cmp.Or(open, missingMark(from-s.Start)), missingMark(s.End-to)
		}
	}
	return open + text[from:to] + closing
}

// missingMark returns the part of a mark that is missing if a number of bytes at one end of a stretch
// were cut off.
func missingMark(cut int) string { return Mark[:max(0, min(cut, len(Mark)))] }

// MissingMarks returns the marks, or halves of marks, that Excerpt adds before and after a range of a
// text. The range must not begin or end at marks that Excerpt would leave out.
func MissingMarks(stretches []Stretch, from, to int) (open, closing string) {
	for _, s := range stretches[firstEndingAt(stretches, from):] {
		if to <= s.Start {
			break
		}
		if inner := s.Inner(); from < inner.End && inner.Start < to {
			open, closing = cmp.Or(open, missingMark(from-s.Start)), missingMark(s.End-to)
		}
	}
	return open, closing
}

// firstEndingAt returns the index of the first stretch that ends at an offset or after it.
func firstEndingAt(stretches []Stretch, offset int) int {
	i, _ := slices.BinarySearchFunc(stretches, offset, func(s Stretch, at int) int { return s.End - at })
	return i
}

// MissingMarksIn returns the result of MissingMarks for a range of a text whose stretches have not
// been found yet. It looks for them only if there are marks in the paragraphs of the range.
func MissingMarksIn(text string, from, to int) (open, closing string) {
	const blankLine = "\n\n"
	first, last := max(0, strings.LastIndex(text[:from], blankLine)), len(text)
	if n := strings.Index(text[to:], blankLine); n >= 0 {
		last = to + n
	}
	if from == to || !hasMark(text[first:last], 2) {
		return "", ""
	}
	return MissingMarks(Find(text), from, to)
}

// finder finds the stretches of one text.
type finder struct {
	text       string
	isFragment bool
	found      []Stretch

	fence       string // fence of the code block that contains the line; "" if none
	isQuoted    bool   // that code block is in a quotation
	fenceEnds   map[byte][]fenceLine
	block       Range // block that the line continues; empty if none
	isRow       bool  // the block is a row of a table
	contentFrom int   // indentation of what belongs to the last list item; 0 outside of lists
	afterBlank  bool
}

// fenceLine is a line that can end a code block.
type fenceLine struct{ start, length int }

// findFenceEnds lists the lines that can end a code block, by their mark: each is longer than all that follow.
func (f *finder) findFenceEnds() {
	f.fenceEnds = make(map[byte][]fenceLine)
	at := 0
	for line := range strings.Lines(f.text) {
		trimmed := strings.TrimSpace(withoutQuoteMarks(line))
		if fence := markdown.FenceMark(trimmed); fence != "" && fence == trimmed {
			ends := f.fenceEnds[fence[0]]
			for len(ends) > 0 && ends[len(ends)-1].length <= len(fence) {
				ends = ends[:len(ends)-1]
			}
			f.fenceEnds[fence[0]] = append(ends, fenceLine{at, len(fence)})
		}
		at += len(line)
	}
}

// isClosed reports whether a line after an offset ends the code block that a fence begins. If none
// does, the fence is text, such as a line of tildes: the rest of the text must not be taken for code,
// in which nothing is struck out.
func (f *finder) isClosed(fence string, at int) bool {
	ends := f.fenceEnds[fence[0]]
	i, _ := slices.BinarySearchFunc(ends, at+1, func(e fenceLine, at int) int { return e.start - at })
	return i < len(ends) && ends[i].length >= len(fence)
}

func (f *finder) findAll() {
	f.findFenceEnds()
	f.afterBlank = true
	for at := 0; at < len(f.text); {
		end := len(f.text)
		if n := strings.IndexByte(f.text[at:], '\n'); n >= 0 {
			end = at + n
		}
		f.readLine(at, end)
		at = end + 1
	}
	f.endBlock()
}

// readLine continues the block with a line, or ends it.
func (f *finder) readLine(start, end int) {
	line := withoutQuoteMarks(f.text[start:end])
	trimmed := strings.TrimLeft(line, " \t")
	indent := indentation(line[:len(line)-len(trimmed)])
	fence := markdown.FenceMark(trimmed)
	isQuoted := len(line) < end-start
	if f.isQuoted && !isQuoted { // a code block ends with the quotation that contains it
		f.fence, f.isQuoted = "", false
	}
	switch {
	case f.fence != "":
		if strings.HasPrefix(fence, f.fence) && strings.TrimSpace(trimmed) == fence {
			f.fence, f.isQuoted = "", false
		}
		return
	case strings.TrimSpace(trimmed) == "":
		f.endBlock()
		f.afterBlank = true
		return
	case fence != "" && (isQuoted || f.isClosed(fence, start)):
		f.endBlock()
		f.fence, f.isQuoted, f.afterBlank = fence, isQuoted, false
		return
	case f.block.End == 0 && indent >= f.contentFrom+codeIndent:
		return // indented code, which cannot continue a paragraph
	}
	item := f.itemMarkLength(trimmed)
	isRow := trimmed[0] == '|'
	isAlone := trimmed[0] == '#' || strings.Trim(trimmed, "=-*_ \t\r") == "" // a heading, or a rule
	if item > 0 || isRow || f.isRow || isAlone {
		f.endBlock()
	}
	if item > 0 {
		f.contentFrom = indent + item
	} else if indent < 2 && (f.afterBlank || isAlone) {
		f.contentFrom = 0
	}
	f.afterBlank = false
	if f.block.End == 0 {
		f.block.Start, f.isRow = start, isRow
	}
	f.block.End = end
	if isAlone {
		f.endBlock()
	}
}

// codeIndent is the number of spaces by which code is indented.
const codeIndent = 4

// indentation returns the width of the white space at the beginning of a line.
func indentation(space string) (n int) {
	for _, c := range space {
		if n++; c == '\t' {
			n += (codeIndent - n%codeIndent) % codeIndent
		}
	}
	return n
}

// withoutQuoteMarks returns a line without the marks of quotations at its beginning.
func withoutQuoteMarks(line string) string {
	for {
		inner, ok := strings.CutPrefix(strings.TrimLeft(line, " "), ">")
		if !ok {
			return line
		}
		line = strings.TrimPrefix(inner, " ")
	}
}

// itemMarkLength returns the length of the mark of a list item at the start of a line, with the spaces
// after it; 0 if there is none. A number begins an item within a paragraph only if it is 1: "in\n2020. It".
func (f *finder) itemMarkLength(line string) int {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	mark := digits
	if digits == 0 && strings.ContainsRune("-*+•", firstRune(line)) {
		mark = utf8.RuneLen(firstRune(line))
	} else if 0 < digits && digits < 10 && digits < len(line) && (line[digits] == '.' || line[digits] == ')') &&
		(f.block.End == 0 || f.contentFrom > 0 || line[:digits] == "1") {
		mark++
	} else {
		return 0
	}
	rest := strings.TrimLeft(line[mark:], " \t")
	if rest != "" && len(rest) == len(line)-mark {
		return 0
	}
	return len(line) - len(rest)
}

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// endBlock finds the stretches of the block, and starts a new one.
func (f *finder) endBlock() {
	if f.block.End > 0 {
		f.scanBlock()
	}
	f.block, f.isRow = Range{}, false
}

// scanBlock finds the stretches of the block.
func (f *finder) scanBlock() {
	text := f.text[:f.block.End]
	open := -1 // start of a mark without its counterpart
	for at := f.block.Start; ; {
		n := strings.IndexAny(text[at:], "~`\\|")
		if n < 0 {
			break
		}
		at += n
		switch text[at] {
		case '\\':
			at++
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
		case '|':
			if f.isRow {
				open = -1
			}
			at++
		case '`':
			at += codeLength(text[at:])
		default:
			end := at + tildeCount(text[at:])
			if end-at == len(Mark) {
				open = f.addMark(open, at)
			}
			at = end
		}
	}
	if open >= 0 && f.isFragment {
		f.found = append(f.found, Stretch{Range{open, len(f.text) + len(Mark)}, f.block})
	}
}

// addMark reads the mark at an offset of the block, and returns the offset of the mark that is open after
// it, -1 if there is none. A mark that ends a stretch follows a character other than a space, and one that
// begins a stretch precedes one.
func (f *finder) addMark(open, at int) int {
	before, _ := utf8.DecodeLastRuneInString(f.text[f.block.Start:at])
	after := firstRune(f.text[at+len(Mark) : f.block.End])
	canClose := before != utf8.RuneError && !unicode.IsSpace(before)
	canOpen := after != utf8.RuneError && !unicode.IsSpace(after)
	switch {
	case canClose && open >= 0:
		f.found = append(f.found, Stretch{Range{open, at + len(Mark)}, f.block})
		return -1
	case canOpen:
		return at
	case canClose && f.isFragment && len(f.found) == 0:
		f.found = append(f.found, Stretch{Range{-len(Mark), at + len(Mark)}, f.block})
	}
	return open
}

// longestCode is the maximum length of inline code, in bytes.
const longestCode = 4 << 10

// codeLength returns the length of the inline code at the beginning of a text, or else of the backticks.
func codeLength(text string) int {
	text = text[:min(len(text), longestCode)]
	mark := len(text) - len(strings.TrimLeft(text, "`"))
	for at := mark; ; {
		n := strings.IndexByte(text[at:], '`')
		if n < 0 {
			return mark
		}
		at += n
		end := len(text) - len(strings.TrimLeft(text[at:], "`"))
		if end-at == mark {
			return end
		}
		at = end
	}
}

func tildeCount(text string) int { return len(text) - len(strings.TrimLeft(text, "~")) }
