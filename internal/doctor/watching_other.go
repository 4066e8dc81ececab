//go:build !linux

package doctor

const (
	tooFewWatchers = "close programs that watch many folders, or raise the limit of open files"
	tooFewWatches  = tooFewWatchers
)

// mostWatches is 0: only Linux has a number.
func mostWatches() int { return 0 }
