package latex

import "strings"

// A lineWriter collects the output line by line, with one line for each line of the source.
type lineWriter struct {
	text         strings.Builder
	line         strings.Builder
	isQuoted     bool // whether the line is quoted, because it belongs to a theorem
	indent       int  // number of spaces before the line
	hasText      bool // whether the line has text, so that quotation and indentation are fixed
	isRaw        bool // whether the line is a heading or code, which is written unchanged
	owedLineEnds int  // line ends of the source that were read but not written yet, such as those inside macros
}

// writeText appends text to the current line.
func (l *lineWriter) writeText(s string) {
	if strings.TrimSpace(s) != "" {
		if l.isRaw {
			l.endLine()
		}
		l.hasText = true
	}
	if !l.isRaw {
		l.line.WriteString(s)
	}
}

// setPosition sets whether the line is quoted, and its indentation, unless the line already has
// text.
func (l *lineWriter) setPosition(quoted bool, indent int) {
	if !l.hasText {
		l.isQuoted, l.indent = quoted, indent
	}
}

// writeWholeLine writes s unchanged as a separate line.
func (l *lineWriter) writeWholeLine(s string) {
	if l.hasText {
		l.endLine()
	}
	l.line.Reset()
	l.line.WriteString(s)
	l.hasText, l.isRaw, l.isQuoted, l.indent = true, true, false, 0
}

// addOwedLineEnds counts the line ends in a part of the source that is not written. endLine writes
// them, so that later lines keep their numbers.
func (l *lineWriter) addOwedLineEnds(src string) { l.owedLineEnds += strings.Count(src, "\n") }

// endLine writes the current line, and then the line ends counted by addOwedLineEnds.
func (l *lineWriter) endLine() {
	line, prefix := l.line.String(), ""
	if !l.isRaw {
		line = strings.Join(strings.Fields(line), " ")
	}
	if l.isQuoted {
		prefix = ">"
	}
	if line != "" && !l.isRaw {
		if l.isQuoted {
			prefix = "> "
		}
		prefix += strings.Repeat(" ", l.indent)
		line = escapeMarkdown(line)
	}
	l.text.WriteString(prefix + line + strings.Repeat("\n", 1+l.owedLineEnds))
	l.line.Reset()
	l.hasText, l.isRaw, l.owedLineEnds = false, false, 0
}

// escapeMarkdown escapes the start of a line that Markdown would take for a heading, a quotation, a
// rule, or the start of code or HTML.
func escapeMarkdown(line string) string {
	switch line[0] {
	case '#', '>', '<':
		return `\` + line
	case '=', '-', '*', '_', '`', '~':
		if strings.Trim(line, line[:1]) == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			return `\` + line
		}
	}
	return line
}
