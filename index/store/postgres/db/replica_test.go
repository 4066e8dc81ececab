package db

import (
	"testing"
	"time"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/pgtest"
	"vademecum/internal/base/message"
)

// TestReplica: a replica answers while it has all that this process knows of, and the
// database itself where the replica is behind or gone, without anybody waiting for it
// again and again.
func TestReplica(t *testing.T) {
	address, door := pgtest.NewProxy(t, server.ServingAddress(t))
	at, err := ParseAddress(address)
	must(t, err)
	d := opened(t, server.ServingAddress(t))
	must(t, d.UseReplica(t.Context(), at))
	is := func(what string, asked, instead int64, away bool) {
		t.Helper()
		if r, ok := d.ReplicaUse(); !ok || r.AnsweredByReplica != asked || r.AnsweredByDatabase != instead || (r.FallbackReason != "") != away {
			t.Errorf("%s: %+v", what, r)
		}
	}
	known := versionOf(t, d, 0)
	is("it is there", 1, 0, false)

	began := time.Now()
	versionOf(t, d, known+1) // what the replica does not know of
	if took := time.Since(began); took < catchUp/4 {
		t.Errorf("it is not waited for: %s", took)
	}
	is("it is behind", 1, 1, true)
	versionOf(t, d, known+1)
	is("it is not asked for a while", 1, 2, true)
	d.replica.until = time.Time{}
	versionOf(t, d, known)
	is("it has caught up", 2, 2, false)

	door.SetOpen(false)
	versionOf(t, d, known)
	is("it is gone", 2, 3, true)
	door.SetOpen(true)
	d.replica.until = time.Time{}
	versionOf(t, d, known)
	is("it is back", 3, 3, false)
}

// TestInspect: what has the commits of the database is reported from what lacks some, and
// from another database.
func TestInspect(t *testing.T) {
	address, _ := pgtest.NewProxy(t, server.ServingAddress(t))
	at, err := ParseAddress(address)
	must(t, err)
	d := opened(t, server.ServingAddress(t))
	must(t, d.UseReplica(t.Context(), at))
	c, err := d.Inspect(t.Context())
	if err != nil || c.WriteRefusal != "" || c.Replica == nil || c.Replica.Fault != "" || c.Replica.MissingCommits != 0 {
		t.Errorf("all is well: %+v %+v, %v", c, c.Replica, err)
	}
	of := d.known.Load()
	if of == nil || *of == "" {
		t.Fatal("nothing tells the database from others")
	}
	other := *of + "x"
	d.known.Store(&other)
	d.replica.Pool.Reset()
	if c, err := d.Inspect(t.Context()); err != nil || c.Replica.Fault != message.FromError(errOther) {
		t.Errorf("another database: %+v, %v", c.Replica, err)
	}
	for want, l := range map[string]catalog.ReplicaStatus{
		"it is up to date with the database": {},
		"it lacks the latest commits to libraries (6, its newest one is 5 s old): the database answers until it catches up": {MissingCommits: 6, LastCommitAgeSeconds: 5},
		"it cannot be queried, so the database answers all questions: no":                                                   {Fault: "no"},
	} {
		if got := l.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
