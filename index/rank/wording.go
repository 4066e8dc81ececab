package rank

import (
	"crypto/sha256"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/script"
)

// WordingOf is the first quarter of the SHA-256 of a text as [Plain] has it.
func WordingOf(text string) Wording {
	sum := sha256.Sum256([]byte(Plain(text)))
	return Wording(sum[:len(Wording{})])
}

// Plain is a text in small letters, with single spaces, and without the punctuation
// that parts sentences, quotes or emphasises. Signs and brackets stay, and so does
// whatever stands beside a digit, and what a word begins with: "(+)" and "(-)", "<3.5"
// and ">3.5", ".125" and "125", "!ready" and "ready" are not the same.
func Plain(text string) string {
	var out strings.Builder
	var last rune   // written; 0 before the first
	var before rune // without white space
	var beside rune
	parted := false
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:]) // one byte where it is no UTF-8
		rest, prefixed := text[i+size:], strings.ContainsRune(".!", r) && !isOfWord(beside) && beside != r
		beside = r
		if unicode.IsSpace(r) {
			parted = true
			continue
		}
		solid := before
		before = r
		if strings.ContainsRune(".,;:!！…'\"“”‘’«»「」『』《》、。，；：`*_#", r) && !unicode.IsNumber(solid) && !unicode.IsNumber(nextSolid(rest)) && !(prefixed && isOfWord(firstOf(rest))) {
			parted = true
			continue
		}
		if parted && last != 0 && !(script.IsUnspaced(last) && script.IsUnspaced(r)) {
			out.WriteByte(' ')
		}
		last, parted = r, false
		out.WriteRune(unicode.ToLower(r))
	}
	if last == 0 { // it is nothing but punctuation
		out.WriteString(text)
	}
	return out.String()
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
