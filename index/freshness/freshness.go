package freshness

import (
	"cmp"
	"context"
	"log/slog"
	"sync/atomic"

	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/search"
)

// Indexer brings the index of folders up to date.
type Indexer interface {
	// IsIndexer reports whether this process indexes a folder.
	IsIndexer(folder int) bool
	// Compare scans folders and indexes what has changed in them, or asks the processes that index
	// them to do so. The error is the reason why that may be incomplete; it matches
	// catalog.ErrLeaseLost if another process has taken over.
	Compare(ctx context.Context, folders []int) error
}

// Sources are the sources of Freshness besides its Tracker.
type Sources struct {
	Folders        roots.Set   // they report whether their drives respond
	Store          *live.Store // the indexed documents
	Indexer        Indexer
	ThrottledFiles func() []search.Location // files whose latest changes are not read yet, because they change all the time
	// HasPending reports whether there are chunks to embed, except in folders that another process
	// embeds.
	HasPending func() bool
	Log        *slog.Logger
}

// Freshness reports how up to date an index is, from the state in its Tracker.
type Freshness struct {
	*Tracker
	from    Sources
	scanned atomic.Pointer[scannedCount]
}

// New returns the Freshness of a Tracker and other sources.
func New(t *Tracker, from Sources) *Freshness { return &Freshness{Tracker: t, from: from} }

// State returns the current state of the index.
func (f *Freshness) State() progress.State {
	s := f.CombinedState()
	for _, folder := range f.from.Folders {
		now := folder.Storage.State()
		s.Refused = cmp.Or(s.Refused, now.WriteRefusal)
		s.Missing = s.Missing || folder.Missing() != nil
		s.DatabaseLatency = max(s.DatabaseLatency, now.Latency)
	}
	return s
}

// IsBehind reports whether the index is not, or may not be, up to date.
func (f *Freshness) IsBehind() bool {
	s := f.State()
	return s.IsBehind() || s.Failure != "" || s.Refused != "" || f.hasUnconfirmedSaves()
}

// MayMissDocuments reports whether some documents may not be indexed yet.
func (f *Freshness) MayMissDocuments() bool {
	if f.IsBehind() || len(f.from.ThrottledFiles()) > 0 {
		return true
	}
	for i := range f.from.Folders {
		if _, ok := f.silentIndexerNote(i); ok || f.Mismatch(i) != nil {
			return true
		}
	}
	return false
}

func (f *Freshness) hasUnconfirmedSaves() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.questions.hasUnconfirmed()
}

// IsLeftToOthers reports whether the content of a folder is left to other processes, because this process
// does not see its files, or sees different ones.
func (f *Freshness) IsLeftToOthers(folder int) bool {
	return f.from.Folders[folder].IsRemote() || f.Mismatch(folder) != nil
}

// WaitRun blocks until the folders have been compared with the index once and no run is in
// progress, or until something has failed. Files may still be read in the background.
func (f *Freshness) WaitRun(ctx context.Context) error {
	return f.Tracker.WaitState(ctx, func(s progress.State) bool {
		return s.Phase == progress.Failed || s.Failure != "" || !s.Synced.IsZero() && (s.Phase == progress.Ready || s.Background)
	})
}

// WaitReady blocks until the folders have been compared with the index once, no run is in progress
// and every chunk has its vector, or until something has failed.
func (f *Freshness) WaitReady(ctx context.Context) error {
	return f.Tracker.WaitState(ctx, func(s progress.State) bool {
		switch {
		case s.Phase == progress.Failed, s.Failure != "":
			return true
		case s.Phase != progress.Ready || s.IsBehind():
			return false
		}
		return s.EmbedFailure != "" || !s.EmbedDue && !f.from.HasPending()
	})
}
