package embed

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/base/script"
)

// The features of a text are its words (in lower case, without plural endings), the character 3-
// and 4-grams of its words with a mark at both ends, and the unigrams and bigrams of scripts
// without spaces. A stored vector cannot follow the document frequencies of a growing collection,
// so the weights are fixed. They were chosen on two English and two Chinese collections, where
// similar weights scored the same within 0.01 nDCG@10; only the low weight of function words
// matters more, 0.07 on average.
const (
	wordWeight   = 1.0
	gram3Weight  = 0.5 // low because 3-grams largely repeat 4-grams
	gram4Weight  = 1.0
	hanWeight    = 1.0 // also for bigrams
	functionPart = 0.1 // factor for function words and characters
)

// Seeds that keep the kinds of features distinct: the word "ab" is not the bigram.
const (
	wordSeed  = 0x9e3779b97f4a7c15
	gram3Seed = 0xc2b2ae3d27d4eb4f
	gram4Seed = 0x165667b19e3779f9
	hanSeed   = 0x27d4eb2f165667c5
	pairSeed  = 0x85ebca77c2b2ae63
	runeSeed  = 0xff51afd7ed558ccd
)

const (
	wordEdge   = '_'
	maxWord    = 64 // runes; longer runs, such as base64, are split
	softHyphen = '\u00ad'
)

// featureCounter counts the features of one text at a time.
type featureCounter struct {
	countTable
	word  [maxWord + 2]rune // the current word, including edges
	n     int               // number of runes of the word
	clean []byte            // the normalised text
}

func newFeatureCounter() *featureCounter {
	f := &featureCounter{countTable: newCountTable()}
	f.word[0] = wordEdge
	return f
}

// countText sets the counts to those of text.
func (f *featureCounter) countText(text string) {
	f.reset()
	if isASCII(text) {
		f.countASCII(text)
		return
	}
	f.clean = norm.NFKC.AppendString(f.clean[:0], text)
	f.countUnicode(f.clean)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// asciiWord maps a byte to its lower-case letter or digit, and any other to 0.
var asciiWord = func() (t [utf8.RuneSelf]byte) {
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = c, c
	}
	for c := byte('0'); c <= '9'; c++ {
		t[c] = c
	}
	return t
}()

func (f *featureCounter) countASCII(text string) {
	for i := range len(text) {
		if c := asciiWord[text[i]]; c != 0 {
			f.addRune(rune(c))
		} else {
			f.endWord()
		}
	}
	f.endWord()
}

// countUnicode counts the features of a text in normal form KC.
func (f *featureCounter) countUnicode(text []byte) {
	for len(text) > 0 {
		r, size := rune(text[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text)
		}
		if isUnspaced(r) {
			f.endWord()
			text = f.countUnspaced(text)
			continue
		}
		text = text[size:]
		switch {
		case r < utf8.RuneSelf:
			if c := asciiWord[r]; c != 0 {
				f.addRune(rune(c))
			} else {
				f.endWord()
			}
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			f.addRune(foldCase(r))
		case r != softHyphen:
			f.endWord()
		}
	}
	f.endWord()
}

// foldCase maps letters that differ only in case to the same letter, via upper case, because some
// have several lower-case forms (σ and ς).
func foldCase(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }

// isUnspaced reports whether r belongs to Chinese, Japanese or Korean words.
func isUnspaced(r rune) bool {
	s := script.WritingSystemOf(r)
	return script.Han <= s && s <= script.Hangul
}

func isHan(r rune) bool { return script.WritingSystemOf(r) == script.Han }

// countUnspaced counts the run of unspaced characters at the start of text and returns the rest. A
// kana or a Hangul syllable carries too little meaning to count by itself, unless it is alone.
func (f *featureCounter) countUnspaced(text []byte) []byte {
	var last rune
	var lastPart float32
	n := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if !isUnspaced(r) {
			break
		}
		text = text[size:]
		n++
		part := float32(1)
		if script.IsFunctionRune(r) {
			part = functionPart
		}
		if isHan(r) {
			f.add(mixBits(hanSeed^uint64(r)), hanWeight*part)
		}
		if n > 1 {
			f.add(mixBits(pairSeed^(uint64(last)<<32|uint64(r))), hanWeight*part*lastPart)
		}
		last, lastPart = r, part
	}
	if n == 1 && !isHan(last) {
		f.add(mixBits(hanSeed^uint64(last)), hanWeight*lastPart)
	}
	return text
}

// functionWords holds the hashes of the English function words.
var functionWords = func() map[uint64]bool {
	m := make(map[uint64]bool)
	for _, word := range script.EnglishFunctionWords() {
		w := []rune(word)
		m[hashWord(w[:script.TrimPlural(w)])] = true
	}
	return m
}()

// addRune adds a rune to the current word.
func (f *featureCounter) addRune(r rune) {
	if f.n == maxWord {
		f.endWord()
	}
	f.n++
	f.word[f.n] = r
}

// endWord counts the current word, if any, and its grams. A function word has no grams: they would
// be noise in the words that contain it.
func (f *featureCounter) endWord() {
	if f.n == 0 {
		return
	}
	n := script.TrimPlural(f.word[1 : f.n+1])
	f.n = 0
	h := hashWord(f.word[1 : n+1])
	if n <= script.MaxFunctionWordRunes && functionWords[h] {
		f.add(h, wordWeight*functionPart)
		return
	}
	f.add(h, wordWeight)
	f.word[n+1] = wordEdge
	w := f.word[:n+2]
	for i := 3; i <= len(w); i++ {
		f.add(hashGram(gram3Seed, 0, w[i-3], w[i-2], w[i-1]), gram3Weight)
	}
	for i := 4; i <= len(w); i++ {
		f.add(hashGram(gram4Seed, w[i-4], w[i-3], w[i-2], w[i-1]), gram4Weight)
	}
}

// countRunes sets the counts to those of the single runes of text, except spaces. It is used for
// texts without any word, such as "***".
func (f *featureCounter) countRunes(text string) {
	f.reset()
	for _, r := range text {
		if !unicode.IsSpace(r) {
			f.add(mixBits(runeSeed^uint64(r)), wordWeight)
		}
	}
}

// releaseMemory releases memory that only a very long text needs.
func (f *featureCounter) releaseMemory() {
	const keep = 1 << 16 // maximum bytes of text, and number of features
	if cap(f.clean) > keep {
		f.clean = nil
	}
	if cap(f.entries) > keep {
		f.countTable = newCountTable()
	}
}
