package sync

import (
	"cmp"
	"slices"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/progress"
)

// State returns what the index is doing now. It does not wait for the file systems of folders.
func (s *Syncer) State() progress.State { return s.withStorages(s.Fresh.Current().State) }

// withStorages returns a published state, completed by the current states of the folders and their storages.
func (s *Syncer) withStorages(now progress.State) progress.State {
	for _, f := range s.Folders {
		stored := f.Storage.State()
		now.WriteRefusal = cmp.Or(now.WriteRefusal, stored.WriteRefusal)
		now.IsFolderMissing = now.IsFolderMissing || f.MissingError() != nil
		now.DatabaseLatency = max(now.DatabaseLatency, stored.MinLatency)
	}
	return now
}

// Freshness returns how far the index is behind: the published Snapshot, completed by the current states of
// the folders, their storages and the documents.
func (s *Syncer) Freshness() freshness.Snapshot {
	now := s.Fresh.Current()
	now.State, now.Folders = s.withStorages(now.State), slices.Clone(now.Folders)
	for i, f := range s.Folders {
		counts := s.Store.CountFolder(i)
		at := freshness.FolderObservation{
			Dir: f.Dir(), RealPath: f.RealPath(), StorageName: f.Storage.Describe().ShortName, MissingError: f.MissingError(), UnresponsiveFor: f.UnresponsiveFor(),
			Documents: counts.Documents, UnrecognisedPages: counts.UnrecognisedPages,
		}
		if at.UnresponsiveFor == 0 && at.MissingError == nil {
			at.MovedMessage = f.PathMovedNote()
		}
		if c := s.Store.Follower(i); c != nil && !c.Describe().IsUnsaved() {
			at.IsIndexPersistent, at.IndexerUnresponsiveFor = true, f.Storage.IndexingLease().HolderUnresponsiveFor()
		}
		now.Folders[i].FolderObservation = at
	}
	if !s.Store.ModelProperties.IsCheapToCompute {
		now.Chunks, now.UnembeddedChunks = s.Store.CountChunks()
		now.HasPendingChunks = now.UnembeddedChunks > 0 && s.Store.HasPendingChunks(func(int) bool { return true })
	}
	if now.ThrottledFiles = s.RereadBackoff.ThrottledFiles(time.Now()); len(now.ThrottledFiles) > 0 {
		now.FirstThrottledFile = s.Folders.ShownPath(now.ThrottledFiles[0])
	}
	return now
}
