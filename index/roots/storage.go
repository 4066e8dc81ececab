package roots

import (
	"context"
	"time"

	"vademecum/docs"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// Storage stores the catalogue of a folder, and lets the processes that serve the folder agree on
// their duties.
type Storage interface {
	// Describe returns what does not change.
	Describe() Description
	// State returns how it is now, without waiting for it.
	State() StorageState
	// Open opens or creates the catalogue for the named embedding model. If the disk refuses it,
	// the catalogue is only in the memory of this process.
	Open(ctx context.Context, model string) (OpenedCatalog, error)
	// Repair opens a replacement for a catalogue that it has opened before and that cannot be used,
	// with everything that can be recovered from it: see catalog.State. It may have closed the old
	// one. It opens nothing while the disk still refuses a catalogue in memory. A library that
	// others share is emptied only if hasFiles, given the paths of its documents, reports that the
	// folder has them. In the worst case it reads and writes everything.
	Repair(ctx context.Context, model string, old catalog.Catalog, hasFiles func(paths []string) bool) (RepairedCatalog, error)
	// OpenEphemeral opens a catalogue that is not saved, with the vectors of the storage.
	OpenEphemeral(ctx context.Context, model string) (OpenedCatalog, error)
	// OpenReadOnly opens the catalogue without changing anything. Its Catalog is nil if there is
	// none.
	OpenReadOnly(ctx context.Context) (ReadOnlyCatalog, error)
	// SizeOnDisk returns its size on this machine's disk; 0 if it is not there.
	SizeOnDisk() int64
	// RemoveOldFormats removes files in formats no longer used. Only the indexing process calls it.
	RemoveOldFormats()
	// Restore recreates missing parts of the storage outside the catalogue. If empty is set, data
	// derived from the files may be discarded for that.
	Restore(ctx context.Context, empty bool) (Restored, error)

	// IndexingLease returns the duty to keep the index up to date, EmbeddingLease the duty to embed
	// with the model in use.
	IndexingLease() Lease
	EmbeddingLease() Lease
}

// Description is what a storage says of itself.
type Description struct {
	Name           string          // for people: the path of a file, or a database with the name of a library
	ShortName      message.Message // the name without the location
	File           string          // path of its file; "" if it is not in a file
	IsShared       bool            // whether other machines may use it too
	UnplacedReason error           // why it has no place on disk and is kept in memory; nil if it has one
}

// StorageState is how a storage is at one moment.
type StorageState struct {
	// why it accepts no changes; "" if it does, or if something else replaces it in that case
	WriteRefusal message.Message
	Latency      time.Duration // minimum time that any operation takes; 0 if that is not worth reporting
}

// Storages returns the storages of folders.
type Storages interface {
	// StorageOf returns the storage of a folder with the given index.
	StorageOf(f *docs.Folder, number int) (Storage, error)
	// Close releases the resources that the storages share.
	Close() error
}

// OpenedCatalog is a catalogue opened for use.
type OpenedCatalog struct {
	catalog.Catalog
	PreviousModel string // model that it was indexed with before, if it differs
	KeptModel     string // that model, if the index keeps it
	RebuildReason string // why documents are read again; "" if they are not
	UnsavedReason error  // why it is only in memory; nil if it is saved
}

// RepairedCatalog is a catalogue that replaces another.
type RepairedCatalog struct {
	OpenedCatalog // Catalog is nil if nothing was done
	// last change of the old catalogue that this one contains, in the same rows; -1 if it has rows of
	// its own
	CopiedUpTo                int64
	ActionTaken, RepairReason string
}

// Restored describes what was missing in a storage and has been made again.
type Restored struct {
	Parts []string // nil if nothing was missing
	// it is not known any more which passages have vectors, so that catalogues must be opened again
	LostVectors bool
}

// ReadOnlyCatalog is a catalogue opened for reading only.
type ReadOnlyCatalog struct {
	catalog.Catalog
	Bytes  int64 // its size
	Damage error // why it cannot be read although it exists
}

// Lease is a task for a folder that one process performs at a time.
type Lease interface {
	// TryAcquire tries to acquire the duty, and reports whether this process holds it. It does not
	// wait for another process.
	TryAcquire() bool
	// HeldSince returns since when this process has held the duty, without trying to acquire it.
	HeldSince() (time.Time, bool)
	// IsHeldByAny reports whether any process holds the duty, without trying to acquire it.
	IsHeldByAny(ctx context.Context) bool
	// UnlockedReason returns why all processes hold the duty; nil if only one does.
	UnlockedReason() error
	// HolderUnresponsiveFor returns how long the holder has shown no sign of life; 0 if that is not worth
	// reporting.
	HolderUnresponsiveFor() time.Duration
	// Release gives up the duty, which can be acquired again.
	Release() error
	// Pause gives up the duty, and does not acquire it again before Resume.
	Pause()
	// Resume ends a Pause.
	Resume()
}
