// Package syncer brings folders up to date through the process that indexes them: this one, or
// another one to which it sends a request.
package sync

import (
	"log/slog"
	"time"

	"golang.org/x/sync/semaphore"

	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/roots"
	"vademecum/internal/base/panics"
)

// SyncerDependencies are the dependencies of a Syncer.
type SyncerDependencies struct {
	Folders  roots.Set
	Store    *live.Store
	Comparer *Comparer
	Recovery *Recovery
	Indexer  *Indexer
	Throttle *RereadBackoff
	Peers    *Coordinator
	Fresh    *freshness.Freshness
	// how long Sync waits for another process that indexes; 0 means until it has finished
	WaitTimeout time.Duration
	Guard       *panics.Guard
	Log         *slog.Logger
}

// Syncer brings folders up to date. Its methods may be called from several goroutines at once.
type Syncer struct {
	SyncerDependencies
	// of weight 1: for queries, one folder of another process is compared at a time
	comparing *semaphore.Weighted
}

// NewSyncer returns a Syncer with the given dependencies, all of which are required.
func NewSyncer(p SyncerDependencies) *Syncer {
	return &Syncer{SyncerDependencies: p, comparing: semaphore.NewWeighted(1)}
}
