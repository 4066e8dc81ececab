// Suggestions for misspelt names.

package present

import (
	"regexp"
	"slices"
	"strings"
)

// NearestName returns the name most similar to the one given, which differs by typing errors or by
// its ending; "" if none is close.
func NearestName(given string, names []string) string {
	best, least := "", 0
	for _, name := range names {
		if n, ok := TypoCount(given, name); ok && (best == "" || n < least) {
			best, least = name, n
		}
	}
	if best != "" {
		return best
	}
	for _, name := range names {
		if min(len(given), len(name)) > 2 && (strings.HasPrefix(name, given) || strings.HasPrefix(given, name)) {
			return name
		}
	}
	return ""
}

// NearestUser returns the name of a user or group most similar to the one given, which differs by
// typing errors or by its ending; "" if none is close. Names that differ in a number are not
// similar: user7 is not a misspelling of user1.
func NearestUser(given string, names []string) string {
	digits := regexp.MustCompile(`\d+`)
	numbered := func(name string) bool {
		return digits.MatchString(name) && digits.MatchString(given) && strings.EqualFold(digits.ReplaceAllString(name, "#"), digits.ReplaceAllString(given, "#"))
	}
	return NearestName(given, slices.DeleteFunc(slices.Clone(names), numbered))
}

// TypoCount counts the typing errors by which two names differ, ignoring case; ok is false if there
// is more than one per three letters.
func TypoCount(a, b string) (n int, ok bool) {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	most := max(len(x), len(y)) / 3
	if max(len(x), len(y))-min(len(x), len(y)) > most {
		return 0, false // there are at least that many
	}
	n = editDistance(x, y)
	return n, n <= most
}

// editDistance counts the insertions, deletions, replacements and swaps of neighbours that turn a
// into b.
func editDistance(a, b []rune) int {
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		next := []int{i + 1}
		for j := range b {
			n := 1 + min(last[j], last[j+1], next[j])
			if a[i] == b[j] {
				n = last[j]
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				n = min(n, before[j-1]+1)
			}
			next = append(next, n)
		}
		before, last = last, next
	}
	return last[len(b)]
}
