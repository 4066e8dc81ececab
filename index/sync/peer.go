// Package peer coordinates this process with others that serve the same folders: which duties it
// has, what it reports to the others and receives from them, and what they request of each other.
// All of that is stored in leases and in the catalogue; requests are carried out elsewhere.
package sync

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/roots"
	"vademecum/index/search"
)

// Hosts start a server for each window, all on the same folder. One of them has the duty to scan,
// watch and index the folder, and one for each model has the duty to embed it. The others follow
// their commits, and send requests to the indexer.

// Coordinator coordinates this process with others on the same folders.
type Coordinator struct {
	folders roots.Set
	store   *live.Store
	tracker *freshness.Tracker
	log     *slog.Logger
	// by folder: the last time an indexer was looked for, in nanoseconds since 1970
	looked []atomic.Int64
}

// NewCoordinator returns the Coordinator of this process for its folders.
func NewCoordinator(folders roots.Set, store *live.Store, p *freshness.Tracker, log *slog.Logger) *Coordinator {
	return &Coordinator{folders, store, p, log, make([]atomic.Int64, len(folders))}
}

// IsIndexer reports whether this process keeps the index of a folder up to date.
func (p *Coordinator) IsIndexer(folder int) bool {
	c := p.store.Follower(folder)
	leads := c != nil && (c.Health().IsUnsaved() || p.folders[folder].Storage.IndexingLease().TryAcquire())
	if leads {
		// it no longer matters that the previous indexer left a request unanswered
		p.tracker.SetUnanswered(folder, false)
	}
	return leads
}

// IsEmbedder reports whether this process embeds the passages of a folder.
func (p *Coordinator) IsEmbedder(folder int) bool {
	if folder == search.NoFolder {
		return true
	}
	c := p.store.Follower(folder)
	return c != nil && (c.Health().IsUnsaved() || p.folders[folder].Storage.EmbeddingLease().TryAcquire())
}

// indexerEvery is how often a process that cannot index a folder checks whether another does.
const indexerEvery = time.Second

// HasIndexer reports whether any process indexes a folder that this one cannot index.
func (p *Coordinator) HasIndexer(ctx context.Context, folder int) bool {
	if looked := &p.looked[folder]; time.Since(time.Unix(0, looked.Load())) >= indexerEvery {
		p.tracker.SetHasIndexer(folder, p.folders[folder].Storage.IndexingLease().IsHeldByAny(ctx))
		looked.Store(time.Now().UnixNano())
	}
	return !p.tracker.LacksIndexer(folder)
}

// SetCanIndex records that this process can index a folder, so no other indexer is needed.
func (p *Coordinator) SetCanIndex(folder int) { p.tracker.SetHasIndexer(folder, true) }
