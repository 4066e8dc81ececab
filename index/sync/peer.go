package sync

import (
	"context"
	"time"

	"vademecum/index/search"
)

// Hosts start a server for each window, all on the same folder. One of them has the duty to scan,
// watch and index the folder, and one for each model has the duty to embed it. The others follow
// their commits, and send requests to the indexer.

// IsIndexer reports whether this process keeps the index of a folder up to date.
func (s *Syncer) IsIndexer(folder int) bool {
	c := s.Store.Follower(folder)
	leads := c != nil && (c.Health().IsUnsaved() || s.Folders[folder].Storage.IndexingLease().TryAcquire())
	if leads {
		// it no longer matters that the previous indexer left a request unanswered
		s.Fresh.SetUnanswered(folder, false)
	}
	return leads
}

// IsEmbedder reports whether this process embeds the passages of a folder.
func (s *Syncer) IsEmbedder(folder int) bool {
	if folder == search.NoFolder {
		return true
	}
	c := s.Store.Follower(folder)
	return c != nil && (c.Health().IsUnsaved() || s.Folders[folder].Storage.EmbeddingLease().TryAcquire())
}

// indexerEvery is how often a process that cannot index a folder checks whether another does.
const indexerEvery = time.Second

// HasIndexer reports whether any process indexes a folder that this one cannot index.
func (s *Syncer) HasIndexer(ctx context.Context, folder int) bool {
	if looked := &s.looked[folder]; time.Since(time.Unix(0, looked.Load())) >= indexerEvery {
		s.Fresh.SetHasIndexer(folder, s.Folders[folder].Storage.IndexingLease().IsHeldByAny(ctx))
		looked.Store(time.Now().UnixNano())
	}
	return !s.Fresh.LacksIndexer(folder)
}

// SetCanIndex records that this process can index a folder, so no other indexer is needed.
func (s *Syncer) SetCanIndex(folder int) { s.Fresh.SetHasIndexer(folder, true) }
