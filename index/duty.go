package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"vademecum/index/catalog/sqlite"
	"vademecum/index/lease"
	"vademecum/index/live"
	"vademecum/index/say"
	"vademecum/index/search"
)

// Hosts start a server for each window, all on the same folder. One of them
// has the duty to scan, watch and index it, and one for each model the duty to
// embed; the others follow what these commit, and ask the indexer when they
// want something indexed.

// takeLeases names the locks that decide about the duties for each folder.
func (ix *Index) takeLeases() {
	model := sha256.Sum256([]byte(ix.embedder.Model()))
	for i := range ix.folders {
		f := &ix.folders[i]
		f.indexing = lease.New(f.index.File + ".lock")
		f.index.Overtaken = f.indexing.IsLost
		if ix.store.Builtin { // what it makes is made by who needs it
			f.embedding = f.indexing
			continue
		}
		f.embedding = lease.New(f.index.File + "." + hex.EncodeToString(model[:4]) + ".lock")
	}
}

// releaseLeases gives all duties back, to be taken again when they are asked for.
func (ix *Index) releaseLeases() error {
	var errs []error
	for _, f := range ix.folders {
		errs = append(errs, f.indexing.Release(), f.embedding.Release())
	}
	return errors.Join(errs...)
}

// leads tells whether this process keeps the index of a folder up to date.
func (ix *Index) leads(folder int) bool {
	c := ix.store.Follower(folder)
	return c != nil && (c.IsUnsaved() || ix.folders[folder].indexing.Held())
}

// embeds tells whether this process embeds what is in a folder.
func (ix *Index) embeds(folder int) bool {
	if folder == search.NoFolder {
		return true
	}
	c := ix.store.Follower(folder)
	return c != nil && (c.IsUnsaved() || ix.folders[folder].embedding.Held())
}

// unheard tells that the indexer of a folder, another process, may be stopped,
// "" while there is no reason to think so.
func (ix *Index) unheard(folder int) (n say.Note, ok bool) {
	if c := ix.store.Follower(folder); c == nil || c.IsUnsaved() {
		return n, false
	}
	l := ix.folders[folder].indexing
	n.PID, n.For = int(l.Owner.Load()), l.Silence()
	switch {
	case n.For > 0:
		n.Kind = say.ProcessSilent
	case l.IsOwed():
		n.Kind = say.ProcessBehind
	}
	return n, n.Kind != ""
}

// split sorts areas into those of folders that this process indexes, and those
// of others.
func (ix *Index) split(areas []area) (own []area, others map[int][]area) {
	others = make(map[int][]area)
	for _, a := range areas {
		if ix.leads(a.folder) {
			own = append(own, a)
		} else {
			others[a.folder] = append(others[a.folder], a)
		}
	}
	return own, others
}

// handOver gives the duty to index back when no Run is under way to fulfil what
// others ask for.
func (ix *Index) handOver() error {
	if ix.kept.Load() {
		return nil
	}
	var errs []error
	for _, f := range ix.folders {
		errs = append(errs, f.indexing.Release())
	}
	return errors.Join(errs...)
}

// duty is what a process is about to do for one folder.
type duty struct {
	leads    bool // it is the indexer
	embeds   bool
	stop     func()         // ends the watching
	answered map[int64]bool // requests that are being fulfilled
	of       *live.Follower // that the rest is about
	version  int64          // of the catalogue at the last look
}

// begin starts over with a catalogue that is new, or another than before.
func (k *keeper) begin(folder int, c *live.Follower) {
	d := &k.duties[folder]
	again := d.of != nil
	d.of, d.version, d.answered = c, 0, make(map[int64]bool)
	if again && d.leads {
		k.add(area{folder: folder, base: "."})
	}
}

// assign takes over duties for a folder, or gives them up.
func (k *keeper) assign(ctx context.Context, folder int) {
	d := &k.duties[folder]
	if embeds := k.ix.embeds(folder); embeds != d.embeds {
		d.embeds, d.version = embeds, 0
		k.ix.wantVectors()
	}
	leads := k.ix.leads(folder)
	switch {
	case leads == d.leads:
	case leads:
		k.takeOver(ctx, folder)
	default:
		d.stop()
		d.leads, d.version = false, 0
		k.ix.progress.unwatched(folder, "")
	}
}

// takeOver makes this process the indexer of a folder.
func (k *keeper) takeOver(ctx context.Context, folder int) {
	f := k.ix.folders[folder]
	if f.index.None == nil {
		if err := k.ix.store.RemoveLeftovers(f.index.File); err != nil {
			k.ix.log.Warn("could not remove what another process left", "error", err)
		}
		if f.index.Own {
			sqlite.RemoveOldFormats(f.index.File, time.Now())
		}
	}
	if why := f.indexing.Why(); why != nil {
		k.ix.log.Warn("the index cannot be locked: several processes may do the same work", "folder", f.Dir(), "error", why)
	}
	watching, stop := context.WithCancel(ctx)
	d := &k.duties[folder]
	k.forget(d.of)
	d.leads, d.stop, d.answered = true, stop, make(map[int64]bool)
	d.version = 0 // there may be requests that nobody answered
	k.group.Go(func() {
		if err := k.ix.guard("watch the folder", func() error { k.watch(watching, folder); return nil }); err != nil {
			k.ix.progress.unwatched(folder, err.Error())
		}
	})
}
