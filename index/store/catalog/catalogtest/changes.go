package catalogtest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"vademecum/index/store/catalog"
)

func testChangeNumbers(t *testing.T, open func(string) catalog.Catalog) {
	c, other := open("m"), open("m")
	if n, err := LastChange(t.Context(), c); err != nil || n != 0 {
		t.Errorf("at first %d, %v", n, err)
	}
	a := putEntry(t, c, "a.md", "first")
	b := putEntry(t, other, "b.md", "second")
	again := putEntry(t, c, "a.md", "replaced")
	if a.FirstChange != 1 || a.LastChange != 1 || b.FirstChange != 2 || again.FirstChange != 3 || again.LastChange != 4 {
		t.Errorf("numbers are %+v, %+v, %+v", a, b, again)
	}
	if n, err := LastChange(t.Context(), other); err != nil || n != 4 {
		t.Errorf("in the end %d, %v", n, err)
	}
}

func testChangesToOthers(t *testing.T, open func(string) catalog.Catalog) {
	c, other := open("m"), open("m")
	version, err := other.ForeignVersion(t.Context())
	must(t, err)
	a := putEntry(t, c, "a.md", "first")
	if v, err := other.ForeignVersion(t.Context()); err != nil || v == version {
		t.Errorf("the version stays %d, %v", v, err)
	}
	mine, err := c.ForeignVersion(t.Context())
	must(t, err)
	b := putEntry(t, c, "b.md", "second")
	if v, err := c.ForeignVersion(t.Context()); err != nil || v != mine {
		t.Errorf("its own commit changes the version from %d to %d, %v", mine, v, err)
	}
	d, err := other.Changes(t.Context(), 0)
	if err != nil || d.MustReload || d.HasMore || d.LastChange != b.LastChange || len(d.RemovedIDs) > 0 || len(d.Records) != 2 {
		t.Errorf("changes are %+v, %v", d, err)
	}
	touched := d.Records[0]
	touched.Size, touched.ReadAt = 78, touched.ReadAt.Add(time.Hour)
	_, err = c.Touch(t.Context(), []catalog.Record{touched})
	must(t, err)
	_, err = c.Remove(t.Context(), "b.md")
	must(t, err)
	d, err = other.Changes(t.Context(), b.LastChange)
	if err != nil || len(d.Records) != 1 || !reflect.DeepEqual(d.Records[0], touched) || !slices.Equal(d.RemovedIDs, []int64{b.IDs[0]}) || a.IDs[0] != touched.ID {
		t.Errorf("then changes are %+v, %v", d, err)
	}
	if d, err := other.Changes(t.Context(), d.LastChange); err != nil || d.MustReload || d.HasMore || len(d.Records)+len(d.RemovedIDs) > 0 {
		t.Errorf("in the end changes are %+v, %v", d, err)
	}
}

// testNoticed checks that each commit changes the version for other processes alone, and that a
// catalogue is healthy after all of them.
func testNoticed(t *testing.T, open func(string) catalog.Catalog) {
	c, other := open("m"), open("m")
	all := func() []catalog.Record {
		found, err := Records(t.Context(), c)
		must(t, err)
		return found
	}
	for _, step := range []struct {
		name   string
		commit func() error
	}{
		{"put", func() error { _, err := c.Put(t.Context(), entryOf("a.md", "first")); return err }},
		{"touched", func() error { _, err := c.Touch(t.Context(), all()); return err }},
		{"removed", func() error { _, err := c.Remove(t.Context(), "a.md"); return err }},
		{"vectors saved", func() error {
			return c.SaveVectors(t.Context(), "", map[catalog.EmbeddingKey][]float32{{1}: {1, 0}})
		}},
		{"vectors deleted", func() error { return c.DeleteVectors(t.Context()) }},
		{"a value set", func() error { return c.SetValue(t.Context(), "key of a test", "x") }},
		{"a value removed", func() error { return c.SetValue(t.Context(), "key of a test", "") }},
	} {
		version := func(c catalog.Catalog) int64 {
			t.Helper()
			n, err := c.ForeignVersion(t.Context())
			must(t, err)
			return n
		}
		mine, theirs := version(c), version(other)
		must(t, step.commit())
		if version(c) != mine || version(other) == theirs {
			t.Errorf("%s: the version is from %d to %d, and for another from %d to %d", step.name, mine, version(c), theirs, version(other))
		}
	}
	must(t, c.Flush())
	if is := c.Condition(); is.State != catalog.Healthy {
		t.Errorf("it is %+v", is)
	}
}

// testPages checks that a process that follows the changes page by page ends with the documents
// that exist, and that a replaced document is not removed before its replacement is listed.
func testPages(t *testing.T, open func(string) catalog.Catalog) {
	c, other := open("m"), open("m")
	const many = catalog.PageRows
	rows := make(map[int64]string)
	for i := range many + many/2 {
		putEntry(t, c, fmt.Sprintf("%d.md", i%many), "text")
	}
	var gone []int64
	more, count := true, 0
	for after := int64(0); more; count++ {
		d, err := other.Changes(t.Context(), after)
		must(t, err)
		if d.MustReload || len(d.Records)+len(d.RemovedIDs) > catalog.PageRows || d.HasMore && d.LastChange <= after {
			t.Fatalf("a page of %d and %d, reset %t, up to %d after %d", len(d.Records), len(d.RemovedIDs), d.MustReload, d.LastChange, after)
		}
		for _, r := range d.Records {
			rows[r.ID] = r.Path
		}
		gone, after, more = append(gone, d.RemovedIDs...), d.LastChange, d.HasMore
	}
	for _, row := range gone {
		delete(rows, row)
	}
	if got, want := slices.Sorted(maps.Values(rows)), slices.Sorted(slices.Values(recordPaths(t, c))); count < 2 || len(want) != many || !slices.Equal(got, want) {
		t.Errorf("%d documents after %d pages, there are %d", len(got), count, len(want))
	}
}

func testReset(t *testing.T, open func(string) catalog.Catalog) {
	c := open("m")
	last := putEntry(t, c, "a.md", "first").LastChange
	if d, err := c.Changes(t.Context(), 0); err != nil || d.MustReload || len(d.Records) != 1 {
		t.Errorf("after nothing was forgotten: %+v, %v", d, err)
	}
	if d, err := c.Changes(t.Context(), last+1); err != nil || !d.MustReload || d.LastChange != last {
		t.Errorf("after a change that never was: %+v, %v", d, err)
	}
	if d, err := c.Changes(t.Context(), catalog.NoKnownChange); err != nil || !d.MustReload || d.LastChange != last {
		t.Errorf("of who knows nothing: %+v, %v", d, err)
	}
	all, err := Records(t.Context(), c)
	must(t, err)
	for range catalog.KeptChanges/catalog.ForgetEvery + 2 {
		w, err := c.Touch(t.Context(), slices.Repeat(all, catalog.ForgetEvery))
		must(t, err)
		last = w.LastChange
	}
	if d, err := c.Changes(t.Context(), 0); err != nil || !d.MustReload || d.LastChange != last {
		t.Errorf("after what is forgotten: %+v, %v", d, err)
	}
	for _, after := range []int64{last, last - catalog.KeptChanges} {
		if d, err := c.Changes(t.Context(), after); err != nil || d.MustReload {
			t.Errorf("after %d of %d: %+v, %v", after, last, d, err)
		}
	}
}
