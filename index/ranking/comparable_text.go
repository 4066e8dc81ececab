package ranking

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/index/rank"
	"vademecum/internal/base/script"
)

// ComparableText is the sequence of words of a passage, for comparison.
type ComparableText []string

// ComparableTextOf splits a passage into words, folded by rank.FoldText. Lines that open or close code
// blocks are left out, because they only state how to colour the code.
func ComparableTextOf(text string) ComparableText {
	plain := rank.FoldText(withoutFences(text))
	said := make(ComparableText, 0, len(plain)/4)
	from := -1 // beginning of a word
	end := func(at int) {
		if from >= 0 {
			said = append(said, plain[from:at])
		}
		from = -1
	}
	for i, r := range plain {
		switch {
		case unicode.IsSpace(r):
			end(i)
		case script.IsUnspaced(r): // each character is a word
			end(i)
			said = append(said, plain[i:i+utf8.RuneLen(r)])
		case from < 0:
			from = i
		}
	}
	end(len(plain))
	return said
}

func withoutFences(text string) string {
	const fence = "```"
	if !strings.Contains(text, fence) {
		return text
	}
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), fence) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// leastStretch is the minimum number of consecutive words that two texts must have in common, or
// that one must have in addition, to count as common or added sentences rather than changed words:
// "not", a dose and a name are shorter.
const leastStretch = 4

// Contains reports whether s contains everything in other, in the same order, possibly between further
// sentences, so that other is redundant. It returns false if a single word differs, or is missing in
// one of them, because that may be important.
func (s ComparableText) Contains(other ComparableText) bool {
	if len(other) < leastStretch || len(other) > len(s) {
		return false
	}
	for at := range len(s) - len(other) + 1 {
		if s.hasRunAt(at, other) && s.containsFrom(at, other) {
			return true
		}
	}
	return false
}

// hasRunAt reports whether s has, from position at, the first leastStretch words of other.
func (s ComparableText) hasRunAt(at int, other ComparableText) bool {
	return at+leastStretch <= len(s) && len(other) >= leastStretch && slices.Equal(s[at:at+leastStretch], other[:leastStretch])
}

func (s ComparableText) containsFrom(at int, other ComparableText) bool {
	for {
		n := 0
		for at+n < len(s) && n < len(other) && s[at+n] == other[n] {
			n++
		}
		at, other = at+n, other[n:]
		if len(other) == 0 {
			return true
		}
		for at += leastStretch; !s.hasRunAt(at, other); at++ {
			if at+len(other) > len(s) {
				return false
			}
		}
	}
}

// hasSimilarLength reports whether two texts are of similar length, so that one can represent the
// other.
func (s ComparableText) hasSimilarLength(other ComparableText) bool {
	return 2*min(len(s), len(other)) >= max(len(s), len(other))
}
