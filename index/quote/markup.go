package quote

import (
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// isLineStart reports whether an offset is preceded only by markup of Markdown in its line.
func isLineStart(text string, at int) bool {
	before := strings.TrimRight(text[max(0, at-longestRun):at], "#>=*-[ \t")
	return before == "" || before[len(before)-1] == '\n'
}

func (f *quoteFolder) isLineStart() bool { return isLineStart(f.text, f.at) }

// hiddenLength returns the length of what begins at the current position and is invisible to readers, or
// only markup:
// an HTML tag, the number of a list item, markup at the beginning of a line of Markdown.
func (f *quoteFolder) hiddenLength(r rune) int {
	rest := f.text[f.at:]
	switch {
	case isDigit(r) && !f.times && f.at > 0 && f.text[f.at-1] == '[' && f.isLineStart() && subtitleTime.MatchString(rest[:min(len(rest), longestNumber)]):
		return len("00:00:00]")
	case isDigit(r):
		if !f.numbers && f.isLineStart() {
			return len(itemNumber.FindString(rest[:min(len(rest), longestNumber)]))
		}
	case r == '<':
		if !f.targets {
			return len(tag.FindString(rest[:min(len(rest), longestTarget)]))
		}
	case r == '#' || r == '>' || r == '=':
		return f.lineMarkLength(rest, r)
	case r == '~':
		before, after := runesAround(f.text, f.at)
		isRange := isDigit(before) && isDigit(after) // "1~2"
		if isSpacedLetter(before) && !isRange || besideTilde(f.text, f.at) {
			return 1
		}
	case r == '^':
		if _, after := runesAround(f.text, f.at); !isSpacedLetter(after) && after != '-' && after != '−' {
			return 1
		}
	}
	return 0
}

// besideTilde reports whether another tilde stands beside the one at an offset.
func besideTilde(text string, at int) bool {
	after, before := text[at+1:], text[:at]
	return strings.HasPrefix(strings.TrimPrefix(after, markdown.WordJoiner), "~") || strings.HasSuffix(strings.TrimSuffix(before, markdown.WordJoiner), "~")
}

// isFootnote reports whether a character may be part of the reference to a footnote.
func isFootnote(r rune) bool {
	return r == '¹' || r == '²' || r == '³' || '⁰' <= r && r <= '⁹' && r != 'ⁱ'
}

// isFootnoteAt reports whether a character refers to a footnote: it follows the punctuation of a
// sentence.
func (f *quoteFolder) isFootnoteAt(at int, r rune) bool {
	if !isFootnote(r) || f.targets {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(f.text[:at])
	return at > 0 && (charClassOf(before) == mark || isFootnote(before) && f.end < at)
}

// subtitleTime matches the time before a paragraph of subtitles, which nobody says.
var subtitleTime = lazyregexp.New(`^\d\d:\d\d:\d\d\] `)

// hasTime matches the time before a paragraph of subtitles, or of another log, in a quotation.
var hasTime = lazyregexp.New(`\[\d\d:\d\d:\d\d\]`)

// itemNumber matches the number of a list item.
var itemNumber = lazyregexp.New(`^[0-9０-９]{1,3}[.)、．](?:\s|$|\p{Han})`)

const longestNumber = 16 // bytes

// hasItemNumber matches what may be the number of a list item anywhere in a quotation, because its lines
// may have been joined.
var hasItemNumber = lazyregexp.New(`(?:^|[^0-9０-９])[0-9０-９]{1,3}[.)、．](?:\s|$|\p{Han})`)

// hasDash matches a dash before a number that may be a bullet.
var hasDash = lazyregexp.New(`(?:^|\s)[-–]\s+\d`)

// tag matches a common HTML tag at the beginning of a text.
var tag = lazyregexp.New(`^</?(?i:a|b|big|blockquote|br|center|code|del|div|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|s|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]*=[^<>]*)?\s*/?>`)

// inlineTag matches a tag within a word or a sentence, which separates nothing.
var inlineTag = lazyregexp.New(`^</?(?i:a|b|big|code|del|em|font|i|ins|kbd|mark|s|small|span|strong|sub|sup|u)[\s>/]`)

// lineMarkLength returns the length of markup that begins or underlines a line of Markdown: that of
// a heading or a quotation. That of a heading may also be within a line, because lines may have
// been joined.
func (f *quoteFolder) lineMarkLength(rest string, r rune) int {
	before, after := runesAround(f.text, f.at)
	switch {
	case r == '=':
		if !strings.Contains(f.text[max(0, f.at-2):min(len(f.text), f.at+3)], "===") {
			return 0
		}
		return 1
	case r == '#' && (strings.HasPrefix(rest, "##") || f.at > 0 && f.text[f.at-1] == '#'):
		return 1
	case after != 0 && charClassOf(after) != space && after != '>' || r == '>' && f.angles:
		return 0
	case r == '#' && (before == 0 || charClassOf(before) == space) || f.isLineStart():
		return 1
	}
	return 0
}

// longestTarget is the maximum length of the target of a link, in bytes.
const longestTarget = 500

// linkTargetLength returns the length of the invisible part of a link or footnote at the start of a
// text: "](address)", "[^1]", or the note in "[[note|words]]"; 0 if there is none.
func linkTargetLength(text string) int {
	if text[0] != ']' && text[0] != '[' || len(text) < 2 {
		return 0
	}
	text = text[:min(len(text), longestTarget)]
	until := func(end, without string) int {
		n := strings.Index(text, end)
		if n < 0 || strings.ContainsAny(text[:n], without) {
			return 0
		}
		return n + len(end)
	}
	switch text[:2] {
	case "](":
		return until(")", " \n")
	case "[^":
		return until("]", " \n")
	case "[[":
		return until("|", "]\n")
	}
	return 0
}

// hasTarget matches what may begin a link target or a tag in a quotation, which may break off in
// it.
var hasTarget = lazyregexp.New(`\]\(|\[\^|\[\[|</?[A-Za-z]`)

// hasAngle matches a ">" within a line that may be the Markdown mark of a quoted line, because lines may have
// been joined.
var hasAngle = lazyregexp.New(`(?m)[^ \t>\n].*\s>(\s|$)`)

// foldingOptionsOf returns the options for a quotation.
func foldingOptionsOf(text string) foldingOptions {
	return foldingOptions{targets: hasTarget.MatchString(text), numbers: hasItemNumber.MatchString(text), times: hasTime.MatchString(text), dashes: hasDash.MatchString(text), angles: hasAngle.MatchString(text)}
}

// longestRun is how far to look for the context of a sign, in bytes: texts may consist of nothing
// but signs.
const longestRun = 64

// runesAround returns the characters before and after the run of equal characters at an offset; 0
// if there is none.
func runesAround(text string, at int) (before, after rune) {
	_, size := utf8.DecodeRuneInString(text[at:])
	start, end := at, at+runLength(text[at:min(len(text), at+longestRun)], size)
	for start >= size && at-start < longestRun && text[start-size:start] == text[at:at+size] {
		start -= size
	}
	if start > 0 {
		before, _ = utf8.DecodeLastRuneInString(text[:start])
	}
	if end < len(text) {
		after, _ = runeAt(text, end)
	}
	return before, after
}
