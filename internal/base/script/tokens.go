package script

import (
	"unicode"
	"unicode/utf8"
)

// There are two estimates of the number of tokens, for two purposes. Text sent to a model must not
// exceed its limit, so EstimateTokens follows how tokenizers split words and errs on the high side;
// it is not additive over the parts of a text. When a text is cut into chunks, the sizes of the
// parts must add up, and the estimate must be right on average: that is TokenUnits. A single
// estimate for both would either cut every document differently, which changes search results, or
// send requests that are refused.

// EstimateTokens estimates how many tokens a text has for a typical model: one per about five
// lower-case letters of a word, three capitals, two digits, or two letters of other alphabets, and
// one for each Chinese character or punctuation mark. It errs on the high side: 1.3 tokens per word
// are usual in English, 0.6 to 1 per character in Chinese
// (https://help.openai.com/en/articles/4936856, 2026-11).
func EstimateTokens(text string) int {
	var c tokenCounter
	n := 0
	for _, r := range text {
		n += c.tokensStartedBy(r)
	}
	return n
}

// tokenCounter counts the tokens of a text rune by rune.
type tokenCounter struct {
	class runeClass
	run   int // number of consecutive runes of this class
}

type runeClass int

const (
	spaceRune runeClass = iota
	smallRune
	capitalRune
	digitRune
	letterRune // of an alphabet other than Latin
	soloRune   // always a token of its own
)

// each is how many consecutive runes of a class make a token.
var each = [...]int{spaceRune: 16, smallRune: 5, capitalRune: 3, digitRune: 2, letterRune: 2, soloRune: 1}

// tokensStartedBy returns how many tokens begin with r.
func (c *tokenCounter) tokensStartedBy(r rune) int {
	class := classOf(r)
	if class != c.class {
		inWord := class == smallRune && c.class == capitalRune && c.run == 1
		c.class, c.run = class, 0
		if inWord { // an initial capital is part of the word's token
			c.run = 1
		}
	}
	c.run++
	if class == spaceRune { // the first space belongs to a word
		return btoi(c.run%each[class] == 0)
	}
	return btoi((c.run-1)%each[class] == 0)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func classOf(r rune) runeClass {
	switch {
	case 'a' <= r && r <= 'z':
		return smallRune
	case 'A' <= r && r <= 'Z':
		return capitalRune
	case '0' <= r && r <= '9':
		return digitRune
	case unicode.IsSpace(r):
		return spaceRune
	case r < 0x80 || r >= 0x2e80: // punctuation; scripts without spaces, syllables, emoji
		return soloRune
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return letterRune
	}
	return soloRune
}

// TruncateToTokens returns the longest prefix of a text with at most maxTokens tokens, as
// EstimateTokens counts them.
func TruncateToTokens(text string, maxTokens int) string {
	var c tokenCounter
	n := 0
	for i, r := range text {
		if n += c.tokensStartedBy(r); n > maxTokens {
			return text[:i]
		}
	}
	return text
}

// UnitsPerToken is the number of units of TokenUnits in a token. In such small units the sizes of
// adjacent texts add up exactly.
const UnitsPerToken = 95

const (
	wideSize   = UnitsPerToken * 12 / 10
	narrowSize = UnitsPerToken * 10 / 38
)

// TokenUnits estimates the number of tokens of a text, multiplied by UnitsPerToken: 1.2 tokens for
// a character of an East Asian system, and one for 3.8 other characters, which is close enough for
// the tokenizers of embedding models.
func TokenUnits(text string) int {
	sum := 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			sum += narrowSize
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		sum += TokenUnitsOf(r)
		i += size
	}
	return sum
}

// TokenUnitsOf returns the contribution of one character to TokenUnits.
func TokenUnitsOf(r rune) int {
	if IsEastAsian(r) {
		return wideSize
	}
	return narrowSize
}
