// Package quote checks quotations: whether a text says just that, or what comes nearest to
// it and where that differs.
//
// Spacing, hyphens at the ends of lines, quotation marks, width, the punctuation of sentences
// and the marks of Markdown do not count (see folder). All else does, numbers, names,
// negations and units above all.
package quote

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/index/lexical/analysis"
	"vademecum/internal/message"
	"vademecum/internal/script"
)

// MaxRunes is how long a quotation may be, in characters.
const MaxRunes = 2000

// Quotation is a text that is said to stand somewhere. Where an ellipsis is in it, it has
// parts that stand one after the other.
type Quotation struct {
	parts   []part
	targets bool // it has targets of links, or labels of footnotes: see folder
}

// part is a text without an ellipsis.
type part struct {
	text   string
	folded []byte
	chars  []char
}

// ellipsis is what stands for words that are left out, in brackets or not.
var ellipsis = regexp.MustCompile(`[\[(（【]?\s*(?:…+|\.{3,}|\. \. \.|。{2,}|⋯+)\s*[\])）】]?`)

// New reads a quotation. The error says why it cannot be checked.
func New(text string) (Quotation, error) {
	if n := utf8.RuneCountInString(text); n > MaxRunes {
		return Quotation{}, message.Errorf("too long to check (%d characters, at most %d): give its sentences one by one", "太长，无法核对（%d 个字符，至多 %d 个）：请逐句给出", n, MaxRunes)
	}
	q := Quotation{targets: hasTarget(text)}
	for _, s := range ellipsis.Split(text, -1) {
		if p := newPart(s, q.targets); len(p.chars) > 0 {
			q.parts = append(q.parts, p)
		}
	}
	if len(q.parts) == 0 {
		return Quotation{}, message.Errorf("there is nothing to check: it has no letter", "没有可核对的内容：其中没有文字")
	}
	return q, nil
}

func newPart(text string, targets bool) part {
	p := part{text: text}
	f := folder{text: text, targets: targets, keep: func(c *char) { p.chars = append(p.chars, *c) }}
	f.fold()
	p.folded = f.out
	return p
}

// Parts is how many parts it has.
func (q Quotation) Parts() int { return len(q.parts) }

// Part is the text of a part.
func (q Quotation) Part(i int) string { return q.parts[i].text }

// isJust tells whether characters of a text, as many as a part has and loosely the same, say
// the same: with case and accents, and not as a piece of a word or a number. The first letter
// may be a capital or not, as quotations are fitted into sentences.
func (p part) isJust(chars []char, text string) bool {
	for i, c := range chars {
		if c.strict != p.chars[i].strict && (i > 0 || !sameLetter(c.strict, p.chars[i].strict)) {
			return false
		}
	}
	r := rangeOf(chars)
	return !isInside(text, r.Start, true) && !isInside(text, r.End, false)
}

// sameLetter tells whether two characters differ in nothing but case.
func sameLetter(a, b rune) bool { return unicode.ToLower(a) == unicode.ToLower(b) }

// isInside tells whether a place in a text is within a word or a number, seen from the
// character that follows it, or from the one before it.
func isInside(text string, at int, isStart bool) bool {
	before, size := utf8.DecodeLastRuneInString(text[:at])
	after, sizeAfter := utf8.DecodeRuneInString(text[at:])
	if isWord(before) && isWord(after) {
		return !isStart || !isDigit(before) || isDigit(after) // the unit of "5mg" may begin a quotation
	}
	if isStart && strings.ContainsRune("不未无無非没沒勿莫", before) && script.IsUnspaced(after) { // and says the opposite with it
		return true
	}
	if isStart {
		beyond, _ := utf8.DecodeLastRuneInString(text[:at-size])
		isMinus := classOf(before) == dash && isDigit(after) && !isWord(beyond)
		return isMinus || isJoint(before, beyond, after)
	}
	beyond, _ := utf8.DecodeRuneInString(text[at+sizeAfter:])
	return isJoint(after, before, beyond)
}

// isJoint tells whether a mark joins what is at both of its sides to one word or number.
func isJoint(mark, one, other rune) bool {
	switch {
	case mark == '.' || mark == ',' || mark == ':' || mark == '/':
		return isDigit(one) && isDigit(other)
	case classOf(mark) == dash && mark != '—' && mark != '―' || mark == '\'' || mark == '’' || mark == '\u00ad':
		return isWord(one) && isWord(other)
	}
	return false
}

// isWord tells letters and digits of writing that has spaces between words.
func isWord(r rune) bool {
	return r != utf8.RuneError && (r < utf8.RuneSelf || !script.IsUnspaced(r) || unicode.Is(unicode.Hangul, r)) && !analysis.IsAccent(r) && !unicode.Is(unicode.Lm, r) && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}
