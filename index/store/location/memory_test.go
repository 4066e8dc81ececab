package location

import (
	"testing"

	"vademecum/index/store/catalog"
)

// TestMemory: an index in memory is there as long as its storage, no other storage has anything
// of it, and this process has all duties.
func TestMemory(t *testing.T) {
	f := folder(t)
	h, err := MemoryStorages{}.StorageOf(f, 0)
	must(t, err)
	other, err := MemoryStorages{}.StorageOf(f, 1)
	must(t, err)
	c, err := h.Open(t.Context(), model)
	must(t, err)
	fill(t, c, "a.md")
	must(t, c.Close())
	again, err := h.OpenEphemeral(t.Context(), "another model")
	must(t, err)
	if mustHold(t, again, "a.md", 0); again.PreviousModel != model {
		t.Errorf("it was indexed with %q before", again.PreviousModel)
	}
	elsewhere, err := other.Open(t.Context(), model)
	must(t, err)
	mustHold(t, elsewhere, "", 0)
	if seen, err := h.OpenReadOnly(t.Context()); err != nil || seen.Catalog != nil {
		t.Errorf("who looks finds %+v, %v", seen, err)
	}
	for _, d := range []interface {
		TryAcquire() bool
		Pause()
		Resume()
		Release() error
	}{h.IndexingLease(), h.EmbeddingLease()} {
		d.Pause()
		must(t, d.Release())
		if !d.TryAcquire() {
			t.Error("nobody has a duty that only this process can have")
		}
	}
	since, held := h.IndexingLease().HeldSince()
	if !held || since.IsZero() || !h.IndexingLease().IsHeldByAny(t.Context()) || h.Describe().IsShared {
		t.Errorf("the duty is had since %v: %t", since, held)
	}
}

// TestRepairMemory: what follows a damaged index in memory has its vectors, and is what is
// opened from then on.
func TestRepairMemory(t *testing.T) {
	h, err := MemoryStorages{}.StorageOf(folder(t), 0)
	must(t, err)
	c, err := h.Open(t.Context(), model)
	must(t, err)
	fill(t, c, "a.md")
	r, err := h.Repair(t.Context(), model, c.Catalog, c.Condition().WithDamage(catalog.ErrDamaged), nil)
	must(t, err)
	if mustHold(t, r, "", 1); r.CopiedUpToChange != -1 || r.Condition().State != catalog.Healthy {
		t.Errorf("it follows change %d and is %+v", r.CopiedUpToChange, r.Condition())
	}
	_, err = r.Put(t.Context(), document("b.md", "beta"))
	must(t, err)
	opened, err := h.Open(t.Context(), model)
	must(t, err)
	mustHold(t, opened, "b.md", 1)
}
