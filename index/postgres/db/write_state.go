package db

import (
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"vademecum/internal/base/message"
)

// writeState is whether the database takes changes. A process learns it from what comes of
// its own, and from what the database says of itself: one that only follows others
// changes nothing for long.
type writeState struct {
	mu    sync.Mutex
	said  message.Message // why it takes none, by its own word
	code  string          // of the error with which it refused a change last
	last  time.Time       // when that was
	since time.Time       // since when it takes none, or when that began last; zero: never
	taken time.Time       // when it took a change last
	left  time.Time       // when connections were given up last, as they may be of old settings
}

// refusals are why a database takes no changes, in plain words, by the codes of errors.
var refusals = map[string]message.Message{
	codeReadOnly: message.New("it is read-only"),
	CodeDiskFull: message.New("its disk is full"),
	CodeNoRights: message.New("the user of this server may not write to it"),
}

// whyReplica is why one takes none that follows another.
var whyReplica = message.New("it is a replica, which is read-only")

// remedies say what to do if a database accepts no changes, by the reason.
var remedies = map[message.Message]message.Message{
	whyReplica:             message.New("name its primary in --store, or all of its servers with target_session_attrs=read-write"),
	refusals[codeReadOnly]: message.New("name a primary in --store, or end default_transaction_read_only there"),
	refusals[CodeDiskFull]: message.New("make room there"),
	refusals[CodeNoRights]: message.New("vademecum store migrate --grant USER gives the rights"),
}

// refusedFor is how long a refusal counts after which nothing more was tried. On a full
// disk there may be room for one change and none for the next: it counts as full until
// changes were taken for as long as roomFor.
const (
	refusedFor = time.Minute
	roomFor    = 3 * time.Second
)

// note takes in how a change ended.
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

// recordRefused notes that changes are not taken from now on, unless that was so before.
func (w *writeState) recordRefused(now time.Time) {
	if w.refusalReason(now) == "" {
		w.since = now
	}
}

// refusalReason is in plain words why no changes are taken, "" while they are.
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

// deadline is up to when to try again what a database refuses that is read-only, instead
// of a time: another may take its place, for which is waited once.
func (w *writeState) deadline(patience time.Duration, instead time.Time) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.since.IsZero() {
		return instead
	}
	return w.since.Add(patience)
}

// WriteRefusal is in plain words why the database takes no changes, "" while it does as far
// as is known.
func (d *DB) WriteRefusal() message.Message {
	d.writes.mu.Lock()
	defer d.writes.mu.Unlock()
	return d.writes.refusalReason(time.Now())
}

// SelfReport has a database say whether it takes changes: "" if it does, "replica", or
// where the setting comes from that makes it read-only.
const SelfReport = `CASE WHEN pg_is_in_recovery() THEN 'replica' WHEN current_setting('default_transaction_read_only')::bool
	THEN (SELECT source FROM pg_settings WHERE name = 'default_transaction_read_only') ELSE '' END`

// RecordWrite takes in how a change ended.
func (d *DB) RecordWrite(err error) { d.writes.note(err) }

// RecordReport takes in what a database says of itself.
func (d *DB) RecordReport(said string) {
	if d.writes.recordReport(said) {
		d.closeOldConnections()
	}
}

// recordReport records a report, and returns whether a new connection may get another. If the
// database is read-only for one user, others may still write what this one only reads.
func (w *writeState) recordReport(said string) (may bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch said {
	case "":
		if w.said = ""; w.code == codeReadOnly { // which is over
			w.code = ""
		}
		return false
	case "user", "database user", "client", "session":
		return false
	}
	w.recordRefused(time.Now())
	if said == "replica" { // until it is promoted, which all connections hear
		w.said = whyReplica
		return false
	}
	w.said = refusals[codeReadOnly]
	return true
}

// leaveOldEvery is how often connections are given up that may have settings of before.
const leaveOldEvery = time.Second

// closeOldConnections gives up the connections that there are, as another server may be in the
// place of this one by now, or other settings.
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
