//go:build !linux

package doctor

import "vademecum/internal/base/message"

func tooFewWatchers() message.Message {
	return message.New("close programs that watch many folders, or raise the limit of open files")
}

func tooFewWatches() message.Message { return tooFewWatchers() }

// maxWatches returns 0: only Linux has such a limit.
func maxWatches() int { return 0 }
