package markdown

import (
	"strings"

	"vademecum/internal/base/lazyregexp"
)

var (
	// editTag matches an HTML tag of struck-out or inserted text, and every span, which may be struck
	// out by its style.
	editTag = lazyregexp.New(`(?i)<(/?)(del|s|strike|span|ins)((?:\s[^<>]*)?)>`)
	// editTagHere matches such a tag at the beginning of a text only.
	editTagHere = lazyregexp.New(`(?i)^<(/?)(del|s|strike|span|ins)((?:\s[^<>]*)?)>`)
	// struckStyle matches the attributes of a span that is struck out.
	struckStyle = lazyregexp.New(`(?i)\bstyle\s*=[^<>]*text-decoration(?:-line)?\s*:[^;<>]*\bline-through`)
	// criticMark matches the beginning of a change in CriticMarkup: text that is deleted, replaced or inserted.
	criticMark = lazyregexp.New(`\{(?:--|~~|\+\+)`)
	// lineMarks matches what precedes the text of a line: marks of quotations, list items, tasks and headings.
	lineMarks = lazyregexp.New(`^[ \t>]*(?:(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+)?`)
)

// Maximum lengths, in bytes, of a tag and of the text between two tags.
const (
	maxEditTag    = 1 << 10
	maxStruckText = 16 << 10
)

// replaceEditTags replaces the tags around struck-out text that begins at pos by tildes, the form in
// which all other code recognises struck-out text, and leaves out a tag of inserted text: of "<del>10
// mg</del> <ins>5 mg</ins>", "~~10 mg~~ 5 mg" is left. It reports whether there was such a tag.
func (v *hiddenRemover) replaceEditTags() bool {
	rest := v.text[v.pos:]
	tag := findEditTag(rest)
	if tag == nil || v.pos > 0 && v.text[v.pos-1] == '\\' {
		return false
	}
	name, isEnd := strings.ToLower(rest[tag[4]:tag[5]]), tag[2] < tag[3]
	if name == "ins" {
		v.replaceRange(v.pos, v.pos+tag[1], "")
		v.pos += tag[1]
		return true
	}
	if isEnd || name == "span" && !struckStyle.MatchString(rest[tag[6]:tag[7]]) {
		return false
	}
	from := v.pos + tag[1]
	to, end := v.findEndTag(name, from)
	if end < 0 || strings.Contains(v.text[from:to], "```") || strings.Contains(v.text[from:to], "~~~") {
		return false
	}
	isRow := strings.HasPrefix(strings.TrimLeft(v.text[v.lineStart:v.pos], " \t"), "|")
	v.out.WriteString(v.text[v.copiedUpTo:v.pos])
	v.out.WriteString(strikeLines(v.text[from:to], isRow))
	v.copiedUpTo, v.pos = end, end
	return true
}

// replaceCriticMark replaces the change in CriticMarkup that begins at pos, if there is one, by
// struck-out text and what takes its place: of "{--10 mg--}{++5 mg++}" and "{~~10 mg~>5 mg~~}", "~~10
// mg~~ 5 mg" is left.
func (v *hiddenRemover) replaceCriticMark() {
	rest := v.text[v.pos:min(len(v.text), v.pos+maxStruckText)]
	const markLength = len("{--")
	isMark := len(rest) >= markLength && rest[1] == rest[2] && strings.IndexByte("-~+", rest[1]) >= 0
	if !isMark || v.pos < v.unclosedUpTo[rest[1:markLength]] {
		v.pos++
		return
	}
	if n := strings.Index(rest, "\n\n"); n >= 0 {
		rest = rest[:n]
	}
	mark := rest[1:markLength]
	inner, _, isClosed := strings.Cut(rest[markLength:], mark+"}")
	old, replacement, isReplaced := strings.Cut(inner, "~>")
	if !isClosed || mark == Strikethrough && !isReplaced {
		v.setUnclosed(mark, v.pos+markLength+len(inner))
		v.pos++
		return
	}
	end := markLength + len(inner) + markLength
	switch isRow := strings.HasPrefix(strings.TrimLeft(v.text[v.lineStart:v.pos], " \t"), "|"); {
	case rest[1] == '+':
		old, replacement = "", inner
	case rest[1] == '-':
		old, replacement = strikeLines(inner, isRow), ""
	default:
		old = strikeLines(old, isRow)
	}
	if old != "" && (replacement != "" || strings.HasPrefix(v.text[v.pos+end:], "{++")) {
		old += " "
	}
	v.out.WriteString(v.text[v.copiedUpTo:v.pos] + old + replacement)
	v.pos += end
	v.copiedUpTo = v.pos
}

// findEditTag returns the indexes of the tag at the beginning of a text and of its parts; nil if there is none.
func findEditTag(text string) []int {
	if len(text) < 3 || strings.IndexByte("/DdSsIi", text[1]) < 0 {
		return nil
	}
	return editTagHere.FindStringSubmatchIndex(text[:min(len(text), maxEditTag)])
}

// findEndTag returns where the end tag that belongs to a tag before from starts and ends; end is -1 if there is
// none in the paragraph. After a tag that stands alone in its line, other paragraphs may precede the end tag.
func (v *hiddenRemover) findEndTag(name string, from int) (start, end int) {
	if from < v.unclosedUpTo[name] {
		return 0, -1
	}
	rest := v.text[from:min(len(v.text), from+maxStruckText)]
	line, _, _ := strings.Cut(rest, "\n")
	if n := strings.Index(rest, "\n\n"); n >= 0 && strings.TrimSpace(line) != "" {
		rest = rest[:n]
	}
	depth := 1
	for at := 0; ; {
		n := strings.IndexByte(rest[at:], '<')
		if n < 0 {
			break
		}
		at += n
		tag := findEditTag(rest[at:])
		if tag == nil {
			at++
			continue
		}
		if strings.EqualFold(rest[at+tag[4]:at+tag[5]], name) {
			if depth++; tag[2] < tag[3] {
				depth -= 2
			}
			if depth == 0 {
				return from + at + tag[0], from + at + tag[1]
			}
		}
		at += tag[1]
	}
	v.setUnclosed(name, from+len(rest))
	return 0, -1
}

// setUnclosed records that the text up to an offset has no closing mark with a name, such as that of a
// tag, so that it is not searched for again.
func (v *hiddenRemover) setUnclosed(name string, upTo int) {
	if v.unclosedUpTo == nil {
		v.unclosedUpTo = map[string]int{}
	}
	v.unclosedUpTo[name] = upTo
}

// strikeLines marks each line of a text, without its edit tags, as struck out, and each cell if it is a row of a
// table. isRow tells whether the text begins within a row.
func strikeLines(text string, isRow bool) string {
	text = editTag.ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, Strikethrough, "")
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		marks := ""
		if i > 0 {
			marks = lineMarks.FindString(line)
			line = line[len(marks):]
			isRow = strings.HasPrefix(line, "|")
		}
		pieces := []string{line}
		if isRow {
			pieces = strings.Split(line, "|")
		}
		for n, piece := range pieces {
			pieces[n] = strike(piece)
		}
		lines[i] = marks + strings.Join(pieces, "|")
	}
	return strings.Join(lines, "\n")
}

// strike marks a text without line breaks as struck out. Blanks at its ends stay outside of the marks.
func strike(text string) string {
	inner := strings.TrimSpace(text)
	if strings.Trim(inner, "-: \t") == "" {
		return text
	}
	start := strings.Index(text, inner)
	end := start + len(inner)
	open, closing := strikeMarks(inner)
	return text[:start] + open + inner + closing + text[end:]
}
