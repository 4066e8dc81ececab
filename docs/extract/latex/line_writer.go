package latex

import "strings"

// A lineWriter collects the output line by line, and keeps one line of output for each line of
// the source.
type lineWriter struct {
	text         strings.Builder
	line         strings.Builder
	isQuoted     bool // of the line: it belongs to a theorem
	indent       int  // of the line
	hasText      bool // the line has a word, so that the place of its start counts
	isRaw        bool // the line is a heading or code, written as it is
	owedLineEnds int  // line ends that the last macro had inside
}

// writeText adds to the line.
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

// setPosition sets quotation and indent of the line, unless the line has text already.
func (l *lineWriter) setPosition(quoted bool, indent int) {
	if !l.hasText {
		l.isQuoted, l.indent = quoted, indent
	}
}

// writeWholeLine makes s a line of its own, as it is.
func (l *lineWriter) writeWholeLine(s string) {
	if l.hasText {
		l.endLine()
	}
	l.line.Reset()
	l.line.WriteString(s)
	l.hasText, l.isRaw, l.isQuoted, l.indent = true, true, false, 0
}

// addOwedLineEnds counts the line ends of a source that is not written, so that later lines
// keep their numbers.
func (l *lineWriter) addOwedLineEnds(src string) { l.owedLineEnds += strings.Count(src, "\n") }

// endLine writes the line, and the pending lines after it.
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

// escapeMarkdown keeps Markdown from taking a line for a heading, a quotation, a rule or
// the start of code or HTML.
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
