package sync_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// removals is a catalogue that calls for each removal, which fails with the error.
type removals struct {
	catalog.Catalog
	of func(paths []string) error
}

func (c removals) Remove(ctx context.Context, paths ...string) (catalog.CommitResult, error) {
	if err := c.of(paths); err != nil {
		return catalog.CommitResult{}, err
	}
	return c.Catalog.Remove(ctx, paths...)
}

// TestRemoveManyAtOnce: many documents are removed in few commits, which is reported
// meanwhile. One that fails leaves those before it, and the next run does the rest.
func TestRemoveManyAtOnce(t *testing.T) {
	const many = 2*sync.GoneAtOnce + 10
	files := map[string]string{"kept.md": "kept"}
	for i := range many {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("Note number %d.", i)
	}
	n := indextest.NewNotesFolder(t, files)
	k := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, k, sync.Scope{})
	for i := range many {
		n.Remove(fmt.Sprintf("%d.md", i))
	}
	broken := errors.New("broken")
	var told []string
	f := k.Store.Follower(0)
	f.Catalog = removals{f.Catalog, func(paths []string) error {
		s := k.State()
		told = append(told, fmt.Sprintf("%d at %d of %d", len(paths), s.RemoveDone, s.RemoveTotal))
		if len(told) == 2 {
			return broken
		}
		return nil
	}}
	report, err := k.Sync(t.Context(), sync.Scope{})
	if !errors.Is(err, broken) || report.Removed != sync.GoneAtOnce || report.SearchableDocuments != many+1-sync.GoneAtOnce {
		t.Errorf("after the failure %+v, %v", report, err)
	}
	report = syncertest.MustSync(t, k, sync.Scope{})
	if report.Removed != many-sync.GoneAtOnce || report.SearchableDocuments != 1 {
		t.Errorf("in the end %+v", report)
	}
	want := []string{"256 at 0 of 522", "256 at 256 of 522", "256 at 0 of 266", "10 at 256 of 266"}
	if !slices.Equal(told, want) {
		t.Errorf("removed %q, want %q", told, want)
	}
	if s := k.State(); s.RemoveTotal != 0 {
		t.Errorf("documents are still said to be removed: %+v", s)
	}
}
