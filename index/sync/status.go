package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
	"vademecum/internal/base/panics"
)

// RerankHostKey is the key, among the values of a folder, of the remote host of the reranker that
// receives its passages.
const RerankHostKey = "rerank host"

// FolderStatus is the status of one folder.
type FolderStatus struct {
	Folder        string          `json:"folder"`           // path of the folder
	IndexLocation string          `json:"index"`            // path of its index, or the name of its library in a database
	IsShared      bool            `json:"shared,omitempty"` // the index is stored in a database, not in a file
	Bytes         int64           `json:"index_bytes"`      // size of the index on disk; 0 if there is none
	Model         string          `json:"model,omitempty"`
	ModelHost     string          `json:"text_sent_to,omitempty"`     // remote host of the model; "" if it is local
	RerankHost    string          `json:"passages_sent_to,omitempty"` // remote host of the reranker that a process used last; "" if there is none
	ModelFailure  message.Message `json:"model_failure,omitempty"`    // why passages have no vector, if known
	LastScan      time.Time       `json:"last_scan,omitzero"`         // end of the last complete scan of the folder; zero if there was none

	ExcludedFolders     []string      `json:"left_out_by_name,omitempty"` // subfolders that are not indexed because other programs fill folders of that name, as shown to users
	UnreadFiles         int           `json:"files_to_read,omitempty"`    // number of files that have not been read yet
	PassagesToEmbed     int           `json:"passages_to_embed,omitempty"`
	EmbedTimePerPassage time.Duration `json:"-"` // time the model took for the last passage; 0 if unknown

	Damage           message.Message `json:"damage,omitempty"`                // why the index cannot be read; the next command that updates it rebuilds it
	Failure          message.Message `json:"failure,omitempty"`               // why the last run failed; "" if it succeeded
	MismatchReason   message.Message `json:"unlike,omitempty"`                // why the folder is not indexed: its files are not those of the library
	UncomparedReason message.Message `json:"not_compared,omitempty"`          // why the folder could not be compared with the library
	SnapshotFailure  message.Message `json:"snapshot_failure,omitempty"`      // why the last snapshot was not saved, so that starts are slow
	IsVectorIndexDue bool            `json:"vectors_without_index,omitempty"` // there are many vectors without a vector index, so that queries are slow; the operator must build it

	Indexer *progress.Indexer `json:"indexer"` // the process that keeps the index up to date; nil if there is none
}

// ReadStatus loads the index of a folder, if it can be read, and returns the status of the folder.
func (s *Syncer) ReadStatus(ctx context.Context, folder int) (FolderStatus, error) {
	f := s.Folders[folder]
	one := FolderStatus{Folder: f.Dir(), IndexLocation: f.Storage.Describe().Name, IsShared: f.Storage.Describe().IsShared}
	seen, err := f.Storage.OpenReadOnly(ctx)
	if err == nil && seen.Catalog != nil {
		told := one
		err = s.Guard.Catch("look at the index of a folder", func() error {
			followed, err := s.Store.LoadReadOnly(ctx, folder, seen.Catalog)
			if err == nil && f.IsRemote() {
				err = s.agreeOnPath(ctx, folder, seen.Catalog)
			}
			if err == nil {
				one.Folder = f.Dir() // its path may be known now
				told, err = s.describeFolder(ctx, folder, followed, one)
			}
			return err
		})
		if err == nil {
			told.Bytes = seen.Bytes
			return told, nil
		}
		s.Store.Unload(folder)
		_ = seen.Close() // nothing was written
		if errors.Is(err, catalog.ErrDamaged) || panics.Is(err) {
			seen.Damage, err = err, nil
		}
	}
	if seen.Damage != nil {
		one.Bytes, one.Damage = seen.Bytes, message.FromError(seen.Damage)
	}
	return one, err
}

// DescribeFolder returns the status of a folder that is kept up to date. If it is not loaded yet, the status
// only has its location.
func (s *Syncer) DescribeFolder(ctx context.Context, folder int) (FolderStatus, error) {
	f := s.Folders[folder]
	one := FolderStatus{Folder: f.Dir(), IndexLocation: f.Storage.Describe().Name, IsShared: f.Storage.Describe().IsShared}
	c := s.Store.Follower(folder)
	if c == nil {
		return one, nil
	}
	if n := s.FreshnessPublisher.Current().Folders[folder].MismatchNote; n != nil {
		one.MismatchReason = n.Message()
	}
	one.Bytes = f.Storage.SizeOnDisk()
	return s.describeFolder(ctx, folder, c, one)
}

// describeFolder reports the status of a folder from its catalogue.
func (s *Syncer) describeFolder(ctx context.Context, folder int, c *live.Follower, one FolderStatus) (FolderStatus, error) {
	failed := func(err error) (FolderStatus, error) { return one, fmt.Errorf("read %s: %w", one.IndexLocation, err) }
	var err error
	var failure, unsaved string
	for key, value := range map[string]*string{
		"model": &one.Model, c.Describe().ModelScopedKey(embedding.EmbedHostKey): &one.ModelHost, RerankHostKey: &one.RerankHost, progress.RunFailureKey: &failure, progress.SnapshotFailureKey: &unsaved,
	} {
		if *value, err = c.Value(ctx, key); err != nil {
			return failed(err)
		}
	}
	one.Failure, one.SnapshotFailure = message.Message(failure), message.Message(unsaved)
	if n, err := progress.EmbedderReportOf(ctx, c); err == nil && s.Store.CountMissingVectors(folder) > 0 {
		one.ModelFailure, one.EmbedTimePerPassage = message.Message(n.Failure), n.TimePerPassage
		all := s.Store.DocumentsToEmbed()
		pending := all[:0]
		for _, d := range all {
			if d.Folder == folder {
				pending = append(pending, d)
			}
		}
		one.PassagesToEmbed = s.Store.CountPendingChunks(pending)
	}
	if one.LastScan, err = progress.SyncedAt(ctx, c); err != nil {
		return failed(err)
	}
	if !s.Store.HasPendingChunks(func(i int) bool { return i == folder }) || one.ModelFailure != "" { // otherwise the pass builds the index at its end
		if one.IsVectorIndexDue, err = s.Store.IsVectorIndexDue(ctx, folder); err != nil {
			return failed(err)
		}
	}
	if s.Folders[folder].Storage.IndexingLease().IsHeldByAny(ctx) {
		n, err := progress.IndexerReportOf(ctx, c)
		if err != nil {
			return failed(err)
		}
		if n.Indexer.PID != 0 {
			one.Indexer = &n.Indexer
		}
	}
	return one, nil
}

// RecordMismatches compares folders with their libraries, and records in their statuses which do not match. It
// compares all folders concurrently, for at most QueryWaitTimeout.
func (s *Syncer) RecordMismatches(ctx context.Context, all []FolderStatus) {
	ctx, cancel := context.WithTimeout(ctx, QueryWaitTimeout)
	defer cancel()
	var group sync.WaitGroup
	for i, f := range s.Folders {
		if s.Store.Follower(i) == nil || !f.Storage.Describe().IsShared || f.IsRemote() {
			continue
		}
		group.Go(func() {
			err := s.Guard.Catch("compare the folder with its library", func() error {
				o, err := s.measureOverlap(ctx, i)
				if all[i].MismatchReason = ""; err == nil && o.isMismatch() {
					all[i].MismatchReason = s.mismatchNote(i, o).Message()
				}
				return err
			})
			switch {
			case errors.Is(err, context.DeadlineExceeded):
				all[i].UncomparedReason = message.New("the folder could not be compared with its library in time")
			case err != nil:
				all[i].UncomparedReason = message.FromError(err)
			}
		})
	}
	group.Wait()
}

// UnsavedReason returns why the index of a loaded folder exists only in memory; nil if all are on
// disk.
func (s *Syncer) UnsavedReason() error {
	for i, f := range s.Folders {
		if c := s.Store.Follower(i); c != nil && c.Describe().IsUnsaved() {
			return message.Errorf("the index of %s is not saved: %v", f.Dir(), c.Describe().UnsavedReason)
		}
	}
	return nil
}

// UnusedModels lists the models of loaded libraries whose vectors are not used, because the model in use
// computes its own at no cost, as the built-in one does.
func (s *Syncer) UnusedModels() (models []string) {
	for _, f := range s.FreshnessPublisher.Current().Folders {
		if f.UnusedModel != "" {
			models = append(models, f.UnusedModel)
		}
	}
	return models
}

// State returns what the index is doing now. It does not wait for the file systems of folders.
func (s *Syncer) State() progress.State { return s.withStorages(s.FreshnessPublisher.Current().State) }

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
	now := s.FreshnessPublisher.Current()
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
