package ranking

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"vademecum/index/search"
	"vademecum/internal/base/lazyregexp"
)

// compareEditions compares the years, or the numbers of versions, in the names of two documents of one
// folder whose names differ in nothing else: it is above 0 if a is newer, and 0 if they are not such
// documents.
func compareEditions(a, b *search.Document) int {
	if a.Folder != b.Folder || a.Path == b.Path || path.Dir(a.Path) != path.Dir(b.Path) {
		return 0
	}
	if years := compareYears(path.Base(a.Path), path.Base(b.Path)); years != 0 {
		return years
	}
	return compareVersions(nameOf(a), nameOf(b))
}

// yearInName matches the year in the name of a file.
var yearInName = lazyregexp.New(`(?:^|[^0-9])((?:19|20)[0-9]{2})(?:[^0-9]|$)`)

// compareYears compares the first years in two names that are the same otherwise. A name without words,
// as that of an entry of a diary, has none.
func compareYears(a, b string) int {
	year, rest := cutMatch(yearInName, a)
	other, otherRest := cutMatch(yearInName, b)
	if year == "" || other == "" || rest != otherRest || !strings.ContainsFunc(strings.TrimSuffix(rest, path.Ext(rest)), unicode.IsLetter) {
		return 0
	}
	return strings.Compare(year, other)
}

// versionInName matches the number of a version in the name of a file: v2.1, Version 3, rev. 2, 第2版.
var versionInName = lazyregexp.New(`(?i)(?:(?:^|[^\p{L}])(?:v|vers?|version|rev|revision|fassung)[ ._-]{0,2}|版本? ?)([0-9]{1,4}(?:[._][0-9]{1,4}){0,3})(?:[^\p{L}0-9]|$)|第 ?([0-9]{1,4}) ?版`)

// compareVersions compares the numbers of versions in two names that are the same otherwise.
func compareVersions(a, b string) int {
	version, rest := cutMatch(versionInName, a)
	other, otherRest := cutMatch(versionInName, b)
	if version == "" || other == "" || !strings.EqualFold(rest, otherRest) {
		return 0
	}
	return slices.CompareFunc(versionNumbers(version), versionNumbers(other), cmp.Compare[int])
}

func versionNumbers(version string) (numbers []int) {
	for number := range strings.FieldsFuncSeq(version, func(r rune) bool { return r == '.' || r == '_' }) {
		n, _ := strconv.Atoi(number) // digits, as the pattern says
		numbers = append(numbers, n)
	}
	return numbers
}

// cutMatch returns what a group of a pattern first matches in a name, and the rest of the name.
func cutMatch(pattern *lazyregexp.Regexp, name string) (match, rest string) {
	at := pattern.FindStringSubmatchIndex(name)
	if at == nil {
		return "", name
	}
	start, end := at[2], at[3]
	if start < 0 {
		start, end = at[4], at[5]
	}
	return name[start:end], name[:start] + name[end:]
}

// areNamedEditions reports whether two candidates are from editions of one text, for different years or
// of different versions: the names of their documents and their texts are nearly the same.
func areNamedEditions(a, b *search.Candidate) bool {
	return a.Traits.MinHash.IsSimilarVersion(b.Traits.MinHash) && compareEditions(a.Document, b.Document) != 0
}
