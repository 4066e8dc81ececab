package render

import (
	"strings"
	"unicode"
)

// Heading is a heading in a Markdown text.
type Heading struct {
	Level  int // from 1
	Title  string
	Line   int
	Offset int // offset of the first byte
}

// mostHeadings is the maximum number of headings that Outline returns.
const mostHeadings = 5000

// Outline returns the headings of a Markdown text, except those in lists and quotations.
func Outline(text string) (all []Heading) {
	at, number := FrontMatterEnd(text), 1
	number += strings.Count(text[:at], "\n")
	fence, before := "", ""
	for full := range strings.Lines(text[at:]) {
		line := strings.TrimRight(full, " \t\n")
		level, title := 0, ""
		switch mark := codeFence(line); {
		case fence != "":
			if strings.HasPrefix(mark, fence) && strings.TrimSpace(line) == mark {
				fence = ""
			}
			before = ""
		case mark != "":
			fence, before = mark, ""
		default:
			level, title = headingLevel(line), strings.TrimRight(strings.TrimLeft(line, "# "), "# ")
			if before != "" && (consistsOf(line, '=') || consistsOf(line, '-')) {
				level, title = 1, before
				if line[0] == '-' {
					level = 2
				}
			}
			before = underlinedTitle(line)
		}
		if title = plainTitle(title); level > 0 && title != "" && len(all) < mostHeadings {
			h := Heading{Level: level, Title: title, Line: number, Offset: at}
			if !strings.HasPrefix(line, "#") {
				h.Line, h.Offset = number-1, strings.LastIndexByte(text[:at-1], '\n')+1
			}
			all = append(all, h)
		}
		at += len(full)
		number++
	}
	return all
}

// underlinedTitle returns the text of a line that is a heading if the next line underlines it; ""
// if the line cannot be one.
func underlinedTitle(line string) string {
	if line == "" || strings.ContainsAny(line[:1], " \t>-*+|#<=`~") {
		return ""
	}
	return line
}

func consistsOf(line string, c rune) bool {
	return line != "" && strings.Trim(line, string(c)) == ""
}

// codeFence returns the backticks or tildes with which a line begins or ends a code block; "" for
// any other line.
func codeFence(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, c)
		if n := len(line) - len(rest); n >= 3 && (c == "~" || !strings.Contains(rest, c)) {
			return line[:n]
		}
	}
	return ""
}

// plainTitle returns the text of a heading without Markdown syntax.
func plainTitle(text string) string {
	const most = 300 // bytes
	text = text[:min(len(text), most)]
	var out strings.Builder
	for len(text) > 0 {
		i := strings.IndexAny(text, "*`[]!\\{")
		if i < 0 {
			break
		}
		out.WriteString(text[:i])
		switch c := text[i]; {
		case c == '{' && strings.HasPrefix(text[i:], "{#"): // an explicit anchor
			text = ""
			continue
		case c == '{', c == '!' && !strings.HasPrefix(text[i:], "!["):
			out.WriteByte(c)
		case c == '\\' && i+1 < len(text):
			i++
			out.WriteByte(text[i])
		case c == ']' && strings.HasPrefix(text[i:], "]("):
			if end := strings.IndexByte(text[i:], ')'); end > 0 {
				i += end
			}
		}
		text = text[i+1:]
	}
	out.WriteString(text)
	return strings.TrimSpace(strings.ToValidUTF8(displayText(out.String()), ""))
}

// FindHeading returns the heading to which the fragment of a link refers, by its words or its slug.
func FindHeading(headings []Heading, fragment string) (Heading, bool) {
	fragment = fragment[strings.LastIndexByte(fragment, '#')+1:] // of nested headings the last one counts
	wanted := slug(fragment)
	for _, h := range headings {
		if wanted != "" && slug(h.Title) == wanted {
			return h, true
		}
	}
	return Heading{}, false
}

// slug returns the form that a heading has in URLs.
func slug(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}
