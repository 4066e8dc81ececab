package indexer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"vademecum/index/catalog"
	"vademecum/index/indextest"
	"vademecum/index/lexical"
	"vademecum/index/search"
)

// removals is a catalogue that calls for each removal, which fails with the error.
type removals struct {
	catalog.Catalog
	of func(paths []string) error
}

func (c removals) Remove(ctx context.Context, paths ...string) (catalog.Written, error) {
	if err := c.of(paths); err != nil {
		return catalog.Written{}, err
	}
	return c.Catalog.Remove(ctx, paths...)
}

// TestRemoveManyAtOnce: many documents are removed in few commits, which is told
// meanwhile. One that fails leaves those before it, and the next run does the rest.
func TestRemoveManyAtOnce(t *testing.T) {
	const many = 2*goneAtOnce + 10
	files := map[string]string{"kept.md": "kept"}
	for i := range many {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("Note number %d.", i)
	}
	n := indextest.NewNotes(t, files)
	k := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	mustSync(t, k, scope{})
	for i := range many {
		n.Remove(fmt.Sprintf("%d.md", i))
	}
	broken := errors.New("broken")
	var told []string
	f := k.Store.Follower(0)
	f.Catalog = removals{f.Catalog, func(paths []string) error {
		s := k.Fresh.State()
		told = append(told, fmt.Sprintf("%d at %d of %d", len(paths), s.RemoveDone, s.RemoveTotal))
		if len(told) == 2 {
			return broken
		}
		return nil
	}}
	report, err := k.sync(t.Context(), scope{})
	if !errors.Is(err, broken) || report.Removed != goneAtOnce || report.Total != many+1-goneAtOnce {
		t.Errorf("after the failure %+v, %v", report, err)
	}
	report = mustSync(t, k, scope{})
	if report.Removed != many-goneAtOnce || report.Total != 1 {
		t.Errorf("in the end %+v", report)
	}
	want := []string{"256 at 0 of 522", "256 at 256 of 522", "256 at 0 of 266", "10 at 256 of 266"}
	if !slices.Equal(told, want) {
		t.Errorf("removed %q, want %q", told, want)
	}
	if s := k.Fresh.State(); s.RemoveTotal != 0 {
		t.Errorf("documents are still said to be removed: %+v", s)
	}
}

// TestAtOnceByPassages: few documents are removed at once where each has many passages,
// and one in any case.
func TestAtOnceByPassages(t *testing.T) {
	sized := func(passages ...uint32) (all []*search.Document) {
		for _, n := range passages {
			all = append(all, &search.Document{Run: lexical.Run{Count: n}})
		}
		return all
	}
	for _, c := range []struct {
		passages []uint32
		want     int
	}{
		{[]uint32{1}, 1},
		{[]uint32{0, 0, 0}, 3},
		{[]uint32{passagesAtOnce + 1, 1}, 1},
		{[]uint32{1, passagesAtOnce}, 1},
		{[]uint32{1, passagesAtOnce - 1, 0, 1}, 3},
		{slices.Repeat([]uint32{1}, goneAtOnce), goneAtOnce},
		{slices.Repeat([]uint32{1}, goneAtOnce+1), goneAtOnce},
	} {
		if got := len(atOnce(sized(c.passages...))); got != c.want {
			t.Errorf("of %d documents, the first with %d passages, %d are removed at once, want %d", len(c.passages), c.passages[0], got, c.want)
		}
	}
}
