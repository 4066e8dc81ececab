package asciidoc

import (
	"regexp"
	"strings"
)

// delimiter reads a line that begins or ends a block, and what is in one that is
// no text.
func (r *reader) delimiter(line string) bool {
	if len(line) < 2 || line[0] != '|' && line[0] != '`' && strings.Trim(line, line[:1]) != "" {
		return false
	}
	style := r.style
	switch {
	case line == "|===":
		r.table, r.rows = !r.table, 0
		r.style = ""
		r.write("")
	case r.table:
		return false
	case strings.HasPrefix(line, "----"), strings.HasPrefix(line, "...."):
		return r.code(line, line)
	case strings.HasPrefix(line, "```") && strings.Trim(line[3:], letters) == "":
		r.language = line[3:]
		return r.code(line, "```")
	case strings.HasPrefix(line, "////"):
		return r.omit(line)
	case strings.HasPrefix(line, "++++") && (style == "stem" || style == "latexmath" || style == "asciimath"):
		r.language = "math"
		return r.code(line, line)
	case strings.HasPrefix(line, "++++"):
		return r.omit(line)
	case line == "--", len(line) >= 4 && strings.IndexByte("=*_", line[0]) >= 0:
		r.write(r.labelled(""))
		r.between = true
	default:
		return false
	}
	return true
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+#-_"

// closed reports whether a block is closed that has begun.
func (r *reader) closed(delimiter string) bool {
	const most = 32 // of different lengths
	last, known := r.ends[delimiter]
	if !known && len(r.ends) >= most {
		return false
	}
	if !known {
		last = strings.LastIndex(r.src, "\n"+delimiter)
		r.ends[delimiter] = last
	}
	return last+1 >= r.pos
}

// code writes a block of code with its lines as they are.
func (r *reader) code(line, delimiter string) bool {
	language := r.language
	r.language, r.style = "", ""
	if !r.closed(delimiter) {
		r.write("")
		return true
	}
	fence := "```"
	if strings.Contains(r.blockText(delimiter), fence) {
		fence = "~~~~~~"
	}
	r.write(fence + strings.ToLower(strings.Trim(language, " `{}")))
	for r.pos < len(r.src) {
		line := r.next()
		if strings.TrimRight(line, " \t") == delimiter {
			break
		}
		r.write(line)
	}
	r.write(fence)
	return true
}

// blockText returns the text of a block that has begun.
func (r *reader) blockText(delimiter string) string {
	text, _, _ := strings.Cut(r.src[r.pos:], "\n"+delimiter)
	return text
}

// omit writes blank lines for a block that is not shown.
func (r *reader) omit(delimiter string) bool {
	r.write("")
	r.style, r.between = "", true
	if !r.closed(delimiter) {
		return true
	}
	for r.pos < len(r.src) {
		line := r.next()
		r.write("")
		if strings.TrimRight(line, " \t") == delimiter {
			break
		}
	}
	return true
}

// cellMark begins a cell: how many it spans, how it is aligned, what it holds.
var cellMark = regexp.MustCompile(`(^|\s)(?:\d+\*)?(?:\d*\.?\d+\+)?[<^>]?(?:\.[<^>])?[adehlmsv]?\|`)

// row writes a line of a table.
func (r *reader) row(line string) {
	cells := len(cellMark.FindAllStringIndex(line, 64))
	line = strings.TrimSpace(cellMark.ReplaceAllString(line, "$1|"))
	line = r.inline(line)
	if cells > 1 {
		line += " |"
		if r.rows == 0 {
			r.header = cells
		}
	}
	r.rows++
	r.write(line)
}

var (
	listItem    = regexp.MustCompile(`^(\s*)(\*{1,6}|-|\.{1,6}|\d{1,4}\.)\s+(\S.*)$`)
	calloutItem = regexp.MustCompile(`^<(\.|\d{1,3})>\s+(\S.*)$`)
	definition  = regexp.MustCompile(`^(\s*)(\S.{0,200}?)(:{2,4}|;;)(?:\s+(.*))?$`)
	blockMacro  = regexp.MustCompile(`^(image|video|audio)::[^\[]*\[(.*)\]$`)
	conditional = regexp.MustCompile(`^ifn?def::\S*?\[(.+)\]$`)
	taskMark    = regexp.MustCompile(`^\[[ xX*]\] `)
)

// paragraphLine returns a line of text, of a list or of a macro.
func (r *reader) paragraphLine(line string) string {
	if len(line) > maxLine {
		return line
	}
	if m := blockMacro.FindStringSubmatch(line); m != nil {
		return r.inline(caption(m[2]))
	}
	if m := conditional.FindStringSubmatch(line); m != nil {
		line = m[1]
	}
	if m := listItem.FindStringSubmatch(line); m != nil {
		return r.item(m[2], m[3])
	}
	if m := calloutItem.FindStringSubmatch(line); m != nil {
		return "(" + m[1] + ") " + r.inline(m[2])
	}
	if m := definition.FindStringSubmatch(line); m != nil && !strings.Contains(m[2], "::") {
		return strings.TrimSpace("**" + r.inline(m[2]) + "**: " + r.inline(m[4]))
	}
	return r.inline(line)
}

// item returns an item of a list, which is as deep as its marker is long.
func (r *reader) item(marker, text string) string {
	if !taskMark.MatchString(text) {
		text = r.inline(text)
	}
	depth := len(marker) - 1
	switch marker[0] {
	case '*':
		marker = "-"
	case '.':
		marker = "1."
	case '-':
		depth = 0
	default:
		depth = 0
	}
	return strings.Repeat("   ", depth) + marker + " " + text
}

// caption returns the alternative text of a picture.
func caption(attributes string) string {
	if strings.HasPrefix(attributes, `"`) {
		text, _, _ := strings.Cut(attributes[1:], `"`)
		return text
	}
	text, _, _ := strings.Cut(attributes, ",")
	if strings.Contains(text, "=") {
		return ""
	}
	return text
}
