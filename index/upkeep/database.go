package upkeep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vademecum/index/catalog"
)

// A database that keeps the index may be away, not be ready for this program, or take no
// changes for a while. A server goes on by itself when that is over.

// takeUp opens the library of a folder again that is gone from the database: that was
// restored, or somebody has removed the library and may have made it again. Until it is
// there the error is why, and it is looked for from time to time.
func (k *Keeper) takeUp(ctx context.Context, folder int, why error) error {
	old := k.store.Follower(folder)
	if isRecent(&old.Tried, reachEvery) {
		return why
	}
	select {
	case k.syncing <- struct{}{}:
		defer func() { <-k.syncing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if k.store.Follower(folder) != old { // another call was faster
		return nil
	}
	k.fresh.KeepsUp(why) // it may take long to load
	old.Tried.Store(time.Now().UnixNano())
	c, err := k.open(ctx, folder)
	if err == nil {
		err = k.comparer.AgreeOnPlace(ctx, folder, c.Catalog)
	}
	if errors.Is(err, catalog.ErrAbsent) {
		return why
	}
	if err != nil {
		return fmt.Errorf("%w: %w", why, err)
	}
	old.Retire(true)
	k.fresh.Restart(folder)
	k.fresh.Lose()
	if err := k.store.Exchange(ctx, folder, c.Catalog); err != nil {
		return fmt.Errorf("%w: %w", why, err)
	}
	k.Embedding.Wake()
	k.log.Warn("the library is read again", "folder", k.folders[folder].Dir(), "reason", why)
	return k.Embedding.TellHost(ctx, folder, c.Values())
}

// trouble is what is wrong with the database.
type trouble string

const (
	isWell    trouble = ""
	isAway    trouble = "away"
	isRefused trouble = "refused"
)

// wellFor is for how long nothing must be wrong until it is told that it is over: a pooler
// may have sessions from before for a moment.
const wellFor = time.Second

// tellSlowness logs once that the database is slow, and once that it is over.
func (l *loop) tellSlowness() {
	slow := l.k.fresh.State().Slow
	if (slow > 0) == l.slow {
		return
	}
	if l.slow = slow > 0; l.slow {
		l.k.log.Warn("the database answers slowly: a question needs some ten statements", "each", slow.Round(time.Millisecond))
	} else {
		l.k.log.Warn("the database answers quickly again")
	}
}

// goneFor is for how long a library is gone until that is told: another process that sees
// its files may have removed it as it was damaged, and it is made again at once.
const goneFor = 3 * time.Second

// isGoneBriefly tells whether the fault is that the library was removed a moment ago.
func (l *loop) isGoneBriefly(fault error) bool {
	if !errors.Is(fault, catalog.ErrGone) {
		l.goneSince = time.Time{}
		return false
	}
	if l.goneSince.IsZero() {
		l.goneSince = time.Now()
	}
	return time.Since(l.goneSince) < goneFor
}

// tellDatabase logs once that something is wrong with the database, and once that it is
// over. The fault is why this process cannot follow others.
func (l *loop) tellDatabase(fault error) {
	l.tellSlowness()
	now, refused := isWell, l.k.fresh.State().Refused
	switch briefly := l.isGoneBriefly(fault); {
	case briefly:
		return
	case errors.Is(fault, catalog.ErrUnreachable), errors.Is(fault, catalog.ErrUnready):
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
		l.k.log.Warn("the database does not serve: questions fail until it does", "error", fault)
	case now == isRefused:
		l.k.log.Warn("the database takes no changes: what is saved meanwhile is indexed when it does", "reason", refused)
	case before == isAway:
		l.k.log.Warn("the database serves again")
	default:
		l.k.log.Warn("the database takes changes again")
	}
	l.trouble = now
}
