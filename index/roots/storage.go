package roots

import (
	"context"
	"time"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/internal/base/message"
)

// Storage stores the catalogue of a folder, and lets the processes on the folder agree on who
// does what for it.
type Storage interface {
	// Name is shown to people: the path of a file, or a database with the name of a library.
	Name() string
	// ShortName is a name without the place.
	ShortName() message.Message
	// File is the path of its file, "" if it is not a file.
	File() string
	// IsShared reports whether other machines may use it too.
	IsShared() bool
	// WhyNoPlace returns why it has no place on the disk and is kept in memory; nil if it has
	// one.
	WhyNoPlace() error
	// Open opens or creates the catalogue for the named embedding model; in the memory of this
	// process only if the disk refuses it.
	Open(ctx context.Context, model string) (OpenedCatalog, error)
	// Repair opens a replacement for a catalogue that it has opened before and that is not well,
	// with everything that can be taken over from it: see catalog.State. It may have closed the
	// old one. Nothing is opened while the disk still refuses what is in memory. A library that
	// others share is emptied only if hasFiles, given the paths of its documents, reports that
	// the folder has them. In the worst case it reads and writes everything.
	Repair(ctx context.Context, model string, old catalog.Catalog, hasFiles func(paths []string) bool) (RepairedCatalog, error)
	// OpenEphemeral opens a catalogue that is not saved, with the vectors of the storage.
	OpenEphemeral(ctx context.Context, model string) (OpenedCatalog, error)
	// OpenReadOnly opens the catalogue without changing anything. Its Catalog is nil when there
	// is none.
	OpenReadOnly(ctx context.Context) (ReadOnlyCatalog, error)
	// Bytes is its size on this machine's disk, 0 if it is not there.
	Bytes() int64
	// WriteRefusal says in plain words why it accepts no changes now, "" while it does and where
	// something else takes its place then.
	WriteRefusal() message.Message
	// Slowness is the least time that any operation takes, 0 where that is not worth reporting.
	Slowness() time.Duration
	// RemoveOldFormats removes files of formats no longer used, for the process that indexes.
	RemoveOldFormats()
	// Restore recreates what was beside the catalogue and is missing, and returns what that was:
	// nil where nothing is missing. With its second argument, data made from the files may be
	// discarded for that.
	Restore(ctx context.Context, empty bool) (made []string, err error)

	// Indexing is the duty to keep the index up to date, Embedding the duty to embed with the
	// model in use.
	Indexing() Duty
	Embedding() Duty
}

// Storages returns the storages of folders.
type Storages interface {
	// Of returns the storage of a folder by its number.
	Of(f *docs.Folder, number int) (Storage, error)
	// Inspect queries the database that stores the indexes, and waits for it; it returns nil if
	// there is no database. It changes nothing.
	Inspect(ctx context.Context) (*catalog.DatabaseState, error)
	// Replica reports how a replica of the database is used, if there is one. It does not connect
	// to it.
	Replica() (use catalog.ReplicaUse, isThere bool)
	// Close releases what the storages share.
	Close() error
}

// OpenedCatalog is a catalogue opened for use.
type OpenedCatalog struct {
	catalog.Catalog
	Before  string // the model that it was indexed with before, if another
	Kept    string // that model, if the index keeps it
	Rebuilt string // why documents are read again, "" if they are not
	Unsaved error  // why it is only in memory; nil: it is saved
}

// RepairedCatalog is a catalogue that replaces another.
type RepairedCatalog struct {
	OpenedCatalog       // its Catalog is nil if nothing was done
	Followed      int64 // the last change of the old catalogue that it has, in the same rows; -1: it has rows of its own
	Done, Why     string
}

// ReadOnlyCatalog is a catalogue opened for reading only.
type ReadOnlyCatalog struct {
	catalog.Catalog
	Bytes   int64 // its size
	Damaged error // why it cannot be read, although it exists
}

// Duty is a task for a folder that one process has at a time.
type Duty interface {
	// TryAcquire tries to acquire the duty and reports whether this process has it. It does not
	// wait for another process.
	TryAcquire() bool
	// HeldSince returns since when this process has the duty, without trying to acquire it.
	HeldSince() (time.Time, bool)
	// IsTaken reports whether any process has the duty, without trying to acquire it.
	IsTaken(ctx context.Context) bool
	// WhyUnlocked returns why all processes have the duty, nil when only one has.
	WhyUnlocked() error
	// HolderSilence is for how long the process that has it has given no sign of life, 0 when
	// that is not worth reporting.
	HolderSilence() time.Duration
	// Release gives the duty up; it can be acquired again.
	Release() error
	// Pause gives the duty up and does not acquire it again before Resume.
	Pause()
	// Resume ends a Pause.
	Resume()
}
