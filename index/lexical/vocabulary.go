package lexical

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"vademecum/index/lexical/analysis"
)

// vocabulary finds words that are spelt similarly to a word: inflected, derived or misspelt. A word
// is represented by its trigrams, including a space at both ends; the similarity of two words is
// the Dice coefficient of their trigrams (Angell et al., "Automatic spelling correction using a
// trigram similarity measure", 1983).
type vocabulary struct {
	trigrams map[trigram][]int32 // numbers of the terms that contain each trigram
	terms    *termTable
	sizes    []uint8 // number of trigrams of each term; 0 if it is not a word
	scratch  sync.Pool
}

type trigram [3]rune

const (
	shortestKin = 4   // minimum number of letters; shorter words are similar to too many others
	leastKin    = 0.3 // minimum similarity of related words
	mostSimilar = 32  // maximum number of similar words per word
)

// similarTerm is a term with its similarity to a given word, at most 1.
type similarTerm struct {
	id         int32
	similarity float64
}

func newVocabulary(terms *termTable) *vocabulary {
	return &vocabulary{terms: terms, trigrams: make(map[trigram][]int32)}
}

// add adds a term of the table. Its number may be a reused one.
func (v *vocabulary) add(id int32) {
	for int(id) >= len(v.sizes) {
		v.sizes = append(v.sizes, 0)
	}
	grams := trigramsOf(v.terms.name(id))
	v.sizes[id] = uint8(min(len(grams), 255))
	for _, g := range grams {
		v.trigrams[g] = append(v.trigrams[g], id)
	}
}

// compact reallocates the lists of terms without spare capacity.
func (v *vocabulary) compact() {
	total := 0
	for _, ids := range v.trigrams {
		total += len(ids)
	}
	all := make([]int32, 0, total)
	for g, ids := range v.trigrams {
		first := len(all)
		all = append(all, ids...)
		v.trigrams[g] = all[first:len(all):len(all)]
	}
	v.sizes = slices.Clone(v.sizes)
}

// mayHaveSimilar reports whether similar words are searched for a term: it is a word of sufficient length.
func mayHaveSimilar(term string) bool {
	return !analysis.IsUnspacedScriptTerm(term) && !analysis.IsFieldTerm(term) && utf8.RuneCountInString(term) >= shortestKin
}

// trigramsOf returns the distinct trigrams of a term, or nil if the term is not a word of
// sufficient length.
func trigramsOf(term string) []trigram {
	if !mayHaveSimilar(term) {
		return nil
	}
	runes := append(append([]rune{' '}, []rune(term)...), ' ')
	grams := make([]trigram, 0, len(runes)-2)
	for i := 0; i+3 <= len(runes); i++ {
		if g := trigram(runes[i : i+3]); !slices.Contains(grams, g) {
			grams = append(grams, g)
		}
	}
	return grams
}

// sharedTrigrams is a reusable buffer to count the trigrams that terms share with a word.
type sharedTrigrams struct {
	shared  []uint8 // number of shared trigrams of each term; zero between uses
	touched []int32 // terms that share any trigram
}

// similarTo appends the terms most similar to a word, except the word itself, to all, which must be
// empty and should have a capacity of mostSimilar.
func (v *vocabulary) similarTo(all []similarTerm, word string) []similarTerm {
	grams := trigramsOf(word)
	buffer, ok := v.scratch.Get().(*sharedTrigrams)
	if !ok || len(buffer.shared) < len(v.sizes) {
		buffer = &sharedTrigrams{shared: make([]uint8, len(v.sizes)+len(v.sizes)/4)}
	}
	shared, touched := buffer.shared, buffer.touched[:0]
	for _, g := range grams {
		for _, id := range v.trigrams[g] {
			if shared[id] == 0 {
				touched = append(touched, id)
			}
			shared[id]++
		}
	}
	for _, id := range touched {
		similarity := 2 * float64(shared[id]) / float64(len(grams)+int(v.sizes[id]))
		shared[id] = 0
		if similarity >= leastKin && similarity < 1 {
			all = v.insertRanked(all, similarTerm{id, similarity})
		}
	}
	buffer.touched = touched
	v.scratch.Put(buffer)
	return all
}

// insertRanked inserts a term into the ranked list of the most similar ones. A word has hundreds of
// similar ones, of which most rank below the last.
func (v *vocabulary) insertRanked(all []similarTerm, k similarTerm) []similarTerm {
	if len(all) == mostSimilar && v.compareSimilar(k, all[mostSimilar-1]) > 0 {
		return all
	}
	at, _ := slices.BinarySearchFunc(all, k, v.compareSimilar)
	return slices.Insert(all[:min(len(all), mostSimilar-1)], at, k)
}

func (v *vocabulary) compareSimilar(a, b similarTerm) int {
	if a.similarity != b.similarity {
		return cmp.Compare(b.similarity, a.similarity)
	}
	return cmp.Compare(v.terms.name(a.id), v.terms.name(b.id))
}

// isProbableCorrection reports whether a word is so close to a misspelt one that it was probably
// meant: one slip in at least five letters, two in at least thirteen. Numbers and codes are taken
// literally. More slips are not accepted, because medical words of opposite meaning often differ by
// two letters.
func isProbableCorrection(misspelt, word string) bool {
	a, b := []rune(misspelt), []rune(word)
	if slices.ContainsFunc(a, unicode.IsDigit) || slices.ContainsFunc(b, unicode.IsDigit) {
		return false
	}
	switch {
	case len(a) >= 13:
		return editDistance(a, b) <= 2
	case len(a) >= 5:
		return editDistance(a, b) <= 1
	}
	return false
}

// sameDigits reports whether two words have the same sequence of digits: patient1500 is not a
// variant of patient1506.
func sameDigits(a, b string) bool {
	for {
		digit, rest := firstDigit(a)
		other, otherRest := firstDigit(b)
		if digit != other || digit == 0 {
			return digit == other
		}
		a, b = rest, otherRest
	}
}

// firstDigit returns the first digit of a word and the text after it, or 0 if there is none.
func firstDigit(word string) (digit rune, rest string) {
	for i, r := range word {
		if unicode.IsDigit(r) {
			return r, word[i+utf8.RuneLen(r):]
		}
	}
	return 0, ""
}

// isDerived reports whether two similar words have the same beginning, like inflected and derived
// words.
func isDerived(a, b string) bool {
	const alike = 5 // bytes
	return len(a) >= alike && strings.HasPrefix(b, a[:alike])
}

// slipRoom is the length that nearly all words are shorter than; editDistance allocates no memory
// for these.
const slipRoom = 32

// editDistance returns the number of letters that were omitted, added, changed or swapped with
// their neighbour (optimal string alignment distance).
func editDistance(a, b []rune) int {
	var room [3][slipRoom]int
	rows := [3][]int{room[0][:], room[1][:], room[2][:]}
	if len(b) >= slipRoom {
		rows = [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			changed := 1
			if a[i-1] == b[j-1] {
				changed = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+changed)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		rows[0], rows[1], rows[2] = last, row, before
	}
	return rows[1][len(b)]
}
