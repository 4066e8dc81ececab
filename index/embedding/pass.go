package embedding

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/search"
)

// runPass embeds all chunks that this process should embed. Only one pass runs at a time.
func (s *Service) runPass(ctx context.Context) error {
	s.passing.Lock()
	defer s.passing.Unlock()
	defer s.SaveSnapshots(ctx)
	err := s.CatchPanic("embed", func() error { return s.embedPending(ctx) })
	if err != nil && ctx.Err() == nil {
		if salvaged, _ := s.MoveRejectedCatalogsToMemory(ctx); salvaged {
			err = s.CatchPanic("embed", func() error { return s.embedPending(ctx) })
		}
	}
	failure := err
	if ctx.Err() != nil {
		failure = nil // cancelled, not failed
	}
	s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.EndEmbedding(failure) })
	if err != nil {
		return err
	}
	return s.CatchPanic("drop unused vectors", func() error { return s.pruneVectors(ctx) })
}

func (s *Service) embedPending(ctx context.Context) error {
	tried := make(map[*search.Document]bool)
	for {
		through := s.lastFollowed()
		pending := slices.DeleteFunc(s.pendingDocuments(), func(d *search.Document) bool { return tried[d] })
		if len(pending) == 0 {
			for c, change := range through {
				c.EmbeddedThroughChange.Store(change)
			}
			return nil
		}
		count := s.Store.CountPendingChunks(pending)
		s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.BeginEmbedding(count) })
		begun := false
		begin := func(some []*search.Document) bool {
			if begun && !maps.Equal(through, s.lastFollowed()) {
				return false // newer documents were added meanwhile
			}
			begun = true
			for _, d := range some {
				tried[d] = true // by pointer, so that a changed document is tried again
			}
			return true
		}
		if err := s.embedDocuments(ctx, pending, begin); err != nil {
			return err
		}
	}
}

// pendingDocuments lists the documents with chunks that this process should embed.
func (s *Service) pendingDocuments() []*search.Document {
	return slices.DeleteFunc(s.Store.DocumentsToEmbed(), func(d *search.Document) bool { return !s.Peers.IsEmbedder(d.Folder) })
}

// lastFollowed returns the last change loaded from each catalogue.
func (s *Service) lastFollowed() map[*live.Follower]int64 {
	all := make(map[*live.Follower]int64)
	for i := range s.Folders {
		if c := s.Store.Follower(i); c != nil {
			all[c] = c.LastFollowedChange()
		}
	}
	return all
}

// pruneVectors deletes vectors that have not been used for a long time.
func (s *Service) pruneVectors(ctx context.Context) error {
	for i, f := range s.Folders {
		if !s.Peers.IsEmbedder(i) {
			continue
		}
		if err := s.Store.PruneVectors(ctx, i); err != nil {
			return fmt.Errorf("drop unused vectors of %s: %w", f.Dir(), err)
		}
	}
	return nil
}
