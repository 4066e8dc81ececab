package analysis

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sectionSign precedes the number of a section of a law; doubled, it precedes several.
const sectionSign = '§'

// articleUnits maps the words before the numbers of parts of laws, contracts and books to names that are shared
// with Chinese, see ordinalUnits.
var articleUnits = map[string]string{
	"article": "article", "art": "article", "articles": "article", "artikel": "article", "chapter": "chapter", "chapters": "chapter", "kapitel": "chapter", "chapitre": "chapter",
	"section": "section", "sections": "section", "sec": "section", "clause": "clause", "clauses": "clause", "klausel": "clause",
	"part": "part", "lesson": "lesson", "volume": "volume", "vol": "volume", "page": "page", "number": "number", "no": "number", "nr": "number", "nummer": "number",
}

// subunits are the words before the numbers of parts of an article or section. Such a number is in most of them,
// so that "§ 288 Abs. 5" is found by "§ 288".
var subunits = lazySet("abs absatz satz s halbsatz unterabs unterabsatz nr no lit ziff ziffer var alt para paragraph subsection al alinea", asWritten)

// numberTerm is the term of any number after "No."; see scanNumberSign.
const numberTerm = string(rune(specialField)) + "number"

// scanNumberSign scans a number after "No." or "Nr.", which may have letters: "Case No. G7QZ41B2".
func (w *specialTokenScanner) scanNumberSign(word string, start int) {
	rest := w.text[w.at:]
	after := strings.TrimLeft(strings.TrimPrefix(rest, "."), " ")
	isSign := strings.HasPrefix(rest, ".") || w.text[start] == 'N'
	if n := wordLength(after); !isSign || len(after) == len(rest) || !containsDigit(after[:n]) {
		return
	}
	w.found = append(w.found, specialToken{term: numberTerm, isGeneral: true, start: start, end: w.at})
	w.scanNumbered(articleUnits[word], start)
}

// scanSections scans the numbers after one or two section signs.
func (w *specialTokenScanner) scanSections() {
	start := w.at
	w.at += runLength(w.text[w.at:], func(r rune) bool { return r == sectionSign })
	w.scanNumbered("section", start)
}

// scanNumbered scans the numbers after the name of a unit, which begins at start, and those of parts of it:
// "Article 35", "§§ 119, 120", "§ 288 Abs. 5".
func (w *specialTokenScanner) scanNumbered(unit string, start int) {
	isSign := strings.HasPrefix(w.text[start:], string(sectionSign))
	number, n := articleNumber(w.text[w.at:], isSign)
	for n > 0 {
		w.at += n
		w.at += subunitsLength(w.text[w.at:])
		if strings.Contains(number, ".") { // 4.2.1 is asked for without the unit too
			w.found = append(w.found, specialToken{term: string(specialField) + number, isGeneral: true, start: start, end: w.at})
		}
		w.addArticle(unit, number, start)
		between := nextInList(w.text[w.at:])
		if between == 0 {
			return
		}
		start = w.at + between
		if number, n = articleNumber(w.text[start:], true); n > 0 {
			w.at = start
		}
	}
}

// articleNumber parses the number after a unit such as "article": " 35", ". 4.2", " 312a". Space is
// needed before it unless isClose is set.
func articleNumber(text string, isClose bool) (number string, length int) {
	rest := strings.TrimLeft(strings.TrimPrefix(text, "."), " ")
	before := len(text) - len(rest)
	if before == 0 && !isClose {
		return "", 0
	}
	if version, n := parseVersion(rest); n > 0 {
		return version, before + n
	}
	n, length := parseDigits(rest, 6)
	if n < 0 {
		return "", 0
	}
	number = strconv.Itoa(n)
	if length < len(rest) && isASCIILetter(rest[length]) && endsWord(rest, length+1) {
		number += strings.ToLower(rest[length : length+1])
		length++
	}
	if !endsWord(rest, length) || beginsCode(rest[length:]) {
		return "", 0
	}
	return number, before + length
}

// beginsCode reports whether a number goes on after a hyphen so that it is a code rather than a range of numbers.
func beginsCode(after string) bool {
	rest, ok := strings.CutPrefix(after, "-")
	return ok && rest != "" && (isASCIILetter(rest[0]) || rest[0] == '0')
}

// nextInList returns the length of what separates numbers in a list, as in "119, 120 and 121"; 0 if no number
// follows.
func nextInList(text string) int {
	rest := strings.TrimLeft(text, " ")
	for _, separator := range []string{",", "and ", "und ", "et ", "or ", "oder "} {
		if after, ok := strings.CutPrefix(rest, separator); ok {
			after = strings.TrimLeft(after, " ")
			if after != "" && isDigitByte(after[0]) {
				return len(text) - len(after)
			}
		}
	}
	return 0
}

// subunitsLength returns the length of the numbers of parts of an article at the beginning of a text: "
// Abs. 5 Satz 2", "(2)(a)".
func subunitsLength(text string) (length int) {
	for {
		n := subunitLength(text[length:])
		if n == 0 {
			return length
		}
		length += n
	}
}

func subunitLength(text string) int {
	rest := strings.TrimLeft(text, " ,")
	if inner, ok := strings.CutPrefix(rest, "("); ok {
		n := runLength(inner, isLetterOrDigit)
		if n == 0 || n > len("viii") || !strings.HasPrefix(inner[n:], ")") {
			return 0
		}
		return len(text) - len(rest) + n + len("()")
	}
	word := rest[:runLength(rest, unicode.IsLetter)]
	if !subunits()[strings.ToLower(word)] {
		return 0
	}
	number := strings.TrimLeft(rest[len(word):], ". ")
	n := runLength(number, isLetterOrDigit)
	first, _ := utf8.DecodeRuneInString(number)
	if n == 0 || n > len("12a") || len(number) == len(rest)-len(word) || n > 1 && !unicode.IsDigit(first) {
		return 0
	}
	return len(text) - len(number) + n
}

// PlacesInChinese returns the places in a question, such as articles and chapters, that are written in Chinese.
func PlacesInChinese(question string) (places []string) {
	text := normalizeQuestion(question)
	if !strings.Contains(text, ordinalSign) {
		return nil
	}
	for _, w := range specialTokens(text) {
		if w.isPlace && strings.HasPrefix(text[w.start:], ordinalSign) {
			places = append(places, text[w.start:w.end])
		}
	}
	return places
}
