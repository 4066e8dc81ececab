package analysis

import (
	"slices"
	"strings"
	"unicode"
)

// kanaParticles tells the pairs of characters that are no part of a word in Japanese, where
// words of Chinese characters and of katakana stand between the hiragana of grammar:
// pairs of these, and a particle with the character beside it, as in 判を and を判.
type kanaParticles bool // there are words to stand between

// kanaParticlesOf looks at a run. One of hiragana alone may be a word in them.
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
