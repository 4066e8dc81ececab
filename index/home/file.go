package home

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vademecum/docs"
	"vademecum/embed"
	"vademecum/index/catalog"
	"vademecum/index/catalog/sqlite"
	"vademecum/index/lease"
	"vademecum/index/memindex"
	"vademecum/index/roots"
)

// Files are the homes of folders in SQLite files on this machine, with locks beside
// them that decide about the duties.
type Files struct {
	Paths     []string      // one for each folder; empty: in the user's cache folder
	Generated bool          // what machines made is indexed too: such an index has another file there
	Model     string        // the duty to embed is one for each
	Patience  time.Duration // for how long others are waited for, 0 for ever
}

var _ roots.Homes = Files{}

// Of is the file of a folder.
func (all Files) Of(f *docs.Folder, number int) (roots.Home, error) {
	at := sqlite.Place{Folder: f.Real(), Patience: all.Patience}
	if len(all.Paths) == 0 {
		at.Own = true
		at.File, at.None = sqlite.DefaultFile(f.Real(), all.Generated, memindex.SnapshotSuffix)
		return inFile(at, all.Model), nil
	}
	if number >= len(all.Paths) {
		return nil, fmt.Errorf("%d index files given: give one for each folder", len(all.Paths))
	}
	var err error
	at.File, err = filepath.Abs(all.Paths[number])
	return inFile(at, all.Model), err
}

// Close does nothing: each catalogue closes its file.
func (all Files) Close() error { return nil }

// File is the home of a folder in a SQLite file.
type File struct {
	Place               sqlite.Place
	indexing, embedding *lease.Lease
}

func inFile(at sqlite.Place, model string) *File {
	h := &File{Place: at, indexing: lease.New(at.File + ".lock")}
	h.Place.Overtaken = h.indexing.IsLost
	if h.embedding = h.indexing; embed.IsStored(model) { // else vectors are made by who needs them
		sum := sha256.Sum256([]byte(model))
		h.embedding = lease.New(at.File + "." + hex.EncodeToString(sum[:4]) + ".lock")
	}
	return h
}

// Name is the path of the file.
func (h *File) Name() string { return h.Place.File }

// Short is the name of the file.
func (h *File) Short() string { return filepath.Base(h.Place.File) }

// File is its path.
func (h *File) File() string { return h.Place.File }

// IsShared is false: it is on this machine.
func (h *File) IsShared() bool { return false }

// NoPlace is why there is none.
func (h *File) NoPlace() error { return h.Place.None }

// Refusal is "": what a disk does not take is kept in memory.
func (h *File) Refusal() string { return "" }

// Indexing is the duty to keep the index up to date.
func (h *File) Indexing() roots.Duty { return h.indexing }

// Embedding is the duty to embed with the model in use.
func (h *File) Embedding() roots.Duty { return h.embedding }

func opened(c *sqlite.Catalog, err error) (roots.Opened, error) {
	if err != nil {
		return roots.Opened{}, err
	}
	return roots.Opened{Catalog: c, Before: c.Before, Rebuilt: c.Rebuilt}, nil
}

// Open opens the file or makes it.
func (h *File) Open(ctx context.Context, model string) (roots.Opened, error) {
	return opened(sqlite.Open(ctx, h.Place, model))
}

// Renew moves a damaged file away and makes another, with the vectors that can still
// be read.
func (h *File) Renew(ctx context.Context, model string, damaged catalog.Catalog, _ bool) (roots.Opened, error) {
	old, ok := damaged.(*sqlite.Catalog)
	if !ok {
		return roots.Opened{}, fmt.Errorf("%s: %w", h.Place.File, catalog.ErrDamaged)
	}
	return opened(sqlite.Renew(ctx, h.Place, model, old))
}

// InMemory opens a catalogue in memory, with the vectors of the file.
func (h *File) InMemory(ctx context.Context, model string, why error) (roots.Opened, error) {
	return opened(sqlite.OpenInMemory(ctx, h.Place, model, why))
}

// Look opens the file without changing it.
func (h *File) Look(ctx context.Context) (roots.Seen, error) {
	info, err := os.Stat(h.Place.File)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return roots.Seen{}, fmt.Errorf("index file %s: it is not a regular file", h.Place.File)
	case errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0:
		return roots.Seen{}, nil
	}
	c, err := sqlite.LookAt(ctx, h.Place)
	switch {
	case info != nil && errors.Is(err, catalog.ErrDamaged):
		return roots.Seen{Bytes: info.Size(), Damaged: err}, nil
	case err != nil || c == nil:
		return roots.Seen{}, err
	}
	return roots.Seen{Catalog: c, Bytes: c.Size()}, nil
}

// Tidy removes files of older formats.
func (h *File) Tidy() {
	if h.Place.Own && h.Place.None == nil {
		sqlite.RemoveOldFormats(h.Place.File, time.Now())
	}
}

// Restore does nothing: all is in the file.
func (h *File) Restore(context.Context, bool) ([]string, error) { return nil, nil }

// Slowness is 0: a slow disk is told of otherwise.
func (h *File) Slowness() time.Duration { return 0 }
