package ranking

import (
	"slices"
	"strings"
	"unicode"

	"vademecum/index/quote"
)

// A text in two formats is the same in both except for markup, page headers and line breaks. A word
// that differs, or that only one has, is what distinguishes letters from one template, or two
// doses: see leastStretch.
const (
	// leastShown is the share of the words of the shorter of two passages that the longer must have for
	// the two to count as the same passage with different boundaries.
	leastShown = 0.7

	// widestReplaced is the maximum length, in words, of a gap between two common stretches in the
	// second text for the words between the same stretches in the first to be compared with it. If the
	// gap is wider, they only have to occur somewhere in the second text.
	widestReplaced = 30
)

// stretch is a run of words that two texts have in common: its position in the first text (here), its
// position in the second (there), and its length in words.
type stretch struct {
	here, there, length int
}

// isSaidBy reports whether s adds nothing to other, and has most of its words in common with the words
// from first to last of other.
func (s ComparableText) isSaidBy(other ComparableText, first, last int) bool {
	stretches := s.commonStretches(other)
	shown := 0
	for _, c := range stretches {
		shown += max(0, min(c.there+c.length, last)-max(c.there, first))
	}
	return shown > 0 && float64(shown) >= leastShown*float64(min(len(s), last-first)) && !s.hasOwnWords(other, stretches)
}

// commonStretches lists the longest runs of words that s and other have in common, in the order of s. In
// other, each is as close as possible after the end of the previous one.
func (s ComparableText) commonStretches(other ComparableText) []stretch {
	starts := make(map[[leastStretch]string][]int, len(other))
	for at := range len(other) - leastStretch + 1 {
		key := [leastStretch]string(other[at : at+leastStretch])
		starts[key] = append(starts[key], at)
	}
	var all []stretch
	next := 0 // position in the other text
	for at := 0; at+leastStretch <= len(s); at++ {
		found := starts[[leastStretch]string(s[at:at+leastStretch])]
		if len(found) == 0 {
			continue
		}
		i, _ := slices.BinarySearch(found, next)
		c := stretch{here: at, there: found[i%len(found)], length: leastStretch}
		for c.here+c.length < len(s) && c.there+c.length < len(other) && s[c.here+c.length] == other[c.there+c.length] {
			c.length++
		}
		all = append(all, c)
		next = c.there + c.length
		at += c.length - 1
	}
	return all
}

// hasOwnWords reports whether s has something between the common stretches that other lacks: another
// word, a further sentence, or a number.
func (s ComparableText) hasOwnWords(other ComparableText, common []stretch) bool {
	before := stretch{}
	for i := range len(common) + 1 {
		after := stretch{here: len(s), there: len(other)}
		if i < len(common) {
			after = common[i]
		}
		own := s[before.here+before.length : after.here]
		end := before.there + before.length
		isBetween := i > 0 && i < len(common) && end <= after.there && after.there-end <= widestReplaced
		switch {
		case isBetween && own.differsFrom(other[end:after.there]):
			return true
		case !isBetween && (!own.standsIn(other) || i > 0 && i < len(common) && s.hasNumberAt(before.here+before.length, after.here)):
			return true
		case !isBetween && len(own) > 0 && s.isBesideNumber(before.here+before.length, after.here):
			return true // own may be another unit
		}
		before = after
	}
	return false
}

// hasNumberAt reports whether there is a number in or near the words from-to. Where two texts do not
// continue alike, a number that both have may belong to different things: "5 mg daily" occurs in many
// contexts.
func (s ComparableText) hasNumberAt(from, to int) bool {
	return slices.ContainsFunc(s[max(0, from-leastStretch):min(len(s), to+leastStretch)], hasDigit)
}

// isBesideNumber reports whether the word before or after the words from-to has a digit.
func (s ComparableText) isBesideNumber(from, to int) bool {
	return from > 0 && hasDigit(s[from-1]) || to < len(s) && hasDigit(s[to])
}

func hasDigit(word string) bool { return strings.ContainsFunc(word, unicode.IsDigit) }

// differsFrom reports whether the words s differ in meaning from the words other in their place in
// another text, and not only by a hyphen at a line end. Further sentences in other do not matter,
// unless they have a number, which may replace one in s, or doubt or negate what is around them.
func (s ComparableText) differsFrom(other ComparableText) bool {
	if len(s) == 0 && len(other) >= leastStretch {
		return slices.ContainsFunc(other, hasDigit) || other.hasDoubt()
	}
	return s.lettersOf() != other.lettersOf()
}

// hasDoubt reports whether words doubt or negate something.
func (s ComparableText) hasDoubt() bool {
	return slices.ContainsFunc(s, func(word string) bool { return strings.ContainsAny(word, "?？") }) || quote.HasNegation(s)
}

// standsIn reports whether the text other has all of the words s, and none of them has a digit, doubts or
// negates: words alone do not show what that refers to.
func (s ComparableText) standsIn(other ComparableText) bool {
	if s.hasDoubt() {
		return false
	}
	for _, word := range s {
		if hasDigit(word) || strings.ContainsFunc(word, isWritten) && !slices.Contains(other, word) {
			return false
		}
	}
	return true
}

// lettersOf returns the letters of the words, without the marks of formats: tables in Markdown have
// bars, and broken lines have hyphens. Numbers side by side stay apart: "12 | 5" is not "125".
func (s ComparableText) lettersOf() string {
	var all strings.Builder
	for i, word := range s {
		if hasDigit(word) {
			if i > 0 && hasDigit(s[i-1]) {
				all.WriteByte(' ')
			}
			all.WriteString(strings.Trim(word, formatMarks)) // -5 and 5 differ, and so do 1.5 and 15
			continue
		}
		for _, r := range word {
			if isWritten(r) || word == "(-)" {
				all.WriteRune(r)
			}
		}
	}
	return all.String()
}

// formatMarks lists the characters that formats put around words.
const formatMarks = "|*_`#[](){}\\"

// isWritten reports whether a character is content rather than markup: a letter, a digit, a sign as in
// "a < b", or the question mark of "5 mg?".
func isWritten(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune("%‰?？", r) || unicode.IsSymbol(r) && !strings.ContainsRune(formatMarks, r)
}

// withoutMarks removes words that consist of format marks, and the marks around words.
func (s ComparableText) withoutMarks() ComparableText {
	kept := s[:0]
	for _, word := range s {
		if word != "(-)" { // a negative result
			word = strings.Trim(word, formatMarks)
		}
		if word == "(-)" || strings.ContainsFunc(word, isWritten) {
			kept = append(kept, word)
		}
	}
	return kept
}
