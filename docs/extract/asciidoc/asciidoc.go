// Package asciidoc reads AsciiDoc as Markdown: sections, lists, blocks of code,
// tables and notes, with attributes put in and links reduced to their text.
// Files that a document includes are not read, nor are comments and what is
// passed through to HTML.
//
// Every line of the text is made of that line of the file, so that a citation
// leads to the place in an editor.
package asciidoc

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
)

// Read reads an AsciiDoc document (https://docs.asciidoctor.org/asciidoc).
func Read(raw []byte, _ extract.Progress) (extract.Content, error) {
	c, err := charset.Read(raw)
	if err != nil {
		return extract.Content{}, err
	}
	r := reader{src: lineFeeds.Replace(c.Text), attributes: make(map[string]string), ends: make(map[string]int), between: true}
	for r.pos < len(r.src) && r.out.Len() <= extract.MaxText {
		r.line()
	}
	if r.out.Len() > extract.MaxText {
		return extract.Content{}, extract.ErrTooMuchText
	}
	c.Text, c.Title, c.Form = r.out.String(), r.title, extract.Markdown
	if strings.TrimSpace(c.Text) == "" {
		return extract.Content{}, extract.ErrNoText
	}
	return c, nil
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// A reader goes through the lines of a source once.
type reader struct {
	src   string
	pos   int // of the next line
	out   strings.Builder
	title string

	attributes map[string]string
	language   string         // of the block of code that comes next
	style      string         // of the next block
	between    bool           // the line before is blank, or belongs to what comes next
	table      bool           // the lines are rows of a table
	rows       int            // of the table
	header     int            // columns of a header of a table that is the last line, or 0
	ends       map[string]int // where delimiters stand last
}

// next returns the next line.
func (r *reader) next() string {
	line, _ := r.peek()
	r.pos += len(line) + 1
	return line
}

// peek returns the next line, if there is one.
func (r *reader) peek() (line string, ok bool) {
	if r.pos >= len(r.src) {
		return "", false
	}
	line, _, _ = strings.Cut(r.src[r.pos:], "\n")
	return line, true
}

func (r *reader) write(line string) {
	r.out.WriteString(line)
	r.out.WriteByte('\n')
}

// line reads a line, and what it begins.
func (r *reader) line() {
	between, header := r.between, r.header
	r.between, r.header = false, 0
	line := strings.TrimRight(r.next(), " \t")
	if line == "" {
		r.blank(header)
		return
	}
	switch {
	case r.delimiter(line):
	case r.table:
		r.row(line)
	case r.aside(line):
		r.write("")
		r.between = true
	case strings.HasPrefix(line, "="), strings.HasPrefix(line, "#"):
		r.section(line)
	case r.style == "" && between && r.underlined(line):
	case line[0] == '.' && len(line) > 1 && line[1] != '.' && line[1] != ' ':
		r.write("**" + r.inline(line[1:]) + "**")
		r.between = true
	case line[0] == '[' && blockAttributes.MatchString(line):
		r.write(r.announce(line))
		r.between = true
	default:
		r.write(r.labelled(r.paragraphLine(line)))
	}
}

// blank writes a blank line, or that below the header of a table.
func (r *reader) blank(header int) {
	r.between = true
	if next, _ := r.peek(); header > 1 && r.table && strings.HasPrefix(next, "|") {
		r.write("|" + strings.Repeat(" --- |", header))
		return
	}
	r.write("")
}

// section reads a heading of one line.
func (r *reader) section(line string) {
	title := strings.TrimLeft(line, line[:1])
	level := len(line) - len(title)
	if level > 6 || title == "" || title[0] != ' ' {
		if title == "" { // a delimiter without its counterpart
			line = ""
		}
		r.write(r.labelled(r.inline(line)))
		return
	}
	r.heading(level, strings.TrimSuffix(title, " "+line[:level]))
}

func (r *reader) heading(level int, title string) {
	first := level == 1 && r.title == ""
	if first {
		r.readHeader()
	}
	title = r.inline(strings.TrimSpace(title))
	if first {
		r.title = emphasis.ReplaceAllString(title, "$1$2$3")
	}
	r.style, r.language = "", ""
	r.write(strings.Repeat("#", level) + " " + title)
	r.between = true
}

// emphasis are the marks around words that a title goes without.
var emphasis = regexp.MustCompile("\\b__?([^_]+)__?\\b|\\*\\*?([^*]+)\\*\\*?|`([^`]+)`")

// readHeader takes the attributes that follow the title, which may hold them.
func (r *reader) readHeader() {
	const most = 100 // lines
	after := *r
	for range most {
		line := after.next()
		if strings.TrimSpace(line) == "" {
			return
		}
		if m := attributeEntry.FindStringSubmatch(line); m != nil {
			r.set(m[1], m[2])
		}
	}
}

// underlined reads a title with a line below it, as AsciiDoc had them first.
func (r *reader) underlined(line string) bool {
	const marks = "=-~^+"
	if strings.IndexByte("[.*-|", line[0]) >= 0 {
		return false
	}
	rule, ok := r.peek()
	rule = strings.TrimRight(rule, " \t")
	if !ok || len(rule) < 3 || strings.Trim(rule, rule[:1]) != "" || len(line) > 4*len(rule) {
		return false
	}
	level := strings.IndexByte(marks, rule[0]) + 1
	if n := utf8.RuneCountInString(line); level == 0 || !strings.ContainsFunc(line, unicode.IsLetter) || n < len(rule)-2 || n > len(rule)+2 {
		return false
	}
	r.next()
	r.heading(level, line)
	r.write("")
	return true
}

var (
	blockAttributes = regexp.MustCompile(`^\[[^\s\]].*\]$|^\[\]$`)
	attributeEntry  = regexp.MustCompile(`^:(!?[\pL\pN_][\pL\pN_-]*!?):(?:\s+(.*))?$`)
	preprocessor    = regexp.MustCompile(`^(include|ifdef|ifndef|ifeval|endif|toc|leveloffset)::\S*\[(.*)\]$`)
)

// aside reports whether a line is no text: a comment, an attribute, the inclusion
// of a file. Attributes are taken.
func (r *reader) aside(line string) bool {
	switch {
	case strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "///"):
		return true
	case line == "'''", line == "<<<", line == "+", line == "---", line == "***":
		return true
	case line[0] == ':':
		m := attributeEntry.FindStringSubmatch(line)
		if m != nil {
			r.set(m[1], m[2])
		}
		return m != nil
	}
	m := preprocessor.FindStringSubmatch(line)
	return m != nil && (m[1] != "ifdef" && m[1] != "ifndef" || m[2] == "") // else the text is in the brackets
}

const (
	maxAttributes = 1000
	maxValue      = 300 // bytes of the value of an attribute
)

func (r *reader) set(name, value string) {
	if len(r.attributes) < maxAttributes && len(value) <= maxValue && !strings.Contains(name, "!") {
		r.attributes[strings.ToLower(name)] = r.inline(value)
	}
}

// announce takes the attributes of the next block, and returns what they say to
// readers.
func (r *reader) announce(line string) string {
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
	r.style = style
	switch {
	case len(parts) > 1 && (style == "source" || style == ""):
		r.language = parts[1]
	case style == "quote" || style == "verse":
		return r.inline(strings.Join(parts[1:], ", "))
	}
	return ""
}

// labelled returns a line with the kind of note that it begins.
func (r *reader) labelled(line string) string {
	style := r.style
	r.style, r.language = "", ""
	switch style {
	case "NOTE", "TIP", "WARNING", "IMPORTANT", "CAUTION":
		return "**" + style[:1] + strings.ToLower(style[1:]) + ":**" + strings.TrimSuffix(" "+line, " ")
	}
	return line
}
