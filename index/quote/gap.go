package quote

import (
	"slices"
	"strings"
	"unicode"
)

// gap describes what folding removed between two characters that it kept.
type gap struct {
	space   bool
	lineEnd bool   // it has a hyphen that may be due to the end of a line
	marks   string // punctuation of sentences, brackets, hyphens, and apostrophes in words
}

// longestGap is the maximum number of bytes of a gap that are examined.
const longestGap = 1000

// gapOf describes the text between two characters.
func gapOf(text string) (g gap) {
	for at := 0; at < min(len(text), longestGap); {
		if n := linkTargetLength(text[at:]); n > 0 {
			at += n
			continue
		}
		if n := tag.FindString(text[at:min(len(text), at+longestTarget)]); n != "" {
			g.space = g.space || !inlineTag.MatchString(n)
			at += len(n)
			continue
		}
		r, size := runeAt(text, at)
		rest := text[at+size:]
		switch class := charClassOf(r); {
		case r == '\u00ad':
			g.lineEnd = true
			rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
			size = len(text) - at - len(rest)
		case class == space:
			g.space = g.space || unicode.IsSpace(r)
		case r == '—' || r == '―':
			g.space = true
		case class == dash && at == 0 && strings.TrimLeftFunc(rest, unicode.IsSpace) == "" && rest != "":
			g.lineEnd = true
			return g
		case class == dash:
			g.marks += "-"
		case (r == '\'' || r == '’') && len(text) == size:
			g.marks += "'"
		case class == mark:
			g.marks += string(plainMark(r))
		}
		at += size
	}
	return g
}

// plainMark returns the Western form of a Chinese punctuation mark.
func plainMark(r rune) rune {
	switch r {
	case '。', '．', '｡':
		return '.'
	case '、', '､':
		return ','
	}
	return r
}

// sameGap reports whether the gaps between two characters in a quotation and in a text have the
// same meaning.
func sameGap(a, b gap, before, after rune) bool {
	switch {
	case strings.Contains(a.marks, "?") != strings.Contains(b.marks, "?"):
		return false
	case a.lineEnd && b.lineEnd:
		return true
	case a.lineEnd:
		return !b.space && (b.marks == "" || b.marks == "-")
	case b.lineEnd:
		return !a.space && (a.marks == "" || a.marks == "-")
	case !isSpacedLetter(before) || !isSpacedLetter(after) || a.space && b.space:
		return true
	case a.marks != b.marks:
		return false
	case a.space != b.space && a.marks == "": // "not able" is not "notable", and "5 mg" is "5mg"
		return isDigit(before) != isDigit(after)
	}
	return true
}

// hasPause reports whether a gap has punctuation that separates what is around it.
func (g gap) hasPause() bool { return strings.ContainsAny(g.marks, ".,;:!") }

// negations lists words that negate what follows, first in English, then in other languages.
var negations = wordSet("no not never nor neither without cannot none " +
	"nicht kein keine keinen keinem keiner keines nie niemals ohne weder ne pas jamais sans non aucun aucune nunca sin ni mai senza não nem nunca sem niet geen nooit zonder не нет никогда без ни ikke inte aldrig aldri uden utan")

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// chineseNegations lists words after which Chinese text negates what follows.
var chineseNegations = []string{"没有", "沒有", "不是", "不能", "不会", "不會", "不可", "不得", "不应", "不應", "不要", "并非", "並非", "不", "未", "无", "無", "非", "没", "沒", "勿", "莫", "别", "別", "严禁", "嚴禁", "禁止", "禁忌", "避免", "不宜", "忌"}

// isNegation reports whether a word negates what follows it.
func isNegation(word string) bool {
	word = strings.ToLower(strings.ReplaceAll(word, "’", "'"))
	return negations[word] || strings.HasSuffix(word, "n't")
}

// NegationBefore returns the word directly before an offset, in the same sentence, that negates
// what follows; "" if there is none.
func NegationBefore(text string, offset int) string {
	before := strings.TrimRightFunc(text[:offset], func(r rune) bool {
		return unicode.IsSpace(r) || charClassOf(r) == none && r != '\'' && r != '’'
	})
	if word := lastWord(before); isNegation(word) {
		return word
	}
	for _, word := range chineseNegations {
		if strings.HasSuffix(before, word) {
			return word
		}
	}
	return ""
}

// HasNegation reports whether words, each in lower case, negate something. An apostrophe may have divided
// "don't" into two, and a Chinese word is as many words as it has characters.
func HasNegation(words []string) bool {
	for i, word := range words {
		if isNegation(word) || word == "t" && i > 0 && strings.HasSuffix(words[i-1], "n") {
			return true
		}
	}
	text := strings.Join(words, "")
	return slices.ContainsFunc(chineseNegations, func(word string) bool { return strings.Contains(text, word) })
}

// lastWord returns the last word of a text, including apostrophes.
func lastWord(text string) string {
	at := strings.LastIndexFunc(text, func(r rune) bool { return !isSpacedLetter(r) && r != '\'' && r != '’' })
	if at < 0 {
		return text
	}
	return strings.TrimLeftFunc(text[at:], func(r rune) bool { return !isSpacedLetter(r) })
}
