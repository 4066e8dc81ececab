//go:build !(darwin || freebsd || netbsd || openbsd || dragonfly)

package docs

import "math"

// maxWatched returns how many files and directories may be watched. On these systems watching a
// directory takes no descriptors for the files in it.
func maxWatched() int { return math.MaxInt }
