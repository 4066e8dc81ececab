package rank

import (
	"crypto/sha256"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// ChunkTextHashOf returns the first quarter of the SHA-256 of a text as folded by [FoldText].
func ChunkTextHashOf(text string) ChunkTextHash {
	sum := sha256.Sum256([]byte(FoldText(text)))
	return ChunkTextHash(sum[:len(ChunkTextHash{})])
}

// FoldText returns a text in lower case, with single spaces, and without the punctuation that
// separates sentences, quotes or emphasises. Signs and brackets are kept, and so are marks next to
// a digit and marks at the beginning of a word: "(+)" and "(-)", "<3.5" and ">3.5", ".125" and
// "125", "!ready" and "ready" are not the same.
func FoldText(text string) string {
	out := make([]byte, 0, len(text))
	var last rune   // last character written; 0 before the first
	var before rune // previous character that is not white space
	var beside rune
	wasUnspaced := false // whether the last character was of a script without spaces
	parted := false
	for i, r := range text {
		isUnspaced := script.IsUnspaced(r) // such characters need none of the following checks
		if !isUnspaced && !('a' <= r && r <= 'z') {
			if unicode.IsSpace(r) {
				beside, parted = r, true
				continue
			}
			if isSeparatingMark(r) && !unicode.IsNumber(before) && separates(text[i:], r, beside) {
				before, beside, parted = r, r, true
				continue
			}
		}
		if parted && last != 0 && !(wasUnspaced && isUnspaced) {
			out = append(out, ' ')
		}
		last, before, beside, wasUnspaced, parted = r, r, r, isUnspaced, false
		switch {
		case r < utf8.RuneSelf:
			out = append(out, asciiLower(byte(r)))
		case isUnspaced: // no upper case
			out = utf8.AppendRune(out, r)
		default:
			out = utf8.AppendRune(out, unicode.ToLower(r))
		}
	}
	if last == 0 { // the text is nothing but punctuation
		out = append(out, text...)
	}
	return string(out)
}

// isSeparatingMark reports whether a character is punctuation, a quotation mark or a mark of
// emphasis.
func isSeparatingMark(r rune) bool {
	switch r {
	case '.', ',', ';', ':', '!', '"', '\'', '`', '*', '_', '#',
		'！', '…', '“', '”', '‘', '’', '«', '»', '「', '」', '『', '』', '《', '》', '、', '。', '，', '；', '：':
		return true
	}
	return false
}

// separates reports whether a mark only separates words, so that it is left out. text begins with the
// mark, and beside is the character directly before it. A mark next to a number, or at the beginning of
// a word, is kept.
func separates(text string, mark, beside rune) bool {
	rest := text[utf8.RuneLen(mark):]
	if unicode.IsNumber(firstNonSpace(rest)) {
		return false
	}
	begins := (mark == '.' || mark == '!') && !isWordRune(beside) && beside != mark
	return !begins || !isWordRune(firstRune(rest))
}

func asciiLower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// firstRune returns the first character of a text; 0 if the text is empty.
func firstRune(text string) rune {
	if text == "" {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// firstNonSpace returns the first character of a text that is not white space; 0 if there is none.
func firstNonSpace(text string) rune {
	for _, r := range text {
		if !unicode.IsSpace(r) {
			return r
		}
	}
	return 0
}
