package storage

import (
	"context"
	"fmt"
	"os"
	"time"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/memory"
	"vademecum/index/roots"
	"vademecum/internal/message"
)

// Memory has the storages of folders whose indexes live as long as the storages do.
type Memory struct{}

var _ roots.Storages = Memory{}

// Of is a new storage of a folder.
func (Memory) Of(f *docs.Folder, _ int) (roots.Storage, error) {
	return &inMemory{name: fmt.Sprintf("the memory of process %d: %s", os.Getpid(), f.RealPath()), folder: memory.NewFolder(), duty: soleDuty(time.Now())}, nil
}

// Inspect finds no database.
func (Memory) Inspect(context.Context) (*catalog.DatabaseState, error) { return nil, nil }

// Replica is none.
func (Memory) Replica() (use catalog.ReplicaUse, isThere bool) { return use, false }

// Close does nothing.
func (Memory) Close() error { return nil }

// inMemory is the storage of one folder in memory, for which this process has all duties.
type inMemory struct {
	name   string
	folder *memory.Folder
	duty   soleDuty
}

func (h *inMemory) Name() string             { return h.name }
func (h *inMemory) Short() string            { return "memory" }
func (h *inMemory) File() string             { return "" }
func (h *inMemory) Bytes() int64             { return 0 }
func (h *inMemory) IsShared() bool           { return false }
func (h *inMemory) NoPlace() error           { return nil }
func (h *inMemory) Refusal() message.Message { return "" }
func (h *inMemory) Slowness() time.Duration  { return 0 }
func (h *inMemory) Tidy()                    {}
func (h *inMemory) Indexing() roots.Duty     { return h.duty }
func (h *inMemory) Embedding() roots.Duty    { return h.duty }

func (h *inMemory) Open(_ context.Context, model string) (roots.Opened, error) {
	c, before := h.folder.Open(model)
	return roots.Opened{Catalog: c, Before: before}, nil
}

func (h *inMemory) Try(ctx context.Context, model string) (roots.Opened, error) {
	return h.Open(ctx, model)
}

// Repair begins again with the vectors.
func (h *inMemory) Repair(ctx context.Context, model string, _ catalog.Catalog, _ func([]string) bool) (r roots.Repaired, err error) {
	old, _ := h.folder.Open(model)
	h.folder = memory.NewFolder()
	r.Followed, r.Done, r.Why = -1, "the index is built again", "it was damaged in memory"
	r.Opened, _ = h.Open(ctx, model)
	return r, old.Yield(ctx, r.Vectors().SaveForModel)
}

// Look finds nothing: what is there was opened.
func (h *inMemory) Look(context.Context) (roots.Seen, error) { return roots.Seen{}, nil }

func (h *inMemory) Restore(context.Context, bool) ([]string, error) { return nil, nil }

// soleDuty is the duty of the only process there is, since it began.
type soleDuty time.Time

func (d soleDuty) TryAcquire() bool             { return true }
func (d soleDuty) HeldSince() (time.Time, bool) { return time.Time(d), true }
func (d soleDuty) IsTaken(context.Context) bool { return true }
func (d soleDuty) WhyUnlocked() error           { return nil }
func (d soleDuty) HolderSilence() time.Duration { return 0 }
func (d soleDuty) Release() error               { return nil }
func (d soleDuty) Decline(bool)                 {}
