package analysis

import (
	"iter"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/script"
)

// Occurrences yields the terms of a text in a language with the offsets in bytes at
// which they begin, in no order that matters: those that CountIn counts. The text need
// not be normal: dates and the like in full-width digits are left out.
func Occurrences(l script.Language, text string) iter.Seq2[int, string] {
	row := rowOf(l)
	if row == &languages[0] {
		row = nil
	}
	return func(yield func(int, string) bool) {
		terms := make([]string, 0, 8)
		before := run{}
		for r := range runsOf(text) {
			if t := compound(text, before, r); t != "" && !yield(before.start, closedForm(t)) {
				return
			}
			before = r
			if run := text[r.start:r.end]; r.unspaced {
				if !yieldGrams(run, r.start, yield) {
					return
				}
				continue
			} else if terms = appendWord(terms[:0], norm.NFKC.String(run)); row != nil {
				terms = append(terms, row.stemTerm(run))
			}
			for _, t := range terms {
				if t != "" && !yield(r.start, t) {
					return
				}
			}
		}
		for _, w := range specialTokens(text) {
			if !yield(w.start, w.term) || w.begins && !yield(w.start, w.placed()) {
				return
			}
		}
	}
}

// yieldGrams yields the characters of a run that is written without spaces and the pairs
// of neighbours, and tells whether more are wanted.
func yieldGrams(run string, at int, yield func(int, string) bool) bool {
	before, from := "", 0
	for i, r := range run {
		one := fold(norm.NFKC.String(run[i : i+utf8.RuneLen(r)]))
		if !yield(at+i, one) || before != "" && !yield(at+from, before+one) {
			return false
		}
		before, from = one, i
	}
	return true
}
