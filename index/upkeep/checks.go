package upkeep

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/compare"
	"vademecum/index/progress"
)

// A database can be changed by others than this program: rows may be lost that no
// question asks for by themselves. So the process that indexes counts them from time to
// time. All is read when the numbers have changed, or when somebody has met damage. What is
// damaged is removed only where the folder was seen to have the files of the library, so
// that they are indexed again: anything else would make a wrong folder the library.

const (
	// checkEvery is how often rows are counted, and all is read where they have changed;
	// checkShare is how many times as long as that takes it is left alone.
	checkEvery = 10 * time.Second
	checkShare = 300
	// checkSoon is how often it is looked whether folders were compared with libraries, and
	// whether what others are told is there.
	checkSoon = time.Second
)

// checks is when what a database keeps is compared with itself.
type checks struct {
	wanted chan struct{} // holds a token when somebody has met damage
	told   string        // what was told last of tables that cannot be made again; for who compares
	vain   bool          // it was told that nothing was found; for who compares

	mu        sync.Mutex
	own, all  chan struct{} // closed when the next has ended, of what this process indexes, and of all
	askOthers bool          // this process has met damage itself
	quiet     time.Time     // until when none is taken that is asked for: the last has found nothing
}

func newChecks() *checks {
	return &checks{wanted: make(chan struct{}, 1), own: make(chan struct{}), all: make(chan struct{})}
}

// want has all be compared, and returns a channel that is closed when that is done; nil
// where it was in vain a moment ago. Who asks for another process is not to wait for
// others: they may wait for this one.
func (c *checks) want(forAnother bool) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.quiet) {
		return nil
	}
	select {
	case c.wanted <- struct{}{}:
	default:
	}
	if forAnother {
		return c.own
	}
	c.askOthers = true
	return c.all
}

// begin is called when a comparison begins: who asks for one from then on waits for the
// next. The channels are to be closed.
func (c *checks) begin() (own, all chan struct{}, askOthers bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, all, askOthers = c.own, c.all, c.askOthers
	c.own, c.all, c.askOthers = make(chan struct{}), make(chan struct{}), false
	return own, all, askOthers
}

// rest has none be taken for a while that is asked for.
func (c *checks) rest(pause time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.quiet = time.Now().Add(pause)
}

// keepChecked compares the libraries of the folders that this process indexes with
// themselves, and has others do so with theirs when it has met damage.
func (l *loop) keepChecked(ctx context.Context) {
	due := time.NewTimer(0)
	defer due.Stop()
	news := time.NewTicker(checkSoon)
	defer news.Stop()
	for {
		met := false
		select {
		case <-ctx.Done():
			return
		case <-news.C:
			_ = l.k.guard.Catch("look what others are told", func() error { l.tellAgain(ctx); return nil })
			continue
		case <-l.k.checks.wanted:
			met = true
		case <-due.C:
		}
		due.Reset(l.checkAll(ctx, met))
	}
}

// checkAll does so once, and tells how long to leave it alone.
func (l *loop) checkAll(ctx context.Context, met bool) time.Duration {
	own, all, askOthers := l.k.checks.begin()
	defer close(all)
	began, found, restored, ready := time.Now(), false, false, true
	var others []int
	for i := range l.k.folders {
		_ = l.k.guard.Catch("compare the library with itself", func() error {
			switch {
			case l.k.mayMend(i):
				found = l.check(ctx, i, met) || found
				return nil
			case l.k.peers.Leads(i):
				ready = false
			case askOthers && l.k.peers.HasIndexer(ctx, i):
				others = append(others, i)
			}
			restored = l.restoreTables(ctx, i, false) || restored
			return nil
		})
	}
	took := time.Since(began)
	if met {
		l.tellVain(ctx, !found && !restored && len(others) == 0)
	}
	if met && !found {
		l.k.checks.rest(max(time.Second, checkShare*took))
	}
	close(own)
	for _, i := range others {
		_ = l.k.guard.Catch("have a library compared with itself", func() error { l.askOther(ctx, i); return nil })
	}
	if !ready || restored { // which may have lost rows that are mended now
		return checkSoon
	}
	return max(checkEvery, checkShare*took)
}

// tellVain says once that damage was met and is not to be found.
func (l *loop) tellVain(ctx context.Context, vain bool) {
	if vain && !l.k.checks.vain && ctx.Err() == nil {
		l.k.log.Warn("damage was met, and nothing in the libraries that this process may mend is damaged: vademecum store check reads all")
	}
	l.k.checks.vain = vain
}

// askOther has the process that indexes a folder look after damage.
func (l *loop) askOther(ctx context.Context, folder int) {
	if l.k.store.Follower(folder) == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, recovery)
	defer cancel()
	_, _ = l.k.request(ctx, wish{folder: folder, check: true}) // who asked reads again in any case
}

// mayMend tells whether this process may remove what is damaged in the library of a folder:
// it indexes it, and sees the files.
func (k *Keeper) mayMend(folder int) bool {
	f := k.folders[folder]
	return k.peers.Leads(folder) && !k.fresh.IsAway(folder) && k.comparer.IsConfirmed(folder) &&
		f.Silent() == 0 && f.Answers() && !k.fresh.IsMissing(folder)
}

// check compares the library of a folder with itself and tells whether something was found
// to be damaged: by numbers, and where these differ, or damage was met, by all there is.
func (l *loop) check(ctx context.Context, folder int, met bool) (found bool) {
	k := l.k
	m := k.store.Follower(folder).Health()
	if !met && !m.Doubt() {
		err := m.Compare(ctx)
		switch {
		case err == nil:
			return false
		case !errors.Is(err, catalog.ErrDamaged):
			return l.cannotCheck(ctx, folder, err)
		}
	}
	done, err := m.Mend(ctx, k.mayMend(folder)) // it may have gone away meanwhile
	if err != nil {
		return l.cannotCheck(ctx, folder, err)
	}
	return l.tellMended(ctx, folder, done)
}

// cannotCheck looks after what stands against a comparison, and tells whether it has made
// something again.
func (l *loop) cannotCheck(ctx context.Context, folder int, err error) bool {
	switch {
	case errors.Is(err, catalog.ErrGone):
		_ = l.k.takeUp(ctx, folder, err) // which tells
		return true
	case errors.Is(err, catalog.ErrUnready):
		return l.restoreTables(ctx, folder, l.mayMendAll())
	case ctx.Err() == nil && !catalog.IsOfDatabase(err):
		l.k.log.Warn("could not compare the library with itself", "folder", l.k.folders[folder].Dir(), "error", err)
	}
	return false
}

// mayMendAll tells whether it may do so in all of its folders.
func (l *loop) mayMendAll() bool {
	for i := range l.k.folders {
		if !l.k.mayMend(i) {
			return false
		}
	}
	return true
}

// tellMended says what was removed, and has it be indexed again. It tells whether that was
// anything.
func (l *loop) tellMended(ctx context.Context, folder int, done catalog.Mended) bool {
	k, at := l.k, l.k.folders[folder].Dir()
	switch {
	case done.Damage == nil:
		return false
	case done.Left:
		k.log.Warn("the library is damaged, and left as it is as long as the folder is not there", "folder", at, "damage", done.Damage)
		return false
	case done.All:
		k.log.Warn("the library is damaged, it is made again from the folder", "folder", at, "damage", done.Damage)
		_ = k.takeUp(ctx, folder, errMended) // else at the next look
	case done.Vectors > 0:
		k.log.Warn("vectors of the library are damaged, their passages are embedded again", "folder", at, "vectors", done.Vectors)
		_ = k.takeUp(ctx, folder, errMended)
	default:
		k.log.Warn("documents of the library are damaged, they are read again", "folder", at, "documents", done.Documents, "damage", done.Damage)
		if _, err := k.store.Follow(ctx, folder); err != nil {
			return true // at the next look
		}
	}
	l.dirty.add(compare.Area{Folder: folder, Base: "."})
	return true
}

// tellAgain has others be told how far this process is, where that was lost: questions to
// them would wait for it.
func (l *loop) tellAgain(ctx context.Context) {
	for i, f := range l.k.folders {
		c := l.k.store.Follower(i)
		if c == nil || !f.Home.IsShared() || !l.k.peers.Leads(i) {
			continue
		}
		if n, err := progress.IndexerNewsOf(ctx, c); errors.Is(err, catalog.ErrDamaged) || err == nil && n.Indexer.PID != os.Getpid() {
			l.teller.Forget(c)
		}
	}
}

// errMended is why a library is read again that this process has removed.
var errMended = errors.New("it was damaged")

// restoreTables has tables made again that somebody has dropped, and tells whether any
// were. Libraries are given up for that only where that is allowed.
func (l *loop) restoreTables(ctx context.Context, folder int, empty bool) bool {
	if l.k.folders[folder].IsAway() { // who sees the files fills them
		return false
	}
	made, err := l.k.folders[folder].Home.Restore(ctx, empty)
	switch {
	case err != nil:
		if told := err.Error(); ctx.Err() == nil && l.k.checks.told != told && !errors.Is(err, catalog.ErrUnreachable) {
			l.k.checks.told = told
			l.k.log.Warn("what is gone from the database cannot be made again", "error", err)
		}
	case len(made) > 0:
		l.k.log.Warn("what was gone from the database was made again", "damage", made)
		if slices.ContainsFunc(made, func(part string) bool { return slices.Contains(ofVectors, part) }) {
			l.takeUpAll(ctx)
		}
	}
	return len(made) > 0
}

// ofVectors are those without which nobody knows what is embedded.
var ofVectors = []string{"table models", "table vectors", "table refusals"}

// takeUpAll opens all libraries again.
func (l *loop) takeUpAll(ctx context.Context) {
	for i := range l.k.folders {
		if l.k.store.Follower(i) != nil {
			_ = l.k.takeUp(ctx, i, errMended)
		}
	}
}

// despiteLoss reads again when a database turns out to have lost something and a Run is
// under way: from what is there when that was compared with itself and mended. What was
// passed over is looked after, too, and nobody waits for that.
func despiteLoss[T any](ctx context.Context, k *Keeper, found T, why error, read func() (T, error)) (T, error) {
	if !k.fresh.IsServing() || !k.isMendable() {
		return found, why
	}
	isLoss := errors.Is(why, catalog.ErrDamaged) || errors.Is(why, catalog.ErrUnready)
	if !isLoss {
		if k.doubts() {
			_ = k.checks.want(false)
		}
		return found, why
	}
	done := k.checks.want(false)
	if done == nil {
		return found, why
	}
	waiting, cancel := context.WithTimeout(ctx, recovery)
	defer cancel()
	select {
	case <-done:
	case <-waiting.Done():
		return found, why
	}
	_ = k.fresh.WaitRun(waiting) // the answer says when it is not complete
	return read()
}

// checkFor compares libraries with themselves as another process has met damage.
func (k *Keeper) checkFor(ctx context.Context) error {
	done := k.checks.want(true)
	if done == nil {
		return nil
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// doubts tells whether something damaged was met and passed over.
func (k *Keeper) doubts() bool { return slices.ContainsFunc(k.mendable(), catalog.Health.Doubt) }

// isMendable tells whether a library in a database may be mended by this process, or by
// another that it asks.
func (k *Keeper) isMendable() bool { return len(k.mendable()) > 0 }

// mendable are the libraries in a database whose files are not for other machines only.
func (k *Keeper) mendable() (all []catalog.Health) {
	for i, f := range k.folders {
		if c := k.store.Follower(i); c != nil && f.Home.IsShared() && !f.IsAway() {
			all = append(all, c.Health())
		}
	}
	return all
}
