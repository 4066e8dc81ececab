package sift

import (
	"slices"
	"strings"
	"unicode/utf8"

	"vademecum/index/rank"
	"vademecum/internal/script"
)

// Said is what a passage says, word by word.
type Said []string

// SaidBy takes a passage apart as copies are told, see rank.Plain. Lines that only
// open or close code are left out: what they say is how to colour it.
func SaidBy(text string) Said {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "```") {
			kept.WriteString(line)
		}
	}
	var said Said
	for word := range strings.FieldsSeq(rank.Plain(kept.String())) {
		said = appendParts(said, word)
	}
	return said
}

// appendParts appends a word, each character of writing without spaces by itself.
func appendParts(said Said, word string) Said {
	from := 0
	for i, r := range word {
		if !script.IsUnspaced(r) {
			continue
		}
		if from < i {
			said = append(said, word[from:i])
		}
		from = i + utf8.RuneLen(r)
		said = append(said, word[i:from])
	}
	if from < len(word) {
		said = append(said, word[from:])
	}
	return said
}

// leastStretch is how many words in a row two texts must have in common, or one must
// have more than the other, for these to be sentences that were added and no words
// that were changed: "not", a dose and a name are shorter.
const leastStretch = 4

// Holds tells whether a text says all that another says, in the same order and between
// sentences of its own: then the other is of no use beside it. A single word that is
// another, or that only one has, may be what matters.
func (s Said) Holds(other Said) bool {
	if len(other) < leastStretch || len(other) > len(s) {
		return false
	}
	for at := range len(s) - len(other) + 1 {
		if s.hasStretch(at, other) && s.holdsFrom(at, other) {
			return true
		}
	}
	return false
}

// hasStretch tells whether a text goes on at a place as another begins.
func (s Said) hasStretch(at int, other Said) bool {
	return at+leastStretch <= len(s) && len(other) >= leastStretch && slices.Equal(s[at:at+leastStretch], other[:leastStretch])
}

func (s Said) holdsFrom(at int, other Said) bool {
	for {
		n := 0
		for at+n < len(s) && n < len(other) && s[at+n] == other[n] {
			n++
		}
		at, other = at+n, other[n:]
		if len(other) == 0 {
			return true
		}
		for at += leastStretch; !s.hasStretch(at, other); at++ {
			if at+len(other) > len(s) {
				return false
			}
		}
	}
}

// Resembles tells whether two texts are about as long: one can stand for the other.
func (s Said) Resembles(other Said) bool {
	return 2*min(len(s), len(other)) >= max(len(s), len(other))
}
