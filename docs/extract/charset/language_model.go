package charset

import (
	"math/bits"
	"strings"
	"unicode"
)

// Costs of characters in bits, roughly minus the binary logarithm of their frequency.
const (
	asciiCost    = 5
	quoteCost    = 6  // quotation marks and dashes in alphabetic scripts, as frequent as accents
	markCost     = 10 // other punctuation in alphabetic scripts
	wideMarkCost = 8  // Chinese, Japanese and Korean punctuation
	accentCost   = 7  // the most frequent accented letter of a Latin alphabet
	letterCost   = 4  // the most frequent letter of another alphabet
	wideCost     = 6  // the most frequent Han character or syllable
	kanaCost     = 6  // the most frequent kana
	rareCost     = 14 // a Han character or Hangul syllable that is not among the frequent ones
	foreignCost  = 17 // a character of another script, or a symbol
	controlCost  = 20 // an ASCII control character
	oddCost      = 30 // a replacement, private-use or unassigned character
)

// Additional costs of a character in its context.
const (
	capitalCost = 3  // any capital letter
	caseCost    = 8  // a capital letter after a lower-case one
	switchCost  = 4  // a word in ASCII after one in another script, or the reverse
	signCost    = 8  // a symbol directly after a letter, except an apostrophe, a closing mark or a dash
	narrowCost  = 10 // a half-width katakana after another character of a word: they usually form whole words
)

const (
	quotes    = "“”‘’–—…"
	marks     = "«»„‚•°§№€·¡¿\u00A0"
	openers   = "“‘«„‚•§№¡¿" // quotation marks and other signs that do not follow a letter
	wideMarks = "，。、；：？！（）《》“”‘’—…「」『』【】〈〉［］・～·ー々\u3000"
)

// First and last of the half-width katakana and their punctuation, each one byte in Shift-JIS.
const narrowFirst, narrowLast = '｡', 'ﾟ'

// A languageModel is a simple model of texts in one or several languages. It assigns each character
// a cost in bits: the rarer, the more.
type languageModel struct {
	costs   map[rune]uint8  // costs in bits of the known characters, except ASCII
	isRare  func(rune) bool // reports whether an unknown character is only rare, rather than foreign; nil if none is
	isMixed bool            // whether scripts may alternate in any order
	isLatin bool            // whether the alphabet includes the letters of ASCII
	mixCost int             // cost in bits of two scripts in one word or, if isLatin, of two adjacent accented letters
}

// newHanModel returns the model of a language written in Han characters or Hangul, given its most
// frequent characters in descending order. Other characters in the table rare count as rare ones.
func newHanModel(common string, rare *unicode.RangeTable) *languageModel {
	w := &languageModel{costs: make(map[rune]uint8), mixCost: 8}
	w.isRare = func(r rune) bool { return unicode.Is(rare, r) }
	w.setCosts(wideMarks, wideMarkCost, 0)
	for i, r := range []rune(strings.Join(strings.Fields(common), "")) {
		w.costs[r] = wideCost + uint8(bits.Len(uint(i)/16))
	}
	return w
}

// newJapaneseModel returns the model of Japanese, which mixes Han characters and kana.
func newJapaneseModel() *languageModel {
	w := newHanModel(commonKanji, unicode.Han)
	for r := range w.costs {
		w.costs[r]++
	}
	w.setCosts(wideMarks, wideMarkCost, 0)
	w.setCosts(hiragana, kanaCost, 16)
	w.setCosts(katakana, kanaCost+2, 32)
	for r := narrowFirst; r <= narrowLast; r++ {
		w.costs[r] = wideMarkCost
	}
	return w
}

// newLatinModels returns one model for each list of the letters that a language adds to ASCII.
func newLatinModels(alphabets ...string) []*languageModel {
	var list []*languageModel
	for _, letters := range alphabets {
		w := &languageModel{costs: make(map[rune]uint8), isLatin: true, mixCost: 3}
		w.setCosts(quotes, quoteCost, 0)
		w.setCosts(marks, markCost, 0)
		w.setLetterCosts(letters, accentCost, 3)
		list = append(list, w)
	}
	return list
}

// newAlphabetModel returns the model of an alphabet other than Latin.
func newAlphabetModel(letters string) []*languageModel {
	w := &languageModel{costs: make(map[rune]uint8), mixCost: 12}
	w.setCosts(quotes, quoteCost, 0)
	w.setCosts(marks, markCost, 0)
	w.setLetterCosts(letters, letterCost, 8)
	return []*languageModel{w}
}

// newMixedModel returns the model of text in any script.
func newMixedModel() *languageModel {
	w := &languageModel{costs: make(map[rune]uint8), isMixed: true}
	w.isRare = func(r rune) bool { return unicode.IsLetter(r) || unicode.IsPunct(r) }
	return w
}

// setCosts sets the costs of characters, given in descending order of frequency. The cost increases
// by one bit after every step characters, or not at all if step is 0.
func (w *languageModel) setCosts(common string, cost uint8, step int) {
	for i, r := range []rune(common) {
		w.costs[r] = cost
		if step > 0 {
			w.costs[r] += uint8(i / step)
		}
	}
}

func (w *languageModel) setLetterCosts(letters string, cost uint8, step int) {
	w.setCosts(letters, cost, step)
	for _, r := range letters {
		if upper := unicode.ToUpper(r); upper != r {
			w.costs[upper] = w.costs[r] + capitalCost
		}
	}
}

// textCost returns how many bits text costs in this model. It stops as soon as the cost exceeds
// limit, so that a result above limit is only a lower bound.
func (w *languageModel) textCost(text string, limit int) int {
	sum := 0
	before, letter := ' ', rune(0) // the previous character, the last letter
	for _, r := range text {
		if r == unicode.ReplacementChar && r == before {
			sum += noiseByte + 1 // an undecodable run counts as one error, whatever its length
		} else {
			sum += w.runeCost(r) + w.contextCost(before, letter, r)
		}
		if sum > limit {
			break
		}
		before = r
		if isLetter(r) {
			letter = r
		}
	}
	return sum
}

func (w *languageModel) runeCost(r rune) int {
	if r < 0x80 {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' || r == 0x7F {
			return controlCost
		}
		return asciiCost
	}
	if cost, ok := w.costs[r]; ok {
		return int(cost)
	}
	switch {
	case w.isRare != nil && w.isRare(r):
		return rareCost
	case isNonText(r):
		return oddCost
	}
	return foreignCost
}

// contextCost returns the additional cost of r because of what precedes it: the character before,
// and letter, the last letter, or 0 if there is none.
func (w *languageModel) contextCost(before, letter, r rune) int {
	if w.isMixed || before < 0x80 && r < 0x80 && letter < 0x80 {
		return 0
	}
	if !isLetter(r) {
		if r < 0x80 || !isLetter(before) {
			return 0
		}
		if _, known := w.costs[r]; known && !strings.ContainsRune(openers, r) {
			return 0
		}
		return signCost
	}
	sum := 0
	switch {
	case unicode.IsUpper(r) && unicode.IsLower(before):
		sum = caseCost
	case isHalfwidthKatakana(r) && !isHalfwidthKatakana(before):
		sum = narrowCost
	}
	switch changed := letter != 0 && (letter < 0x80) != (r < 0x80); {
	case w.isLatin && before >= 0x80 && r >= 0x80 && before == letter:
		return sum + w.mixCost
	case w.isLatin || !changed:
		return sum
	case before == letter:
		return sum + w.mixCost + w.strayCost(max(before, r))
	}
	return sum + switchCost
}

// strayCost returns the additional cost of a non-ASCII character inside an ASCII word. Characters
// that people write there are frequent ones; random bytes yield any.
func (w *languageModel) strayCost(r rune) int {
	if _, known := w.costs[r]; known {
		return 0
	}
	return rareCost
}

func isHalfwidthKatakana(r rune) bool { return narrowFirst <= r && r <= narrowLast }

// isLetter reports whether r is a letter or a combining mark, such as a Thai vowel sign.
func isLetter(r rune) bool {
	if r < 0x80 {
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r)
}
