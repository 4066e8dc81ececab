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

// Types of the packages below index that callers of an Index use.
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

// Callers may match errors with these and react.
var (
	ErrAway     = catalog.ErrUnreachable // a retry a little later may succeed
	ErrNoWrites = catalog.ErrNoWrites    // what is indexed can still be searched
	ErrDamaged  = catalog.ErrDamaged     // the next Sync, or a running Run, rebuilds the index
	ErrSilent   = docs.ErrSilent         // questions are answered from the index as it was
)

// IsMissing reports whether an error is only about missing folders.
func IsMissing(err error) bool { return freshness.IsAboutMissing(err) }

// IsTransient reports whether a retry may succeed after an error: a document is not indexed yet,
// the index is being rebuilt, or the database has to be repaired.
func IsTransient(err error) bool {
	return errors.Is(err, ErrNotYet) || errors.Is(err, ErrDamaged) || catalog.IsDatabaseError(err)
}

// CheckTexts refuses texts that AddTexts would refuse whatever it holds already; it needs no
// Index.
func CheckTexts(all []string) error { return engine.CheckTextSizes(all) }
