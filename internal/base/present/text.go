// Package present makes text from files, hosts and users safe to show, so that no character in it
// ends its line, controls a terminal or reorders the text around it. It also wraps lines to the
// width of a terminal. It has no knowledge of documents.
package present

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CleanBlock returns a text, possibly with several lines, in which separators (form feed and those
// of Unicode) are replaced by spaces, and other control characters (C0, DEL and C1; Unicode
// category Cc) and those that override or isolate the writing direction (UAX #9) by U+FFFD. Line
// feeds and tabs stay. The number of characters does not change.
func CleanBlock(text string) string {
	if needsNoCleaning(text) {
		return text
	}
	return strings.Map(replaceInBlock, text)
}

// CleanLine returns a text as one line: as CleanBlock does, but with line feeds and tabs replaced by
// U+FFFD as well, like other control characters.
func CleanLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return unicode.ReplacementChar
		}
		return replaceInBlock(r)
	}, text)
}

// JoinLines joins the lines of a text with semicolons, and drops invalid UTF-8.
func JoinLines(text string) string {
	said := ""
	for line := range strings.Lines(strings.ToValidUTF8(text, "")) {
		line = strings.Join(strings.Fields(line), " ")
		switch {
		case line == "":
			continue
		case strings.HasSuffix(said, ":"): // the next line completes it
			said += " "
		case said != "":
			said += "; "
		}
		said += line
	}
	return CleanLine(said)
}

// longestName is the maximum length of a name in a message, in characters.
const longestName = 200

// QuoteName returns a path, or a text given as one, for a message: quoted if it contains
// unprintable characters, and cut if it is very long.
func QuoteName(name string) string {
	short := name
	if utf8.RuneCountInString(name) > longestName {
		short = string([]rune(name)[:longestName]) + "…"
	}
	if strings.IndexFunc(short, func(r rune) bool { return !unicode.IsGraphic(r) || r == utf8.RuneError }) < 0 {
		return short
	}
	return strconv.Quote(short)
}

// QuoteShort quotes a text from a client, cut to a length that suits a message.
func QuoteShort(s string) string {
	const most = 200 // bytes
	if len(s) > most {
		return strconv.Quote(strings.ToValidUTF8(s[:most], "")) + "..."
	}
	return strconv.Quote(s)
}

func replaceInBlock(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r == 0 || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029':
		return ' '
	case unicode.IsControl(r) || isDirectional(r):
		return unicode.ReplacementChar
	}
	return r
}

func isDirectional(r rune) bool {
	return '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

// needsNoCleaning reports whether CleanBlock would change nothing. It works on the bytes of UTF-8
// for speed, as the texts of all documents pass through here.
func needsNoCleaning(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c < ' ' && c != '\n' && c != '\t' || c == 0x7f:
			return false
		case c == 0xc2 && i+1 < len(text) && text[i+1] < 0xa0: // U+0080 to U+009F
			return false
		case c == 0xe2 && i+2 < len(text) && (text[i+1] == 0x80 && text[i+2] >= 0xa8 && text[i+2] <= 0xae || text[i+1] == 0x81 && text[i+2] >= 0xa6 && text[i+2] <= 0xa9):
			return false
		}
	}
	return true
}
