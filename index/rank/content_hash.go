package rank

import (
	"crypto/sha256"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/script"
)

// ContentHashOf is the first quarter of the SHA-256 of a text as [Plain] has it.
func ContentHashOf(text string) ContentHash {
	sum := sha256.Sum256([]byte(Plain(text)))
	return ContentHash(sum[:len(ContentHash{})])
}

// Plain is a text in small letters, with single spaces, and without the punctuation
// that parts sentences, quotes or emphasises. Signs and brackets stay, and so does
// whatever stands beside a digit, and what a word begins with: "(+)" and "(-)", "<3.5"
// and ">3.5", ".125" and "125", "!ready" and "ready" are not the same.
func Plain(text string) string {
	out := make([]byte, 0, len(text))
	var last rune   // written; 0 before the first
	var before rune // without white space
	var beside rune
	wasUnspaced := false // the last
	parted := false
	for i, r := range text {
		isUnspaced := script.IsUnspaced(r) // none of them is anything else that is asked for here
		if !isUnspaced && !('a' <= r && r <= 'z') {
			if unicode.IsSpace(r) {
				beside, parted = r, true
				continue
			}
			if isParting(r) && !unicode.IsNumber(before) && parts(text[i:], r, beside) {
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
		case isUnspaced: // it has no capitals
			out = utf8.AppendRune(out, r)
		default:
			out = utf8.AppendRune(out, unicode.ToLower(r))
		}
	}
	if last == 0 { // it is nothing but punctuation
		out = append(out, text...)
	}
	return string(out)
}

// isParting tells the punctuation that parts sentences, quotes or emphasises.
func isParting(r rune) bool {
	switch r {
	case '.', ',', ';', ':', '!', '"', '\'', '`', '*', '_', '#',
		'！', '…', '“', '”', '‘', '’', '«', '»', '「', '」', '『', '』', '《', '》', '、', '。', '，', '；', '：':
		return true
	}
	return false
}

// parts tells whether such a mark at the beginning of a text does so there, right
// after another character: it is not beside a number, and no word begins with it.
func parts(text string, mark, beside rune) bool {
	rest := text[utf8.RuneLen(mark):]
	if unicode.IsNumber(nextSolid(rest)) {
		return false
	}
	begins := (mark == '.' || mark == '!') && !isOfWord(beside) && beside != mark
	return !begins || !isOfWord(firstOf(rest))
}

func asciiLower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

func isOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// firstOf is the first character of a text, 0 if there is none.
func firstOf(text string) rune {
	if text == "" {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// nextSolid is the first character of a text that is no white space, 0 if there
// is none.
func nextSolid(text string) rune {
	for _, r := range text {
		if !unicode.IsSpace(r) {
			return r
		}
	}
	return 0
}
