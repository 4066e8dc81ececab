package analysis

import (
	"strings"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
)

const (
	// surnames are the most frequent Chinese surnames.
	surnames = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
	// givenNameCharacters are characters that mostly have a grammatical function, but also occur in given
	// names.
	givenNameCharacters = "如之有为以而可能自若"
	// placeVerbs are verbs of one character that stand between a name and a word for a place.
	placeVerbs = "住葬埋藏坐挂死"
	// placeMarkers are the words for places that follow placeVerbs.
	placeMarkers = "在于哪到"
)

// isSurname reports whether a character is a frequent surname.
func isSurname(r rune) bool { return strings.ContainsRune(surnames, r) }

// BeginsWithSurname reports whether a Chinese term begins with a frequent surname, so that it may be the
// name of a person.
func BeginsWithSurname(term string) bool {
	r, _ := utf8.DecodeRuneInString(term)
	return isSurname(r)
}

// isInGivenName reports whether the i-th character, which is grammar elsewhere, stands in a given name: after a
// surname that is no part of a word, and before another character of the name.
func isInGivenName(characters []rune, isOther []bool, i int) bool {
	if i == 0 || i+1 >= len(characters) || isOther[i] || isOther[i+1] || !strings.ContainsRune(givenNameCharacters, characters[i]) || !isSurname(characters[i-1]) {
		return false
	}
	if i > 1 && (isCommonTerm(string(characters[i-2:i])) || !isOther[i-2] && !IsFunctionTerm(string(characters[i-2]))) {
		return false
	}
	next := characters[i+1]
	return !isCommonTerm(string(characters[i:i+2])) && !IsFunctionTerm(string(next)) && (i+2 >= len(characters) || !isCommonTerm(string(characters[i+1:i+3])))
}

// isVerbOfPlace reports whether the i-th character is a verb before a word for a place, as in "where is
// x buried".
func isVerbOfPlace(characters []rune, i int) bool {
	return i+1 < len(characters) && strings.ContainsRune(placeVerbs, characters[i]) && strings.ContainsRune(placeMarkers, characters[i+1])
}

// aspectParticles follow a verb.
const aspectParticles = "了过着"

// isVerbBeforeAspect reports whether the i-th character is a verb, judging by what follows it, after a name of at
// least two characters. isOther marks the characters that belong to no name.
func isVerbBeforeAspect(characters []rune, isOther []bool, i int) bool {
	if i < 2 || i+1 >= len(characters) || !strings.ContainsRune(aspectParticles, characters[i+1]) || isOther[i-1] || isOther[i-2] {
		return false
	}
	isWordBefore := IsFunctionTerm(string(characters[i-2])) || IsFunctionTerm(string(characters[i-1])) || isCommonTerm(string(characters[i-2:i]))
	return !isWordBefore && !isCommonTerm(string(characters[i-1:i+1]))
}

// addressForm matches forms of address before a name: abbreviations before any word, and words before one with
// a capital, because "Frau" alone is a word of a question. In capitals, as in MS and MR, they are other words.
var addressForm = lazyregexp.New(`\b(?:(?:([Mm]r|[Mm]rs|[Dd]r|[Pp]rof|Hr|Fr)\.? +\pL)|(?:(Ms|Mx|Miss|Sir|Herrn?|Frau|Fräulein|Mme|Mlle|Madame|Monsieur|Professor|Doctor|Doktor|Sr|Sra|Señora?|Signora?)\.? +\p{Lu}))`)

// addressFormsAfterName lists forms of address after a Chinese name, in simplified characters.
var addressFormsAfterName = strings.Fields("先生 女士 小姐 太太 医生 大夫 教授 老师 同志")

// addressSpans returns the byte ranges of forms of address before names in a text.
func addressSpans(text string) (spans []wordRun) {
	for at := 0; ; {
		m := addressForm.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return spans
		}
		start, end := m[2], m[3]
		if start < 0 {
			start, end = m[4], m[5]
		}
		spans = append(spans, wordRun{start: at + start, end: at + end})
		at += end
	}
}

// isAddressForm reports whether a word of a text is within forms of address.
func isAddressForm(spans []wordRun, r wordRun) bool {
	for _, s := range spans {
		if s.start <= r.start && r.start < s.end {
			return true
		}
	}
	return false
}

// markAddressForms marks the bytes of forms of address in a query, which no text need have.
func markAddressForms(text string, told []bool) {
	for _, s := range addressSpans(text) {
		markAll(told[s.start:s.end])
	}
	for _, form := range addressFormsAfterName {
		for start, end := range occurrencesOf(text, form) {
			markAll(told[start:end])
		}
	}
}
