package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
)

// longestCondition is the maximum length, in bytes, of the clause before a quotation that is examined.
const longestCondition = 300

// unlimiting are restrictions after which what is quoted holds nevertheless.
var unlimiting = map[string]bool{"but": true, "notwithstanding": true}

// ConditionBefore returns the beginning of the clause directly before an offset, in the same sentence, if it
// says when what follows holds or does not: "Unless" for "Unless he bleeds, give heparin."; "" if none
// does.
func ConditionBefore(text string, offset int) string {
	clause := strings.TrimRightFunc(text[max(0, offset-longestCondition):offset], unicode.IsSpace)
	if !strings.HasSuffix(clause, ",") && !strings.HasSuffix(clause, "，") {
		return ""
	}
	if end := strings.LastIndexAny(clause, ".!?;:。！？；：\n|"); end >= 0 {
		_, size := utf8.DecodeRuneInString(clause[end:])
		clause = clause[end+size:]
	}
	clause = strings.TrimLeftFunc(clause, func(r rune) bool { return !unicode.IsLetter(r) })
	clause = strings.ReplaceAll(clause, "’", "'")
	folded := strings.ToLower(clause)
	for _, phrase := range restrictions() {
		if phrase = strings.TrimSpace(phrase); strings.HasPrefix(folded, phrase+" ") && !unlimiting[phrase] && len(folded) == len(clause) {
			return clause[:len(phrase)]
		}
	}
	for _, phrase := range chineseRestrictions {
		if parts := strings.Split(phrase, "…"); strings.HasPrefix(clause, parts[0]) && phrase != "但" && containsInOrder(clause, parts) {
			return parts[0]
		}
	}
	return ""
}

// blockStart matches the beginning of a line that is a row of a table, an item of a list or a heading.
var blockStart = lazyregexp.New(`^\s*(?:\||[-*+•] |\d{1,3}[.)] |#{1,6} )`)

// heading matches a line that is a heading.
var heading = lazyregexp.New(`^\s*#{1,6} `)

// JoinsBlocks reports whether a quotation that is written on one line runs over rows of a table, items of a
// list or headings of a text, given the range of its words there.
func (q Quotation) JoinsBlocks(text string, start, end int) bool {
	if strings.Contains(strings.TrimSpace(q.whole.text), "\n") {
		return false
	}
	lineStart := strings.LastIndexByte(text[:start], '\n') + 1
	lines := strings.Split(text[lineStart:end], "\n")
	for i, line := range lines[1:] {
		if blockStart.MatchString(line) || heading.MatchString(lines[i]) {
			return true
		}
	}
	return false
}
