// Package peer is this process among others on the same folders: which duties it
// has, what it tells others of them and hears, and what one asks of the other.
// All of that stands in leases and in the catalogue; what is asked for is done
// elsewhere.
package peer

import (
	"log/slog"

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
}

// New makes the part that this process takes in what is done with folders.
func New(folders roots.Set, store *live.Store, p *progress.Tracker, log *slog.Logger) *Process {
	return &Process{folders, store, p, log}
}

// Leads tells whether this process keeps the index of a folder up to date.
func (p *Process) Leads(folder int) bool {
	c := p.store.Follower(folder)
	return c != nil && (c.IsUnsaved() || p.folders[folder].Indexing.Held())
}

// Embeds tells whether this process embeds what is in a folder.
func (p *Process) Embeds(folder int) bool {
	if folder == search.NoFolder {
		return true
	}
	c := p.store.Follower(folder)
	return c != nil && (c.IsUnsaved() || p.folders[folder].Embedding.Held())
}

// Unheard tells that the indexer of a folder, another process, may be stopped,
// "" while there is no reason to think so.
func (p *Process) Unheard(folder int) (n say.Note, ok bool) {
	if c := p.store.Follower(folder); c == nil || c.IsUnsaved() {
		return n, false
	}
	l := p.folders[folder].Indexing
	n.PID, n.For = int(l.Owner.Load()), l.Silence()
	switch {
	case n.For > 0:
		n.Kind = say.ProcessSilent
	case l.IsOwed():
		n.Kind = say.ProcessBehind
	}
	return n, n.Kind != ""
}
