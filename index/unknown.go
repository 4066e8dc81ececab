package index

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

// unknown lists the words of a question that occur nowhere: the reader should
// know that the answer does without them, or took a word that is written
// alike. In Chinese these are the runs of characters of which no neighbours
// occur together.
func (st *store) unknown(text string) []string {
	st.mu.RLock()
	defer st.mu.RUnlock()
	var out []string
	note := func(word string) {
		if r := []rune(word); len(r) > longestUnknown {
			word = string(r[:longestUnknown]) + "…"
		}
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	for run, unspaced := range runs(text) {
		switch {
		case len(out) >= mostUnknown:
			return append(out, "…")
		case unspaced:
			for _, part := range st.postings.unknownRuns(run) {
				note(part)
			}
		case !st.postings.knowsWord(run):
			note(run)
		}
	}
	return out
}

func (p *postings) knows(term string) bool {
	return slices.ContainsFunc(p.list(term), func(e posting) bool { return p.lengths[e.slot()] != 0 })
}

func (p *postings) knowsWord(word string) bool {
	if utf8.RuneCountInString(word) < 2 || !strings.ContainsFunc(word, unicode.IsLetter) || script.IsFunction(strings.ToLower(word)) || p.knows(term(word)) {
		return true
	}
	for _, part := range identifierParts(word) {
		if utf8.RuneCountInString(part) > 1 && p.knows(term(part)) {
			return true
		}
	}
	return false
}

// unknownRuns finds the parts of a run that no pair of neighbours covers: what
// holds a character that occurs nowhere, from the first of these to the last,
// and three characters and more that do.
func (p *postings) unknownRuns(run string) []string {
	runes := []rune(run)
	covered := make([]bool, len(runes)+1) // the last ends the last part
	covered[len(runes)] = true
	for i := range runes {
		if script.IsFunction(string(runes[i])) {
			covered[i] = true
		}
		if i > 0 && p.knows(fold(string(runes[i-1:i+1]))) {
			covered[i-1], covered[i] = true, true
		}
	}
	var out []string
	start := 0
	for i, ok := range covered {
		if !ok {
			continue
		}
		if part := p.newPart(runes[start:i]); len(part) > 0 {
			out = append(out, string(part))
		}
		start = i + 1
	}
	return out
}

// newPart is what of an uncovered part is worth telling: all of it when nearly
// all is new.
func (p *postings) newPart(part []rune) []rune {
	first, last, count := -1, -1, 0
	for i, r := range part {
		if p.knows(fold(string(r))) {
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

// quoted lists the phrases of a question that stand in quotation marks, and
// are longer than a character.
func quoted(text string) []string {
	marks := map[rune]rune{'"': '"', '“': '”', '„': '“', '«': '»', '「': '」', '『': '』'}
	var out []string
	for rest := text; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		closing, ok := marks[r]
		if !ok {
			continue
		}
		phrase, after, found := strings.Cut(rest, string(closing))
		if !found {
			continue
		}
		rest = after
		if phrase = plain(phrase); utf8.RuneCountInString(phrase) > 1 {
			out = append(out, phrase)
		}
	}
	return out
}

// plain is a text for comparison: folded, with single spaces between words.
func plain(text string) string {
	var out strings.Builder
	before := true // the run before was of writing without spaces
	for run, unspaced := range runs(text) {
		if out.Len() > 0 && !(before && unspaced) {
			out.WriteByte(' ')
		}
		out.WriteString(fold(run))
		before = unspaced
	}
	return out.String()
}

// holdsAll tells whether a plain text holds all phrases, at the borders of
// words.
func holdsAll(text string, phrases []string) bool {
	text = " " + text + " "
	for _, p := range phrases {
		if first, _ := utf8.DecodeRuneInString(p); !isUnspaced(first) {
			p = " " + p
		}
		if last, _ := utf8.DecodeLastRuneInString(p); !isUnspaced(last) {
			p += " "
		}
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}
