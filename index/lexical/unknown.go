package lexical

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/script"
)

// What the note on unknown words holds at most.
const (
	mostUnknown    = 8  // words
	longestUnknown = 40 // characters of each
)

// Unknown lists the words of a question that occur nowhere: the reader should
// know that the answer does without them, or took a word that is written
// alike. In Chinese these are the runs of characters of which no neighbours
// occur together.
func (x *Index) Unknown(question string) []string {
	var out []string
	note := func(word string) {
		if r := []rune(word); len(r) > longestUnknown {
			word = string(r[:longestUnknown]) + "…"
		}
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	for run, unspaced := range runs(question) {
		switch {
		case len(out) >= mostUnknown:
			return append(out, "…")
		case unspaced:
			for _, part := range x.unknownRuns(run) {
				note(part)
			}
		case !x.knowsWord(run):
			note(run)
		}
	}
	return out
}

func (x *Index) knows(term string) bool {
	return slices.ContainsFunc(x.list(term), func(e posting) bool { return x.lengths[e.slot()] != 0 })
}

func (x *Index) knowsWord(word string) bool {
	if utf8.RuneCountInString(word) < 2 || !strings.ContainsFunc(word, unicode.IsLetter) || script.IsFunction(strings.ToLower(word)) || x.knows(term(word)) {
		return true
	}
	for _, part := range identifierParts(word) {
		if utf8.RuneCountInString(part) > 1 && x.knows(term(part)) {
			return true
		}
	}
	return false
}

// unknownRuns finds the parts of a run that no pair of neighbours covers: what
// holds a character that occurs nowhere, from the first of these to the last,
// and three characters and more that do.
func (x *Index) unknownRuns(run string) []string {
	runes := []rune(run)
	covered := make([]bool, len(runes)+1) // the last ends the last part
	covered[len(runes)] = true
	for i := range runes {
		if script.IsFunction(string(runes[i])) {
			covered[i] = true
		}
		if i > 0 && x.knows(fold(string(runes[i-1:i+1]))) {
			covered[i-1], covered[i] = true, true
		}
	}
	var out []string
	start := 0
	for i, ok := range covered {
		if !ok {
			continue
		}
		if part := x.newPart(runes[start:i]); len(part) > 0 {
			out = append(out, string(part))
		}
		start = i + 1
	}
	return out
}

// newPart is what of an uncovered part is worth telling: all of it when nearly
// all is new.
func (x *Index) newPart(part []rune) []rune {
	first, last, count := -1, -1, 0
	for i, r := range part {
		if x.knows(fold(string(r))) {
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
		count++
	}
	switch {
	case count == 0 && len(part) < 3:
		return nil
	case count == 0, 3*count > 2*len(part):
		return part
	}
	return part[first : last+1]
}
