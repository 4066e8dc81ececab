//go:build !(darwin || freebsd || netbsd || openbsd || dragonfly)

package docs

import "math"

// maxWatched returns how many files and directories may be watched: here a watch of a
// directory takes no descriptor of each file in it.
func maxWatched() int { return math.MaxInt }
