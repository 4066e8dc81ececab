package upkeep

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/compare"
	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/peer"
	"vademecum/index/progress"
	"vademecum/index/recovery"
)

// loop keeps an index up to date: it fulfils the duties of this process, follows
// others, and gathers what must be looked at again.
type loop struct {
	k      *Keeper
	looks  int            // how many there were; for look
	warned map[string]int // what was told of, by the last look that met it; for look
	group  sync.WaitGroup
	duties []duty // by folder
	dirty  *dirtySet
	teller *peer.Teller
	ahead  []chan watched // by folder; nil where none is to be had

	absences []absence // by folder; for lookForMissing

	trouble   trouble   // of the database, that was told of; for look
	slow      bool      // it was told that the database is slow; for look
	goneSince time.Time // since when the library is gone; zero: it is there; for look
	wellSince time.Time // since when there is none any more, as long as that was not told; for look
}

func newLoop(k *Keeper) *loop {
	return &loop{
		k:        k,
		duties:   make([]duty, len(k.folders)),
		teller:   peer.NewTeller(k.peers),
		warned:   make(map[string]int),
		absences: make([]absence, len(k.folders)),
		ahead:    make([]chan watched, len(k.folders)),
		dirty:    newDirtySet(),
	}
}

// look takes over what other processes committed, the duties of those that are
// gone, and what they ask for.
func (l *loop) look(ctx context.Context) {
	l.looks++
	err := l.k.guard.Catch("build the index again", func() error { return l.k.recovery.Mend(ctx, recovery.Pause) })
	if err != nil && ctx.Err() == nil {
		l.k.log.Error("could not build the index again", "error", err)
		l.k.fresh.KeepsUp(err)
		return
	}
	var faults []error
	for i := range l.k.folders {
		err := l.k.guard.Catch("follow another process", func() error { return l.follow(ctx, i) })
		if err != nil && !slices.ContainsFunc(faults, func(told error) bool { return told.Error() == err.Error() }) {
			faults = append(faults, err)
		}
	}
	fault := errors.Join(faults...)
	l.k.fresh.KeepsUp(fault)
	if ctx.Err() == nil {
		l.tellDatabase(fault)
	}
	if fault == nil {
		maps.DeleteFunc(l.warned, func(_ string, last int) bool { return last < l.looks })
	}
	l.k.tell(ctx, l.teller)
}

// warn tells of what fails at every look once, until all is well again.
func (l *loop) warn(what string, why error) {
	if l.warned[what] == 0 {
		l.k.log.Warn(what, "error", why)
	}
	l.warned[what] = l.looks
}

// follow looks at one folder. The error is why it cannot be followed.
func (l *loop) follow(ctx context.Context, folder int) error {
	_, err := l.k.store.Follow(ctx, folder)
	if errors.Is(err, catalog.ErrGone) {
		err = l.k.recovery.TakeUp(ctx, folder, err)
	}
	d, c := &l.duties[folder], l.k.store.Follower(folder)
	if err != nil && ctx.Err() == nil {
		d.version = 0
		if !catalog.IsOfDatabase(err) {
			l.warn("could not read what another process indexed", err)
		}
	}
	if d.of != c {
		l.begin(folder, c)
	}
	l.assign(ctx, folder)
	if l.k.fresh.IsAway(folder) {
		if indexed := l.k.peers.HasIndexer(ctx, folder); indexed != d.indexed {
			d.indexed, d.version = indexed, 0 // how far that is
		}
	} else {
		l.k.peers.SeesFiles(folder)
	}
	if c.TakeForeign() && d.leads && l.k.folders[folder].Home.Indexing().Why() == nil {
		l.dirty.add(compare.Area{Folder: folder, Base: "."}) // who had the duty before may have committed what it read long ago
	}
	version := c.LastSeen()
	if version == d.version {
		return err
	}
	d.version = version
	if err == nil {
		err = l.k.comparer.AgreeOnPlace(ctx, folder, c)
	}
	l.k.fresh.Signal()
	if d.leads {
		l.answer(ctx, folder, c)
	}
	if heard := l.hear(ctx, folder, c); heard != nil && ctx.Err() == nil && !catalog.IsOfDatabase(heard) {
		l.warn("could not read how far another process is", heard)
		d.version = 0 // it is heard again at the next look
	}
	return err
}

// hear notes how far those are that have the duties that this process has not.
func (l *loop) hear(ctx context.Context, folder int, c *live.Follower) (err error) {
	d := &l.duties[folder]
	switch {
	case d.leads:
		l.k.fresh.HearIndexer(folder, nil)
	case l.k.fresh.IsAway(folder) && !l.k.peers.HasIndexer(ctx, folder): // what the last one told is of no use
		l.k.fresh.HearIndexer(folder, &progress.State{Phase: progress.Ready, Synced: time.Now()})
	default:
		_, err = l.k.peers.HearIndexer(ctx, folder, c)
	}
	if d.embeds {
		l.k.fresh.HearEmbedder(folder, nil)
		if l.k.store.CountBare(folder) > 0 { // another process may have indexed something
			l.k.Embedding.Wake()
		}
		return err
	}
	_, vectors := l.k.peers.HearEmbedder(ctx, folder, c)
	return errors.Join(err, vectors)
}

// work brings up to date what is dirty.
func (l *loop) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.dirty.signal:
			areas, until := l.dirty.take(l.silent())
			if len(areas) > 0 {
				_ = l.k.guard.Catch("bring the index up to date", func() error { l.sync(ctx, areas); return nil })
			}
			l.dirty.done(until)
		}
	}
}

// silent are the folders that do not answer, or are known to be missing.
func (l *loop) silent() map[int]bool {
	silent := make(map[int]bool)
	for i, f := range l.k.folders {
		silent[i] = f.Silent() > 0 || l.k.fresh.IsAbsent(i) && f.Missing() != nil
	}
	return silent
}

// resume has files be read that were put off, where this process reads them.
func (l *loop) resume() {
	for _, at := range l.k.throttle.Due(time.Now()) {
		if l.duties[at.Folder].leads {
			l.dirty.add(compare.Area{Folder: at.Folder, Base: at.Path})
		}
	}
}

func (l *loop) sync(ctx context.Context, areas []compare.Area) {
	listings := l.dirty.takeListings(areas)
	if areas, _ = l.k.split(areas); len(areas) == 0 { // another has taken over meanwhile
		l.dirty.fail(true) // whether it has come to these nobody knows here
		return
	}
	r, err := l.k.indexer.Index(ctx, l.k.indexer.NewRun(compare.Comparison{Listings: listings}), areas)
	r.Finish()
	report := r.Report
	failed := err != nil || r.Overtaken
	left := failed || len(r.Unlike) > 0
	onlyMissing := !failed && freshness.IsAboutMissing(freshness.Unlike{Folders: r.Unlike}) // of which no marks are heeded
	defer l.dirty.fail(left && !onlyMissing)
	if left && ctx.Err() == nil { // nobody tells of these changes once more
		l.dirty.keep(areas)
	}
	if len(r.Unlike) > 0 {
		l.dirty.wake() // so that it is known of the other folders that all is done
	}
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, docs.ErrSilent):
		l.k.log.Warn("a folder does not answer, it is looked at again when it does", "error", err)
	case err != nil:
		if !l.dirty.hasFailed() && !catalog.IsOfDatabase(err) { // which is told of anyway
			l.k.log.Error("could not bring the index up to date, it is tried again", "error", err)
		}
		if errors.Is(err, catalog.ErrDamaged) && l.k.recovery.IsMendable() {
			l.k.recovery.WantCheck()
		}
	case report.Indexed+report.Removed > 0:
		l.k.log.Info("indexed", "documents", report.Indexed, "removed", report.Removed, "skipped", len(report.Skipped), "total", report.Total)
	}
}

// checker compares libraries with themselves.
func (l *loop) checker() *recovery.Checker {
	return &recovery.Checker{
		Recovery: l.k.recovery,
		Ask:      func(ctx context.Context, folder int) { _, _ = l.k.request(ctx, wish{folder: folder, check: true}) }, // who asked reads again in any case
		Dirty:    func(folder int) { l.dirty.add(compare.Area{Folder: folder, Base: "."}) },
		Forget:   l.teller.Forget,
	}
}
