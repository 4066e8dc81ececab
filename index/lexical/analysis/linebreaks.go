package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/script"
)

// joinLines removes line breaks inside words: at a soft hyphen, which PDF readers insert for
// hyphenation, at a hyphen inserted by browsers, and between characters of scripts without spaces.
func joinLines(text string) string {
	if strings.Contains(text, hyphen) {
		text = hyphenated.ReplaceAllString(text, "$1$2")
	}
	if !strings.Contains(text, softHyphen) && !hasSplitWord(text) {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	for text != "" {
		n := strings.IndexAny(text, softHyphen+"\n")
		if n < 0 {
			break
		}
		before, after := text[:n], text[n:]
		switch {
		case after[0] != '\n':
			out.WriteString(before)
			text = strings.TrimLeftFunc(after[len(softHyphen):], unicode.IsSpace)
		case isWordSplit(before, after[1:]):
			out.WriteString(strings.TrimRight(before, "\r"))
			text = after[1:]
		default:
			out.WriteString(before + "\n")
			text = after[1:]
		}
	}
	out.WriteString(text)
	return out.String()
}

const softHyphen = "\u00AD"

// hyphenated matches a word that is hyphenated at a line break. After a single letter or a capital,
// and before a digit or a capital, the hyphen belongs to the word, as in IL-6.
var hyphenated = lazyregexp.New(`(\pL\p{Ll}\pM*)` + hyphen + `[ \t\r]*\n[ \t]*(\p{Ll})`)

// hasSplitWord reports whether isWordSplit holds at any line break.
func hasSplitWord(text string) bool {
	if isASCII(text) {
		return false
	}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' && isWordSplit(text[:i], text[i+1:]) {
			return true
		}
	}
	return false
}

// isWordSplit reports whether a line break separates two characters of scripts without spaces, and
// does not precede an article.
func isWordSplit(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, "\r"))
	first, _ := utf8.DecodeRuneInString(after)
	return script.IsUnspaced(last) && script.IsUnspaced(first) && !unicode.Is(unicode.Hangul, last) && !beginsArticle(after)
}

// beginsArticle reports whether a line begins with the number of an article as a heading, which is
// followed by a space, a bracket or nothing. In "第三条规定的" the number continues a sentence.
func beginsArticle(line string) bool {
	if !strings.HasPrefix(line, "第") {
		return false
	}
	w := specialTokenScanner{text: line}
	w.scanArticle(len("第"))
	if len(w.found) == 0 {
		return false
	}
	behind, _ := utf8.DecodeRuneInString(line[w.at:])
	return w.at == len(line) || unicode.IsSpace(behind) || strings.ContainsRune("【[(〔:", behind)
}
