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

// A folder that is not there when a server starts, or goes away while it serves, is
// left alone until it is there: what is known of it stays, and answers say so. All else
// goes on.

// IsMissing reports whether a folder could not be looked at when that was tried last. What
// is in it has to be compared as a whole afterwards.
func (f *Freshness) IsMissing(folder int) bool {
	missing := f.from.Folders[folder].Missing() != nil
	if missing {
		f.SetMissing(folder)
	}
	return missing
}

// areAllMissing reports whether there is no folder to look at.
func (f *Freshness) areAllMissing() bool {
	for i := range f.from.Folders {
		if !f.IsMissing(i) {
			return false
		}
	}
	return len(f.from.Folders) > 0
}

// nothingToAnswerFrom says why there is nothing to answer from, if that is so: no folder is there,
// and nothing is known of any.
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
	return FolderMismatch{Folders: all}
}

// missingNote tells that a folder is not there, and whether something is known of it.
func (f *Freshness) missingNote(folder int, why error) notice.Note {
	known := f.from.Store.DocumentsIn(folder, live.AnyPath)
	return notice.Note{Kind: notice.FolderMissing, Path: f.from.Folders[folder].Dir(), Why: message.OfError(why), Count: len(known)}
}

// AsMismatchIfMissing is an error about a folder, as FolderMismatch if that is not there.
func (f *Freshness) AsMismatchIfMissing(folder int, err error) error {
	var missing docs.MissingError
	if !errors.As(err, &missing) {
		return err
	}
	f.SetMissing(folder)
	return FolderMismatch{Folders: map[int]notice.Note{folder: f.missingNote(folder, missing)}}
}

// FolderMismatch is an error about folders alone that have not the files of their libraries, or
// are not there. What is known of them was left as it is.
type FolderMismatch struct {
	Folders map[int]notice.Note // by their numbers
	Others  bool                // folders in the scope that were brought up to date
}

func (u FolderMismatch) Error() string { return u.Message().String() }

// Message says what is the matter with each folder.
func (u FolderMismatch) Message() message.Message {
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

// IsAboutMissing reports whether an error is about folders that are not there, and no others.
func IsAboutMissing(err error) bool {
	var mismatch FolderMismatch
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
