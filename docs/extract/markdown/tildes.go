package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Joiner is the invisible WORD JOINER of Unicode. Between two tildes of the author it shows that they are no
// mark of struck-out text: "See you~~" in a chat strikes nothing out.
const Joiner = "\u2060"

// LiteralTildes are two tildes of the author, which strike nothing out.
const LiteralTildes = "~" + Joiner + "~"

// EscapeTildes returns a text that is not Markdown with a joiner within each pair of tildes, so that it is
// no mark of struck-out text. It looks the same.
func EscapeTildes(text string) string {
	if !strings.Contains(text, Strikethrough) {
		return text
	}
	return replaceTildes(text, func(int) bool { return true })
}

// EscapeStrayTildes is like EscapeTildes, for a text whose format has no struck-out text, although its
// author may have written the marks of Markdown. It keeps pairs of tildes that seem to strike text out, as
// in "~~5 mg~~ 10 mg", and escapes those that look like the tildes of chats, as in "See you~~tomorrow~~".
func EscapeStrayTildes(text string) string {
	if !strings.Contains(text, Strikethrough) {
		return text
	}
	var out strings.Builder
	for text != "" {
		block, rest := text, ""
		if i := strings.Index(text, "\n\n"); i >= 0 {
			block, rest = text[:i+2], text[i+2:]
		}
		out.WriteString(escapeStrayTildesInBlock(block))
		text = rest
	}
	return out.String()
}

func escapeStrayTildesInBlock(block string) string {
	if !mayStrikeOut(block) {
		return block
	}
	var out strings.Builder
	for line := range strings.Lines(block) {
		open := -1 // offset of a pair that may begin struck-out text
		isPhrase := false
		isMark := make(map[int]bool)
		eachTildePair(line, func(at int) {
			after := line[at+len(Strikethrough):]
			switch {
			case open >= 0 && !endsBlank(line[:at]) && (isPhrase || isReplacedNumber(line[open:at], after)):
				isMark[open], isMark[at], open = true, true, -1
			case !startsBlank(after):
				open, isPhrase = at, beginsPhrase(line[:at])
			}
		})
		out.WriteString(replaceTildes(line, func(at int) bool { return !isMark[at] }))
	}
	return out.String()
}

// isReplacedNumber reports whether a text has a number that the one after it replaces: "剂量~~40毫克~~20毫克".
func isReplacedNumber(text, after string) bool {
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " "))
	return strings.ContainsFunc(text, unicode.IsDigit) && unicode.IsDigit(next)
}

// mayStrikeOut reports whether a pair of tildes in a text could begin struck-out text that another one ends.
func mayStrikeOut(text string) bool {
	hasOpen, mayStrike := false, false
	eachTildePair(text, func(at int) {
		mayStrike = mayStrike || hasOpen && !endsBlank(text[:at])
		hasOpen = hasOpen || !startsBlank(text[at+len(Strikethrough):])
	})
	return mayStrike
}

// beginsPhrase reports whether what follows a text begins a phrase, rather than ending one.
func beginsPhrase(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return endsBlank(before) || unicode.In(r, unicode.Ps, unicode.Pi) || strings.ContainsRune("\"'*_:：,，、;；|/-", r)
}

func endsBlank(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return text == "" || unicode.IsSpace(r)
}

func startsBlank(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text == "" || unicode.IsSpace(r)
}

// eachTildePair calls f with the offset of each run of exactly two tildes.
func eachTildePair(text string, f func(at int)) {
	for at := 0; ; {
		n := strings.Index(text[at:], Strikethrough)
		if n < 0 {
			return
		}
		at += n
		end := len(text) - len(strings.TrimLeft(text[at:], "~"))
		if end-at == len(Strikethrough) {
			f(at)
		}
		at = end
	}
}

// replaceTildes replaces by LiteralTildes each pair of tildes for whose offset isLiteral returns true.
func replaceTildes(text string, isLiteral func(at int) bool) string {
	var out strings.Builder
	copied := 0
	eachTildePair(text, func(at int) {
		if isLiteral(at) {
			out.WriteString(text[copied:at] + LiteralTildes)
			copied = at + len(Strikethrough)
		}
	})
	out.WriteString(text[copied:])
	return out.String()
}
