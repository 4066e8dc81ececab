package extract

import (
	"regexp"
	"sync"
)

// pattern compiles a regular expression at its first use: most runs of the
// program need few of them, and all would start later for the others.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
