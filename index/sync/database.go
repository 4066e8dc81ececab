package sync

import (
	"errors"
	"time"

	"vademecum/index/catalog"
)

// A database that stores the index may be unreachable, not ready for this program, or reject
// changes for a while. A server continues by itself when that is over.

// databaseState is the state of the database, as far as it is logged.
type databaseState string

const (
	isWell    databaseState = ""
	isAway    databaseState = "away"
	isRefused databaseState = "refused"
)

// wellFor is how long the database must be well before recovery is logged: a connection pooler may
// still have broken sessions for a moment.
const wellFor = time.Second

// logSlowness logs once when the database becomes slow, and once when it is fast again.
func (l *maintenanceLoop) logSlowness() {
	slow := l.s.Fresh.State().DatabaseLatency
	if (slow > 0) == l.slow {
		return
	}
	if l.slow = slow > 0; l.slow {
		l.s.Log.Warn("the database answers slowly: a question needs some ten statements", "each", slow.Round(time.Millisecond))
	} else {
		l.s.Log.Warn("the database answers quickly again")
	}
}

// goneFor is how long a library must be gone before that is logged: another process that sees its
// files may have removed it because it was damaged, and will recreate it at once.
const goneFor = 3 * time.Second

// isGoneBriefly reports whether fault means that the library was removed a moment ago.
func (l *maintenanceLoop) isGoneBriefly(fault error) bool {
	if !errors.Is(fault, catalog.ErrSourceRemoved) {
		l.goneSince = time.Time{}
		return false
	}
	if l.goneSince.IsZero() {
		l.goneSince = time.Now()
	}
	return time.Since(l.goneSince) < goneFor
}

// logDatabaseState logs once when a problem with the database begins, and once when it ends. fault
// is the reason why this process cannot follow others; nil if it can.
func (l *maintenanceLoop) logDatabaseState(fault error) {
	l.logSlowness()
	now, refused := isWell, l.s.Fresh.State().Refused
	switch briefly := l.isGoneBriefly(fault); {
	case briefly:
		return
	case errors.Is(fault, catalog.ErrUnreachable), errors.Is(fault, catalog.ErrSetupRequired):
		now = isAway
	case refused != "":
		now = isRefused
	}
	if now != isWell || l.trouble == isWell {
		l.wellSince = time.Time{}
	} else if l.wellSince.IsZero() {
		l.wellSince = time.Now()
	}
	switch before := l.trouble; {
	case now == before, now == isWell && time.Since(l.wellSince) < wellFor:
		return
	case now == isAway:
		l.s.Log.Warn("the database does not serve: questions fail until it does", "error", fault)
	case now == isRefused:
		l.s.Log.Warn("the database takes no changes: what is saved meanwhile is indexed when it does", "reason", refused)
	case before == isAway:
		l.s.Log.Warn("the database serves again")
	default:
		l.s.Log.Warn("the database takes changes again")
	}
	l.trouble = now
}
