package analysis

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// leastNumber is the minimum number of digits of a number that is reported as being nowhere. A shorter one may be
// written as a word in a text, and is in most texts by chance.
const leastNumber = 3

// unknownNumbers returns the byte ranges of the expressions with numbers in a text that occur nowhere:
// articles and sections, codes, amounts, dates, versions and plain numbers. In told, which marks the bytes
// of known tokens, it marks those that do occur.
func (has TermSet) unknownNumbers(text string, told []bool) (unknown []wordRun) {
	add := func(r wordRun) {
		if !slices.ContainsFunc(unknown, func(u wordRun) bool { return u.start <= r.start && r.start < u.end }) {
			unknown = append(unknown, r)
		}
	}
	for _, tokens := range numberTokens(text) {
		r := wordRun{start: tokens[0].start, end: tokens[0].end}
		if slices.ContainsFunc(tokens, func(w specialToken) bool { return has.hasNumber(w, text[r.start:r.end]) }) {
			markAll(told[r.start:r.end])
		} else {
			add(r)
		}
	}
	for _, r := range has.unknownIdentifiers(text, told) {
		add(r)
	}
	for r := range runsOf(text) {
		number := text[r.start:r.end]
		if isNumeral(number) && len(number) >= leastNumber && !told[r.start] && !has.occursInNames(number) && !has(closedForm(number)) {
			add(r)
		}
	}
	slices.SortFunc(unknown, func(a, b wordRun) int { return a.start - b.start })
	return unknown
}

// numberTokens returns the special tokens of a query that name a single thing by a number, without those
// within others. Tokens for the same characters, which may have several meanings, are in one group.
func numberTokens(text string) (all [][]specialToken) {
	for _, w := range specialTokens(text) {
		if w.isGeneral || w.isVariant || !strings.ContainsFunc(w.term, unicode.IsDigit) {
			continue
		}
		n := len(all) - 1
		switch {
		case n < 0 || w.start >= all[n][0].end:
			all = append(all, []specialToken{w})
		case w.start == all[n][0].start && w.end > all[n][0].end:
			all[n] = []specialToken{w}
		case w.start == all[n][0].start && w.end == all[n][0].end && !strings.HasPrefix(all[n][0].term, w.term+"-"):
			all[n] = append(all[n], w)
		}
	}
	return all
}

// hasNumber reports whether a token that names a thing by a number occurs, or may occur in a form that
// is no token, such as a number of a contract without the word "clause".
func (has TermSet) hasNumber(w specialToken, written string) bool {
	term := WithoutField(w.term)
	unit, number, isPlace := strings.Cut(term, " ")
	switch {
	case has.occursInNames(w.term) || slices.ContainsFunc(w.allForms(), has.occursInNames):
		return true
	case w.isPlace && unit == "page":
		return true // pages have no text that says so
	case w.isPlace && !isDigitByte(written[0]) && (unit == "article" && !mayBeYear(number) || strings.HasPrefix(written, string(sectionSign))):
		return false
	case w.isPlace && isPlace:
		return has.occursInNames(number) || has(string(specialField)+number)
	case isRange(written):
		return !slices.ContainsFunc(strings.Split(written, "-"), func(number string) bool { return !has.occursInNames(number) && !has(closedForm(number)) })
	case strings.Count(term, ".") == 1: // 31.9 may be written as 31.90
		return has(w.term+"0") || strings.HasSuffix(term, "0") && has(strings.TrimSuffix(w.term, "0"))
	}
	return false
}

// isRange reports whether what is written may be a range, such as "1500-3000", which a text may write with a
// dash or with words, rather than a code.
func isRange(written string) bool {
	first, last, ok := strings.Cut(written, "-")
	from, n := parseDigits(first, mostGrouped)
	to, m := parseDigits(last, mostGrouped)
	return ok && n > 0 && n == len(first) && m == len(last) && first[0] != '0' && from < to
}

// occursInNames reports whether a term occurs in a text or in the name of a file or folder.
func (has TermSet) occursInNames(term string) bool {
	return has.occursAnywhere(term) || has(string(FileField)+TrimLeadingZeros(term))
}

// numberLookupTerms adds all terms of a query that unknownNumbers may look up.
func numberLookupTerms(to map[string]bool, text string) {
	add := func(term string) {
		for _, t := range []string{term, string(FolderField) + term, string(FileField) + TrimLeadingZeros(term)} {
			to[t] = true
		}
	}
	for _, w := range slices.Concat(numberTokens(text)...) {
		add(w.term)
		for _, form := range w.allForms() {
			add(form)
		}
		to[w.term+"0"], to[strings.TrimSuffix(w.term, "0")] = true, true
		if _, number, ok := strings.Cut(w.term, " "); ok {
			add(number)
			to[string(specialField)+number] = true
		}
	}
	for r := range runsOf(text) { // including the ends of ranges
		if number := text[r.start:r.end]; isNumeral(number) {
			add(number)
			to[closedForm(number)] = true
		}
	}
}

// NamesThingByNumber reports whether a word that occurs nowhere names a thing by a number: "§ 433", "9120-0999", "700".
func NamesThingByNumber(word string) bool {
	return containsDigit(word) || strings.HasPrefix(word, ordinalSign)
}

// hasKnownNumber reports whether a question names a thing by a number that is not among the unknown
// words, so that texts with it answer a part of the question.
func hasKnownNumber(question string, unknown []string) bool {
	text := normalizeQuestion(question)
	named := hyphenatedIdentifier.FindAllString(text, -1)
	for _, tokens := range numberTokens(text) {
		named = append(named, text[tokens[0].start:tokens[0].end])
	}
	return slices.ContainsFunc(named, func(name string) bool {
		return containsDigit(name) && !slices.ContainsFunc(unknown, func(word string) bool { return strings.Contains(word, name) || strings.Contains(name, word) })
	})
}

// hyphenatedIdentifier matches words that may be identifiers such as HX-205 and R2-K9: parts with hyphens
// between them, beginning with a capital.
var hyphenatedIdentifier = regexp.MustCompile(`\b[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+\b`)

// unknownIdentifiers returns the byte ranges of the hyphenated identifiers in a text that occur nowhere,
// because a part with a digit does not. told marks the bytes of known tokens.
func (has TermSet) unknownIdentifiers(text string, told []bool) (unknown []wordRun) {
	for _, at := range hyphenatedIdentifier.FindAllStringIndex(text, -1) {
		isNowhere := func(part string) bool {
			return containsDigit(part) && !has.occursAnywhere(termOfWord(part))
		}
		if !slices.Contains(told[at[0]:at[1]], true) && slices.ContainsFunc(strings.Split(text[at[0]:at[1]], "-"), isNowhere) {
			unknown = append(unknown, wordRun{start: at[0], end: at[1]})
		}
	}
	return unknown
}

func containsDigit(word string) bool { return strings.ContainsFunc(word, unicode.IsDigit) }

// NamesSingleThing reports whether a word is the name of a single thing because it has capitals and digits, or is a
// word or sign with a number, such as "room 101" and "§ 433", or a code of numbers. A plain number is none, nor is one with a
// unit.
func NamesSingleThing(word string) bool {
	if isQuantity(word) {
		return false
	}
	return strings.HasPrefix(word, ordinalSign) || containsDigit(word) && (unicode.IsUpper([]rune(word)[0]) || strings.ContainsAny(word, " -§€£$¥年月元"))
}
