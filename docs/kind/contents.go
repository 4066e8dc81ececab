package kind

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
)

// isContents recognises a table of contents: by page numbers that increase from line to line, at
// line ends after leaders or tabs, or by section numbers.
func isContents(text string) bool {
	return hasLeaders(text) || hasPageColumn(text) || isOutline(text)
}

func hasLeaders(text string) bool {
	if !strings.Contains(text, "....") && !strings.Contains(text, ". . .") && !strings.Contains(text, "……") {
		return false
	}
	return shareOfLines(text, func(line string) bool { return leader.MatchString(line) }).isMajority(3, 2)
}

var leader = lazyregexp.New(`(?:\. ?){4,}\s*\d+\s*$|…{2,}\s*\d+\s*$`)

// lineShare counts the lines of a text that are of some kind, and all its lines.
type lineShare struct{ some, all int }

// isMajority reports whether at least minLines lines are of the kind counted, and they are more
// than one in oneIn of all lines.
func (r lineShare) isMajority(minLines, oneIn int) bool {
	return r.some >= minLines && r.some*oneIn > r.all
}

// shareOfLines counts the non-blank lines of a text, and those for which the function is returns
// true.
func shareOfLines(text string, is func(line string) bool) (r lineShare) {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		r.all++
		if is(line) {
			r.some++
		}
	}
	return r
}

// leastEntries is the minimum number of lines of a table of contents that is recognised by numbers
// alone.
const leastEntries = 5

// hasPageColumn recognises tables of contents of Word, with a tab before each page number.
func hasPageColumn(text string) bool {
	if !strings.Contains(text, "\t") {
		return false
	}
	last := 0
	return shareOfLines(text, func(line string) bool {
		title, page, ok := cutLast(strings.TrimSpace(line), "\t")
		n, err := strconv.Atoi(page)
		if !ok || err != nil || n < last || strings.Contains(title, "\t") && !entry.MatchString(title) {
			return false
		}
		last = n
		return strings.ContainsFunc(title, unicode.IsLetter)
	}).isMajority(leastEntries, 2)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if at := strings.LastIndex(s, sep); at >= 0 {
		return s[:at], s[at+len(sep):], true
	}
	return s, "", false
}

// entry matches a line with the number of a section: "1.2 Title", "- 1.2.1 Title".
var entry = lazyregexp.New(`^\s*(?:[-*+] |\*\*|#+ )?(\d{1,3}(?:\.\d{1,3}){0,5})\.?[\s–—-]+(\S.*)$`)

// longestEntry is the maximum length of a title in a table of contents, in characters; longer lines
// are prose.
const longestEntry = 90

// isOutline recognises a list of numbered sections: nearly every line follows the previous one in
// number, and at least a third have numbers of two or more levels, unlike the steps of a recipe.
func isOutline(text string) bool {
	if !strings.Contains(text, "1") || strings.Count(text, "\n") < leastEntries {
		return false
	}
	var before []int
	deep := 0
	lines := shareOfLines(text, func(line string) bool {
		number := sectionNumber(line)
		isNext := isNextNumber(before, number)
		if before = number; !isNext {
			return false
		}
		if len(number) > 1 {
			deep++
		}
		return true
	})
	return lines.some >= leastEntries && 4*lines.some >= 3*(lines.all-1) && 3*deep >= lines.some
}

// sectionNumber returns the section number at the start of an entry of a table of contents, one
// element per level, or nil if the line is not an entry.
func sectionNumber(line string) (levels []int) {
	m := entry.FindStringSubmatch(strings.TrimRight(line, "\n"))
	if m == nil {
		return nil
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(m[2], "*_[`\"“《【（("))
	last, _ := utf8.DecodeLastRuneInString(m[2])
	if !unicode.IsLetter(first) || strings.ContainsRune("。；;，,", last) || utf8.RuneCountInString(m[2]) > longestEntry {
		return nil
	}
	for level := range strings.SplitSeq(m[1], ".") {
		n, _ := strconv.Atoi(level) // cannot fail: at most three digits
		levels = append(levels, n)
	}
	return levels
}

// isNextNumber reports whether an entry may follow another: with the next number at its level or
// above, or as the first entry below it. In a continued table of contents any number may be first.
func isNextNumber(before, number []int) bool {
	switch {
	case number == nil:
		return false
	case before == nil:
		return true
	case len(number) == len(before)+1:
		return number[len(before)] <= 1 && isPrefix(before, number)
	case len(number) > len(before):
		return false
	}
	last := len(number) - 1
	return number[last] == before[last]+1 && isPrefix(number[:last], before)
}

func isPrefix(a, b []int) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
