package freshness

import (
	"errors"
	"maps"
	"slices"

	"vademecum/docs"
	"vademecum/index/live"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// A folder that is missing when a server starts, or disappears while it runs, is left alone until
// it is back: its index is kept, and responses mention that it is missing. Everything else
// continues.

// IsMissing reports whether a folder could not be read at the last attempt. If so, it records that
// the folder must be compared as a whole when it is back.
func (f *Freshness) IsMissing(folder int) bool {
	missing := f.from.Folders[folder].Missing() != nil
	if missing {
		f.SetMissing(folder)
	}
	return missing
}

// areAllMissing reports whether all folders are missing.
func (f *Freshness) areAllMissing() bool {
	for i := range f.from.Folders {
		if !f.IsMissing(i) {
			return false
		}
	}
	return len(f.from.Folders) > 0
}

// nothingToAnswerFrom returns an error if all folders are missing and there are no documents.
func (f *Freshness) nothingToAnswerFrom() error {
	if !f.areAllMissing() || f.from.Store.CountDocuments() > 0 {
		return nil
	}
	all := make(map[int]notice.Note)
	for i, folder := range f.from.Folders {
		if why := folder.Missing(); why != nil {
			all[i] = f.missingNote(i, why)
		}
	}
	return FolderMismatchError{Folders: all}
}

// missingNote returns a note that a folder is missing, with the number of its indexed documents.
func (f *Freshness) missingNote(folder int, why error) notice.Note {
	known := f.from.Store.DocumentsIn(folder, live.AnyPath)
	return notice.Note{Kind: notice.FolderMissing, Path: f.from.Folders[folder].Dir(), Why: message.FromError(why), Count: len(known)}
}

// AsMismatchIfMissing converts an error about a missing folder to a FolderMismatchError. It returns
// other errors unchanged.
func (f *Freshness) AsMismatchIfMissing(folder int, err error) error {
	var missing docs.FolderMissingError
	if !errors.As(err, &missing) {
		return err
	}
	f.SetMissing(folder)
	return FolderMismatchError{Folders: map[int]notice.Note{folder: f.missingNote(folder, missing)}}
}

// FolderMismatchError is an error about folders that are missing, or whose files are not those of their
// libraries. Their indexes were not changed.
type FolderMismatchError struct {
	Folders map[int]notice.Note // by folder
	Others  bool                // whether other folders in the scope were brought up to date
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
		all = append(all, message.New("%d of the %d documents of %s are no files of %s: the library was left as it is", n.Count, n.Total, n.Library, present.QuoteName(n.Path)))
	}
	return message.Join(all...)
}

// IsAboutMissing reports whether err concerns only missing folders.
func IsAboutMissing(err error) bool {
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
