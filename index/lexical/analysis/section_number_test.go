package analysis

import (
	"strings"
	"testing"
)

// TestSectionNumbers: the number of a section is one term, however it is written, without the numbers of
// its parts.
func TestSectionNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"§ 288": "^section 288", "see §288 BGB": "section 288", "## § 288 Verzugszinsen": "^section 288", "wie § 312a sagt": "section 312a",
		"nach § 288 Abs. 5 Satz 2 BGB": "section 288", "nach § 288 Absatz 5": "section 288", "under Article 33(2)(a) GDPR": "article 33",
		"der §§ 119, 120 und 121": "section 119 | section 120 | section 121", "Articles 33 and 34": "^article 33 | article 34",
		"the Clause 12.7": "12.7 | clause 12.7", "in Artikel 5": "article 5", "§": "", "§ BGB": "", "on page 12": "page 12", "见第12页": "page 12",
		"Case No. G7QZ41B2": "number", "Case No. 12": "number | number 12", "no 5 people": "", "Rechnung Nr. 7": "number | number 7",
	} {
		if got := foundWholes(text); got != want {
			t.Errorf("%q has %q, want %q", text, got, want)
		}
	}
	if !isFound(t, "number of the case", "Case No. G7QZ41B2") {
		t.Error("a number is not found by its sign")
	}
}

// TestHyphenatedCodes: a code with hyphens is one term, and so are its beginnings and ends that are codes
// themselves; a range, a date and words are none.
func TestHyphenatedCodes(t *testing.T) {
	for text, want := range map[string]string{
		"part 9120-0004.": "91200004", "7734-0021-B": "77340021 | 77340021b | 0021b", "TC-K-12": "tck12", "PO-2024-118": "po2024118 | 2024118",
		"1998-2003": "", "invoice 2025-0877": "20250877", "2024-11-05": "2024-11-05 | 2024-11", "pages 10-20": "", "a 15-year-old boy": "", "SARS-CoV-2": "", "HX-205": "", "2024-13-05": "", "E-mail": "", "12-C4B": "12c4b",
	} {
		got := foundWholes(text)
		if got = trimClosed(got); got != want {
			t.Errorf("%q has %q, want %q", text, got, want)
		}
	}
}

// trimClosed removes what marks closed forms from a list of terms.
func trimClosed(terms string) string {
	return strings.ReplaceAll(terms, WithoutField(closedForm("")), "")
}
