package script

import (
	"strings"
	"sync"
)

// IsFunctionWord reports whether a lower-case word, or a run of Chinese characters, is a function
// word, which is no evidence of a text's subject: "the", "which", "的", "什么".
func IsFunctionWord(word string) bool {
	runes := []rune(word)
	if len(runes) == 0 || WritingSystemOf(runes[0]) != Han {
		return functionWords()[singular(word)]
	}
	for _, r := range runes {
		if !functionRunes[r] {
			return false
		}
	}
	return true
}

// IsFunctionRune reports whether a Chinese character mostly forms function words.
func IsFunctionRune(r rune) bool { return functionRunes[r] }

// EnglishFunctionWords lists the English function words.
func EnglishFunctionWords() []string { return strings.Fields(functionWordList) }

// functionWords holds the English function words without plural endings.
var functionWords = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for _, w := range EnglishFunctionWords() {
		m[singular(w)] = true
	}
	return m
})

func singular(word string) string {
	w := []rune(word)
	return string(w[:TrimPlural(w)])
}

// functionWordList lists English words of closed classes: articles, pronouns, prepositions,
// conjunctions, auxiliaries, and the adverbs among them (the classes of Quirk et al., "A
// Comprehensive Grammar of the English Language", 1985). They occur in nearly every text and reveal
// little of its subject. The single letters remain when words are split at apostrophes.
const functionWordList = `
	a an the this that these those each every either neither some any such same
	i me my mine we us our ours you your yours he him his she her hers it its
	they them their theirs who whom whose which what itself themselves one
	about above across after against along among around at before behind below
	between by during for from in into of off on onto out over per since than
	through to toward towards under until up upon via with within without down
	and or but nor so yet if then else because although though while whereas
	whether as unless when where why how
	am is are was were be been being have has had having do does did doing done
	can could may might must shall should will would cannot
	not no here there now again also just only very too more most less least
	other another both all few many much own once ever even still however
	s t d m ll re ve don`

// MaxFunctionWordRunes is the length of the longest English function word in runes. Longer words
// need no lookup.
const MaxFunctionWordRunes = 10

// functionRunes holds the Chinese characters that mostly form function words (xuci: particles,
// pronouns, prepositions, conjunctions, adverbs of degree and scope, modal verbs) and are also
// among the few hundred most frequent of modern Chinese, simplified and traditional. Frequent
// characters of content words, such as 人, 大 or 高, are left out.
var functionRunes = runeSet(`的一是不了在有我他她它您你们這这那哪个之其此每各某
	和与及或而且但因由为以从把被将让向往对于至到比跟同给
	要会可能应该就也都还又再才已很更最太却只仅便即则若如虽
	吗呢吧啊着过得地个些么什怎谁何样多少等所然者没无非上下来去起时
	個們為與從將讓對於應該還過麼誰樣會雖則無沒來時`)

func runeSet(list string) map[rune]bool {
	m := make(map[rune]bool)
	for _, r := range list {
		m[r] = true
	}
	return m
}

// TrimPlural returns the length of w without an English plural ending, and rewrites "ies" to
// "y" in place: Harman's s-stemmer ("How effective is suffixing?", 1991).
func TrimPlural(w []rune) (length int) {
	n := len(w)
	if n < 4 || w[n-1] != 's' {
		return n
	}
	before := w[n-2]
	switch {
	case before == 'u' || before == 's':
		return n
	case before != 'e':
		return n - 1
	}
	switch w[n-3] {
	case 'i':
		if w[n-4] == 'e' || w[n-4] == 'a' {
			return n - 1
		}
		w[n-3] = 'y'
		return n - 2
	case 'a', 'e', 'o':
		return n
	}
	return n - 1
}
