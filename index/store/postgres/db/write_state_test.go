package db

import (
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestWrites: that a database takes no changes is known from what becomes of them and
// from what it says of itself, and so is the end of it.
func TestWrites(t *testing.T) {
	code := func(code string) error { return &pgconn.PgError{Code: code} }
	for _, c := range []struct {
		name  string
		learn func(*writeState)
		after time.Duration
		want  string
	}{
		{"nothing known", func(*writeState) {}, 0, ""},
		{"another error", func(w *writeState) { w.note(code(codeDeadlock)); w.note(errors.New("gone")) }, 0, ""},
		{"read-only", func(w *writeState) { w.note(code(codeReadOnly)) }, 0, "it is read-only"},
		{"written since", func(w *writeState) { w.note(code(codeReadOnly)); w.note(nil) }, 0, ""},
		{"it says that it takes some", func(w *writeState) { w.note(code(codeReadOnly)); w.recordReport("") }, 0, ""},
		{"which says nothing of rights", func(w *writeState) { w.note(code(CodeInsufficientPrivilege)); w.recordReport("") }, 0, "the user of this server may not write to it"},
		{"nothing tried for long", func(w *writeState) { w.note(code(CodeInsufficientPrivilege)) }, 2 * refusedFor, ""},
		{"full", func(w *writeState) { w.note(code(CodeDiskFull)) }, 0, "its disk is full"},
		{"room for a little", func(w *writeState) { w.note(code(CodeDiskFull)); w.note(nil) }, 0, "its disk is full"},
		{"room", func(w *writeState) { w.note(code(CodeDiskFull)); w.note(nil) }, 2 * roomFor, ""},
		{"full when one connects", func(w *writeState) { w.note(errors.Join(new(pgconn.ConnectError), code(CodeDiskFull))) }, 0, ""},
		{"set so for all", func(w *writeState) { w.recordReport("database") }, 2 * refusedFor, "it is read-only"},
		{"set so for one user", func(w *writeState) { w.recordReport("user") }, 0, ""},
		{"a replica", func(w *writeState) { w.note(code(codeReadOnly)); w.recordReport("replica") }, 0, "it is a replica, which is read-only"},
		{"promoted", func(w *writeState) { w.recordReport("replica"); w.recordReport("") }, 0, ""},
	} {
		var w writeState
		c.learn(&w)
		if got := w.refusalReason(time.Now().Add(c.after)).String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestWritesDeadline: another server in the place of a read-only one is waited for once.
func TestWritesDeadline(t *testing.T) {
	var w writeState
	usual := time.Now().Add(time.Hour)
	if got := w.deadline(time.Minute, usual); got != usual {
		t.Errorf("while nothing is known: %s", got)
	}
	w.recordReport("database")
	first := w.deadline(time.Minute, usual)
	w.note(&pgconn.PgError{Code: codeReadOnly})
	if again := w.deadline(time.Minute, usual); first == usual || again != first {
		t.Errorf("the second time until %s, the first until %s", again, first)
	}
}
