package index

import (
	"errors"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/engine"
	"vademecum/index/freshness"
	"vademecum/index/ingest"
	"vademecum/index/syncer"
)

// What an Index is asked for as it is kept up to date, and what it reports that.
type (
	Purpose        = freshness.Purpose
	Scope          = syncer.Scope
	FolderMismatch = freshness.FolderMismatch
	FolderStatus   = engine.FolderStatus
)

const (
	ForAnswer     = freshness.ForAnswer
	ForSync       = freshness.ForSync
	ForCompletion = freshness.ForCompletion
	Patience      = freshness.Patience
	TextScheme    = ingest.TextScheme
)

// Errors match these where who gets them may do something about it.
var (
	ErrAway     = catalog.ErrUnreachable // the same may be asked again a little later
	ErrNoWrites = catalog.ErrNoWrites    // what is there is found
	ErrDamaged  = catalog.ErrDamaged     // the next Sync, or a Run under way, builds the index again
	ErrSilent   = docs.ErrSilent         // questions are answered from the index as it was
)

// IsMissing reports whether an error is about folders that are not there, and no others.
func IsMissing(err error) bool { return freshness.IsAboutMissing(err) }

// IsTransient reports whether the same may be asked again after an error: a document is
// yet to be indexed, the index is built again, or the database is to be put right.
func IsTransient(err error) bool {
	return errors.Is(err, ErrNotYet) || errors.Is(err, ErrDamaged) || catalog.IsDatabaseError(err)
}

// CheckTexts refuses what AddTexts would whatever is held already, at once: it
// needs no Index.
func CheckTexts(all []string) error { return engine.CheckTextSizes(all) }
