// Package present makes what comes from files, hosts and users safe to show: no
// character of it ends a line that it stands in, commands a terminal or puts
// what stands around it into another order. It also fits lines to the width of a
// terminal. It knows nothing of documents.
package present

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CleanBlock returns a text of several lines with a space for each character that
// only parts others (form feed, the separators of Unicode) and U+FFFD for each
// that commands: the other control characters (C0, DEL and C1; Unicode category
// Cc) and those that override or isolate the direction of writing (UAX #9).
// Line feeds and tabs stay, and so does the number of characters.
func CleanBlock(text string) string {
	if needsNoCleaning(text) {
		return text
	}
	return strings.Map(replaceInBlock, text)
}

// CleanLine is CleanBlock for a text that stands in one line: line feeds and tabs are
// replaced too.
func CleanLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return unicode.ReplacementChar
		}
		return replaceInBlock(r)
	}, text)
}

// ErrorLine returns what an error says in one line: the messages of several errors have
// a semicolon between them, and what is no UTF-8 is left out.
func ErrorLine(err error) string { return OneLine(err.Error()) }

// OneLine returns a text with a semicolon between its lines, without what is no UTF-8.
func OneLine(text string) string {
	said := ""
	for line := range strings.Lines(strings.ToValidUTF8(text, "")) {
		line = strings.Join(strings.Fields(line), " ")
		switch {
		case line == "":
			continue
		case strings.HasSuffix(said, ":"): // and this says what
			said += " "
		case said != "":
			said += "; "
		}
		said += line
	}
	return CleanLine(said)
}

// longestName bounds a name in a message, in characters.
const longestName = 200

// QuoteName returns a path, or what was given for one, as it stands in a message:
// quoted when it holds anything but printable characters, and not endless.
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

// QuoteShort quotes what a client has sent, cut to a length that suits a message.
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

// needsNoCleaning looks for what CleanBlock would replace, at the bytes of UTF-8: the
// texts of all documents pass here.
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
