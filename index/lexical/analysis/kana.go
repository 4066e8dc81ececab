package analysis

import (
	"slices"
	"strings"
	"unicode"
)

// kanaParticles recognises pairs of characters that are not part of a word in Japanese, where the
// hiragana of grammar stand between words of Chinese characters and katakana. Such pairs consist of
// two hiragana, or of a particle and a neighbouring character, as in 判を and を判.
type kanaParticles bool // whether the run contains words between hiragana

// kanaParticlesOf returns a value that recognises, in a run of characters without spaces, the pairs
// that are Japanese grammar rather than part of a word. It recognises none if the run is all
// hiragana, as that may be a word, or has no hiragana.
func kanaParticlesOf(run []rune) kanaParticles {
	return kanaParticles(slices.ContainsFunc(run, isHiragana) && slices.ContainsFunc(run, func(r rune) bool { return !isHiragana(r) }))
}

func (p kanaParticles) has(first, second rune) bool {
	if !p {
		return false
	}
	return isHiragana(first) && isHiragana(second) || isParticleKana(first) || isParticleKana(second)
}

func isHiragana(r rune) bool { return unicode.Is(unicode.Hiragana, r) }

func isParticleKana(r rune) bool { return strings.ContainsRune("をはがのにへとでもや", r) }
