package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"

	"vademecum/index/catalog"
	"vademecum/index/catalog/sqlite"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/say"
	"vademecum/index/search"
	"vademecum/internal/panics"
)

// Status tells what the indexes of folders hold.
type Status struct {
	Folders   []FolderStatus `json:"folders"`
	Documents int            `json:"documents"` // searchable
	Chunks    int            `json:"passages"`
	Bare      int            `json:"passages_without_vector"`
	Skipped   []Skip         `json:"skipped"`
	Guessed   []Guess        `json:"guessed_encodings,omitempty"`
	Refused   []Skip         `json:"refused_by_model,omitempty"` // passages, and why they have no vector
	Partial   []Skip         `json:"partly_read,omitempty"`      // documents of which something is missing, and why
}

// FolderStatus tells of one folder.
type FolderStatus struct {
	Folder string    `json:"folder"`
	File   string    `json:"index"`
	Bytes  int64     `json:"index_bytes"` // 0: there is no index yet
	Model  string    `json:"model,omitempty"`
	Host   string    `json:"text_sent_to,omitempty"`  // the remote host of the model
	Fault  string    `json:"model_failure,omitempty"` // why passages have no vector, as far as that is known
	Synced time.Time `json:"last_scan,omitzero"`      // end of the last complete scan; zero: never

	Damage          string `json:"damage,omitempty"`           // why the index cannot be read; the next command that brings it up to date builds it again
	Failure         string `json:"failure,omitempty"`          // why the last run failed, "" if it did not
	SnapshotFailure string `json:"snapshot_failure,omitempty"` // why no snapshot was saved last, so that starts are slow

	Indexer *Indexer `json:"indexer"` // who keeps it up to date; nil: nobody
}

// Guess is a text file whose encoding was guessed.
type Guess struct {
	Path     string `json:"path"`
	Encoding string `json:"encoding"`
}

// Status reads what the indexes on disk hold, for an Index that was not
// loaded. Nothing is scanned, read or embedded, and nothing on the disk is
// changed: damage is only told.
func (ix *Index) Status(ctx context.Context) (Status, error) {
	if err := ix.NoPlace(); err != nil {
		return Status{}, err
	}
	s := Status{Skipped: []Skip{}}
	for i := range ix.folders {
		one, err := ix.folderStatus(ctx, i)
		if err != nil {
			return Status{}, err
		}
		s.Folders = append(s.Folders, one)
	}
	s.Documents = ix.store.CountDocuments()
	s.Chunks, s.Bare = ix.store.CountChunks()
	s.Refused = ix.refused()
	for _, d := range ix.list(nil) {
		if d.Skip != "" {
			s.Skipped = append(s.Skipped, Skip{Path: d.Path, Reason: d.Skip})
		}
		if remarks := say.Remarks(d.Note, d.Every); remarks != "" {
			s.Partial = append(s.Partial, Skip{Path: d.Path, Reason: remarks})
		}
		if d.Guessed {
			s.Guessed = append(s.Guessed, Guess{Path: d.Path, Encoding: d.Encoding})
		}
	}
	return s, nil
}

// folderStatus brings the index of a folder into memory, as far as it can be
// read, and tells of it.
func (ix *Index) folderStatus(ctx context.Context, folder int) (FolderStatus, error) {
	f := ix.folders[folder]
	one := FolderStatus{Folder: f.Dir(), File: f.index.File}
	info, err := os.Stat(f.index.File)
	if err == nil && !info.Mode().IsRegular() {
		return one, fmt.Errorf("index file %s: it is not a regular file", f.index.File)
	}
	if errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
		return one, nil
	}
	c, err := sqlite.LookAt(ctx, f.index)
	if err == nil && c != nil {
		told := one
		err = ix.guard("look at the index of a folder", func() error {
			followed, err := ix.store.Look(ctx, folder, c)
			if err == nil {
				told, err = ix.describeFolder(ctx, folder, followed, one)
			}
			return err
		})
		if err == nil {
			return told, nil
		}
		ix.store.Unload(folder)
		_ = c.Close() // nothing was written
	}
	if info != nil && (errors.Is(err, catalog.ErrDamaged) || panics.Is(err)) {
		one.Bytes, one.Damage, err = info.Size(), err.Error(), nil
	}
	return one, err
}

// describeFolder tells of a folder what its catalogue says.
func (ix *Index) describeFolder(ctx context.Context, folder int, c *live.Follower, one FolderStatus) (FolderStatus, error) {
	failed := func(err error) (FolderStatus, error) { return one, fmt.Errorf("read %s: %w", c.File(), err) }
	var err error
	for key, value := range map[string]*string{
		"model": &one.Model, c.ModelKey(hostKey): &one.Host, runFailure: &one.Failure, snapshotFailure: &one.SnapshotFailure,
	} {
		if *value, err = c.Value(ctx, key); err != nil {
			return failed(err)
		}
	}
	if n, err := vectorNewsOf(ctx, c); err == nil && ix.store.CountBare(folder) > 0 {
		one.Fault = n.Failure
	}
	if one.Synced, err = syncedAt(ctx, c); err != nil {
		return failed(err)
	}
	if isTaken(ix.folders[folder].indexing.File) {
		n, err := newsOf(ctx, c)
		if err != nil {
			return failed(err)
		}
		if n.Indexer.PID != 0 {
			one.Indexer = &n.Indexer
		}
	}
	one.Bytes = onDisk(c).Size()
	return one, nil
}

// isTaken tells whether a process has the duty that the lock on a file stands
// for. A shared lock, which is given back at once, is no duty.
func isTaken(file string) bool {
	if _, err := os.Stat(file); err != nil {
		return false // nobody has ever had it
	}
	lock := flock.New(file)
	defer lock.Close()
	free, err := lock.TryRLock()
	return !free && err == nil
}

// refused lists the passages that the model refuses, and why.
func (ix *Index) refused() []Skip {
	var all []Skip
	for _, r := range ix.store.Refused() {
		all = append(all, Skip{Path: ix.linesOf(r.Chunk), Reason: r.Reason})
	}
	return all
}

// place says where the chunk at a slot stands, "" when it is gone.
func (ix *Index) place(s rank.Slot) string {
	if c, ok := ix.store.ChunkOf(s); ok {
		return ix.linesOf(c)
	}
	return ""
}

func (ix *Index) linesOf(c search.Chunk) string {
	return fmt.Sprintf("%s, lines %d-%d", ix.show(c.Document.At()), c.Span.StartLine, c.Span.EndLine)
}
