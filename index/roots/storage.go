package roots

import (
	"context"
	"time"

	"vademecum/docs"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// Storage stores the catalogue of a folder, and has the leases by which the processes on the folder agree
// on which of them indexes and which embeds it.
type Storage interface {
	// Describe returns the properties that do not change.
	Describe() StorageDescription
	// State returns the current state, without waiting for the storage.
	State() StorageState
	// Open opens or creates the catalogue for the named embedding model. If the disk refuses it,
	// the catalogue is only in the memory of this process.
	Open(ctx context.Context, model string) (OpenedCatalog, error)
	// Repair opens a replacement for a catalogue that it has opened before and that cannot be used,
	// with everything that can be recovered from it: see catalog.State. is is the condition of the old
	// one, which it may have closed. It opens nothing while the disk still refuses a catalogue in memory. A library that
	// others share is emptied only if hasFiles, given the paths of its documents, reports that the
	// folder has them. In the worst case it reads and writes everything.
	Repair(ctx context.Context, model string, old catalog.Catalog, is catalog.Condition, hasFiles func(paths []string) bool) (RepairedCatalog, error)
	// OpenEphemeral opens a catalogue that is not saved, with the vectors of the storage.
	OpenEphemeral(ctx context.Context, model string) (OpenedCatalog, error)
	// OpenReadOnly opens the catalogue without changing anything. Its Catalog is nil if there is
	// none.
	OpenReadOnly(ctx context.Context) (ReadOnlyCatalog, error)
	// SizeOnDisk returns its size on this machine's disk; 0 if it is not there.
	SizeOnDisk() int64
	// RemoveOldFormats removes files in formats no longer used. Only the indexing process calls it.
	RemoveOldFormats()
	// RestoreMissingParts recreates missing parts of the storage outside the catalogue. If mayEmpty is set, data
	// derived from the files may be discarded for that.
	RestoreMissingParts(ctx context.Context, mayEmpty bool) (RestoreResult, error)

	// IndexingLease returns the lease to keep the index up to date, EmbeddingLease the lease to embed with
	// the model in use.
	IndexingLease() Lease
	EmbeddingLease() Lease
}

// StorageDescription has the properties of a Storage that do not change.
type StorageDescription struct {
	Name           string          // name for people: the path of a file, or a database with the name of a library
	ShortName      message.Message // the name without the location
	File           string          // path of the file; "" if the catalogue is not in a file
	IsShared       bool            // other machines may use the storage too
	InMemoryReason error           // why the catalogue has no place on disk, and is kept in memory; nil if it has one
}

// StorageState is the state of a Storage at one moment.
type StorageState struct {
	// why it accepts no changes; "" if it does, or if something else replaces it in that case
	WriteRefusal message.Message
	MinLatency   time.Duration // minimum time that an operation takes; 0 if that is not worth reporting
}

// Storages returns the storages of folders.
type Storages interface {
	// StorageOf returns the storage of a folder with the given index.
	StorageOf(f *docs.Folder, folderIndex int) (Storage, error)
	// Close releases the resources that the storages share.
	Close() error
}

// OpenedCatalog is a catalogue opened for use.
type OpenedCatalog struct {
	catalog.Catalog
	PreviousModel string          // model that the index had before, if it was another; "" otherwise
	KeptModel     string          // PreviousModel if the index keeps that model; "" otherwise
	RebuildReason message.Message // why all documents must be read again; "" if they need not
	UnsavedReason error           // why the catalogue is only in memory; nil if it is saved
}

// RepairedCatalog is a catalogue that replaces another.
type RepairedCatalog struct {
	OpenedCatalog // Catalog is nil if nothing was done
	// last change of the old catalogue that this one contains, in the same rows; -1 if it has rows of
	// its own
	CopiedUpToChange          int64
	ActionTaken, RepairReason string
}

// RestoreResult lists the parts of a storage that were missing and have been created again.
type RestoreResult struct {
	RecreatedObjects []string // names of the parts; nil if nothing was missing
	// it is not known any more which passages have vectors, so that catalogues must be opened again
	LostVectorRecords bool
}

// ReadOnlyCatalog is a catalogue opened for reading only.
type ReadOnlyCatalog struct {
	catalog.Catalog
	Bytes  int64 // size of the catalogue in bytes
	Damage error // why the catalogue cannot be read although it exists; nil if it can or does not exist
}

// Lease is the exclusive right of a process to perform a task for a folder, such as indexing it.
type Lease interface {
	// TryAcquire tries to acquire the lease, and reports whether this process holds it. It does not
	// wait for another process.
	TryAcquire() bool
	// HeldSince returns since when this process has held the lease, without trying to acquire it.
	HeldSince() (time.Time, bool)
	// IsHeldByAny reports whether any process holds the lease, without trying to acquire it.
	IsHeldByAny(ctx context.Context) bool
	// NotExclusiveReason returns why all processes hold the lease; nil if only one does.
	NotExclusiveReason() error
	// HolderUnresponsiveFor returns how long the holder has shown no sign of life; 0 if that is not worth
	// reporting.
	HolderUnresponsiveFor() time.Duration
	// Release gives up the lease, which can be acquired again.
	Release() error
	// Pause gives up the lease, and does not acquire it again before Resume.
	Pause()
	// Resume ends a Pause.
	Resume()
}
