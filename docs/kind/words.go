package kind

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// splitWords lists the words of a text in lower case. Each character of a script without spaces is a
// word, and so is a number, without leading zeros.
func splitWords(text string) []string {
	words := make([]string, 0, len(text)/6)
	from := -1
	end := func(at int) {
		if from >= 0 {
			words = append(words, withoutLeadingZeros(strings.ToLower(text[from:at])))
		}
		from = -1
	}
	for i, r := range text {
		switch {
		case 'a' <= r && r <= 'z': // most characters
			if from < 0 {
				from = i
			}
		case !unicode.IsLetter(r) && !unicode.IsNumber(r):
			end(i)
		case script.IsUnspaced(r):
			end(i)
			words = append(words, text[i:i+utf8.RuneLen(r)])
		case from < 0:
			from = i
		}
	}
	end(len(text))
	return words
}

// withoutLeadingZeros returns the form of a word for comparison: numbers lose their leading zeros.
func withoutLeadingZeros(word string) string {
	if word[0] > '9' {
		return word
	}
	if n, err := strconv.ParseUint(word, 10, 64); err == nil {
		return strconv.FormatUint(n, 10)
	}
	return word
}

// shingleLength is the number of consecutive words in a shingle, the unit in which texts are
// compared: texts that are not copied from each other share few runs of four words.
const shingleLength = 4

// shingleHashes lists the hashes of the shingles of a text, given its words. They are the same in
// every process, because indexes store sketches made from them.
func shingleHashes(words []string) []uint64 {
	if len(words) < shingleLength {
		return nil
	}
	hashes := make([]uint64, len(words))
	for i, word := range words {
		hashes[i] = hashOf(word)
	}
	shingles := make([]uint64, len(words)-shingleLength+1)
	for i := range shingles {
		h := hashes[i]
		for _, next := range hashes[i+1 : i+shingleLength] {
			h = mixBits(h ^ next)
		}
		shingles[i] = h
	}
	return shingles
}

// hashOf is the FNV-1a hash (Fowler, Noll and Vo).
func hashOf(word string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * 1099511628211
	}
	return h
}

// mixBits spreads the bits of a number like the finaliser of MurmurHash3.
func mixBits(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// MinHash is a sketch of a text: the minimum hash of its shingles under each of several
// permutations (Broder, "On the resemblance and containment of documents", 1997). The fraction of
// equal numbers in two sketches is about the fraction of common shingles of the texts. The sketch
// of a text that is too short for comparison is zero.
type MinHash [sketchLength]uint16

const sketchLength = 8

// minShinglesToCompare is the minimum number of shingles of a text for a comparison: shorter texts
// may share phrases.
const minShinglesToCompare = 12

// MinHashOf returns the sketch of a text; zero if the text is too short.
func MinHashOf(text string) (s MinHash) {
	runs := shingleHashes(splitWords(text))
	if len(runs) < minShinglesToCompare {
		return s
	}
	for i := range s {
		least := ^uint64(0)
		order := mixBits(uint64(i) + 1)
		for _, r := range runs {
			least = min(least, (r^order)*(order|1))
		}
		s[i] = uint16(mixBits(least)) | 1
	}
	return s
}

// MayBeSimilar reports whether two texts may have many shingles in common. It is true for 49 in 50
// pairs that share 4 in 10 shingles, and for 1 in 12 pairs that share 1 in 100.
func (s MinHash) MayBeSimilar(other MinHash) bool {
	for i := range s {
		if s[i] == other[i] && s[i] != 0 {
			return true
		}
	}
	return false
}

// Minimum numbers of equal numbers in the sketches of nearly identical texts. Of pairs that share 6 in
// 10 shingles, 5 in 6 reach leastAlike; of those that share 1 in 10, 1 in 200. Of pairs that share 4 in
// 10, 9 in 10 reach leastAlikeVersions; of those that share 1 in 10, 1 in 5.
const (
	leastAlike         = 4
	leastAlikeVersions = 2
)

// IsSimilar reports whether two texts have about half of their shingles in common, or more.
func (s MinHash) IsSimilar(other MinHash) bool { return s.countEqual(other) >= leastAlike }

// IsSimilarVersion reports whether two texts whose names say that they are versions of one have about a
// third of their shingles in common, or more.
func (s MinHash) IsSimilarVersion(other MinHash) bool {
	return s.countEqual(other) >= leastAlikeVersions
}

func (s MinHash) countEqual(other MinHash) (alike int) {
	for i := range s {
		if s[i] == other[i] && s[i] != 0 {
			alike++
		}
	}
	return alike
}
