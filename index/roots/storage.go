package roots

import (
	"context"
	"time"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/internal/base/message"
)

// Storage is where the catalogue of a folder is kept, and where the processes on the
// folder agree on who does what for it.
type Storage interface {
	// Name is how people are reported it: the path of a file, or a database with the
	// name of a library.
	Name() string
	// ShortName is the same for those who need not know where it is.
	ShortName() message.Message
	// File is the path of the file that it is, "" where it is none.
	File() string
	// IsShared reports whether other machines may use it, too.
	IsShared() bool
	// WhyNoPlace is why there is no place for it, so that it is kept in memory; else nil.
	WhyNoPlace() error
	// Open opens the catalogue for the embedding model named, or makes it: in the memory of
	// this process only where a disk takes none.
	Open(ctx context.Context, model string) (OpenedCatalog, error)
	// Repair opens a catalogue in the place of one that it has opened, and that is not well,
	// with all that can be taken over from that: see catalog.State. It may have closed that
	// one. Nothing is opened where the disk still takes nothing of what is in memory. A
	// library that others share is emptied only where hasFiles says so of the paths of its
	// documents: that the folder has them. It reads and writes all that there is, at worst.
	Repair(ctx context.Context, model string, old catalog.Catalog, hasFiles func(paths []string) bool) (RepairedCatalog, error)
	// OpenEphemeral opens a catalogue that has the vectors of the storage, where nothing is to be saved.
	OpenEphemeral(ctx context.Context, model string) (OpenedCatalog, error)
	// OpenReadOnly opens the catalogue as it is, without changing anything. Its Catalog is nil
	// when there is none.
	OpenReadOnly(ctx context.Context) (ReadOnlyCatalog, error)
	// Bytes is how many it takes on this machine's disk, 0 where that is none.
	Bytes() int64
	// WriteRefusal is in plain words why it takes no changes now, "" while it does and where
	// something else takes its place then.
	WriteRefusal() message.Message
	// Slowness is how long it takes at least for whatever is asked of it, 0 where that is
	// not worth reporting.
	Slowness() time.Duration
	// RemoveOldFormats removes what is of no use any more, for the process that indexes.
	RemoveOldFormats()
	// Restore makes again what is missing beside the catalogue, and was there, and tells
	// what that was: nil where nothing is. What is made of the files is given up for that if
	// it may be.
	Restore(ctx context.Context, empty bool) (made []string, err error)

	// Indexing is the duty to keep the index up to date, Embedding that to embed with
	// the model in use.
	Indexing() Duty
	Embedding() Duty
}

// Storages gives folders their storages.
type Storages interface {
	// Of returns the storage of a folder, one of several, by its number among them.
	Of(f *docs.Folder, number int) (Storage, error)
	// Inspect looks at the database that keeps the indexes, and waits for it; nil: none does.
	// Nothing is changed.
	Inspect(ctx context.Context) (*catalog.DatabaseState, error)
	// Replica reports how questions are asked of a replica of it, if there is one. It asks
	// nobody.
	Replica() (use catalog.ReplicaUse, isThere bool)
	// Close gives up what the storages share.
	Close() error
}

// OpenedCatalog is a catalogue that was opened to be used.
type OpenedCatalog struct {
	catalog.Catalog
	Before  string // the model that it was indexed with, if that is another
	Kept    string // the same if it stays indexed with that
	Rebuilt string // why documents are read again, "" if they are not
	Unsaved error  // why it is in memory as long as this process lives; nil: it is not
}

// RepairedCatalog is a catalogue that takes the place of another.
type RepairedCatalog struct {
	OpenedCatalog       // its Catalog is nil where nothing was done
	Followed      int64 // the last change of the other that it has, in the same rows; -1: it has rows of its own
	Done, Why     string
}

// ReadOnlyCatalog is a catalogue that was only looked at.
type ReadOnlyCatalog struct {
	catalog.Catalog
	Bytes   int64 // that it takes
	Damaged error // why it cannot be read, although it is there
}

// Duty is what one process of several has to do for a folder at a time.
type Duty interface {
	// TryAcquire reports whether this process has it, after trying to get it. It does not wait
	// for another process.
	TryAcquire() bool
	// HeldSince reports since when this process has it, without trying to get it.
	HeldSince() (time.Time, bool)
	// IsTaken reports whether any process has it, without trying to get it.
	IsTaken(ctx context.Context) bool
	// WhyUnlocked is the reason why everyone has it, nil when only one has.
	WhyUnlocked() error
	// HolderSilence is for how long the process that has it has given no sign of life, 0 when
	// that is not worth reporting.
	HolderSilence() time.Duration
	// Release gives it back, to be taken again when it is asked for.
	Release() error
	// Pause gives it back and does not try to get it again before Resume.
	Pause()
	// Resume ends a Pause.
	Resume()
}
