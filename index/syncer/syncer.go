// Package syncer brings folders up to date through the process that indexes them: this one, or
// another one to which it sends a request.
package syncer

import (
	"log/slog"
	"time"

	"golang.org/x/sync/semaphore"

	"vademecum/index/compare"
	"vademecum/index/freshness"
	"vademecum/index/indexer"
	"vademecum/index/live"
	"vademecum/index/peer"
	"vademecum/index/recovery"
	"vademecum/index/roots"
	"vademecum/index/throttle"
	"vademecum/internal/base/panics"
)

// Dependencies are what a Syncer works with.
type Dependencies struct {
	Folders  roots.Set
	Store    *live.Store
	Comparer *compare.Comparer
	Recovery *recovery.Recovery
	Indexer  *indexer.Indexer
	Throttle *throttle.RereadBackoff
	Peers    *peer.Coordinator
	Fresh    *freshness.Freshness
	Patience time.Duration // how long Sync waits for another process that indexes; 0: to its end
	Guard    *panics.Guard
	Log      *slog.Logger
}

// Syncer brings folders up to date. Its methods may be called from several goroutines at once.
type Syncer struct {
	Dependencies
	comparing *semaphore.Weighted // of one: for questions, one folder of another process is compared at a time
}

// New returns a Syncer with its parts, all of which are needed.
func New(p Dependencies) *Syncer {
	return &Syncer{Dependencies: p, comparing: semaphore.NewWeighted(1)}
}
