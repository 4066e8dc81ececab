package charset

import (
	"math/bits"
	"strings"
	"unicode"
)

// What a character costs in bits: about minus the logarithm of how often it
// occurs.
const (
	asciiCost    = 5
	quoteCost    = 6  // quotation marks and dashes in alphabetic writings, as frequent as letters with accents
	markCost     = 10 // other marks in them
	wideMarkCost = 8  // punctuation of Chinese, Japanese and Korean
	accentCost   = 7  // the most frequent letter with an accent in a Latin alphabet
	letterCost   = 4  // the most frequent letter of another alphabet
	wideCost     = 6  // the most frequent Han character or syllable
	kanaCost     = 6  // the most frequent kana
	rareCost     = 14 // a Han character or hangul syllable that is not in the tables
	foreignCost  = 17 // a character from another script, a sign
	controlCost  = 20 // a control character of ASCII
	oddCost      = 30 // a replacement, private-use or unassigned character
)

// What the place of a character adds to its cost.
const (
	capitalCost = 3  // any capital letter
	caseCost    = 8  // a capital letter after a small one
	switchCost  = 4  // a word of ASCII after one of another script, or the reverse
	signCost    = 8  // a sign other than an apostrophe, a closing mark or a dash after a letter
	narrowCost  = 10 // a half-width katakana after another character: they come in words
)

const (
	quotes    = "“”‘’–—…"
	marks     = "«»„‚•°§№€·¡¿\u00A0"
	openers   = "“‘«„‚•§№¡¿" // the marks that do not follow a letter
	wideMarks = "，。、；：？！（）《》“”‘’—…「」『』【】〈〉［］・～·ー々\u3000"
)

// Half-width katakana with their marks, each of one byte in Shift-JIS.
const narrowFirst, narrowLast = '｡', 'ﾟ'

// A writing is a simple model of the texts of one or several languages.
type writing struct {
	known map[rune]uint8  // the cost of the characters it knows, but for ASCII
	rare  func(rune) bool // whether it may also contain a character; nil if none
	mixed bool            // scripts follow each other in any order
	latin bool            // its alphabet contains that of ASCII
	mix   int             // cost of two scripts in one word or, if latin, of two accents together
}

// newWide returns the writing of a language whose most frequent characters
// are given, in that order.
func newWide(common string, rare *unicode.RangeTable) *writing {
	w := &writing{known: make(map[rune]uint8), mix: 8}
	w.rare = func(r rune) bool { return unicode.Is(rare, r) }
	w.learn(wideMarks, wideMarkCost, 0)
	for i, r := range []rune(strings.Join(strings.Fields(common), "")) {
		w.known[r] = wideCost + uint8(bits.Len(uint(i)/16))
	}
	return w
}

// newJapanese returns the writing that mixes Han characters with kana.
func newJapanese() *writing {
	w := newWide(commonKanji, unicode.Han)
	for r := range w.known {
		w.known[r]++
	}
	w.learn(wideMarks, wideMarkCost, 0)
	w.learn(hiragana, kanaCost, 16)
	w.learn(katakana, kanaCost+2, 32)
	for r := narrowFirst; r <= narrowLast; r++ {
		w.known[r] = wideMarkCost
	}
	return w
}

// newLatin returns one writing for each of the given lists of the letters that
// a language adds to ASCII.
func newLatin(alphabets ...string) []*writing {
	var list []*writing
	for _, letters := range alphabets {
		w := &writing{known: make(map[rune]uint8), latin: true, mix: 3}
		w.learn(quotes, quoteCost, 0)
		w.learn(marks, markCost, 0)
		w.learnLetters(letters, accentCost, 3)
		list = append(list, w)
	}
	return list
}

// newScript returns the writing of an alphabet other than the Latin.
func newScript(letters string) []*writing {
	w := &writing{known: make(map[rune]uint8), mix: 12}
	w.learn(quotes, quoteCost, 0)
	w.learn(marks, markCost, 0)
	w.learnLetters(letters, letterCost, 8)
	return []*writing{w}
}

// newMixed returns the writing of text in any script.
func newMixed() *writing {
	w := &writing{known: make(map[rune]uint8), mixed: true}
	w.rare = func(r rune) bool { return unicode.IsLetter(r) || unicode.IsPunct(r) }
	return w
}

// learn sets what characters cost, the most frequent first: one bit more after
// every step of them, or the same for all if step is 0.
func (w *writing) learn(common string, cost uint8, step int) {
	for i, r := range []rune(common) {
		w.known[r] = cost
		if step > 0 {
			w.known[r] += uint8(i / step)
		}
	}
}

func (w *writing) learnLetters(letters string, cost uint8, step int) {
	w.learn(letters, cost, step)
	for _, r := range letters {
		if upper := unicode.ToUpper(r); upper != r {
			w.known[upper] = w.known[r] + capitalCost
		}
	}
}

// cost returns how many bits the text takes in this writing, or more than
// limit if it is more than that.
func (w *writing) cost(text string, limit int) int {
	sum := 0
	before, letter := ' ', rune(0) // the last character, the last letter
	for _, r := range text {
		if r == unicode.ReplacementChar && r == before {
			sum += noiseByte + 1 // one fault, whatever its length
		} else {
			sum += w.runeCost(r) + w.placeCost(before, letter, r)
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

func (w *writing) runeCost(r rune) int {
	if r < 0x80 {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' || r == 0x7F {
			return controlCost
		}
		return asciiCost
	}
	if cost, ok := w.known[r]; ok {
		return int(cost)
	}
	switch {
	case w.rare != nil && w.rare(r):
		return rareCost
	case isOdd(r):
		return oddCost
	}
	return foreignCost
}

// placeCost returns what r costs in addition because of the character before
// it and the last letter before it, 0 if there is none.
func (w *writing) placeCost(before, letter, r rune) int {
	if w.mixed || before < 0x80 && r < 0x80 && letter < 0x80 {
		return 0
	}
	if !isLetter(r) {
		if r < 0x80 || !isLetter(before) {
			return 0
		}
		if _, known := w.known[r]; known && !strings.ContainsRune(openers, r) {
			return 0
		}
		return signCost
	}
	sum := 0
	switch {
	case unicode.IsUpper(r) && unicode.IsLower(before):
		sum = caseCost
	case isNarrow(r) && !isNarrow(before):
		sum = narrowCost
	}
	switch changed := letter != 0 && (letter < 0x80) != (r < 0x80); {
	case w.latin && before >= 0x80 && r >= 0x80 && before == letter:
		return sum + w.mix
	case w.latin || !changed:
		return sum
	case before == letter:
		return sum + w.mix + w.strayCost(max(before, r))
	}
	return sum + switchCost
}

// strayCost returns what a character costs in addition because it stands in a word
// of ASCII: there people have common ones, and noise has any.
func (w *writing) strayCost(r rune) int {
	if _, known := w.known[r]; known {
		return 0
	}
	return rareCost
}

func isNarrow(r rune) bool { return narrowFirst <= r && r <= narrowLast }

// isLetter includes the vowel signs of Thai and the like.
func isLetter(r rune) bool {
	if r < 0x80 {
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r)
}
