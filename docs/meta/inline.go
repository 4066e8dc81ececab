package meta

import (
	"net/url"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inlineScanner collects the tags and links in Markdown, outside of code and comments.
type inlineScanner struct {
	path        string // of the document
	tags, links *distinctTexts
	found       distinctTexts // what may be tags
	channels    distinctTexts // words described as channels of a chat

	fence   string // that ends the code that is open
	comment string // what closes the comment that is open, "" when none is
	blank   bool   // the line before is blank, or code by its indentation
	inList  bool   // what is indented belongs to an item
}

func (s *inlineScanner) scan(text string) {
	s.blank = true
	for line := range strings.Lines(text) {
		s.scanLine(strings.TrimRight(line, "\n"))
	}
	for _, tag := range s.found.all {
		if !s.channels.seen[Fold(tag)] {
			s.tags.add(tag, maxTags)
		}
	}
}

func (s *inlineScanner) scanLine(line string) {
	body := strings.TrimLeft(line, " \t")
	indented := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
	switch mark := fenceMark(body); {
	case s.fence != "":
		if strings.HasPrefix(mark, s.fence) && strings.TrimSpace(body) == mark {
			s.fence = ""
		}
	case mark != "":
		s.fence, s.blank = mark, false
	case body == "":
		s.blank = true
	case indented && s.blank && !s.inList: // code, and the next line may be so too
	default:
		if !indented {
			s.inList = startsItem(body)
		}
		s.blank = false
		s.scanWords(line)
	}
}

// fenceMark returns the three or more ` or ~ that a line begins with, or "". After
// backticks there is none in the line, or it is code within a line.
func fenceMark(line string) string {
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, c)
		if mark := line[:len(line)-len(rest)]; len(mark) >= 3 && (c == "~" || !strings.Contains(rest, c)) {
			return mark
		}
	}
	return ""
}

// startsItem reports whether a line begins a list item.
func startsItem(line string) bool {
	rest := strings.TrimLeft(line, "0123456789")
	if len(rest) < len(line) {
		return strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")
	}
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ")
}

// scanWords looks for tags and links in a line.
func (s *inlineScanner) scanWords(line string) {
	unclosed := false // a row of backticks, and so all that follow
	for i := 0; i < len(line); {
		if s.comment != "" {
			end := strings.Index(line[i:], s.comment)
			if end < 0 {
				return
			}
			i += end + len(s.comment)
			s.comment = ""
		}
		next := strings.IndexAny(line[i:], "`<\\#[]%")
		if next < 0 {
			return
		}
		i += next
		if line[i] != '`' {
			i += s.takeSign(line, i)
			continue
		}
		size := 0
		if !unclosed {
			size = codeLength(line[i:])
		}
		unclosed = size == 0
		i += max(1, size)
	}
}

// takeSign takes what begins with a sign at a place of a line, and returns its length.
func (s *inlineScanner) takeSign(line string, at int) int {
	rest := line[at:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		s.comment = "-->"
		return len("<!--")
	case strings.HasPrefix(rest, "%%"): // as Obsidian has them
		s.comment = "%%"
		return len("%%")
	case rest[0] == '\\': // the next character is escaped
		return min(2, len(rest))
	case rest[0] == '#' && endsWithSpace(line[:at]):
		tag := leadingTag(rest[1:])
		switch {
		case isOtherThanTag(tag) || strings.HasPrefix(rest[1+len(tag):], "="): // of an address
		case isChannel(line[:at], rest[1+len(tag):]):
			s.channels.add(cleanTag(tag), maxTags)
		default:
			s.found.add(cleanTag(tag), maxTags)
		}
		return 1 + len(tag)
	case strings.HasPrefix(rest, "[["):
		if name, length := parseWikilink(rest); length > 0 {
			s.links.add(name, maxLinks)
			return length
		}
	case strings.HasPrefix(rest, "]("):
		s.links.add(s.linkedFile(rest[2:]), maxLinks)
	}
	return 1
}

// endsWithSpace reports whether the text before a tag ends with white space, or is empty.
func endsWithSpace(before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || unicode.IsSpace(last)
}

// codeLength returns the length of the code that a text begins with: as many backticks
// end it as begin it. It is 0 when none do.
func codeLength(s string) int {
	mark := len(s) - len(strings.TrimLeft(s, "`"))
	for i := mark; i < len(s); {
		at := strings.IndexByte(s[i:], '`')
		if at < 0 {
			return 0
		}
		i += at
		row := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if i += row; row == mark {
			return i
		}
	}
	return 0
}

// leadingTag returns as much of a text as can be a tag: letters, digits, signs such as
// emoji, and - _ / between.
func leadingTag(s string) string {
	for i, r := range s {
		if !isTagRune(r) {
			return s[:i]
		}
	}
	return s
}

func isTagRune(r rune) bool {
	const joiner = '\u200d' // between two emoji that are shown as one
	return r == '-' || r == '_' || r == '/' || r == joiner ||
		r != utf8.RuneError && (unicode.In(r, unicode.L, unicode.M, unicode.N) || r >= utf8.RuneSelf && unicode.In(r, unicode.So, unicode.Sk))
}

// cleanTag returns a tag in the form in which it is kept, "" for what is none, such
// as a mere number: "#1" is mostly that of something else.
func cleanTag(s string) string {
	s = strings.TrimLeft(strings.TrimSpace(s), "#")
	if strings.Trim(s, "0123456789/-_") == "" {
		return ""
	}
	if !strings.HasPrefix(s, "/") && !strings.HasSuffix(s, "/") && !strings.Contains(s, "//") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '/' }), "/")
}

// parseWikilink parses the link at the start of a text, such as "[[Note#Heading|shown]]":
// it returns the name of the note, "" when it leads to a place in the note itself, and
// the length of the link, 0 when there is none.
func parseWikilink(s string) (name string, length int) {
	end := strings.Index(s[:min(len(s), 2*maxValue)], "]]")
	if end < 0 || strings.Contains(s[2:end], "[[") {
		return "", 0
	}
	return LinkName(s[2:end]), end + len("]]")
}

// LinkName returns the name of the note in the text between the brackets of a link.
func LinkName(inner string) string {
	name, _, _ := strings.Cut(inner, "|")
	name = strings.TrimSuffix(name, `\`) // before the bar in a table
	name, _, _ = strings.Cut(name, "#")
	return strings.TrimSuffix(strings.TrimSpace(name), ".md")
}

// wholeLink returns the name in a value that is a link and nothing else.
func wholeLink(value string) (name string, ok bool) {
	if !strings.HasPrefix(value, "[[") {
		return "", false
	}
	name, length := parseWikilink(value)
	return name, name != "" && length == len(value)
}

// linkedFile returns the file that a link of Markdown leads to, by its destination; "" for
// what has no extension: a folder, or a page of a site.
func (s *inlineScanner) linkedFile(rest string) string {
	to, ok := linkDestination(rest)
	if !ok || len(path.Ext(unescapedPath(to))) < 2 {
		return ""
	}
	return FileName(s.path, to)
}

// FileName returns the file that a Markdown link in a document leads to: a slash and its
// path in the folder, without ".md" for a note. It is "" for a web address, and a place in
// the document itself.
func FileName(from, to string) string {
	to = unescapedPath(to)
	if to == "" || strings.Contains(to, ":") || strings.HasPrefix(to, "//") {
		return ""
	}
	if !strings.HasPrefix(to, "/") {
		to = path.Join("/", path.Dir(from), to)
	}
	return strings.TrimSuffix(path.Clean(to), ".md")
}

// unescapedPath returns the path in an address.
func unescapedPath(to string) string {
	to, _, _ = strings.Cut(to, "#")
	to, _, _ = strings.Cut(to, "?")
	if plain, err := url.PathUnescape(to); err == nil {
		to = plain
	}
	return windowsSeparator.ReplaceAllString(to, "/$1")
}

// windowsSeparator is a backslash that programs on Windows put between the parts of a path:
// it escapes nothing, as it does before punctuation.
var windowsSeparator = regexp.MustCompile(`\\([^!-/:-@\[-` + "`" + `{-~])`)

// linkDestination returns the destination of a link after its opening parenthesis: the text in
// angle brackets, or up to white space or the end of the link.
func linkDestination(rest string) (to string, ok bool) {
	rest = rest[:min(len(rest), 2*maxValue)]
	if inner, isBracketed := strings.CutPrefix(rest, "<"); isBracketed {
		to, _, ok = strings.Cut(inner, ">")
		return to, ok
	}
	open := 0
	for i, r := range rest {
		switch {
		case r == '(':
			open++
		case r == ')' && open > 0:
			open--
		case r == ')' || r == ' ' || r == '\t':
			return rest[:i], true
		}
	}
	return "", false
}
