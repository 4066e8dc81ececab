// Package searcher finds chunks in a PostgreSQL database: a server holds the documents of its
// libraries in memory, but not their chunks, postings or vectors. For each query it reads the
// postings of the terms, builds a small index of them, and ranks as in memory; then it reads the
// chunks that may be shown.
package searcher

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"vademecum/embed"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres"
	"vademecum/index/store/postgres/db"
	"vademecum/internal/base/script"
)

// Searcher finds the chunks of the documents in a Store, which are in a single database.
type Searcher struct {
	store     *live.Store
	turns     chan struct{} // holds an element for each query being answered
	table     slotTable
	refusals  *live.Refusals[rank.Slot]
	openLists *openCatalogs
	followedVectors
}

var _ live.ChunkIndex = (*Searcher)(nil)

// New returns a Store for folderCount folders whose chunks are in a single database, and a Searcher
// for them. RegisterCatalog must be called with the catalogues of the folders. The Searcher answers at
// most maxConcurrentQueries at a time: each needs some memory, and more of them than processors
// would not be answered sooner.
func New(folderCount int, embedder embed.Embedder, maxConcurrentQueries int) (*live.Store, *Searcher) {
	s := &Searcher{
		turns: make(chan struct{}, max(1, maxConcurrentQueries)), refusals: new(live.Refusals[rank.Slot]),
		openLists: &openCatalogs{folders: make([][]*postgres.Catalog, folderCount)}, followedVectors: newFollowedVectors(),
	}
	return live.New(folderCount, embedder, func(st *live.Store) live.ChunkIndex { s.store = st; return s }), s
}

// NewForStore implements live.ChunkIndex.
func (s *Searcher) NewForStore(st *live.Store) (of live.ChunkIndex, takeOver func()) {
	fresh := &Searcher{store: st, turns: s.turns, refusals: s.refusals, openLists: s.openLists, followedVectors: newFollowedVectors()}
	return fresh, func() { s.followedVectors = fresh.followedVectors }
}

// openCatalogs holds the opened catalogues of each folder, beginning with the one in use.
type openCatalogs struct {
	mu      sync.Mutex
	folders [][]*postgres.Catalog
}

// RegisterCatalog registers the catalogue of a folder in the database, before it is given to the
// Store. From then on the catalogue lists documents without chunks.
func (s *Searcher) RegisterCatalog(folder int, c *postgres.Catalog) {
	c.OmitChunksWhenListing()
	o := s.openLists
	o.mu.Lock()
	defer o.mu.Unlock()
	o.folders[folder] = append(o.folders[folder], c)
}

// catalogOf returns the catalogue of a follower. It returns an error if that was not registered.
func (o *openCatalogs) catalogOf(f *live.Follower) (*postgres.Catalog, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for folder, all := range o.folders {
		for i, c := range all {
			if f.Catalog == catalog.Catalog(c) {
				o.folders[folder] = all[i:]
				return c, nil
			}
		}
	}
	return nil, errElsewhere
}

// folderLibrary is a folder and its catalogue.
type folderLibrary struct {
	*postgres.Catalog
	folder   int
	follower *live.Follower
}

// errElsewhere means that a catalogue is not in the database.
var errElsewhere = errors.New("the index of a folder is not in the database")

// libraryOf returns the library of a loaded folder.
func (s *Searcher) libraryOf(folder int, f *live.Follower) (folderLibrary, error) {
	c, err := s.openLists.catalogOf(f)
	return folderLibrary{Catalog: c, folder: folder, follower: f}, err
}

// loadedLibraries returns the library of each folder that has been loaded into the store.
func (s *Searcher) loadedLibraries() (all []folderLibrary, err error) {
	for folder, f := range s.store.Followers() {
		if f == nil {
			continue
		}
		l, err := s.libraryOf(folder, f)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// tries is how many times a query is tried at most because documents have changed since the store
// last followed changes; followLimit is how long it waits for the store to follow them each time.
const (
	tries       = 3
	followLimit = time.Second
)

// View implements search.Searcher.
func (s *Searcher) View(ctx context.Context, f func(context.Context, search.View) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := s.askInTurn(ctx, func(ctx context.Context, v *view) error { return f(ctx, v) })
	if err != nil {
		return fmt.Errorf("ask the database: %w", err)
	}
	return nil
}

// askInTurn calls f with a snapshot when it is this query's turn. A document that was replaced
// between the last poll for changes and the snapshot has other chunks in the snapshot than in the
// store, and would not be found: in that case the store follows the changes, and the query is tried
// again. Changes that cannot be followed in time do not delay the query.
func (s *Searcher) askInTurn(ctx context.Context, f func(context.Context, *view) error) error {
	libraries, err := s.loadedLibraries()
	if err != nil || len(libraries) == 0 {
		return err
	}
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for try := 1; ; try++ {
		var late []int
		err := libraries[0].Database().WithSnapshot(ctx, func(ctx context.Context, m *db.Snapshot) (err error) {
			v := &view{Searcher: s, snapshot: m, Documents: s.store, libraries: libraries, known: make(map[string]bool)}
			if late, err = v.prepare(ctx); err != nil || len(late) > 0 && try < tries {
				return err
			}
			late = nil
			return f(ctx, v)
		})
		if err != nil || len(late) == 0 {
			return err
		}
		if !s.followFolders(ctx, late) {
			try = tries
		}
	}
}

// followFolders makes the store follow the changes of the folders, and reports whether that
// succeeded.
func (s *Searcher) followFolders(ctx context.Context, folders []int) bool {
	ctx, cancel := context.WithTimeout(ctx, followLimit)
	defer cancel()
	for _, folder := range folders {
		if _, err := s.store.Follow(ctx, folder); err != nil {
			return false
		}
	}
	return true
}

// CountLanguages implements search.View.
func (v *view) CountLanguages(ctx context.Context) (map[string]int, error) {
	byCode := make(map[string]int)
	for _, l := range v.libraries {
		var first []uint32
		for _, d := range v.documents.folders[l.folder] {
			first = append(first, d.SlotRange.First)
		}
		err := l.CountLanguages(ctx, v.snapshot, first, func(l script.Language, n int) { byCode[l.Code()] += n })
		if err != nil {
			return nil, err
		}
	}
	return byCode, nil
}
