// Package asciidoc converts AsciiDoc to Markdown: sections, lists, code blocks, tables and notes,
// with attributes substituted and links reduced to their text. Included files, comments and HTML
// passthroughs are left out.
//
// Every line of the text comes from the same line of the file, so that a citation leads to the
// right place in an editor.
package asciidoc

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/internal/base/lazyregexp"
)

// Read reads an AsciiDoc document (https://docs.asciidoctor.org/asciidoc).
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	c, err := charset.Read(raw)
	if err != nil {
		return extract.Content{}, err
	}
	r := reader{src: strikeEachLine(lineEndReplacer.Replace(c.Text)), attributes: make(map[string]string), lastDelimiters: make(map[string]int), atBlockStart: true}
	for r.pos < len(r.src) && r.out.Len() <= extract.MaxTextBytes {
		r.readLine()
	}
	if r.out.Len() > extract.MaxTextBytes {
		return extract.Content{}, extract.ErrTooMuchText
	}
	c.Text, c.Title, c.Form = r.out.String(), r.title, extract.Markdown
	if strings.TrimSpace(c.Text) == "" {
		return extract.Content{}, extract.ErrNoText
	}
	return c, nil
}

var lineEndReplacer = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// A reader converts a source in one pass over its lines.
type reader struct {
	src   string
	pos   int // offset of the next line
	out   strings.Builder
	title string

	attributes     map[string]string
	codeLanguage   string         // language of the next code block
	blockStyle     string         // style of the next block
	atBlockStart   bool           // whether the previous line is blank or belongs to the next block
	inTable        bool           // whether the lines are rows of a table
	tableRows      int            // number of rows of the table so far
	headerColumns  int            // number of columns of the table header on the previous line; 0 if there is none
	lastDelimiters map[string]int // offset of the last line that begins with each delimiter
}

// nextLine returns the next line and advances past it.
func (r *reader) nextLine() string {
	line, _ := r.peekLine()
	r.pos += len(line) + 1
	return line
}

// peekLine returns the next line without advancing; ok is false at the end of the source.
func (r *reader) peekLine() (line string, ok bool) {
	if r.pos >= len(r.src) {
		return "", false
	}
	line, _, _ = strings.Cut(r.src[r.pos:], "\n")
	return line, true
}

func (r *reader) writeLine(line string) {
	r.out.WriteString(line)
	r.out.WriteByte('\n')
}

// readLine reads one line or, if it begins a block, the whole block.
func (r *reader) readLine() {
	between, header := r.atBlockStart, r.headerColumns
	r.atBlockStart, r.headerColumns = false, 0
	line := strings.TrimRight(r.nextLine(), " \t")
	if line == "" {
		r.writeBlankLine(header)
		return
	}
	switch {
	case r.readDelimiter(line):
	case r.inTable:
		r.writeTableRow(line)
	case r.readDirective(line):
		r.writeLine("")
		r.atBlockStart = true
	case strings.HasPrefix(line, "="), strings.HasPrefix(line, "#"):
		r.readSection(line)
	case r.blockStyle == "" && between && r.readUnderlinedTitle(line):
	case line[0] == '.' && len(line) > 1 && line[1] != '.' && line[1] != ' ':
		r.writeLine("**" + r.convertInline(line[1:]) + "**")
		r.atBlockStart = true
	case line[0] == '[' && blockAttributes.MatchString(line):
		r.writeLine(r.readBlockAttributes(line))
		r.atBlockStart = true
	default:
		r.writeLine(r.labelAdmonition(r.convertLine(line)))
	}
}

// writeBlankLine writes a blank line. If header is not 0, the previous line was a table header with
// that many columns, and the delimiter row below it is written instead.
func (r *reader) writeBlankLine(header int) {
	r.atBlockStart = true
	if next, _ := r.peekLine(); header > 1 && r.inTable && strings.HasPrefix(next, "|") {
		r.writeLine("|" + strings.Repeat(" --- |", header))
		return
	}
	r.writeLine("")
}

// readSection reads a heading marked by leading = or #.
func (r *reader) readSection(line string) {
	title := strings.TrimLeft(line, line[:1])
	level := len(line) - len(title)
	if level > 6 || title == "" || title[0] != ' ' {
		if title == "" { // an unmatched block delimiter
			line = ""
		}
		r.writeLine(r.labelAdmonition(r.convertInline(line)))
		return
	}
	r.writeHeading(level, strings.TrimSuffix(title, " "+line[:level]))
}

func (r *reader) writeHeading(level int, title string) {
	first := level == 1 && r.title == ""
	if first {
		r.readHeader()
	}
	title = r.convertInline(strings.TrimSpace(title))
	if first {
		r.title = emphasisMarks.ReplaceAllString(title, "$1$2$3")
	}
	r.blockStyle, r.codeLanguage = "", ""
	r.writeLine(strings.Repeat("#", level) + " " + title)
	r.atBlockStart = true
}

// emphasisMarks matches emphasised words in a title, with their marks.
var emphasisMarks = lazyregexp.New("\\b__?([^_]+)__?\\b|\\*\\*?([^*]+)\\*\\*?|`([^`]+)`")

// readHeader sets the attributes that are defined after the title, without advancing past them,
// because the title may refer to them.
func (r *reader) readHeader() {
	const most = 100 // maximum number of lines searched for attributes
	after := *r
	for range most {
		line := after.nextLine()
		if strings.TrimSpace(line) == "" {
			return
		}
		if m := attributeEntry.FindStringSubmatch(line); m != nil {
			r.setAttribute(m[1], m[2])
		}
	}
}

// readUnderlinedTitle reads a title that is underlined by the next line, the original AsciiDoc
// syntax. It reports whether line is such a title.
func (r *reader) readUnderlinedTitle(line string) bool {
	const marks = "=-~^+"
	if strings.IndexByte("[.*-|", line[0]) >= 0 {
		return false
	}
	rule, ok := r.peekLine()
	rule = strings.TrimRight(rule, " \t")
	if !ok || len(rule) < 3 || strings.Trim(rule, rule[:1]) != "" || len(line) > 4*len(rule) {
		return false
	}
	level := strings.IndexByte(marks, rule[0]) + 1
	if n := utf8.RuneCountInString(line); level == 0 || !strings.ContainsFunc(line, unicode.IsLetter) || n < len(rule)-2 || n > len(rule)+2 {
		return false
	}
	r.nextLine()
	r.writeHeading(level, line)
	r.writeLine("")
	return true
}

var (
	blockAttributes       = lazyregexp.New(`^\[[^\s\]].*\]$|^\[\]$`)
	attributeEntry        = lazyregexp.New(`^:(!?[\pL\pN_][\pL\pN_-]*!?):(?:\s+(.*))?$`)
	preprocessorDirective = lazyregexp.New(`^(include|ifdef|ifndef|ifeval|endif|toc|leveloffset)::\S*\[(.*)\]$`)
)

// readDirective reports whether a line is a directive rather than text, such as a comment, an
// attribute entry or an include. It sets the attributes that the line defines.
func (r *reader) readDirective(line string) bool {
	switch {
	case strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "///"):
		return true
	case line == "'''", line == "<<<", line == "+", line == "---", line == "***":
		return true
	case line[0] == ':':
		m := attributeEntry.FindStringSubmatch(line)
		if m != nil {
			r.setAttribute(m[1], m[2])
		}
		return m != nil
	}
	m := preprocessorDirective.FindStringSubmatch(line)
	return m != nil && (m[1] != "ifdef" && m[1] != "ifndef" || m[2] == "") // ifdef and ifndef may have text in their brackets
}

const (
	maxAttributes = 1000
	maxValue      = 300 // maximum length of the value of an attribute in bytes
)

func (r *reader) setAttribute(name, value string) {
	if len(r.attributes) < maxAttributes && len(value) <= maxValue && !strings.Contains(name, "!") {
		r.attributes[strings.ToLower(name)] = r.convertInline(value)
	}
}

// readBlockAttributes parses the attribute list of the next block, and returns the part of it that
// readers see: the attribution of a quotation.
func (r *reader) readBlockAttributes(line string) string {
	inner := line[1 : len(line)-1]
	if strings.HasPrefix(inner, "[") || len(inner) > maxValue {
		return ""
	}
	var parts []string
	for part := range strings.SplitSeq(inner, ",") {
		if part = strings.Trim(part, ` "`); !strings.Contains(part, "=") {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	style, _, _ := strings.Cut(parts[0], "%")
	style, _, _ = strings.Cut(style, "#")
	style, _, _ = strings.Cut(style, ".")
	r.blockStyle = style
	switch {
	case len(parts) > 1 && (style == "source" || style == ""):
		r.codeLanguage = parts[1]
	case style == "quote" || style == "verse":
		return r.convertInline(strings.Join(parts[1:], ", "))
	}
	return ""
}

// labelAdmonition returns line, preceded by a label such as "Note:" if the block attributes
// before it mark an admonition.
func (r *reader) labelAdmonition(line string) string {
	style := r.blockStyle
	r.blockStyle, r.codeLanguage = "", ""
	switch style {
	case "NOTE", "TIP", "WARNING", "IMPORTANT", "CAUTION":
		return "**" + style[:1] + strings.ToLower(style[1:]) + ":**" + strings.TrimSuffix(" "+line, " ")
	}
	return line
}
