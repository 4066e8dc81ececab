package index

import (
	"context"
	"os"
	"time"
)

// duty is what a process is about to do for one folder.
type duty struct {
	leads    bool // it is the indexer
	embeds   bool
	since    time.Time
	stop     func()         // ends the watching
	answered map[int64]bool // requests that are being fulfilled
	of       *catalogue     // that the rest is about
	heard    State          // of the indexer, when that is another process
	version  int64          // of the catalogue at the last look
}

// look takes over what other processes committed, the duties of those that are
// gone, and what they ask for.
func (k *keeper) look(ctx context.Context) {
	if err := k.ix.mend(ctx, mendPause); err != nil && ctx.Err() == nil {
		k.ix.log.Error("could not build the index again", "error", err)
		return
	}
	led, others := 0, make(map[int]State)
	for i := range k.ix.folders {
		k.follow(ctx, i)
		if k.duties[i].leads {
			led++
		} else {
			others[i] = k.duties[i].heard
		}
	}
	k.ix.progress.duties(led, others)
	k.tell(ctx)
}

// follow looks at one folder.
func (k *keeper) follow(ctx context.Context, folder int) {
	_, err := k.ix.store.follow(ctx, folder)
	if err != nil && ctx.Err() == nil {
		k.ix.log.Warn("could not read what another process indexed", "error", err)
	}
	k.assign(ctx, folder)
	d, c := &k.duties[folder], k.ix.store.catalogue(folder)
	if d.of != c {
		k.begin(d, folder, c)
	}
	version := c.version()
	if version == d.version {
		return
	}
	d.version = version
	k.ix.progress.signal()
	if d.leads {
		k.answer(ctx, folder, c)
	} else {
		k.hear(ctx, folder, c)
	}
}

// begin starts over with a catalogue that is new, or another than before.
func (k *keeper) begin(d *duty, folder int, c *catalogue) {
	again := d.of != nil
	d.of, d.version, d.answered, d.heard, k.told = c, 0, make(map[int64]bool), State{Phase: Scanning}, State{}
	if again && d.leads {
		k.add(area{folder: folder, base: "."})
	}
}

// assign takes over duties for a folder, or gives them up.
func (k *keeper) assign(ctx context.Context, folder int) {
	d := &k.duties[folder]
	if embeds := k.ix.embeds(folder); embeds != d.embeds {
		d.embeds = embeds
		k.ix.wantVectors()
	}
	leads := k.ix.leads(folder)
	switch {
	case leads == d.leads:
	case leads:
		k.takeOver(ctx, folder)
	default:
		d.stop()
		d.leads = false
	}
}

// takeOver makes this process the indexer of a folder.
func (k *keeper) takeOver(ctx context.Context, folder int) {
	f := k.ix.folders[folder]
	if err := removeLeftovers(f.index.file); err != nil {
		k.ix.log.Warn("could not remove what another process left", "error", err)
	}
	if why := f.indexing.why(); why != nil {
		k.ix.log.Warn("the index cannot be locked: several processes may do the same work", "folder", f.Dir(), "error", why)
	}
	watching, stop := context.WithCancel(ctx)
	k.told = State{}
	d := &k.duties[folder]
	d.leads, d.since, d.stop, d.answered = true, time.Now(), stop, make(map[int64]bool)
	d.version = 0 // there may be requests that nobody answered
	k.group.Go(func() { k.watch(watching, folder) })
}

// watch has a folder scanned, first as a whole and then where it changes.
func (k *keeper) watch(ctx context.Context, folder int) {
	f := k.ix.folders[folder]
	w, err := f.Watch()
	k.add(area{folder: folder, base: "."})
	if err != nil {
		k.ix.log.Warn("cannot watch the folder, it is scanned from time to time", "folder", f.Dir(), "every", sweepEvery, "error", err)
		return
	}
	defer w.Close()
	stated := ""
	state := func() {
		why := w.Incomplete()
		switch {
		case why == stated:
		case why != "":
			k.ix.log.Warn("not all of the folder is watched, it is scanned from time to time", "folder", f.Dir(), "every", sweepEvery, "reason", why)
		default:
			k.ix.log.Info("all of the folder is watched again", "folder", f.Dir())
		}
		stated = why
		k.ix.progress.unwatched(folder, why)
	}
	state()
	err = w.Run(ctx, func(paths []string) {
		areas := make([]area, len(paths))
		for i, p := range paths {
			areas[i] = area{folder: folder, base: p}
		}
		k.add(areas...)
		state()
	})
	if err != nil && ctx.Err() == nil {
		k.ix.log.Warn("stopped watching the folder", "folder", f.Dir(), "error", err)
	}
}

// answer fulfils what other processes ask for. A run may take long; others are
// answered meanwhile.
func (k *keeper) answer(ctx context.Context, folder int, c *catalogue) {
	d := &k.duties[folder]
	open, err := c.open(ctx)
	if err != nil && ctx.Err() == nil {
		k.ix.log.Warn("could not read what another process asks for", "error", c.note(err))
	}
	for number, r := range open {
		if d.answered[number] {
			continue
		}
		d.answered[number] = true
		k.group.Go(func() {
			a := k.ix.fulfil(ctx, folder, r)
			if ctx.Err() != nil {
				return // the next indexer will do it
			}
			if err := c.reply(ctx, number, a); err != nil && ctx.Err() == nil {
				k.ix.log.Warn("could not answer another process", "error", c.note(err))
			}
		})
	}
}

// hear notes how far the indexer of a folder is.
func (k *keeper) hear(ctx context.Context, folder int, c *catalogue) {
	n, err := c.news(ctx)
	if err != nil && ctx.Err() == nil {
		k.ix.log.Warn("could not read how far the indexer is", "error", c.note(err))
	}
	if n.State.Phase == "" {
		n.State.Phase = Scanning
	}
	k.duties[folder].heard = n.State
}

// tellEvery is how often the indexer tells others at most how far it is.
const tellEvery = 500 * time.Millisecond

// tell posts how far this process is, for those that follow.
func (k *keeper) tell(ctx context.Context) {
	s := k.ix.progress.own()
	if s == k.told || time.Since(k.telling) < tellEvery && s.Phase == k.told.Phase {
		return
	}
	k.telling = time.Now()
	for i, d := range k.duties {
		if !d.leads {
			continue
		}
		c := k.ix.store.catalogue(i)
		if err := c.post(ctx, news{Indexer{os.Getpid(), d.since}, s}); err != nil && ctx.Err() == nil {
			k.ix.log.Warn("could not tell other processes how far this one is", "error", c.note(err))
			return
		}
	}
	k.told = s
}
