package asciidoc

import (
	"strings"

	"vademecum/internal/base/lazyregexp"
)

// readDelimiter reads a line that delimits a block, and reports whether it is one. It also consumes
// the content of a code block or of a block that is left out.
func (r *reader) readDelimiter(line string) bool {
	if len(line) < 2 || line[0] != '|' && line[0] != '`' && strings.Trim(line, line[:1]) != "" {
		return false
	}
	style := r.blockStyle
	switch {
	case line == "|===":
		r.inTable, r.tableRows = !r.inTable, 0
		r.blockStyle = ""
		r.writeLine("")
	case r.inTable:
		return false
	case strings.HasPrefix(line, "----"), strings.HasPrefix(line, "...."):
		return r.writeCodeBlock(line)
	case strings.HasPrefix(line, "```") && strings.Trim(line[3:], letters) == "":
		r.codeLanguage = line[3:]
		return r.writeCodeBlock("```")
	case strings.HasPrefix(line, "////"):
		return r.omitBlock(line)
	case strings.HasPrefix(line, "++++") && (style == "stem" || style == "latexmath" || style == "asciimath"):
		r.codeLanguage = "math"
		return r.writeCodeBlock(line)
	case strings.HasPrefix(line, "++++"):
		return r.omitBlock(line)
	case line == "--", len(line) >= 4 && strings.IndexByte("=*_", line[0]) >= 0:
		r.writeLine(r.labelAdmonition(""))
		r.atBlockStart = true
	default:
		return false
	}
	return true
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+#-_"

// hasClosingDelimiter reports whether delimiter occurs again, so that it closes the current block.
func (r *reader) hasClosingDelimiter(delimiter string) bool {
	const most = 32 // maximum number of distinct delimiters to look up, which bounds the time
	last, known := r.lastDelimiters[delimiter]
	if !known && len(r.lastDelimiters) >= most {
		return false
	}
	if !known {
		last = strings.LastIndex(r.src, "\n"+delimiter)
		r.lastDelimiters[delimiter] = last
	}
	return last+1 >= r.pos
}

// writeCodeBlock writes the code block that the current line opens, with its lines unchanged, or an
// empty line if the block is not closed. It always returns true, the result of readDelimiter.
func (r *reader) writeCodeBlock(delimiter string) bool {
	language := r.codeLanguage
	r.codeLanguage, r.blockStyle = "", ""
	if !r.hasClosingDelimiter(delimiter) {
		r.writeLine("")
		return true
	}
	fence := "```"
	if strings.Contains(r.readBlockText(delimiter), fence) {
		fence = "~~~~~~"
	}
	r.writeLine(fence + strings.ToLower(strings.Trim(language, " `{}")))
	for r.pos < len(r.src) {
		line := r.nextLine()
		if strings.TrimRight(line, " \t") == delimiter {
			break
		}
		r.writeLine(line)
	}
	r.writeLine(fence)
	return true
}

// readBlockText returns the text of the current block without advancing past it.
func (r *reader) readBlockText(delimiter string) string {
	text, _, _ := strings.Cut(r.src[r.pos:], "\n"+delimiter)
	return text
}

// omitBlock writes a blank line for each line of a block that is left out, so that later lines keep
// their numbers. It always returns true, the result of readDelimiter.
func (r *reader) omitBlock(delimiter string) bool {
	r.writeLine("")
	r.blockStyle, r.atBlockStart = "", true
	if !r.hasClosingDelimiter(delimiter) {
		return true
	}
	for r.pos < len(r.src) {
		line := r.nextLine()
		r.writeLine("")
		if strings.TrimRight(line, " \t") == delimiter {
			break
		}
	}
	return true
}

// cellMark matches the start of a cell, with its span, alignment and style.
var cellMark = lazyregexp.New(`(^|\s)(?:\d+\*)?(?:\d*\.?\d+\+)?[<^>]?(?:\.[<^>])?[adehlmsv]?\|`)

// writeTableRow writes a line of the source that belongs to a table as a row.
func (r *reader) writeTableRow(line string) {
	cells := len(cellMark.FindAllStringIndex(line, 64))
	line = strings.TrimSpace(cellMark.ReplaceAllString(line, "$1|"))
	line = r.convertInline(line)
	if cells > 1 {
		line += " |"
		if r.tableRows == 0 {
			r.headerColumns = cells
		}
	}
	r.tableRows++
	r.writeLine(line)
}

var (
	listItem          = lazyregexp.New(`^(\s*)(\*{1,6}|-|\.{1,6}|\d{1,4}\.)\s+(\S.*)$`)
	calloutItem       = lazyregexp.New(`^<(\.|\d{1,3})>\s+(\S.*)$`)
	definitionItem    = lazyregexp.New(`^(\s*)(\S.{0,200}?)(:{2,4}|;;)(?:\s+(.*))?$`)
	blockMacro        = lazyregexp.New(`^(image|video|audio)::[^\[]*\[(.*)\]$`)
	inlineConditional = lazyregexp.New(`^ifn?def::\S*?\[(.+)\]$`)
	taskMark          = lazyregexp.New(`^\[[ xX*]\] `)
)

// convertLine converts a line of text, a list item or a block macro.
func (r *reader) convertLine(line string) string {
	if len(line) > maxLine {
		return line
	}
	if m := blockMacro.FindStringSubmatch(line); m != nil {
		return r.convertInline(macroAltText(m[2]))
	}
	if m := inlineConditional.FindStringSubmatch(line); m != nil {
		line = m[1]
	}
	if m := listItem.FindStringSubmatch(line); m != nil {
		return r.formatListItem(m[2], m[3])
	}
	if m := calloutItem.FindStringSubmatch(line); m != nil {
		return "(" + m[1] + ") " + r.convertInline(m[2])
	}
	if m := definitionItem.FindStringSubmatch(line); m != nil && !strings.Contains(m[2], "::") {
		return strings.TrimSpace("**" + r.convertInline(m[2]) + "**: " + r.convertInline(m[4]))
	}
	return r.convertInline(line)
}

// formatListItem formats a list item. Its depth is the length of its marker.
func (r *reader) formatListItem(marker, text string) string {
	if !taskMark.MatchString(text) {
		text = r.convertInline(text)
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

// macroAltText returns the alternative text in the attributes of a picture, or "".
func macroAltText(attributes string) string {
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
