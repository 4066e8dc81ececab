// Package peer is this process among others on the same folders: which duties it
// has, what it tells others of them and hears, and what one asks of the other.
// All of that stands in leases and in the catalogue; what is asked for is done
// elsewhere.
package peer

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/say"
	"vademecum/index/search"
)

// Hosts start a server for each window, all on the same folder. One of them
// has the duty to scan, watch and index it, and one for each model the duty to
// embed; the others follow what these commit, and ask the indexer when they
// want something indexed.

// Process is this process among those on the same folders.
type Process struct {
	folders  roots.Set
	store    *live.Store
	progress *progress.Tracker
	log      *slog.Logger
	others   []other // by folder
}

// other is what is known of another process that has the duty to index a folder.
type other struct {
	number atomic.Int64 // of the process, 0 while it is not known
	missed atomic.Bool  // nobody has that duty, and this process cannot have it
	looked atomic.Int64 // when that was looked for last, in nanoseconds since 1970
	owes   atomic.Int64 // when a question was answered although it had something to do first, in nanoseconds since 1970; 0: never
}

// New makes the part that this process takes in what is done with folders.
func New(folders roots.Set, store *live.Store, p *progress.Tracker, log *slog.Logger) *Process {
	return &Process{folders, store, p, log, make([]other, len(folders))}
}

// Leads tells whether this process keeps the index of a folder up to date.
func (p *Process) Leads(folder int) bool {
	c := p.store.Follower(folder)
	leads := c != nil && (c.Health().IsUnsaved() || p.folders[folder].Home.Indexing().Held())
	if leads {
		p.Owe(folder, false) // what the one before did not do is its own business now
	}
	return leads
}

// Embeds tells whether this process embeds what is in a folder.
func (p *Process) Embeds(folder int) bool {
	if folder == search.NoFolder {
		return true
	}
	c := p.store.Follower(folder)
	return c != nil && (c.Health().IsUnsaved() || p.folders[folder].Home.Embedding().Held())
}

// Unheard tells that the indexer of a folder, another process, may be stopped,
// "" while there is no reason to think so.
func (p *Process) Unheard(folder int) (n say.Note, ok bool) {
	if c := p.store.Follower(folder); c == nil || c.Health().IsUnsaved() {
		return n, false
	}
	if p.others[folder].missed.Load() {
		return say.Note{Kind: say.NobodyIndexes}, true
	}
	n.PID, n.For = int(p.others[folder].number.Load()), p.folders[folder].Home.Indexing().Silence()
	switch {
	case n.For > 0:
		n.Kind = say.ProcessSilent
	case p.IsOwed(folder):
		n.Kind = say.ProcessBehind
	}
	return n, n.Kind != ""
}

// indexerEvery is how often a process that cannot index a folder looks for one that
// does.
const indexerEvery = time.Second

// HasIndexer tells whether any process indexes a folder that this one cannot index.
func (p *Process) HasIndexer(ctx context.Context, folder int) bool {
	o := &p.others[folder]
	if time.Since(time.Unix(0, o.looked.Load())) >= indexerEvery {
		o.missed.Store(!p.folders[folder].Home.Indexing().IsTaken(ctx))
		o.looked.Store(time.Now().UnixNano())
	}
	return !o.missed.Load()
}

// SeesFiles notes that this process can index a folder: nobody else need do so.
func (p *Process) SeesFiles(folder int) { p.others[folder].missed.Store(false) }

// Owe notes that something that was asked of the process that indexes a folder is not
// done, or that nothing is left to do.
func (p *Process) Owe(folder int, yes bool) {
	var since int64
	if yes {
		since = time.Now().UnixNano()
	}
	p.others[folder].owes.Store(since)
}

// owedFor is how long what is owed is told, unless it is noted again: the folder is
// looked through as often.
const owedFor = time.Minute

// IsOwed tells whether that was noted not long ago.
func (p *Process) IsOwed(folder int) bool {
	return time.Since(time.Unix(0, p.others[folder].owes.Load())) < owedFor
}
