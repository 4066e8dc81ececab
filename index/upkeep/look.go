package upkeep

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/internal/panics"
)

// FolderStatus tells of one folder.
type FolderStatus struct {
	Folder string    `json:"folder"`
	File   string    `json:"index"`
	Shared bool      `json:"shared,omitempty"` // the index is in a database, not in a file
	Bytes  int64     `json:"index_bytes"`      // 0: there is no index on the disk
	Model  string    `json:"model,omitempty"`
	Host   string    `json:"text_sent_to,omitempty"`  // the remote host of the model
	Fault  string    `json:"model_failure,omitempty"` // why passages have no vector, as far as that is known
	Synced time.Time `json:"last_scan,omitzero"`      // end of the last complete scan; zero: never

	Damage          string `json:"damage,omitempty"`                // why the index cannot be read; the next command that brings it up to date builds it again
	Failure         string `json:"failure,omitempty"`               // why the last run failed, "" if it did not
	Unlike          string `json:"unlike,omitempty"`                // why the folder is not indexed: it has not the files of the library
	Uncompared      string `json:"not_compared,omitempty"`          // why that is not known
	SnapshotFailure string `json:"snapshot_failure,omitempty"`      // why no snapshot was saved last, so that starts are slow
	Unindexed       bool   `json:"vectors_without_index,omitempty"` // a question is compared with all vectors of the database, which are many, and that does not end by itself

	Indexer *progress.Indexer `json:"indexer"` // who keeps it up to date; nil: nobody
}

// LookAt brings the index of a folder into memory, as far as it can be
// read, and tells of it.
func (k *Keeper) LookAt(ctx context.Context, folder int) (FolderStatus, error) {
	f := k.folders[folder]
	one := FolderStatus{Folder: f.Dir(), File: f.Home.Name(), Shared: f.Home.IsShared()}
	seen, err := f.Home.Look(ctx)
	if err == nil && seen.Catalog != nil {
		told := one
		err = k.guard.Catch("look at the index of a folder", func() error {
			followed, err := k.store.Look(ctx, folder, seen.Catalog)
			if err == nil && f.IsAway() {
				err = k.comparer.AgreeOnPlace(ctx, folder, seen.Catalog)
			}
			if err == nil {
				one.Folder = f.Dir() // where it is may be known now
				told, err = k.describeFolder(ctx, folder, followed, one)
			}
			return err
		})
		if err == nil {
			told.Bytes = seen.Bytes
			return told, nil
		}
		k.store.Unload(folder)
		_ = seen.Close() // nothing was written
		if errors.Is(err, catalog.ErrDamaged) || panics.Is(err) {
			seen.Damaged, err = err, nil
		}
	}
	if seen.Damaged != nil {
		one.Bytes, one.Damage = seen.Bytes, seen.Damaged.Error()
	}
	return one, err
}

// Describe tells of a folder that is being kept up to date. Of one that is not loaded
// yet it says nothing but where it is.
func (k *Keeper) Describe(ctx context.Context, folder int) (FolderStatus, error) {
	f := k.folders[folder]
	one := FolderStatus{Folder: f.Dir(), File: f.Home.Name(), Shared: f.Home.IsShared()}
	c := k.store.Follower(folder)
	if c == nil {
		return one, nil
	}
	if n := k.fresh.Unlike(folder); n != nil {
		one.Unlike = n.String()
	}
	one.Bytes = f.Home.Bytes()
	return k.describeFolder(ctx, folder, c, one)
}

// describeFolder tells of a folder what its catalogue says.
func (k *Keeper) describeFolder(ctx context.Context, folder int, c *live.Follower, one FolderStatus) (FolderStatus, error) {
	failed := func(err error) (FolderStatus, error) { return one, fmt.Errorf("read %s: %w", one.File, err) }
	var err error
	for key, value := range map[string]*string{
		"model": &one.Model, c.Values().ModelKey(embedding.HostKey): &one.Host, progress.RunFailure: &one.Failure, progress.SnapshotFailure: &one.SnapshotFailure,
	} {
		if *value, err = c.Values().Get(ctx, key); err != nil {
			return failed(err)
		}
	}
	if n, err := progress.VectorNewsOf(ctx, c); err == nil && k.store.CountBare(folder) > 0 {
		one.Fault = n.Failure
	}
	if one.Synced, err = progress.SyncedAt(ctx, c); err != nil {
		return failed(err)
	}
	if !k.store.IsPending(folder) || one.Fault != "" { // else it is made at the end of the pass
		if one.Unindexed, err = k.store.IsUnindexed(ctx, folder); err != nil {
			return failed(err)
		}
	}
	if k.folders[folder].Home.Indexing().IsTaken(ctx) {
		n, err := progress.IndexerNewsOf(ctx, c)
		if err != nil {
			return failed(err)
		}
		if n.Indexer.PID != 0 {
			one.Indexer = &n.Indexer
		}
	}
	return one, nil
}

// LookAlike tells of folders that were looked at whether they have the files of their
// libraries. All are compared at once, in as much time as a question waits.
func (k *Keeper) LookAlike(ctx context.Context, all []FolderStatus) {
	ctx, cancel := context.WithTimeout(ctx, freshness.Patience)
	defer cancel()
	var group sync.WaitGroup
	for i, f := range k.folders {
		if k.store.Follower(i) == nil || !f.Home.IsShared() || f.IsAway() {
			continue
		}
		group.Go(func() {
			err := k.guard.Catch("compare the folder with its library", func() (err error) {
				all[i].Unlike, err = k.comparer.WhyUnlike(ctx, i)
				return err
			})
			switch {
			case errors.Is(err, context.DeadlineExceeded):
				all[i].Uncompared = "the folder could not be compared with its library in time"
			case err != nil:
				all[i].Uncompared = err.Error()
			}
		})
	}
	group.Wait()
}
