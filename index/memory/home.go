package memory

import (
	"context"
	"fmt"
	"os"
	"time"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/roots"
)

// Homes are the homes of folders whose indexes live as long as they do.
type Homes struct{}

var _ roots.Homes = Homes{}

// Of is a new home of a folder.
func (Homes) Of(f *docs.Folder, _ int) (roots.Home, error) {
	return &home{name: fmt.Sprintf("the memory of process %d: %s", os.Getpid(), f.Real()), folder: NewFolder(), duty: duty(time.Now())}, nil
}

// Close does nothing.
func (Homes) Close() error { return nil }

// home is that of one folder, for which this process has all duties.
type home struct {
	name   string
	folder *Folder
	duty   duty
}

func (h *home) Name() string            { return h.name }
func (h *home) Short() string           { return "memory" }
func (h *home) File() string            { return "" }
func (h *home) Bytes() int64            { return 0 }
func (h *home) IsShared() bool          { return false }
func (h *home) NoPlace() error          { return nil }
func (h *home) Refusal() string         { return "" }
func (h *home) Slowness() time.Duration { return 0 }
func (h *home) Tidy()                   {}
func (h *home) Indexing() roots.Duty    { return h.duty }
func (h *home) Embedding() roots.Duty   { return h.duty }

func (h *home) Open(_ context.Context, model string) (roots.Opened, error) {
	c, before := h.folder.Open(model)
	return roots.Opened{Catalog: c, Before: before}, nil
}

func (h *home) Try(ctx context.Context, model string) (roots.Opened, error) {
	return h.Open(ctx, model)
}

// Repair begins again with the vectors.
func (h *home) Repair(ctx context.Context, model string, _ catalog.Catalog, _ func([]string) bool) (r roots.Repaired, err error) {
	old, _ := h.folder.Open(model)
	h.folder = NewFolder()
	r.Followed, r.Done, r.Why = -1, "the index is built again", "it was damaged in memory"
	r.Opened, _ = h.Open(ctx, model)
	return r, old.Yield(ctx, r.Vectors().Keep)
}

// Look finds nothing: what is there was opened.
func (h *home) Look(context.Context) (roots.Seen, error) { return roots.Seen{}, nil }

func (h *home) Restore(context.Context, bool) ([]string, error) { return nil, nil }

// duty is that of the only process there is, since it began.
type duty time.Time

func (d duty) Held() bool                   { return true }
func (d duty) Since() (time.Time, bool)     { return time.Time(d), true }
func (d duty) IsTaken(context.Context) bool { return true }
func (d duty) Why() error                   { return nil }
func (d duty) Silence() time.Duration       { return 0 }
func (d duty) Release() error               { return nil }
func (d duty) Decline(bool)                 {}
