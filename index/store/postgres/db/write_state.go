package db

import (
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"vademecum/internal/base/message"
)

// writeState records whether the database accepts changes. A process learns that from the outcome
// of its own changes, and from what the database reports about itself: a process that only follows
// others may change nothing for a long time.
type writeState struct {
	mu sync.Mutex
	// why the database accepts none, according to its own report; "" if it does
	said message.Message
	code string    // code of the error by which it last refused a change
	last time.Time // time of the last refusal
	// beginning of the current or last period without changes accepted; zero if there was none
	since time.Time
	taken time.Time // time of the last accepted change
	left  time.Time // when connections were last closed because they may have old settings
}

// refusals explain why a database accepts no changes, by error code.
var refusals = map[string]message.Message{
	codeReadOnly:              message.New("it is read-only"),
	CodeDiskFull:              message.New("its disk is full"),
	CodeInsufficientPrivilege: message.New("the user of this server may not write to it"),
}

// whyReplica explains why a replica accepts no changes.
var whyReplica = message.New("it is a replica, which is read-only")

// remedies say what to do if a database accepts no changes, keyed by the reason.
var remedies = map[message.Message]message.Message{
	whyReplica:                          message.New("name its primary in --store, or all of its servers with target_session_attrs=read-write"),
	refusals[codeReadOnly]:              message.New("name a primary in --store, or turn off default_transaction_read_only there"),
	refusals[CodeDiskFull]:              message.New("free up space there"),
	refusals[CodeInsufficientPrivilege]: message.New("vademecum store migrate --grant USER grants the privileges"),
}

// refusedFor is how long a refusal counts if nothing else is tried after it. A full disk may have
// room for one change and none for the next: it counts as full until changes have been accepted for
// roomFor.
const (
	refusedFor = time.Minute
	roomFor    = 3 * time.Second
)

// note records the outcome of a change.
func (w *writeState) note(err error) {
	code := CodeOf(err)
	if err != nil && (refusals[code] == "" || errors.As(err, new(*pgconn.ConnectError))) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if err == nil {
		w.taken, w.said = now, ""
		return
	}
	w.recordRefused(now)
	w.code, w.last = code, now
}

// recordRefused records that changes are refused from now on, unless they were before.
func (w *writeState) recordRefused(now time.Time) {
	if w.refusalReason(now) == "" {
		w.since = now
	}
}

// refusalReason returns why changes are refused; "" if they are accepted.
func (w *writeState) refusalReason(now time.Time) message.Message {
	settled := time.Duration(0)
	if w.code == CodeDiskFull {
		settled = roomFor
	}
	switch {
	case w.said != "":
		return w.said
	case w.code == "", w.taken.After(w.last) && now.Sub(w.last) >= settled, now.Sub(w.last) > refusedFor:
		return ""
	}
	return refusals[w.code]
}

// deadline returns until when to retry a change that a read-only database refuses: patience after the first
// refusal, in which another server may replace it. If no refusal is recorded, it returns otherwise.
func (w *writeState) deadline(patience time.Duration, otherwise time.Time) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.since.IsZero() {
		return otherwise
	}
	return w.since.Add(patience)
}

// WriteRefusal returns why the database accepts no changes; "" if it does, as far as is known.
func (d *DB) WriteRefusal() message.Message {
	d.writes.mu.Lock()
	defer d.writes.mu.Unlock()
	return d.writes.refusalReason(time.Now())
}

// WriteStatusQuery is an expression by which a database reports whether it accepts changes: "" if it
// does, "replica", or the source of the setting that makes it read-only.
const WriteStatusQuery = `CASE WHEN pg_is_in_recovery() THEN 'replica' WHEN current_setting('default_transaction_read_only')::bool
	THEN (SELECT source FROM pg_settings WHERE name = 'default_transaction_read_only') ELSE '' END`

// RecordWriteResult records the outcome of a change.
func (d *DB) RecordWriteResult(err error) { d.writes.note(err) }

// RecordWriteStatus records the result of WriteStatusQuery.
func (d *DB) RecordWriteStatus(status string) {
	if d.writes.recordReport(status) {
		d.closeOldConnections()
	}
}

// recordReport records the result of WriteStatusQuery, and returns whether it may differ on a new
// connection, which may lead to another server or get other settings. If the database is read-only
// only for one user, others may still write what this one reads.
func (w *writeState) recordReport(status string) (mayDiffer bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch status {
	case "":
		if w.said = ""; w.code == codeReadOnly { // it is no longer read-only
			w.code = ""
		}
		return false
	case "user", "database user", "client", "session":
		return false
	}
	w.recordRefused(time.Now())
	if status == "replica" { // until it is promoted, which all connections notice
		w.said = whyReplica
		return false
	}
	w.said = refusals[codeReadOnly]
	return true
}

// leaveOldEvery is the minimum interval between closing connections that may have old settings.
const leaveOldEvery = time.Second

// closeOldConnections closes the existing connections, at most once per leaveOldEvery: by now, another
// server or other settings may be in effect.
func (d *DB) closeOldConnections() {
	d.writes.mu.Lock()
	now := time.Now()
	due := now.Sub(d.writes.left) > leaveOldEvery
	if due {
		d.writes.left = now
	}
	d.writes.mu.Unlock()
	if due {
		d.Pool.Reset()
	}
}
