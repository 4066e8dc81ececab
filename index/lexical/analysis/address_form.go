package analysis

import (
	"strings"

	"vademecum/internal/base/lazyregexp"
)

// addressForm matches forms of address before a name: abbreviations before any word, and words before one with
// a capital, because "Frau" alone is a word of a question. In capitals, as in MS and MR, they are other words.
var addressForm = lazyregexp.New(`\b(?:(?:([Mm]r|[Mm]rs|[Dd]r|[Pp]rof|Hr|Fr)\.? +\pL)|(?:(Ms|Mx|Miss|Sir|Herrn?|Frau|Fräulein|Mme|Mlle|Madame|Monsieur|Professor|Doctor|Doktor|Sr|Sra|Señora?|Signora?)\.? +\p{Lu}))`)

// addressFormsAfterName lists forms of address after a Chinese name, in simplified characters.
var addressFormsAfterName = strings.Fields("先生 女士 小姐 太太 医生 大夫 教授 老师 同志")

// addressSpans returns the byte ranges of forms of address before names in a text.
func addressSpans(text string) (spans []wordRun) {
	for at := 0; ; {
		m := addressForm.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return spans
		}
		start, end := m[2], m[3]
		if start < 0 {
			start, end = m[4], m[5]
		}
		spans = append(spans, wordRun{start: at + start, end: at + end})
		at += end
	}
}

// isAddressForm reports whether a word of a text is within forms of address.
func isAddressForm(spans []wordRun, r wordRun) bool {
	for _, s := range spans {
		if s.start <= r.start && r.start < s.end {
			return true
		}
	}
	return false
}

// markAddressForms marks the bytes of forms of address in a query, which no text need have.
func markAddressForms(text string, told []bool) {
	for _, s := range addressSpans(text) {
		markAll(told[s.start:s.end])
	}
	for _, form := range addressFormsAfterName {
		for start, end := range occurrencesOf(text, form) {
			markAll(told[start:end])
		}
	}
}
