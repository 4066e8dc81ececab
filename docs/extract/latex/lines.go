package latex

import "strings"

// lines collects the text line by line.
type lines struct {
	text   strings.Builder
	line   strings.Builder
	quoted bool // of the line: it belongs to a theorem
	indent int  // of the line
	begun  bool // the line has a word, so that the place of its start counts
	raw    bool // the line is a heading or code, written as it is
	owed   int  // line ends that the last macro had inside
}

// put adds to the line.
func (l *lines) put(s string) {
	if strings.TrimSpace(s) != "" {
		if l.raw {
			l.endLine()
		}
		l.begun = true
	}
	if !l.raw {
		l.line.WriteString(s)
	}
}

// place says where the line belongs, unless it has begun.
func (l *lines) place(quoted bool, indent int) {
	if !l.begun {
		l.quoted, l.indent = quoted, indent
	}
}

// whole makes s a line of its own, as it is.
func (l *lines) whole(s string) {
	if l.begun {
		l.endLine()
	}
	l.line.Reset()
	l.line.WriteString(s)
	l.begun, l.raw, l.quoted, l.indent = true, true, false, 0
}

// owe takes note of the line ends of a source that is not written.
func (l *lines) owe(src string) { l.owed += strings.Count(src, "\n") }

// endLine writes the line, and those that were owed after it.
func (l *lines) endLine() {
	line, prefix := l.line.String(), ""
	if !l.raw {
		line = strings.Join(strings.Fields(line), " ")
	}
	if l.quoted {
		prefix = ">"
	}
	if line != "" && !l.raw {
		if l.quoted {
			prefix = "> "
		}
		prefix += strings.Repeat(" ", l.indent)
		line = escape(line)
	}
	l.text.WriteString(prefix + line + strings.Repeat("\n", 1+l.owed))
	l.line.Reset()
	l.begun, l.raw, l.owed = false, false, 0
}

// escape keeps Markdown from taking a line for a heading, a quotation, a rule or
// the start of code or HTML.
func escape(line string) string {
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
