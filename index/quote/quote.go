// Package quote checks quotations: whether a text contains exactly what is quoted, or else the
// nearest wording and its differences.
//
// Spacing, hyphens at the ends of lines, quotation marks, width, the punctuation of sentences and
// the markup of Markdown do not count (see quoteFolder). Everything else does, in particular
// numbers, names, negations and units. What is struck out in a text is no part of it, unless the
// quotation marks it as struck out too.
package quote

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/sentence"
	"vademecum/docs/struck"
	"vademecum/index/lexical/analysis"
	"vademecum/index/match"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
	"vademecum/internal/base/script"
)

// Limits on a quotation.
const (
	MaxRunes = 2000
	MaxParts = 8 // parts between ellipses
)

// Quotation is a text that is claimed to appear in a document. An ellipsis divides it into parts
// that must follow each other.
type Quotation struct {
	foldingOptions
	whole       quotedPart
	parts       []quotedPart // parts between ellipses; empty if there is no ellipsis
	marksStruck bool         // it marks words as struck out, as the document may
}

// quotedPart is a text without an ellipsis.
type quotedPart struct {
	text   string
	folded []byte
	chars  []foldedChar
	gaps   []gap            // before each character but the first
	struck []struck.Stretch // what it marks as struck out
}

// ellipsis matches what stands for omitted words, in brackets or not.
var ellipsis = lazyregexp.New(`[\[(（【]?\s*(?:…+|\.{3,}|\. \. \.|。{2,}|⋯+)\s*[\])）】]?`)

// New parses a quotation. The error says why it cannot be checked.
func New(text string) (Quotation, error) {
	if n := utf8.RuneCountInString(text); n > MaxRunes {
		return Quotation{}, message.Errorf("too long to check (%d characters, at most %d): give its sentences one by one", n, MaxRunes)
	}
	q := Quotation{foldingOptions: foldingOptionsOf(text)}
	q.whole = newQuotedPart(text, q.foldingOptions)
	q.marksStruck = len(q.whole.struck) > 0
	if len(q.whole.chars) == 0 {
		return Quotation{}, message.Errorf("there is nothing to check: it contains no words")
	}
	ellipses := append(ellipsis.FindAllStringIndex(text, -1), []int{len(text), len(text)})
	at := 0
	for _, e := range ellipses {
		s := text[at:e[0]]
		p := q.partOf(at, e[0])
		at = e[1]
		switch {
		case hasWords(s):
			q.parts = append(q.parts, p)
		case len(p.chars) > 0: // a single word would precede everything
			q.parts = nil
			return q, nil
		}
	}
	if len(q.parts) > MaxParts {
		return Quotation{}, message.Errorf("too many ellipses (%d parts, at most %d): give its sentences one by one", len(q.parts), MaxParts)
	}
	if len(ellipses) == 1 {
		q.parts = nil
	}
	return q, nil
}

// partOf returns the part of the quotation between two offsets. Marks outside it may strike it out.
func (q Quotation) partOf(from, to int) quotedPart {
	p := newQuotedPart(q.whole.text[from:to], q.foldingOptions)
	p.struck = nil
	for _, s := range q.whole.struck {
		if s.Start < to && from < s.End {
			p.struck = append(p.struck, struck.Stretch{Range: struck.Range{Start: s.Start - from, End: s.End - from}})
		}
	}
	return p
}

func newQuotedPart(text string, by foldingOptions) quotedPart {
	p := quotedPart{text: text, struck: struck.FindInFragment(text)}
	f := quoteFolder{foldingOptions: by, text: text, keep: func(c *foldedChar) { p.chars = append(p.chars, *c) }}
	_ = f.fold(context.Background()) // the context never ends
	p.folded = f.out
	p.gaps = make([]gap, len(p.chars))
	for i := 1; i < len(p.chars); i++ {
		// empty between several characters folded from one
		p.gaps[i] = gapOf(text[min(p.chars[i-1].end, p.chars[i].start):p.chars[i].start])
	}
	return p
}

// PartCount returns the number of parts that are compared separately: 1 if there is no ellipsis.
func (q Quotation) PartCount() int { return max(1, len(q.parts)) }

// PartWeight returns the length of a part, in which a letter counts 1 and a character of a script without
// spaces 2.
func (q Quotation) PartWeight(part int) (n int) {
	for _, c := range q.pieces()[part].chars {
		n += weightOf(c.loose)
	}
	return n
}

// pieces returns the parts of the quotation, or the whole if it has none.
func (q Quotation) pieces() []quotedPart {
	if len(q.parts) == 0 {
		return []quotedPart{q.whole}
	}
	return q.parts
}

// isExactly reports whether characters of a text, as many as in p and loosely equal, are an exact
// match: including case and accents, and what is between them, and not a piece of a word or a
// number. The case of the first letter may differ, because quotations are fitted into sentences,
// but not to make a sentence of what follows a "not".
func (p quotedPart) isExactly(chars []foldedChar, text string) bool {
	for i, c := range chars {
		own := p.chars[i]
		if c.strict != own.strict && (i > 0 || !sameLetter(c.strict, own.strict)) {
			return false
		}
		if i > 0 && !p.sameGapAt(i, text, chars[i-1], c) {
			return false
		}
	}
	r := rangeOf(chars)
	isSentence := unicode.IsUpper(p.chars[0].strict) && unicode.IsLower(chars[0].strict)
	return (!isInsideWord(text, r.Start, true) || p.startsWithSignOf(text[:r.Start])) && (!isInsideWord(text, r.End, false) || p.continuesWithSignOf(text[r.End:])) && p.endsSentenceLike(text[r.End:]) && (!isSentence || NegationBefore(text, r.Start) == "")
}

// sameGapAt reports whether the gap before character i has the same meaning in a text, where it is
// between two other characters.
func (p quotedPart) sameGapAt(i int, text string, before, after foldedChar) bool {
	if before.end > after.start { // both are folded from one character
		return true
	}
	own, other := p.gaps[i], gapOf(text[before.end:after.start])
	if !sameGap(own, other, before.strict, after.strict) {
		return false
	}
	return own.hasPause() == other.hasPause() || !isNegation(lastWord(text[:before.end])) // "No, patients died" is not "No patients died"
}

// startsWithSignOf reports whether the preceding text ends with the sign that p has before its
// first character.
func (p quotedPart) startsWithSignOf(before string) bool {
	own, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(p.text[:p.chars[0].start], unicode.IsSpace))
	other, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(before, unicode.IsSpace))
	return own == other && own != utf8.RuneError && charClassOf(own) != solid && charClassOf(own) != space
}

// continuesWithSignOf reports whether the rest of a text begins with the sign that follows the last
// character of p.
func (p quotedPart) continuesWithSignOf(rest string) bool {
	own, _ := utf8.DecodeRuneInString(p.text[p.chars[len(p.chars)-1].end:])
	other, _ := utf8.DecodeRuneInString(rest)
	return own == other && own != utf8.RuneError && charClassOf(own) != solid && charClassOf(own) != space
}

// endsSentenceLike reports whether p, if it ends a sentence, ends it like the text, which continues with
// rest: both or neither with a question mark.
func (p quotedPart) endsSentenceLike(rest string) bool {
	own := leadingMarks(p.text[p.chars[len(p.chars)-1].end:])
	if !strings.ContainsAny(own, ".!?") {
		return true
	}
	return strings.Contains(own, "?") == strings.Contains(leadingMarks(rest), "?")
}

// leadingMarks returns the punctuation at the start of a text.
func leadingMarks(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { c := charClassOf(r); return c == solid || c == sign || c == space })
	if end < 0 {
		end = len(text)
	}
	return gapOf(text[:end]).marks
}

// sameLetter reports whether two characters differ at most in case.
func sameLetter(a, b rune) bool { return unicode.ToLower(a) == unicode.ToLower(b) }

// isInsideWord reports whether an offset in a text is within a word or a number, for a range that
// starts there, or else ends there.
func isInsideWord(text string, at int, isStart bool) bool {
	before, size := utf8.DecodeLastRuneInString(text[:at])
	after, sizeAfter := utf8.DecodeRuneInString(text[at:])
	if isSpacedLetter(before) && isSpacedLetter(after) {
		return !isStart || !isDigit(before) || isDigit(after) // the unit of "5mg" may begin a quotation
	}
	if isStart && script.IsUnspaced(after) && strings.ContainsRune("不未无無非没沒勿莫", before) {
		// the character negates what follows
		return true
	}
	if isInsideNumber(text, at) || before == '°' && isSpacedLetter(after) { // "°C"
		return true
	}
	if isStart {
		beyond, _ := utf8.DecodeLastRuneInString(text[:at-size])
		return (isDigit(after) || strings.ContainsRune("$€£¥", after)) && endsWithNumberSign(text[:at]) || (before == '¬' || before == '!') && isSpacedLetter(after) || joinsWord(before, beyond, after)
	}
	beyond, _ := utf8.DecodeRuneInString(text[at+sizeAfter:])
	switch {
	case (unicode.Is(unicode.No, after) || after == '⁻' || after == '⁺') && isSpacedLetter(before), after == '^' && isSpacedLetter(beyond):
		return true
	case isDigit(before) && strings.ContainsRune("%‰°℃℉", firstVisible(text[at:])):
		return true
	case (before == '+' || before == '-') && after == before:
		return true
	case (after == '-' || after == '−' || after == '+') && isSpacedLetter(before) && (charClassOf(beyond) == mark || charClassOf(beyond) == space && beyond != '\n'):
		return after != '-' || isDigit(before) || unicode.IsUpper(before)
	}
	return joinsWord(after, before, beyond)
}

// isInsideNumber reports whether an offset is next to punctuation between two digits.
func isInsideNumber(text string, at int) bool {
	const marks = ".,:/-–^_⁻~"
	before, size := utf8.DecodeLastRuneInString(text[:at])
	after, sizeAfter := utf8.DecodeRuneInString(text[at:])
	switch {
	case isDigit(before) && strings.ContainsRune(marks, after):
		beyond, _ := utf8.DecodeRuneInString(text[at+sizeAfter:])
		return unicode.IsNumber(beyond)
	case strings.ContainsRune(marks, before) && unicode.IsNumber(after):
		beyond, _ := utf8.DecodeLastRuneInString(text[:at-size])
		return isDigit(beyond)
	}
	return false
}

// endsWithNumberSign reports whether a text ends with a sign that belongs to the number after it.
func endsWithNumberSign(text string) bool {
	trimmed := strings.TrimRight(text, " \t\u00a0")
	last, size := utf8.DecodeLastRuneInString(trimmed)
	if strings.HasSuffix(strings.TrimRightFunc(text, unicode.IsSpace), "−") {
		return true
	}
	if charClassOf(last) == dash && last != '—' && len(trimmed) == len(text) {
		beyond, _ := utf8.DecodeLastRuneInString(trimmed[:len(trimmed)-size])
		return !isSpacedLetter(beyond)
	}
	if last == '>' && isLineStart(text, len(trimmed)-1) || strings.HasSuffix(text, struck.Mark) {
		return false
	}
	return strings.ContainsRune("<>≤≥±~≈−¬$€£¥×", last) && last != utf8.RuneError
}

// firstVisible returns the first character of a text that is not a space.
func firstVisible(text string) rune {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, unicode.IsSpace))
	return r
}

// joinsWord reports whether a mark joins the characters on both sides into a single word or number.
func joinsWord(mark, one, other rune) bool {
	switch {
	case mark == '.' || mark == ',' || mark == ':' || mark == '/' || mark == '_' || mark == '*':
		return isDigit(one) && isDigit(other) || (mark == '_' || mark == '*') && isSpacedLetter(one) && isSpacedLetter(other)
	case charClassOf(mark) == dash && mark != '—' && mark != '―' || mark == '\'' || mark == '’' || mark == '\u00ad':
		return isSpacedLetter(one) && isSpacedLetter(other)
	}
	return false
}

// isSpacedLetter reports whether a character is a letter or digit of a script with spaces.
func isSpacedLetter(r rune) bool {
	return r != utf8.RuneError && (r < utf8.RuneSelf || !script.IsUnspaced(r) || unicode.Is(unicode.Hangul, r)) && !analysis.IsAccent(r) && !unicode.Is(unicode.Lm, r) && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}

// possibleEnd matches what may be the end of a sentence that is followed by another.
var possibleEnd = lazyregexp.New(`[.!?]["”’)\]]*\s+|[。！？][”」』）]*`)

// sentenceEndIn returns where the first sentence in text[start:end] that is followed by another ends, and where
// the other may begin. ok is false if there is none.
func sentenceEndIn(text string, start, end int) (at match.Range, ok bool) {
	for {
		found := possibleEnd.FindStringIndex(text[start:end])
		if found == nil {
			return match.Range{}, false
		}
		at = match.Range{Start: start + found[0], End: start + found[1]}
		if text[at.Start] != '.' || !sentence.IsPartOfWord(text, at.Start) {
			return at, true
		}
		start = at.End
	}
}

// SplitIntoSentences returns a quotation whose parts are the sentences of q, so that they are found even
// if they are not adjacent in a text. ok is false if q has only one sentence.
func (q Quotation) SplitIntoSentences() (sentences Quotation, ok bool) {
	if len(q.parts) > 0 {
		return q, false
	}
	text := q.whole.text
	sentences = Quotation{foldingOptions: q.foldingOptions, whole: q.whole, marksStruck: q.marksStruck}
	for at, n := 0, 1; at < len(text); n++ {
		end, ok := sentenceEndIn(text, at, len(text))
		if !ok || n == MaxParts {
			end.End = len(text)
		}
		if hasWords(text[at:end.End]) {
			sentences.parts = append(sentences.parts, q.partOf(at, end.End))
		}
		at = end.End
	}
	return sentences, len(sentences.parts) > 1
}
