package analysis

import (
	"strings"
	"unicode/utf8"
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
