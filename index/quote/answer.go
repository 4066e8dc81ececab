package quote

import (
	"strings"
	"unicode"

	"vademecum/internal/base/lazyregexp"
)

// quoted matches texts within a paragraph in quotation marks of several kinds.
var quoted = lazyregexp.New(`“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|「([^「」]+)」|『([^『』]+)』|"([^"]+)"`)

// blankLine separates paragraphs.
var blankLine = lazyregexp.New(`\n[ \t]*\n`)

// QuotesInAnswer returns the quotations in an answer, in order: texts in quotation marks, and block
// quotations of Markdown. Single words are left out, because they are usually named rather than
// quoted.
func QuotesInAnswer(text string) (all []string) {
	for _, paragraph := range blankLine.Split(strings.ReplaceAll(text, "\r\n", "\n"), -1) {
		var block, prose []string
		for line := range strings.SplitSeq(paragraph, "\n") {
			if inner, ok := strings.CutPrefix(strings.TrimSpace(line), ">"); ok {
				block = append(block, strings.TrimSpace(inner))
			} else {
				prose = append(prose, line)
			}
		}
		for _, m := range quoted.FindAllStringSubmatch(strings.Join(prose, "\n"), -1) {
			all = append(all, strings.Join(m[1:], ""))
		}
		all = append(all, strings.Join(block, "\n"))
	}
	kept := all[:0]
	for _, q := range all {
		if q = strings.TrimSpace(q); hasWords(q) {
			kept = append(kept, q)
		}
	}
	return kept
}

// hasWords reports whether a text has more than one word.
func hasWords(text string) bool {
	words, inWord := 0, false
	for _, r := range text {
		isLetter := unicode.IsLetter(r) || unicode.IsNumber(r)
		if isLetter && (!inWord || !isSpacedLetter(r)) {
			words++
		}
		inWord = isLetter
	}
	return words > 1
}
