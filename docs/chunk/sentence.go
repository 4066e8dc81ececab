package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/sentence"
)

// An ending is how the text before a position ends, ignoring closing quotation marks and brackets.
type ending uint8

const (
	none        ending = iota
	wideStop           // one of 。！？；…, which ends a sentence whatever follows
	mark               // one of ! ?, which ends a sentence if a space follows
	dot                // a full stop does too, but it may belong to an abbreviation or number
	wideComma          // one of ，、：, which ends a clause whatever follows
	narrowComma        // one of , ; :, which ends a clause if a space follows
)

const closers = "”’」』）】》〉〕］｝\"')]}"

// afterRune returns the ending after r, which is at text[i:].
func (e ending) afterRune(text string, i int, r rune) ending {
	if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return none
	}
	switch r {
	case '。', '！', '？', '；', '…', '｡':
		return wideStop
	case '!', '?':
		if e == wideStop {
			return e
		}
		return mark
	case '.':
		if e == wideStop || e == mark {
			return e
		}
		if sentence.IsPartOfWord(text, i) {
			return none
		}
		return dot
	case '，', '、', '：':
		return wideComma
	case ',', ';', ':':
		return narrowComma
	}
	if e != none && strings.ContainsRune(closers, r) {
		return e
	}
	return none
}

// boundaryBefore returns the kind of boundary between this ending and r, which follows without
// white space.
func (e ending) boundaryBefore(r rune) boundary {
	if e != wideStop && e != wideComma || strings.ContainsRune(closers, r) {
		return betweenRunes
	}
	if e == wideComma {
		return betweenClauses
	}
	switch r {
	case '。', '！', '？', '；', '…', '｡', '!', '?', '.':
		return betweenRunes // another stop of the same sentence
	}
	return betweenSentences
}

// boundaryBeforeSpace returns the kind of boundary between this ending and the white space at
// text[i:].
func (e ending) boundaryBeforeSpace(text string, i int) boundary {
	switch {
	case e.endsSentence(text, i):
		return betweenSentences
	case e == wideComma || e == narrowComma:
		return betweenClauses
	}
	return betweenWords
}

// endsSentence reports whether a sentence ends, given that there is white space at or before
// text[i:].
func (e ending) endsSentence(text string, i int) bool {
	if e != dot {
		return e == wideStop || e == mark
	}
	const far = 64 // bytes of white space after which the text is unrelated
	rest := strings.TrimLeftFunc(text[i:min(len(text), i+far)], unicode.IsSpace)
	r, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLower(r) && !unicode.IsDigit(r)
}
