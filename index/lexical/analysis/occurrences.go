package analysis

import (
	"iter"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/base/script"
)

// TermPrefixFilter is the set of the first two letters of some terms. It quickly excludes words that cannot
// be one of the terms.
type TermPrefixFilter struct {
	has       [1 << 10]bool
	isSpecial bool // one of the terms may be one that specialTokens finds, such as a date
}

// Add adds the prefix of a term.
func (p *TermPrefixFilter) Add(term string) {
	if IsFieldTerm(term) {
		p.isSpecial = p.isSpecial || term[0] == byte(specialField) || term[0] == byte(placeField) || strings.HasPrefix(term, closedForm("")) && strings.ContainsAny(term, "0123456789")
		return // the word of this form is a term too
	}
	p.has[prefixNumber(term)] = true
}

// mayBeTerm reports whether a word may be one of the terms. The stem of a plain word has the same
// prefix as the word; y and i are treated alike because of dying, lying and tying.
func (p *TermPrefixFilter) mayBeTerm(word string) bool {
	return !isPlainWord(word) || p.has[prefixNumber(word)]
}

// prefixNumber maps the first two letters of a word to a number; a second letter y counts as i.
func prefixNumber(word string) int {
	n := int(word[0]|0x20) & 31
	if len(word) == 1 {
		return n
	}
	second := word[1] | 0x20
	if second == 'y' {
		second = 'i'
	}
	return n | int(second&31)<<5
}

// TermOccurrences yields the terms that CountTermsInLanguage counts in a text, with their byte offsets, in any
// order. The text need not be normalised; dates and similar terms in full-width digits are then
// left out. Terms excluded by the prefixes may also be left out.
func TermOccurrences(language script.Language, text string, prefixes *TermPrefixFilter) iter.Seq2[int, string] {
	row := languageRow(language)
	if row == &languages[0] {
		row = nil
	}
	return func(yield func(int, string) bool) {
		terms := make([]string, 0, 8)
		before := wordRun{}
		for r := range runsOf(text) {
			if before.end > 0 && (before.end-before.start < 2 || prefixes.mayBeTerm(text[before.start:before.end])) { // B-12 is also b12
				if t := compoundTerm(text, before, r); t != "" && !yield(before.start, closedForm(t)) {
					return
				}
			}
			before = r
			run := text[r.start:r.end]
			if r.unspaced {
				if !yieldGrams(run, r.start, yield) {
					return
				}
				continue
			}
			if !prefixes.mayBeTerm(run) {
				continue
			}
			terms = appendWord(terms[:0], norm.NFKC.String(run))
			if row != nil {
				terms = append(terms, row.stemTerm(run))
			}
			for _, t := range terms {
				if t != "" && !yield(r.start, t) {
					return
				}
			}
		}
		if !prefixes.isSpecial {
			return
		}
		for _, w := range specialTokens(text) {
			if !yield(w.start, w.term) || w.begins && !yield(w.start, w.lineStartTerm()) {
				return
			}
		}
	}
}

// yieldGrams yields the characters of a run in a script without spaces and the pairs of adjacent
// characters. It reports whether to continue.
func yieldGrams(run string, at int, yield func(int, string) bool) bool {
	before, from := "", 0
	for i, r := range run {
		one := foldWord(norm.NFKC.String(run[i : i+utf8.RuneLen(r)]))
		if !yield(at+i, one) || before != "" && !yield(at+from, before+one) {
			return false
		}
		before, from = one, i
	}
	return true
}
