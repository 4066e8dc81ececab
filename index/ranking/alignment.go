package ranking

import (
	"slices"
	"strings"
	"unicode"
)

// Of one text that was written in two formats both say the same but for marks, heads of pages
// and where lines end. A word that is another, or that only one has, is what tells letters
// from one template, or two doses, apart: see leastStretch.
const (
	// leastShown is the part of the words of the shorter of two passages that must stand in
	// the other for the two to be one passage, cut otherwise.
	leastShown = 0.7

	// widestReplaced is how many words may stand between two stretches in the other text
	// for what is between them here to be in their place, and not elsewhere in it.
	widestReplaced = 30
)

// stretch is a row of words that two texts have in common.
type stretch struct {
	here, there, length int
}

// isSaidBy reports whether a text says nothing that another does not say, and mostly in some of
// the words of that, from first to last.
func (s ComparableText) isSaidBy(other ComparableText, first, last int) bool {
	stretches := s.commonStretches(other)
	shown := 0
	for _, c := range stretches {
		shown += max(0, min(c.there+c.length, last)-max(c.there, first))
	}
	return shown > 0 && float64(shown) >= leastShown*float64(min(len(s), last-first)) && !s.hasOwnWords(other, stretches)
}

// commonStretches lists the longest rows of words that a text has in common with another, in
// its order, each as near as can be behind where the one before it ends in the other.
func (s ComparableText) commonStretches(other ComparableText) []stretch {
	starts := make(map[[leastStretch]string][]int, len(other))
	for at := range len(other) - leastStretch + 1 {
		key := [leastStretch]string(other[at : at+leastStretch])
		starts[key] = append(starts[key], at)
	}
	var all []stretch
	next := 0 // in the other
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

// hasOwnWords reports whether something between the stretches that a text has in common with
// another is not in that: another word, a sentence more, or a number.
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

// hasNumberAt reports whether a number stands beside what lies between two places: a text that goes
// on elsewhere in another may have it from there, and "5 mg daily" is said of many things.
func (s ComparableText) hasNumberAt(from, to int) bool {
	return slices.ContainsFunc(s[max(0, from-leastStretch):min(len(s), to+leastStretch)], hasDigit)
}

func hasDigit(word string) bool { return strings.ContainsFunc(word, unicode.IsDigit) }

// differsFrom reports whether words that stand where others do in another text say something
// else, and are not those with a hyphen where a line ends. That the other has sentences
// more matters not, unless they have a number, which may be in the place of one here.
func (s ComparableText) differsFrom(other ComparableText) bool {
	if len(s) == 0 && len(other) >= leastStretch {
		return slices.ContainsFunc(other, hasDigit)
	}
	return s.lettersOf() != other.lettersOf()
}

// standsIn reports whether another text has all of some words, of which none has a digit: which
// number belongs where cannot be reported words alone.
func (s ComparableText) standsIn(other ComparableText) bool {
	for _, word := range s {
		if hasDigit(word) || strings.ContainsFunc(word, isWritten) && !slices.Contains(other, word) {
			return false
		}
	}
	return true
}

// lettersOf is what is written in words, without the marks that formats have: in Markdown a
// table has bars, and a line that is cut has a hyphen.
func (s ComparableText) lettersOf() string {
	var all strings.Builder
	for _, word := range s {
		if hasDigit(word) {
			all.WriteString(strings.Trim(word, formatMarks)) // -5 and 5, 1.5 and 15 are not the same
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

// formatMarks are what formats put around words.
const formatMarks = "|*_`#[](){}\\"

// isWritten reports what is more than a mark of a format: letters, digits, and signs as in "a < b".
func isWritten(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '%' || unicode.IsSymbol(r) && !strings.ContainsRune(formatMarks, r)
}

// withoutMarks leaves out words of nothing but the marks of a format, and those around words.
func (s ComparableText) withoutMarks() ComparableText {
	kept := s[:0]
	for _, word := range s {
		if word = strings.Trim(word, formatMarks); strings.ContainsFunc(word, isWritten) {
			kept = append(kept, word)
		}
	}
	return kept
}
