package meta

import (
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// inlineScanner collects the tags and links in Markdown outside of code and comments.
type inlineScanner struct {
	path        string // path of the document
	tags, links *distinctTexts
	found       distinctTexts // candidates for tags
	channels    distinctTexts // words used as names of chat channels

	fence   string // end of the open code block
	comment string // end of the open comment; "" if none is open
	blank   bool   // whether the previous line was blank, or indented code
	inList  bool   // whether indented lines belong to a list item
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
	switch mark := markdown.FenceMark(body); {
	case s.fence != "":
		if strings.HasPrefix(mark, s.fence) && strings.TrimSpace(body) == mark {
			s.fence = ""
		}
	case mark != "":
		s.fence, s.blank = mark, false
	case body == "":
		s.blank = true
	case indented && s.blank && !s.inList: // code; the next line may be code, too
	default:
		if !indented {
			s.inList = startsItem(body)
		}
		s.blank = false
		s.scanWords(line)
	}
}

// startsItem reports whether a line begins a list item.
func startsItem(line string) bool {
	rest := strings.TrimLeft(line, "0123456789")
	if len(rest) < len(line) {
		return strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")
	}
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ")
}

// scanWords finds tags and links in a line.
func (s *inlineScanner) scanWords(line string) {
	unclosed := false // whether a run of backticks is unclosed, and therefore all later ones of the line
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

// takeSign processes the markup that begins with a sign at a position, and returns its length.
func (s *inlineScanner) takeSign(line string, at int) int {
	rest := line[at:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		s.comment = "-->"
		return len("<!--")
	case strings.HasPrefix(rest, "%%"): // comment of Obsidian
		s.comment = "%%"
		return len("%%")
	case rest[0] == '\\': // the next character is escaped
		return min(2, len(rest))
	case rest[0] == '#' && endsWithSpace(line[:at]):
		tag := leadingTag(rest[1:])
		switch {
		case isOtherThanTag(tag) || strings.HasPrefix(rest[1+len(tag):], "="): // part of a URL
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

// endsWithSpace reports whether the text before a tag is empty or ends with white space.
func endsWithSpace(before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || unicode.IsSpace(last)
}

// codeLength returns the length of the inline code at the start of a text, which ends with as many
// backticks as it begins with, or 0 if it is not closed.
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

// leadingTag returns the longest start of a text that may be a tag: letters, digits, symbols such
// as emoji, and - _ / between them.
func leadingTag(s string) string {
	for i, r := range s {
		if !isTagRune(r) {
			return s[:i]
		}
	}
	return s
}

func isTagRune(r rune) bool {
	const joiner = '\u200d' // joins two emoji that are displayed as one
	return r == '-' || r == '_' || r == '/' || r == joiner ||
		r != utf8.RuneError && (unicode.In(r, unicode.L, unicode.M, unicode.N) || r >= utf8.RuneSelf && unicode.In(r, unicode.So, unicode.Sk))
}

// cleanTag returns the normalised form of a tag, or "" if it is not a tag, such as a number: "#1"
// usually refers to something else.
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

// parseWikilink parses the link at the start of a text, such as "[[Note#Heading|shown]]". It
// returns the name of the note, "" if the link leads to a place in the same note, and the length of
// the link, 0 if there is none.
func parseWikilink(s string) (name string, length int) {
	end := strings.Index(s[:min(len(s), 2*maxValue)], "]]")
	if end < 0 || strings.Contains(s[2:end], "[[") {
		return "", 0
	}
	return WikiLinkTarget(s[2:end]), end + len("]]")
}

// WikiLinkTarget returns the name of the note in the text between the brackets of a wikilink.
func WikiLinkTarget(bracketText string) string {
	name, _, _ := strings.Cut(bracketText, "|")
	name = strings.TrimSuffix(name, `\`) // escapes the bar in a table
	name, _, _ = strings.Cut(name, "#")
	return strings.TrimSuffix(strings.TrimSpace(name), ".md")
}

// wholeLink returns the name of the note if a value consists only of a link.
func wholeLink(value string) (name string, ok bool) {
	if !strings.HasPrefix(value, "[[") {
		return "", false
	}
	name, length := parseWikilink(value)
	return name, name != "" && length == len(value)
}

// linkedFile returns the file to which a Markdown link leads, or "" if the destination has no
// extension: it is a folder, or a page of a site.
func (s *inlineScanner) linkedFile(rest string) string {
	to, ok := linkDestination(rest)
	if !ok || len(path.Ext(unescapedPath(to))) < 2 {
		return ""
	}
	return ResolveLink(s.path, to)
}

// ResolveLink returns the file to which a Markdown link in a document leads: a slash and its path in
// the folder, without ".md" for a note. It returns "" for a web address, and for a place in the
// same document.
func ResolveLink(documentPath, destination string) string {
	destination = unescapedPath(destination)
	if destination == "" || strings.Contains(destination, ":") || strings.HasPrefix(destination, "//") {
		return ""
	}
	if !strings.HasPrefix(destination, "/") {
		destination = path.Join("/", path.Dir(documentPath), destination)
	}
	return strings.TrimSuffix(path.Clean(destination), ".md")
}

// unescapedPath returns the decoded path of a link destination.
func unescapedPath(to string) string {
	to, _, _ = strings.Cut(to, "#")
	to, _, _ = strings.Cut(to, "?")
	if plain, err := url.PathUnescape(to); err == nil {
		to = plain
	}
	return windowsSeparator.ReplaceAllString(to, "/$1")
}

// windowsSeparator matches a backslash that programs on Windows write as a path separator: unlike
// one before punctuation, it is not an escape.
var windowsSeparator = lazyregexp.New(`\\([^!-/:-@\[-` + "`" + `{-~])`)

// linkDestination returns the destination of a link, given the text after its opening parenthesis:
// the text in angle brackets, or the text up to white space or the end of the link.
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
