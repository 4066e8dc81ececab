package quote

import (
	"slices"
	"strings"
	"sync"
)

// restrictionTable lists, by language, the words and phrases that make what is beside them hold only in some
// cases, in lower case and separated by commas.
var restrictionTable = []struct{ language, phrases string }{
	{"en", "unless, except, excepting, excepted, excluding, exclusive of, other than, apart from, save for, save that, save as, save where, but, only, solely, " +
		"if, provided that, provided always, provided however, providing that, subject to, conditional on, conditional upon, conditioned on, contingent on, contingent upon, " +
		"on condition, on the condition, as long as, so long as, insofar as, in so far as, to the extent, in the event, in case, until, till, hardly, barely, scarcely, rarely, seldom, " +
		"with the exception, exempt, exempted, limited to, notwithstanding"},
	{"de", "wenn, nur, außer, ausser, es sei denn, sofern, soweit, falls, solange, vorausgesetzt, vorbehaltlich, unter vorbehalt, unter dem vorbehalt, unter der bedingung, unter der voraussetzung, " +
		"ausgenommen, mit ausnahme, ausgeschlossen, abgesehen von, ausschließlich, lediglich, höchstens, kaum, selten, im falle, insoweit"},
	{"fr", "sauf, excepté, hormis, à l'exception, à l'exclusion, à moins, à condition, sous réserve, sous condition, pourvu, si, seulement, uniquement, exclusivement, tant que, " +
		"jusqu'à ce, dans la mesure, au cas où, en cas, à peine, guère, rarement"},
	{"es, it, pt", "excepto, salvo, eccetto, tranne, exceto"},
}

// chineseRestrictions lists such words of Chinese. An ellipsis stands for other characters.
var chineseRestrictions = strings.Fields(
	"除…外 除了 除此 例外 如果 假如 假若 倘 若是 要是 如有 如遇 若有 若遇 只要 只有 只能 只限 只在 只对 只對 只向 只可 只适用 只適用 仅 僅 但 以…为限 以…為限 限于 限於 " +
		"在…情况下 在…情況下 在…条件下 在…條件下 前提 免除 免于 免於 豁免 直到 直至 视…而定 視…而定 很少 几乎 幾乎")

// restrictions holds the phrases of restrictionTable, each between spaces.
var restrictions = sync.OnceValue(func() (all []string) {
	for _, row := range restrictionTable {
		for phrase := range strings.SplitSeq(row.phrases, ",") {
			all = append(all, " "+strings.TrimSpace(phrase)+" ")
		}
	}
	return all
})

// mayReverseMeaning reports whether a text has a word that negates or restricts what is beside it.
func mayReverseMeaning(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool { return !isSpacedLetter(r) && r != '\'' })
	if slices.ContainsFunc(words, isNegation) {
		return true
	}
	spaced := " " + strings.Join(words, " ") + " "
	return slices.ContainsFunc(restrictions(), func(phrase string) bool { return strings.Contains(spaced, phrase) }) ||
		slices.ContainsFunc(chineseNegations, func(word string) bool { return strings.Contains(text, word) }) ||
		slices.ContainsFunc(chineseRestrictions, func(phrase string) bool { return containsInOrder(text, strings.Split(phrase, "…")) })
}

// containsInOrder reports whether a text contains all parts, one after the other.
func containsInOrder(text string, parts []string) bool {
	for _, part := range parts {
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = after
	}
	return true
}
