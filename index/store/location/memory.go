package location

import (
	"context"
	"fmt"
	"os"
	"time"

	"vademecum/docs"
	"vademecum/index/roots"
	"vademecum/index/store/catalog"
	"vademecum/index/store/memory"
	"vademecum/internal/base/message"
)

// MemoryStorages provides storages whose indexes live as long as the storages.
type MemoryStorages struct{}

var _ roots.Storages = MemoryStorages{}

// StorageOf returns a new storage for a folder.
func (MemoryStorages) StorageOf(f *docs.Folder, _ int) (roots.Storage, error) {
	return &memoryStorage{name: fmt.Sprintf("the memory of process %d: %s", os.Getpid(), f.RealPath()), folder: memory.NewFolderContent(), lease: soleLease(time.Now())}, nil
}

// Close does nothing.
func (MemoryStorages) Close() error { return nil }

// memoryStorage is the storage of a folder in memory, for which this process holds all leases.
type memoryStorage struct {
	name   string
	folder *memory.FolderContent
	lease  soleLease
}

func (h *memoryStorage) Describe() roots.StorageDescription {
	return roots.StorageDescription{Name: h.name, ShortName: message.New("memory")}
}

func (h *memoryStorage) State() roots.StorageState   { return roots.StorageState{} }
func (h *memoryStorage) SizeOnDisk() int64           { return 0 }
func (h *memoryStorage) RemoveOldFormats()           {}
func (h *memoryStorage) IndexingLease() roots.Lease  { return h.lease }
func (h *memoryStorage) EmbeddingLease() roots.Lease { return h.lease }

func (h *memoryStorage) Open(_ context.Context, model string) (roots.OpenedCatalog, error) {
	c, before := h.folder.Open(model)
	return roots.OpenedCatalog{Catalog: c, PreviousModel: before}, nil
}

func (h *memoryStorage) OpenEphemeral(ctx context.Context, model string) (roots.OpenedCatalog, error) {
	return h.Open(ctx, model)
}

// Repair replaces the content by an empty catalogue, and keeps the vectors.
func (h *memoryStorage) Repair(ctx context.Context, model string, _ catalog.Catalog, _ catalog.Condition, _ func([]string) bool) (r roots.RepairedCatalog, err error) {
	old, _ := h.folder.Open(model)
	h.folder = memory.NewFolderContent()
	r.CopiedUpToChange, r.ActionTaken, r.RepairReason = -1, "the index is built again", "it was damaged in memory"
	r.OpenedCatalog, _ = h.Open(ctx, model)
	return r, old.ExportVectors(ctx, r.SaveVectors)
}

// OpenReadOnly returns no catalogue: the content is already open.
func (h *memoryStorage) OpenReadOnly(context.Context) (roots.ReadOnlyCatalog, error) {
	return roots.ReadOnlyCatalog{}, nil
}

func (h *memoryStorage) RestoreMissingParts(context.Context, bool) (r roots.RestoreResult, err error) {
	return r, nil
}

// soleLease is a lease that this process, the only one, has held since that time.
type soleLease time.Time

func (d soleLease) TryAcquire() bool                     { return true }
func (d soleLease) HeldSince() (time.Time, bool)         { return time.Time(d), true }
func (d soleLease) IsHeldByAny(context.Context) bool     { return true }
func (d soleLease) NotExclusiveReason() error            { return nil }
func (d soleLease) HolderUnresponsiveFor() time.Duration { return 0 }
func (d soleLease) Release() error                       { return nil }
func (d soleLease) Pause()                               {}
func (d soleLease) Resume()                              {}
