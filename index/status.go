package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
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
// loaded. Nothing is scanned, read or embedded.
func (ix *Index) Status(ctx context.Context) (Status, error) {
	if err := ix.NoPlace(); err != nil {
		return Status{}, err
	}
	s := Status{Skipped: []Skip{}}
	for i, f := range ix.folders {
		one := FolderStatus{Folder: f.Dir(), File: f.index.file}
		info, err := os.Stat(f.index.file)
		if err == nil && !info.Mode().IsRegular() {
			return Status{}, fmt.Errorf("index file %s: it is not a regular file", f.index.file)
		}
		if errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
			s.Folders = append(s.Folders, one)
			continue
		}
		c, err := openCatalogue(ctx, f.index, "")
		if err != nil {
			return Status{}, err
		}
		if err := ix.store.load(ctx, i, c); err != nil {
			return Status{}, err
		}
		for key, value := range map[string]*string{
			"model": &one.Model, hostKey(c.model): &one.Host, runFailure: &one.Failure, snapshotFailure: &one.SnapshotFailure,
		} {
			if *value, err = c.meta(ctx, key); err != nil {
				return Status{}, fmt.Errorf("read %s: %w", f.index.file, err)
			}
		}
		if n, err := c.vectorNews(ctx); err == nil && ix.store.countBare(i) > 0 {
			one.Fault = n.Failure
		}
		if one.Synced, err = c.synced(ctx); err != nil {
			return Status{}, fmt.Errorf("read %s: %w", f.index.file, err)
		}
		if one.Indexer, err = ix.indexer(ctx, i); err != nil {
			return Status{}, fmt.Errorf("read %s: %w", f.index.file, err)
		}
		one.Bytes = c.size()
		s.Folders = append(s.Folders, one)
	}
	s.Documents = ix.store.countDocuments()
	s.Chunks, s.Bare = ix.store.countChunks()
	s.Refused = ix.refused()
	for _, d := range ix.list(nil) {
		if d.Skip != "" {
			s.Skipped = append(s.Skipped, Skip{Path: d.Path, Reason: d.Skip})
		}
		if d.Note != "" {
			s.Partial = append(s.Partial, Skip{Path: d.Path, Reason: d.Note})
		}
		if d.Guessed {
			s.Guessed = append(s.Guessed, Guess{Path: d.Path, Encoding: d.Encoding})
		}
	}
	return s, nil
}

// indexer names the process that keeps a folder up to date, if there is one.
func (ix *Index) indexer(ctx context.Context, folder int) (*Indexer, error) {
	if ix.leads(folder) { // nobody else does
		return nil, ix.folders[folder].indexing.release()
	}
	n, err := ix.store.catalogue(folder).news(ctx)
	if err != nil || n.Indexer.PID == 0 {
		return nil, err
	}
	return &n.Indexer, nil
}
