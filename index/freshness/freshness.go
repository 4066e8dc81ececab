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
	// Compare scans folders and indexes what has changed in them, or asks the processes that
	// index them to do so. The error is why not all of it may be done; catalog.ErrOvertaken if
	// another process has taken over meanwhile.
	Compare(ctx context.Context, folders []int) error
}

// Sources are what Freshness queries besides the state in its Tracker.
type Sources struct {
	Folders roots.Set   // they know whether their drives answer
	Store   *live.Store // the indexed documents
	Indexer Indexer
	Late    func() []search.Location // files that have changed and are not read yet because they change all the time
	// HasPending reports whether chunks are to be embedded, except those of folders that another
	// process embeds.
	HasPending func() bool
	Log        *slog.Logger
}

// Freshness reports how up to date an index is, from the state in its Tracker.
type Freshness struct {
	*Tracker
	from    Sources
	scanned atomic.Pointer[scannedCount]
}

// New returns the Freshness of a Tracker and its sources.
func New(t *Tracker, from Sources) *Freshness { return &Freshness{Tracker: t, from: from} }

// State returns what the index is doing now.
func (f *Freshness) State() progress.State {
	s := f.CombinedState()
	for _, folder := range f.from.Folders {
		s.Refused = cmp.Or(s.Refused, folder.Storage.WriteRefusal())
		s.Missing = s.Missing || folder.Missing() != nil
		s.Slow = max(s.Slow, folder.Storage.Slowness())
	}
	return s
}

// IsBehind reports whether the index is not up to date now, or may not be.
func (f *Freshness) IsBehind() bool {
	s := f.State()
	return s.IsBehind() || s.Failure != "" || s.Refused != "" || f.hasUnconfirmedSaves()
}

// MayMissDocuments reports whether there may be documents that are not indexed yet.
func (f *Freshness) MayMissDocuments() bool {
	if f.IsBehind() || len(f.from.Late()) > 0 {
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

// IsAway reports whether the content of a folder is left to other processes: this one does not
// see the files, or sees others.
func (f *Freshness) IsAway(folder int) bool {
	return f.from.Folders[folder].IsRemote() || f.Mismatch(folder) != nil
}

// WaitRun blocks until the folders have been compared with the index once and no run is under
// way, or until something has failed. Files may still be read in the background.
func (f *Freshness) WaitRun(ctx context.Context) error {
	return f.Tracker.WaitState(ctx, func(s progress.State) bool {
		return s.Phase == progress.Failed || s.Failure != "" || !s.Synced.IsZero() && (s.Phase == progress.Ready || s.Background)
	})
}

// WaitReady blocks until the folders have been compared with the index once, no run is
// under way and every chunk has its vector, or until something has failed.
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
