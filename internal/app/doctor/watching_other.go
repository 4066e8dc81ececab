//go:build !linux

package doctor

import "vademecum/internal/base/message"

func tooFewWatchers() message.Message {
	return message.New("close programs that watch many folders, or raise the limit of open files")
}

func tooFewWatches() message.Message { return tooFewWatchers() }

// maxWatches returns how many folders a user may watch; 0 if the limit is unknown or there is none.
func maxWatches() int { return 0 }
