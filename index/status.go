package index

import (
	"context"
	"fmt"
	"time"
)

// Status tells what an Index holds.
type Status struct {
	Folders   []FolderStatus `json:"folders"`
	Documents int            `json:"documents"` // searchable
	Chunks    int            `json:"passages"`
	Bare      int            `json:"passages_without_vector"`
	Model     string         `json:"model"`
	Skipped   []Skip         `json:"skipped"`
}

// FolderStatus tells of one folder.
type FolderStatus struct {
	Folder string    `json:"folder"`
	File   string    `json:"index"`
	Bytes  int64     `json:"index_bytes"`
	Synced time.Time `json:"last_scan,omitzero"` // end of the last complete scan by any process; zero: never
}

// Status reads what the catalogues say now.
func (ix *Index) Status(ctx context.Context) (Status, error) {
	s := Status{Model: ix.embedder.Model(), Skipped: []Skip{}}
	s.Documents, s.Chunks, s.Bare = ix.store.totals()
	for _, d := range ix.Documents() {
		if d.Skip != "" {
			s.Skipped = append(s.Skipped, Skip{Path: d.Path, Reason: d.Skip})
		}
	}
	for i, f := range ix.folders {
		synced, err := ix.store.catalogues[i].synced(ctx)
		if err != nil {
			return Status{}, fmt.Errorf("read %s: %w", f.file, err)
		}
		s.Folders = append(s.Folders, FolderStatus{Folder: f.Dir(), File: f.file, Bytes: ix.store.catalogues[i].size(), Synced: synced})
	}
	return s, nil
}
