package location

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vademecum/docs"
	"vademecum/embed"
	"vademecum/index/lease"
	"vademecum/index/memindex"
	"vademecum/index/roots"
	"vademecum/index/store/catalog"
	"vademecum/index/store/memory"
	"vademecum/index/store/sqlite"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// IntroductionSuffix is appended to the name of an index file to form the name of the file with the
// text that introduces its documents: see docs.ExcludeIndexes.
const IntroductionSuffix = ".introduction"

// FileStorages provides storages in SQLite files on this machine, with lock files next to them for
// the leases.
type FileStorages struct {
	IndexPaths          []string      // one for each folder; if empty, they are in the user's cache directory
	Model               string        // name of the embedding model; each model has its own embedding lease
	OtherProcessTimeout time.Duration // how long to wait for other processes; 0 means no limit
}

var _ roots.Storages = FileStorages{}

// StorageOf returns the storage in the file of a folder.
func (all FileStorages) StorageOf(f *docs.Folder, folderIndex int) (roots.Storage, error) {
	at := sqlite.Location{Folder: f.RealPath(), OtherProcessTimeout: all.OtherProcessTimeout}
	if len(all.IndexPaths) == 0 {
		at.IsInCacheDir = true
		at.File, at.NoFileReason = sqlite.DefaultIndexPath(f.RealPath(), memindex.SnapshotSuffix, IntroductionSuffix)
		return newFile(at, all.Model), nil
	}
	if folderIndex >= len(all.IndexPaths) {
		return nil, fmt.Errorf("%d index files given: give one for each folder", len(all.IndexPaths))
	}
	var err error
	at.File, err = filepath.Abs(all.IndexPaths[folderIndex])
	return newFile(at, all.Model), err
}

// Close does nothing: each catalogue closes its file.
func (all FileStorages) Close() error { return nil }

// FileStorage is the storage of a folder in a SQLite file.
type FileStorage struct {
	Location            sqlite.Location
	description         roots.StorageDescription
	indexing, embedding *lease.Lease

	// The catalogue opened last; one of the two is nil. Opening and repairing are not concurrent.
	disk     *sqlite.Catalog
	fallback *memory.Catalog // used while the file cannot be opened or written
	complete bool            // whether fallback began with the complete content of the file
}

func newFile(at sqlite.Location, model string) *FileStorage {
	h := &FileStorage{Location: at, indexing: lease.New(at.File + ".lock")}
	h.description = roots.StorageDescription{Name: at.File, ShortName: message.Message(present.CleanLine(filepath.Base(at.File))), File: at.File, InMemoryReason: at.NoFileReason}
	h.Location.IsLeaseLost = h.indexing.IsLost
	// otherwise vectors are computed when needed
	if h.embedding = h.indexing; embed.IsWorthStoring(model) {
		sum := sha256.Sum256([]byte(model))
		h.embedding = lease.New(at.File + "." + hex.EncodeToString(sum[:4]) + ".lock")
	}
	return h
}

// Describe returns the path of the file.
func (h *FileStorage) Describe() roots.StorageDescription { return h.description }

// State returns the zero value: what a disk rejects is kept in memory, and a slow disk is reported
// elsewhere.
func (h *FileStorage) State() roots.StorageState { return roots.StorageState{} }

// SizeOnDisk returns the size of the file including its log.
func (h *FileStorage) SizeOnDisk() int64 { return sqlite.SizeOf(h.Location.File) }

// IndexingLease returns the lease of the process that keeps the index up to date.
func (h *FileStorage) IndexingLease() roots.Lease { return h.indexing }

// EmbeddingLease returns the lease of the process that embeds with the model in use.
func (h *FileStorage) EmbeddingLease() roots.Lease { return h.embedding }

// Open opens or creates the file. It does not touch files of other programs.
func (h *FileStorage) Open(ctx context.Context, model string) (roots.OpenedCatalog, error) {
	c, err := h.recordOpened(sqlite.Open(ctx, h.Location, model))
	if err == nil || errors.Is(err, sqlite.ErrNotAnIndex) || errors.Is(err, sqlite.ErrIndexOfOtherFolder) {
		return c, err
	}
	return h.openInMemory(ctx, model, err)
}

// recordOpened records that a catalogue in the file was opened, and returns it.
func (h *FileStorage) recordOpened(c *sqlite.Catalog, err error) (roots.OpenedCatalog, error) {
	if err != nil {
		return roots.OpenedCatalog{}, err
	}
	h.disk, h.fallback = c, nil
	return roots.OpenedCatalog{Catalog: c, PreviousModel: c.PreviousModel, RebuildReason: c.RebuildReason}, nil
}

// OpenEphemeral opens a catalogue in memory, with the vectors of the file.
func (h *FileStorage) OpenEphemeral(ctx context.Context, model string) (roots.OpenedCatalog, error) {
	c := memory.NewFileReplacement(h.Location.File, model, nil)
	if err := sqlite.RecoverVectors(ctx, h.Location.File, c.SaveVectors); err != nil {
		return roots.OpenedCatalog{}, fmt.Errorf("keep the index in memory: %w", err)
	}
	return roots.OpenedCatalog{Catalog: c}, nil
}

// openInMemory opens a catalogue that is not saved, because the disk refuses it. Other processes
// may use the file.
func (h *FileStorage) openInMemory(ctx context.Context, model string, why error) (roots.OpenedCatalog, error) {
	if ctx.Err() != nil {
		return roots.OpenedCatalog{}, why
	}
	if err := errors.Join(h.indexing.Release(), h.embedding.Release()); err != nil {
		return roots.OpenedCatalog{}, errors.Join(why, err)
	}
	c := memory.NewFileReplacement(h.Location.File, model, why)
	if err := sqlite.RecoverVectors(ctx, h.Location.File, c.SaveVectors); err != nil {
		return roots.OpenedCatalog{}, errors.Join(why, err)
	}
	h.disk, h.fallback, h.complete = nil, c, false
	return roots.OpenedCatalog{Catalog: c, UnsavedReason: why}, nil
}

// Repair opens a replacement for a catalogue that cannot be used.
func (h *FileStorage) Repair(ctx context.Context, model string, old catalog.Catalog, is catalog.Condition, _ func([]string) bool) (r roots.RepairedCatalog, err error) {
	isUnsaved, disk, fallback := old.Describe().IsUnsaved(), h.disk, h.fallback
	r.CopiedUpToChange, r.ActionTaken, r.RepairReason = -1, "the index is built again", "its file was deleted or replaced"
	switch {
	case is.State == catalog.Healthy:
		return r, nil
	case is.State == catalog.WriteRejected:
		return h.moveToMemory(ctx, model, is.Reason)
	case is.State == catalog.Unsaved:
		if r.OpenedCatalog = h.moveBackToDisk(ctx, model); r.Catalog == nil {
			// the reason is known and has been reported
			return r, nil
		}
		r.RepairReason = "the disk accepts data again"
	case is.State == catalog.OwnedByOtherFormat:
		r.OpenedCatalog, err = h.openInMemory(ctx, model, is.Reason)
		r.RepairReason = is.Reason.Error()
	case is.State == catalog.Unreadable:
		_ = old.Close() // while it is open, nothing else can be read
		r.OpenedCatalog, err = h.Open(ctx, model)
		r.ActionTaken, r.RepairReason = "the index is opened again", "the file beside it that is mapped into memory became shorter"
	case is.State == catalog.FileReplaced, isUnsaved:
		r.OpenedCatalog, err = h.Open(ctx, model)
		if errors.Is(err, sqlite.ErrNotAnIndex) || errors.Is(err, sqlite.ErrIndexOfOtherFolder) {
			r.OpenedCatalog, err = h.openInMemory(ctx, model, err)
		}
	default:
		_ = old.Close() // some systems do not rename open files
		if r.OpenedCatalog, err = h.recordOpened(sqlite.ReplaceDamaged(ctx, h.Location, model, disk)); err != nil {
			r.OpenedCatalog, err = h.openInMemory(ctx, model, err)
		}
		r.RepairReason = "its file was damaged"
	}
	if err == nil {
		err = moveVectors(ctx, disk, fallback, r.SaveVectors)
	}
	if errors.Is(err, catalog.ErrDamaged) && h.disk != nil && r.Catalog == h.disk {
		// what was found there is damaged too
		_ = r.Close()
		if r.OpenedCatalog, err = h.recordOpened(sqlite.ReplaceDamaged(ctx, h.Location, model, h.disk)); err == nil {
			err = moveVectors(ctx, disk, fallback, r.SaveVectors)
		}
	}
	if err != nil && r.Catalog != nil {
		err = errors.Join(err, r.Close())
	}
	return r, err
}

// moveVectors copies the readable vectors of the previous catalogue.
func moveVectors(ctx context.Context, disk *sqlite.Catalog, fallback *memory.Catalog, keep sqlite.SaveVectorsFunc) error {
	switch {
	case disk != nil:
		return disk.ExportVectors(ctx, keep)
	case fallback != nil:
		return fallback.ExportVectors(ctx, keep)
	}
	return nil
}

// moveToMemory copies the content of a file that the disk no longer accepts to memory. What cannot
// be read is indexed again from the folder.
func (h *FileStorage) moveToMemory(ctx context.Context, model string, why error) (r roots.RepairedCatalog, err error) {
	r.ActionTaken, r.RepairReason = "the index is kept in memory until the disk accepts data again, and is otherwise lost at exit", why.Error()
	c, last, err := memory.CopyCatalog(ctx, h.disk, model, why)
	if err == nil {
		err = h.copyRest(ctx, c)
	}
	if err == nil {
		h.disk, h.fallback, h.complete = nil, c, true
		r.Catalog, r.CopiedUpToChange = c, last
		return r, nil
	}
	r.OpenedCatalog, err = h.openInMemory(ctx, model, why)
	r.CopiedUpToChange = -1
	return r, err
}

// copyRest copies the values of models and processes into a catalogue in memory. Snapshots and
// messages are left out, because a catalogue in memory has no snapshot and no other process.
func (h *FileStorage) copyRest(ctx context.Context, c *memory.Catalog) error {
	err := h.disk.EachValue(ctx, func(key, value string) error {
		if key == "snapshot" || catalog.IsRequestMailboxKey(key) {
			return nil
		}
		return c.SetValue(ctx, key, value)
	})
	if err != nil {
		return err
	}
	return h.disk.ExportVectors(ctx, c.SaveVectors)
}

// moveBackToDisk opens the file again once the disk accepts the content of memory, with all changes
// made there. Until then it opens nothing.
func (h *FileStorage) moveBackToDisk(ctx context.Context, model string) roots.OpenedCatalog {
	c, err := sqlite.Open(ctx, h.Location, model)
	if err == nil {
		if err = c.SaveFromMemory(ctx, h.fallback, h.indexing.TryAcquire(), h.complete); err != nil {
			_ = c.Close() // may fail if the disk is not writable
		}
	}
	if err != nil {
		_ = h.indexing.Release() // cannot matter: the lock is lost in any case
		return roots.OpenedCatalog{}
	}
	opened, _ := h.recordOpened(c, nil)
	return opened
}

// OpenReadOnly opens the file without changing it.
func (h *FileStorage) OpenReadOnly(ctx context.Context) (roots.ReadOnlyCatalog, error) {
	info, err := os.Stat(h.Location.File)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return roots.ReadOnlyCatalog{}, fmt.Errorf("index file %s: it is not a regular file", h.Location.File)
	case errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0:
		return roots.ReadOnlyCatalog{}, nil
	}
	c, err := sqlite.OpenReadOnly(ctx, h.Location)
	switch {
	case info != nil && errors.Is(err, catalog.ErrDamaged):
		return roots.ReadOnlyCatalog{Bytes: info.Size(), Damage: err}, nil
	case err != nil || c == nil:
		return roots.ReadOnlyCatalog{}, err
	}
	return roots.ReadOnlyCatalog{Catalog: c, Bytes: c.Size()}, nil
}

// RemoveOldFormats removes index files of other formats that have been unused for long, if the index is
// in the cache directory.
func (h *FileStorage) RemoveOldFormats() {
	if h.Location.IsInCacheDir && h.Location.NoFileReason == nil {
		sqlite.RemoveOldFormats(h.Location.File, time.Now())
	}
}

// RestoreMissingParts does nothing: everything is in the file.
func (h *FileStorage) RestoreMissingParts(context.Context, bool) (r roots.RestoreResult, err error) {
	return r, nil
}
