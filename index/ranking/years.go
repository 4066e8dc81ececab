package ranking

import (
	"path"
	"strings"
	"unicode"

	"vademecum/index/search"
	"vademecum/internal/base/lazyregexp"
)

// yearInName matches the year in the name of a file.
var yearInName = lazyregexp.New(`(?:^|[^0-9])((?:19|20)[0-9]{2})(?:[^0-9]|$)`)

// compareYears compares the years in the names of two documents of one folder whose names differ in
// nothing else: it is above 0 if a is newer, and 0 if they are not such documents.
func compareYears(a, b *search.Document) int {
	if a.Folder != b.Folder || len(a.Path) != len(b.Path) || path.Dir(a.Path) != path.Dir(b.Path) || a.Path == b.Path {
		return 0
	}
	year, rest := cutYear(path.Base(a.Path))
	other, otherRest := cutYear(path.Base(b.Path))
	if year == "" || other == "" || rest != otherRest {
		return 0
	}
	return strings.Compare(year, other)
}

// cutYear returns the first year in the name of a file, and the rest of the name. A name without words,
// as that of an entry of a diary, has none.
func cutYear(name string) (year, rest string) {
	at := yearInName.FindStringSubmatchIndex(name)
	if at == nil || !strings.ContainsFunc(strings.TrimSuffix(name, path.Ext(name)), unicode.IsLetter) {
		return "", name
	}
	return name[at[2]:at[3]], name[:at[2]] + name[at[3]:]
}

// areYearEditions reports whether two candidates are from editions of one text for different years: the
// names of their documents and their texts are nearly the same.
func areYearEditions(a, b *search.Candidate) bool {
	return a.Traits.MinHash.IsSimilarVersion(b.Traits.MinHash) && compareYears(a.Document, b.Document) != 0
}
