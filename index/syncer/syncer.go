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

// Dependencies are the dependencies of a Syncer.
type Dependencies struct {
	Folders  roots.Set
	Store    *live.Store
	Comparer *compare.Comparer
	Recovery *recovery.Recovery
	Indexer  *indexer.Indexer
	Throttle *throttle.RereadBackoff
	Peers    *peer.Coordinator
	Fresh    *freshness.Freshness
	// how long Sync waits for another process that indexes; 0 means until it has finished
	WaitTimeout time.Duration
	Guard       *panics.Guard
	Log         *slog.Logger
}

// Syncer brings folders up to date. Its methods may be called from several goroutines at once.
type Syncer struct {
	Dependencies
	// of weight 1: for queries, one folder of another process is compared at a time
	comparing *semaphore.Weighted
}

// New returns a Syncer with the given dependencies, all of which are required.
func New(p Dependencies) *Syncer {
	return &Syncer{Dependencies: p, comparing: semaphore.NewWeighted(1)}
}
