// Package index keeps folders of documents searchable: it brings their catalogues
// up to date with the files, alone or with other processes on the same folders, has
// passages embedded, and answers questions with passages. What is on the disk is of
// catalog, what is in memory of live, what is told to people of say.
package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"vademecum/docs"
	"vademecum/embed"
	"vademecum/index/catalog"
	"vademecum/index/catalog/sqlite"
	"vademecum/index/lease"
	"vademecum/index/live"
	"vademecum/index/search"
	"vademecum/internal/panics"
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
	folders  []folder
	embedder embed.Embedder
	host     string // that texts are sent to, "" for none
	patience time.Duration
	log      *slog.Logger
	store    *live.Store
	searcher search.Searcher // the same, for questions
	progress *progress
	loaded   chan struct{} // closed when Load is through
	loadErr  error         // why it failed; to be read after loaded is closed
	syncing  chan struct{} // holds one token: whoever has it may sync

	syncSaved time.Time                 // when the time of a scan was saved last; for who may sync
	scanned   atomic.Pointer[time.Time] // when the last complete scan began
	pace      pace

	large sync.Mutex // held while a large file is indexed

	comparing chan struct{} // holds one token: whoever has it may compare a folder of another process for a question

	adding chan struct{} // holds one token: whoever has it may add texts

	apart    *apart    // files that are read beside the runs
	restless *restless // those that change all the time

	kept atomic.Bool  // a Run is under way
	lost atomic.Int64 // how often an index was lost and built again

	panics   sync.Map     // what was told of panics
	reloaded atomic.Int64 // nanoseconds since 1970: when it was tried last after a panic

	embedding sync.Mutex    // held by the pass that embeds
	bare      chan struct{} // holds a token when there may be something to embed
	answers   chan struct{} // holds a token when the model has answered
}

// folder is one root with its place in the index.
type folder struct {
	*docs.Folder
	prefix string       // of display paths: "" with one folder, else "name/"
	index  sqlite.Place // of the catalogue

	indexing  *lease.Lease // the duty to keep the index up to date
	embedding *lease.Lease // the duty to embed with the model in use
}

// New opens the folders. It reads nothing yet: see Load and Run.
func New(o Options) (*Index, error) {
	if len(o.Folders) == 0 {
		return nil, errors.New("no folder given")
	}
	if len(o.Files) > 0 && len(o.Files) != len(o.Folders) {
		return nil, fmt.Errorf("%d index files given for %d folders: give one for each", len(o.Files), len(o.Folders))
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	ix := &Index{
		embedder:  o.Embedder,
		host:      o.Host,
		patience:  o.Patience,
		log:       o.Logger,
		store:     live.NewStore(len(o.Folders), embed.IsBuiltin(o.Embedder.Model())),
		progress:  newProgress(len(o.Folders)),
		loaded:    make(chan struct{}),
		syncing:   make(chan struct{}, 1),
		adding:    make(chan struct{}, 1),
		comparing: make(chan struct{}, 1),
		bare:      make(chan struct{}, 1),
		answers:   make(chan struct{}, 1),
	}
	ix.apart, ix.restless = newApart(ix), newRestless()
	for i, dir := range o.Folders {
		f, err := docs.Open(dir)
		if err != nil {
			return nil, errors.Join(err, ix.closeFolders())
		}
		ix.folders = append(ix.folders, folder{Folder: f, index: sqlite.Place{Folder: f.Real(), Patience: o.Patience}})
		at := &ix.folders[i].index
		if len(o.Files) > 0 {
			at.File, err = filepath.Abs(o.Files[i])
		} else {
			at.Own = true
			at.File, at.None = sqlite.DefaultFile(f.Real(), live.SnapshotSuffix)
		}
		if err != nil {
			return nil, errors.Join(err, ix.closeFolders())
		}
	}
	ix.searcher = ix.store
	ix.leaveOutIndexes()
	if err := ix.checkDistinct(); err != nil {
		return nil, errors.Join(err, ix.closeFolders())
	}
	ix.name()
	ix.takeLeases()
	return ix, nil
}

// leaveOutIndexes keeps the files of the indexes from being opened as documents,
// in whichever of the folders they lie.
func (ix *Index) leaveOutIndexes() {
	var files []string
	for _, f := range ix.folders {
		if f.index.File != "" {
			files = append(files, f.index.File)
		}
	}
	for _, f := range ix.folders {
		f.LeaveOut(files)
	}
}

// checkDistinct refuses a folder given twice or lying in another: each file
// would be found twice.
func (ix *Index) checkDistinct() error {
	for i, a := range ix.folders {
		for j, b := range ix.folders {
			switch {
			case i == j || !a.Contains(b.Folder):
			case !b.Contains(a.Folder):
				return fmt.Errorf("folder %s lies in %s: give only the outer one", b.Dir(), a.Dir())
			case a.Dir() != b.Dir():
				return fmt.Errorf("folder %s is given twice: %s is the same", a.Dir(), b.Dir())
			default:
				return fmt.Errorf("folder %s is given twice", a.Dir())
			}
		}
	}
	return nil
}

// name gives each of several folders the shortest end of its path that tells
// it from the others.
func (ix *Index) name() {
	if len(ix.folders) == 1 {
		return
	}
	for i := range ix.folders {
		for length := 1; ; length++ {
			ix.folders[i].prefix = pathEnd(ix.folders[i].Dir(), length) + "/"
			if ix.isDistinct(i, length) {
				break
			}
		}
	}
}

func (ix *Index) isDistinct(i, length int) bool {
	end := pathEnd(ix.folders[i].Dir(), length)
	for j := range ix.folders {
		if j != i && pathEnd(ix.folders[j].Dir(), length) == end {
			return false
		}
	}
	return true
}

func pathEnd(dir string, length int) string {
	parts := strings.Split(strings.Trim(filepath.ToSlash(dir), "/"), "/")
	return strings.Join(parts[max(0, len(parts)-length):], "/")
}

// Load opens the catalogues and brings them into memory. What they hold can
// be searched when it returns. It is called once.
func (ix *Index) Load(ctx context.Context) error {
	defer close(ix.loaded)
	ix.loadErr = ix.guard("load the index", func() error { return ix.load(ctx) })
	return ix.loadErr
}

// waitLoaded blocks until Load is through, and returns its error, or that of ctx.
// Before that nothing can be said of what the documents hold.
func (ix *Index) waitLoaded(ctx context.Context) error {
	select {
	case <-ix.loaded:
		return ix.loadErr
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (ix *Index) load(ctx context.Context) error {
	for i := range ix.folders {
		if err := ix.loadFolder(ctx, i); err != nil {
			return err
		}
	}
	ix.progress.load()
	return nil
}

// loadFolder loads one catalogue. Damage may show only when it is read. One that
// causes a panic is as good as damaged.
func (ix *Index) loadFolder(ctx context.Context, folder int) error {
	c, err := ix.open(ctx, folder)
	if err != nil {
		return err
	}
	err = ix.guard("load the index of a folder", func() error { return ix.loadCatalogue(ctx, folder, c) })
	if errors.Is(err, catalog.ErrDamaged) || panics.Is(err) && !c.IsUnsaved() {
		_ = c.Close() // it cannot tidy up what is damaged
		ix.store.Unload(folder)
		if err := ix.reload(ctx); err != nil {
			return err
		}
		if c, err = ix.renew(ctx, folder, c); err != nil {
			return err
		}
		err = ix.loadCatalogue(ctx, folder, c)
	}
	if errors.Is(err, catalog.ErrRefused) && !c.IsUnsaved() {
		if c, err = ix.loadInMemory(ctx, folder, c, err); err == nil {
			err = ix.loadCatalogue(ctx, folder, c)
		}
	}
	if err != nil {
		return err
	}
	if err := ix.tellHost(ctx, folder, c); err != nil {
		salvaged, failed := ix.salvage(ctx) // nothing else is under way yet
		if !salvaged {
			return errors.Join(err, failed)
		}
	}
	if c.Before != "" && !ix.store.Builtin {
		ix.log.Warn("another embedding model than before: passages are found by words until they have its vectors",
			"folder", ix.folders[folder].Dir(), "before", c.Before, "now", ix.embedder.Model())
	}
	if c.Rebuilt != "" {
		ix.log.Warn("the index is built again", "folder", ix.folders[folder].Dir(), "reason", c.Rebuilt)
	}
	return nil
}

func (ix *Index) loadCatalogue(ctx context.Context, folder int, c *sqlite.Catalog) error {
	_, err := ix.store.Load(ctx, folder, c)
	return err
}

// loadInMemory opens a catalogue in memory in the place of one that could not be
// loaded as the disk takes nothing.
func (ix *Index) loadInMemory(ctx context.Context, folder int, refused *sqlite.Catalog, why error) (*sqlite.Catalog, error) {
	_ = refused.Close() // it cannot tidy up where nothing can be written
	ix.store.Unload(folder)
	return ix.inMemory(ctx, folder, why)
}

// Close releases the folders and files. No other method may be running.
func (ix *Index) Close() error {
	ix.apart.close()
	return errors.Join(ix.store.Close(), ix.releaseLeases(), ix.closeFolders())
}

func (ix *Index) closeFolders() error {
	var errs []error
	for _, f := range ix.folders {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// NoPlace returns why there is no place on the disk for the index of a folder,
// which is kept in memory then: no file was named, and the user has no cache
// folder. It is nil when there is one.
func (ix *Index) NoPlace() error {
	for _, f := range ix.folders {
		if f.index.None != nil {
			return fmt.Errorf("there is no place for the index, %w: name a file for it with --index", f.index.None)
		}
	}
	return nil
}

// Unsaved returns why the index of a folder is in memory only, now that it is
// loaded. It is nil when all are on the disk.
func (ix *Index) Unsaved() error {
	for i, f := range ix.folders {
		if c := ix.store.Follower(i); c != nil && c.IsUnsaved() {
			return fmt.Errorf("the index of %s is not saved: %w", f.Dir(), onDisk(c).Reason())
		}
	}
	return nil
}

// Folders lists the absolute paths of the folders, as they were given.
func (ix *Index) Folders() []string {
	var dirs []string
	for _, f := range ix.folders {
		dirs = append(dirs, f.Dir())
	}
	return dirs
}

// workers is how many documents are prepared at once.
func workers() int { return max(2, runtime.GOMAXPROCS(0)) }
