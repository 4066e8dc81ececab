package freshness

import (
	"errors"
	"maps"
	"slices"
	"time"

	"vademecum/index/notice"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// MatchBasis holds the conditions under which a comparison of a folder with its library is valid:
// when one of them changes, the result is void.
type MatchBasis struct {
	IndexerSince     time.Time // when the process became the indexer or ceased to be it
	RootReplacements int       // number of times the folder was replaced, see docs.Folder
}

// FolderMismatchError is an error about folders that are missing, or whose files are not those of their
// libraries. Their indexes were not changed.
type FolderMismatchError struct {
	Folders       map[int]notice.Note // by the index of the folder, what is wrong with it
	IsPartlyFresh bool                // other folders in the scope were brought up to date
}

func (u FolderMismatchError) Error() string { return u.Message().String() }

// Message describes the problem of each folder.
func (u FolderMismatchError) Message() message.Message {
	var all []message.Message
	for _, folder := range slices.Sorted(maps.Keys(u.Folders)) {
		n := u.Folders[folder]
		if n.Kind == notice.FolderMissing {
			all = append(all, n.Why)
			continue
		}
		all = append(all, message.New("%d of the %d documents of %s are not files in %s: the library was left unchanged", n.Count, n.Total, n.Library, present.QuoteName(n.Path)))
	}
	return message.Join(all...)
}

// IsMissingFolderError reports whether err concerns only missing folders.
func IsMissingFolderError(err error) bool {
	var mismatch FolderMismatchError
	if !errors.As(err, &mismatch) {
		return false
	}
	for _, n := range mismatch.Folders {
		if n.Kind != notice.FolderMissing {
			return false
		}
	}
	return true
}
