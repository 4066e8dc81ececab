package postgres

import (
	"context"
	"testing"
	"time"
)

// whole asks for the number of passages of a library, as a question begins.
func whole(t *testing.T, c *Catalog) int {
	t.Helper()
	chunks := -1
	must(t, c.store.At(t.Context(), func(ctx context.Context, m *Moment) error {
		w, _, err := m.Whole(ctx, c)
		if err == nil {
			chunks = w.Chunks
		}
		return err
	}))
	return chunks
}

// TestReplica: a replica answers while it has all that this process knows of, and the
// database itself where the replica is behind or gone, without anybody waiting for it
// again and again.
func TestReplica(t *testing.T) {
	at, d := throughDoor(t)
	s := serving(t)
	must(t, s.ReadFrom(t.Context(), at))
	c := library(t, s, anyName())
	_, err := c.Put(t.Context(), skipped("a.md"))
	must(t, err)
	is := func(what string, asked, instead int64, away bool) {
		t.Helper()
		if r, ok := s.Replica(); !ok || r.Asked != asked || r.Instead != instead || (r.Why != "") != away {
			t.Errorf("%s: %+v", what, r)
		}
	}
	whole(t, c)
	is("it is there", 1, 0, false)
	if found, err := c.Bodies(t.Context(), map[int64][32]byte{1 << 40: {}}); err != nil || len(found) > 0 {
		t.Errorf("the text of nothing: %v, %v", found, err)
	}
	is("a text", 2, 0, false)

	known := c.known.Load()
	c.learn(known + 1) // what the replica does not know of
	began := time.Now()
	whole(t, c)
	if took := time.Since(began); took < catchUp/4 {
		t.Errorf("it is not waited for: %s", took)
	}
	is("it is behind", 2, 1, true)
	whole(t, c)
	is("it is not asked for a while", 2, 2, true)
	c.known.Store(known)
	s.replica.until = time.Time{}
	whole(t, c)
	is("it has caught up", 3, 2, false)

	d.set(false)
	whole(t, c)
	is("it is gone", 3, 3, true)
	d.set(true)
	s.replica.until = time.Time{}
	whole(t, c)
	is("it is back", 4, 3, false)
}

// TestReplicaKnows: whatever way this process learns of a commit, a replica that lacks
// it does not answer.
func TestReplicaKnows(t *testing.T) {
	s, name := serving(t), anyName()
	for what, learn := range map[string]func(c *Catalog) error{
		"its own": func(c *Catalog) error {
			_, err := c.Put(t.Context(), skipped("b.md"))
			return err
		},
		"the version":     func(c *Catalog) error { _, err := c.Version(t.Context()); return err },
		"the changes":     func(c *Catalog) error { _, err := c.Changes(t.Context(), 0); return err },
		"the last change": func(c *Catalog) error { _, err := c.LastChange(t.Context()); return err },
	} {
		_, err := library(t, serving(t), name).Put(t.Context(), skipped("a.md"))
		must(t, err)
		c := library(t, s, name)
		c.known.Store(0)
		must(t, learn(c))
		var version int64
		must(t, c.row(t.Context(), "SELECT version FROM vademecum.libraries WHERE id = $1", []any{c.library}, &version))
		if known := c.known.Load(); known != version {
			t.Errorf("%s: version %d of %d is known", what, known, version)
		}
	}
}

// TestInspect: what has the commits of the database is told from what lacks some, and
// from another database.
func TestInspect(t *testing.T) {
	at, _ := throughDoor(t)
	s := serving(t)
	must(t, s.ReadFrom(t.Context(), at))
	c, err := s.Inspect(t.Context())
	if err != nil || c.Refusal != "" || c.Replica == nil || c.Replica.Fault != "" || c.Replica.Lacks != 0 {
		t.Errorf("all is well: %+v %+v, %v", c, c.Replica, err)
	}
	of := s.known.Load()
	if of == nil || *of == "" {
		t.Fatal("nothing tells the database from others")
	}
	other := *of + "x"
	s.known.Store(&other)
	s.replica.pool.Reset()
	if c, err := s.Inspect(t.Context()); err != nil || c.Replica.Fault != errOther.Error() {
		t.Errorf("another database: %+v, %v", c.Replica, err)
	}
	for want, l := range map[string]Likeness{
		"it has all that the database has": {},
		"it lacks the last commits to libraries (6, the last that it has is 5 s old): the database answers until it has them": {Lacks: 6, Behind: 5},
		"it cannot be asked, so that the database answers all questions: no":                                                  {Fault: "no"},
	} {
		if got := l.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
