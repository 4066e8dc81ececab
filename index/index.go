// Package index keeps folders of documents searchable: it brings their catalogues
// up to date with the files, alone or with other processes on the same folders, has
// passages embedded, and answers questions with passages. What is on the disk is of
// catalog, what is in memory of live, what is told to people of say.
package index

import (
	"log/slog"
	"time"

	"vademecum/index/roots"

	"vademecum/embed"
	"vademecum/index/live"
	"vademecum/index/search"
)

// Options say what an Index is made of.
type Options struct {
	Folders  []string       // at least one
	Files    []string       // where each folder's index is kept; empty: in the user's cache folder
	Embedder embed.Embedder // required
	Logger   *slog.Logger   // nil: slog.Default

	// Host is where the embedder sends texts, "" when they stay on this machine.
	Host string

	// Patience is how long Sync and Embed wait for another process that has
	// these duties, before they leave it at what there is; 0: to its end.
	Patience time.Duration
}

// Index is a searchable set of folders. Its methods may be called from
// several goroutines at once.
type Index struct {
	*Keeper
	searcher search.Searcher
}

// New opens the folders. It reads nothing yet: see Load and Run.
func New(o Options) (*Index, error) {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	folders, err := roots.Open(o.Folders, o.Files, o.Embedder.Model(), o.Patience)
	if err != nil {
		return nil, err
	}
	store := live.NewStore(len(folders), embed.IsBuiltin(o.Embedder.Model()))
	return &Index{
		Keeper:   newKeeper(folders, store, Model{o.Embedder, o.Host}, o.Patience, o.Logger),
		searcher: store,
	}, nil
}

// NoPlace returns why there is no place on the disk for the index of a folder,
// which is kept in memory then: no file was named, and the user has no cache
// folder. It is nil when there is one.
func (k *Keeper) NoPlace() error { return k.folders.NoPlace() }

// Folders lists the absolute paths of the folders, as they were given.
func (ix *Index) Folders() []string { return ix.folders.Dirs() }
