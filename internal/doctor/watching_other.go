//go:build !linux

package doctor

const (
	tooFewWatchers = "close programs that watch many folders, or raise the limit of open files"
	tooFewWatches  = tooFewWatchers
)

// maxWatches is 0: only Linux has a number.
func maxWatches() int { return 0 }
