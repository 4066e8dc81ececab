// Package lazyregexp compiles regular expressions at their first use: most runs
// of the program need few of them, and all would start later for the others.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns what compiles a regular expression when it is first called. The
// expression must be valid.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
