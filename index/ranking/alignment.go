package ranking

import (
	"slices"
	"strings"
	"unicode"
)

// A text in two formats is the same in both except for markup, page headers and line breaks. A word
// that differs, or that only one has, is what distinguishes letters from one template, or two
// doses: see leastStretch.
const (
	// leastShown is the share of the words of the shorter of two passages that the other must
	// have for the two to be the same passage with other boundaries.
	leastShown = 0.7

	// widestReplaced is the maximum gap, in words, between two matching stretches of the other
	// text: in a wider gap, the words of this text do not count as replaced.
	widestReplaced = 30
)

// stretch is a run of words that two texts have in common.
type stretch struct {
	here, there, length int
}

// isSaidBy reports whether a text adds nothing to another, and shares most words with the words
// first to last of that.
func (s ComparableText) isSaidBy(other ComparableText, first, last int) bool {
	stretches := s.commonStretches(other)
	shown := 0
	for _, c := range stretches {
		shown += max(0, min(c.there+c.length, last)-max(c.there, first))
	}
	return shown > 0 && float64(shown) >= leastShown*float64(min(len(s), last-first)) && !s.hasOwnWords(other, stretches)
}

// commonStretches lists the longest runs of words that two texts have in common, in order, each as
// close as possible after the end of the previous one in the other text.
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

// hasOwnWords reports whether a text has something between the common stretches that the other
// lacks: another word, a further sentence, or a number.
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
		}
		before = after
	}
	return false
}

// hasNumberAt reports whether there is a number near the words between two positions. If the other
// text is continued from elsewhere, the number may come from there, and "5 mg daily" occurs in many
// contexts.
func (s ComparableText) hasNumberAt(from, to int) bool {
	return slices.ContainsFunc(s[max(0, from-leastStretch):min(len(s), to+leastStretch)], hasDigit)
}

func hasDigit(word string) bool { return strings.ContainsFunc(word, unicode.IsDigit) }

// differsFrom reports whether words that replace others in another text differ in meaning, and not
// only by a hyphen at a line end. Further sentences in the other text do not matter, unless they
// have a number, which may replace one here.
func (s ComparableText) differsFrom(other ComparableText) bool {
	if len(s) == 0 && len(other) >= leastStretch {
		return slices.ContainsFunc(other, hasDigit)
	}
	return s.lettersOf() != other.lettersOf()
}

// standsIn reports whether another text has all of the words, none of which has a digit: words
// alone do not show where a number belongs.
func (s ComparableText) standsIn(other ComparableText) bool {
	for _, word := range s {
		if hasDigit(word) || strings.ContainsFunc(word, isWritten) && !slices.Contains(other, word) {
			return false
		}
	}
	return true
}

// lettersOf returns the letters of the words, without the marks of formats: tables in Markdown have
// bars, and broken lines have hyphens.
func (s ComparableText) lettersOf() string {
	var all strings.Builder
	for _, word := range s {
		if hasDigit(word) {
			all.WriteString(strings.Trim(word, formatMarks)) // -5 and 5 differ, and so do 1.5 and 15
			continue
		}
		for _, r := range word {
			if isWritten(r) {
				all.WriteRune(r)
			}
		}
	}
	return all.String()
}

// formatMarks lists the characters that formats put around words.
const formatMarks = "|*_`#[](){}\\"

// isWritten reports whether a character is content rather than markup: a letter, a digit, or a sign
// as in "a < b".
func isWritten(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '%' || unicode.IsSymbol(r) && !strings.ContainsRune(formatMarks, r)
}

// withoutMarks removes words that consist of format marks, and the marks around words.
func (s ComparableText) withoutMarks() ComparableText {
	kept := s[:0]
	for _, word := range s {
		if word = strings.Trim(word, formatMarks); strings.ContainsFunc(word, isWritten) {
			kept = append(kept, word)
		}
	}
	return kept
}
