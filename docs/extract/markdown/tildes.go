package markdown

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
)

// WordJoiner is the invisible WORD JOINER of Unicode. Between two tildes of the author it shows that they are no
// mark of struck-out text: "See you~~" in a chat strikes nothing out.
const WordJoiner = "\u2060"

// LiteralTildes are two tildes of the author, which strike nothing out.
const LiteralTildes = "~" + WordJoiner + "~"

// EscapeTildes returns a text that is not Markdown with a joiner within each pair of tildes, so that it is
// no mark of struck-out text. It looks the same.
func EscapeTildes(text string) string {
	if !strings.Contains(text, Strikethrough) {
		return text
	}
	return replaceTildes(text, func(int) bool { return true })
}

// EscapeStrayTildes is like EscapeTildes, for a text whose format has no struck-out text, although its
// author may have written the marks of Markdown. It keeps pairs of tildes that seem to strike out text of one
// line, as in "~~5 mg~~ 10 mg", and escapes those that look like the tildes of chats, as in "See you~~tomorrow~~".
func EscapeStrayTildes(text string) string { return escapeStrayTildes(text, strings.Lines) }

// EscapeStrayTildesInProse is EscapeStrayTildes for a text whose lines may be those of a paragraph, in which
// struck-out text may continue on the next line.
func EscapeStrayTildesInProse(text string) string { return escapeStrayTildes(text, joinedLines) }

// escapeStrayTildes escapes stray tildes in each of the parts into which partsOf divides a block.
func escapeStrayTildes(text string, partsOf func(block string) iter.Seq[string]) string {
	if !strings.Contains(text, Strikethrough) {
		return text
	}
	var out strings.Builder
	for text != "" {
		block, rest := text, ""
		if i := strings.Index(text, "\n\n"); i >= 0 {
			block, rest = text[:i+2], text[i+2:]
		}
		if !mayStrikeOut(block) {
			out.WriteString(block)
		} else {
			for part := range partsOf(block) {
				out.WriteString(escapeStrayTildesInPart(part))
			}
		}
		text = rest
	}
	return out.String()
}

func escapeStrayTildesInPart(part string) string {
	open := -1 // offset of a pair that may begin struck-out text
	isPhrase := false
	isMark := make(map[int]bool)
	eachTildePair(part, func(at int) {
		after := part[at+len(Strikethrough):]
		switch {
		case open >= 0 && !endsBlank(part[:at]) && isStruckOut(part[open+len(Strikethrough):at], isPhrase, after):
			isMark[open], isMark[at], open = true, true, -1
		case !startsBlank(after):
			open, isPhrase = at, beginsPhrase(part[:at])
		}
	})
	return replaceTildes(part, func(at int) bool { return !isMark[at] })
}

// isStruckOut reports whether a text between two pairs of tildes is struck out, by whether it begins a phrase and
// what follows. Text of several lines must end a phrase too, as tone marks may be in different sentences.
func isStruckOut(text string, isPhrase bool, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	if isPhrase && (!strings.Contains(text, "\n") || startsBlank(after) || unicode.IsPunct(next)) {
		return true
	}
	return isReplacedNumber(text, after)
}

// ownLine matches lines that do not continue the one before: items of a list and messages of a chat.
var ownLine = lazyregexp.New(`^\s*(?:[*+•–-]\s|[\[<|]|\d+[.)]\s|\d+[:/]\d|[^\s:：]+(?: [^\s:：]+)?(?:: |：))`)

// joinedLines yields the lines of a block, those that continue others with these.
func joinedLines(block string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, end := 0, 0
		for line := range strings.Lines(block) {
			if end > start && ownLine.MatchString(line) {
				if !yield(block[start:end]) {
					return
				}
				start = end
			}
			end += len(line)
		}
		if end > start {
			yield(block[start:end])
		}
	}
}

// isReplacedNumber reports whether a text has a number that the one after it replaces: "剂量~~40毫克~~20毫克".
func isReplacedNumber(text, after string) bool {
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " "))
	return unicode.IsDigit(next) && strings.ContainsFunc(text, unicode.IsDigit)
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
