package index

import (
	"errors"

	"vademecum/docs"
	"vademecum/index/freshness"
	"vademecum/index/ingest"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
)

// Aliases of types from packages below index, for callers of an Index.
type (
	WaitPurpose         = sync.WaitPurpose
	Scope               = sync.Scope
	FolderMismatchError = freshness.FolderMismatchError
	FolderStatus        = sync.FolderStatus
)

const (
	WaitPurposeAnswer         = sync.WaitPurposeAnswer
	WaitPurposeSync           = sync.WaitPurposeSync
	WaitPurposeAutocompletion = sync.WaitPurposeAutocompletion
	QueryWaitTimeout          = sync.QueryWaitTimeout
	ClientTextURIPrefix       = ingest.ClientTextURIPrefix
)

// Errors that callers may match, and react to.
var (
	ErrDatabaseUnreachable = catalog.ErrDatabaseUnreachable // a retry a little later may succeed
	ErrDatabaseReadOnly    = catalog.ErrDatabaseReadOnly    // the indexed documents can still be searched
	ErrDamaged             = catalog.ErrDamaged             // the next Sync, or a running Run, rebuilds the index
	ErrFolderNotResponding = docs.ErrNotResponding          // queries are answered from the index as it was
)

// IsMissingFolderError reports whether an error concerns nothing but missing folders.
func IsMissingFolderError(err error) bool { return freshness.IsMissingFolderError(err) }

// IsTransient reports whether a retry may succeed after an error: a document is not indexed yet,
// the index is being rebuilt, or the database has a problem that is temporary or that its operator can fix.
func IsTransient(err error) bool {
	return errors.Is(err, ErrNotIndexedYet) || errors.Is(err, ErrDamaged) || catalog.IsDatabaseUnusable(err)
}

// CheckTextSizes returns an error for texts that AddTexts would refuse regardless of what the index
// already holds. It needs no Index.
func CheckTextSizes(texts []string) error { return sync.CheckTextSizes(texts) }

// IsEmptyText reports whether AddTexts leaves a text out, as there is nothing to find in it.
func IsEmptyText(text string) bool { return sync.IsEmptyText(text) }
