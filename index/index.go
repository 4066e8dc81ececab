package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"time"

	"vademecum/docs"
	"vademecum/docs/ocr"
	"vademecum/embed"
	"vademecum/index/engine"
	"vademecum/index/freshness"
	"vademecum/index/indexer"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/notice"
	"vademecum/index/postgres/searcher"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/storage"
	"vademecum/index/syncer"
)

// Options say what an Index is made of.
type Options struct {
	Folders  []string       // at least one, or Libraries
	Files    []string       // where each folder's index is kept; empty: in the user's cache folder
	Await    bool           // a folder may not be there yet: it is served as soon as it is
	Embedder embed.Embedder // required
	Logger   *slog.Logger   // nil: slog.Default

	// Store is the address of a database that keeps the index instead, for any number of
	// servers: see index/postgres. The folder's documents are a library there, which
	// has the name in Libraries, or else the path of the folder. Without Folders those
	// libraries are served whose files other machines see.
	Store     string
	InMemory  bool   // nothing is saved: for tests
	StoreRead string // address of a replica of it, which questions are asked of; "": of none
	Libraries []string

	// KeepModels leaves libraries in a database those of the model that they are indexed
	// with, when that is not the Embedder's: nobody has said that it should change.
	KeepModels bool

	// Reranker puts the best that is found for a question in order, if it answers within
	// RerankPatience, 0: that of the constant. nil: none does.
	Reranker       Reranker
	RerankPatience time.Duration

	// Names are what the folders are called in front of the paths of their documents, where
	// they are some of those of a server: see Index.Names of all of them. Else there are none.
	Names []string

	// Generated has files that machines made for machines indexed, too, which are
	// left out otherwise: see docs.Folder.IncludeGenerated. Such an index has another
	// file in the cache folder.
	Generated bool

	// Recogniser gives scanned pages their text; nil: they have none. See also Recognise.
	Recogniser *ocr.Recogniser

	// Patience is how long Sync and Embed wait for another process that has
	// these duties, before they leave it at what there is; 0: to its end.
	Patience time.Duration
}

// Index is a searchable set of folders. Its methods may be called from
// several goroutines at once.
type Index struct {
	folders     roots.Set
	isPart      bool // others see other folders, and what is called here by its path has it there
	storages    roots.Storages
	store       *live.Store
	sameNames   similarFoldersCache
	unreadNames unreadNames
	contents    untilChange[struct{}, Contents]
	trees       untilChange[string, Directory] // by the directory that is open
	tags        untilChange[struct{}, []TagCount]
	engine      *engine.Engine       // keeps it as the folders are
	fresh       *freshness.Freshness // how fresh that is
	texts       *engine.ClientTexts  // that clients sent
	pictures    *pictureCache
	reranking   *rerankClient // nil where no Reranker is named
	literals    scanSlot      // for texts and quotations that are looked for
	patterns    scanSlot      // for patterns
}

// New opens the folders. It reads nothing yet: see Load and Run.
func New(o Options) (*Index, error) {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	storages, database, err := o.storages()
	if err != nil {
		return nil, err
	}
	var folders roots.Set
	if len(o.Folders) == 0 && len(o.Libraries) > 0 {
		folders, err = roots.OpenRemote(o.Libraries, o.Names, o.Generated, storages)
	} else {
		folders, err = roots.Open(o.Folders, o.Names, o.folderOpener(), o.Generated, storages)
	}
	if err != nil {
		return nil, errors.Join(err, storages.Close())
	}
	store := o.newStore(database, len(folders))
	if database != nil && o.Recogniser != nil {
		o.Recogniser.ShareIn(database)
	}
	ix := newIndex(engine.New(folders, store, o.Patience, o.Recogniser, o.Logger), store)
	ix.folders, ix.isPart, ix.storages, ix.reranking = folders, len(o.Names) > 0, storages, o.newRerankClient(folders, store)
	return ix, nil
}

// newIndex makes an Index of no folder.
func newIndex(e *engine.Engine, store *live.Store) *Index {
	return &Index{
		storages: storage.Files{}, store: store, engine: e, fresh: e.Fresh, pictures: newPictureCache(), literals: make(scanSlot, 1), patterns: make(scanSlot, 1),
		texts: engine.NewClientTexts(engine.ClientTextsParts{Store: store, Embedding: e.Embedding, Fresh: e.Fresh}),
	}
}

// folderOpener says how folders are opened.
func (o Options) folderOpener() func(dir string) (*docs.Folder, error) {
	if o.Await {
		return docs.OpenAllowMissing
	}
	return docs.Open
}

// storages says where the catalogues are kept, and in which database, if they are in one.
func (o Options) storages() (roots.Storages, *storage.Libraries, error) {
	if o.InMemory {
		return storage.Memory{}, nil, nil
	}
	if o.Store == "" {
		if len(o.Files) > 0 && len(o.Files) != len(o.Folders) {
			return nil, nil, fmt.Errorf("%d index files given for %d folders: give one for each", len(o.Files), len(o.Folders))
		}
		return storage.Files{Paths: o.Files, Generated: o.Generated, Model: o.Embedder.Model(), Patience: o.Patience}, nil, nil
	}
	all, err := storage.NewLibraries(o.Store, o.Libraries, o.Embedder.Model(), o.Patience)
	if err == nil && o.StoreRead != "" {
		err = all.ReadFrom(o.StoreRead)
	}
	if err != nil {
		return nil, nil, err
	}
	if o.KeepModels {
		all.KeepModels()
	}
	return all, all, nil
}

// newStore is what has the documents of so many folders, with their chunks where these are not
// in a database.
func (o Options) newStore(database *storage.Libraries, folders int) *live.Store {
	if database == nil {
		return memindex.New(folders, o.Embedder)
	}
	store, searcher := searcher.New(folders, o.Embedder, runtime.GOMAXPROCS(0))
	database.OnOpened(searcher.RecordOpened)
	return store
}

// statusReader reports the folders.
func (ix *Index) statusReader() *engine.StatusReader {
	return engine.NewStatusReader(engine.StatusParts{Folders: ix.folders, Store: ix.store, Comparer: ix.engine.Comparer, Fresh: ix.fresh, Guard: ix.engine.Guard})
}

// Close releases the folders and files. No other method may be running.
func (ix *Index) Close() error {
	ix.engine.Indexer.Close()
	return errors.Join(ix.store.Close(), ix.folders.ReleaseDuties(), ix.folders.Close(), ix.storages.Close())
}

// Folders lists the absolute paths of the folders, as they were given.
func (ix *Index) Folders() []string { return ix.folders.Dirs() }

// FolderNames lists what the folders are called in front of the paths of their documents. One
// folder alone has no name.
func (ix *Index) FolderNames() []string { return ix.folders.Names() }

// WhyNoPlace returns why there is no place on the disk for the index of a folder,
// which is kept in memory then: no file was named, and the user has no cache
// folder. It is nil when there is one.
func (ix *Index) WhyNoPlace() error { return ix.folders.WhyNoPlace() }

// IsShared reports whether the index is in a database, which other machines may use.
func (ix *Index) IsShared() bool {
	return slices.ContainsFunc(ix.folders, func(f roots.Root) bool { return f.Storage.IsShared() })
}

// WhyUnsaved returns why the index of a folder is in memory only, now that it is
// loaded. It is nil when all are on the disk.
func (ix *Index) WhyUnsaved() error { return ix.engine.Recovery.WhyUnsaved() }

// Load opens the catalogues and brings them into memory. What they hold can
// be searched when it returns. It is called once.
func (ix *Index) Load(ctx context.Context) error {
	err := ix.engine.Recovery.Load(ctx)
	ix.setHasRecogniser()
	return err
}

// setHasRecogniser has answers report how many scanned pages wait where no Run does.
func (ix *Index) setHasRecogniser() {
	if !ix.fresh.IsServing() {
		ix.engine.Recognition.RecordInstalled()
	}
}

// Run loads the index, brings it up to date and keeps it so until ctx ends. The
// error is why the index cannot be used at all; nil when ctx ended.
func (ix *Index) Run(ctx context.Context) error { return ix.engine.Run(ctx) }

// UnusedModels lists the models that libraries are indexed with, now that they are loaded, by
// which nothing is found as the Embedder is a free one.
func (ix *Index) UnusedModels() []string { return ix.engine.Recovery.UnusedModels() }

// Sync brings the index up to date with the files in scope, but for vectors:
// see Embed. A file that cannot be read is reported, never an error.
func (ix *Index) Sync(ctx context.Context, scope syncer.Scope) (notice.Report, error) {
	report, err := ix.engine.Syncer.Sync(ctx, scope)
	ix.setHasRecogniser()
	return report, err
}

// NewForTexts makes an Index of no folder, for texts that AddTexts is given: they are
// found by a caller it, and by nobody else. It has the models of ix; Run gives vectors
// to the texts. It need not be closed.
func (ix *Index) NewForTexts() *Index {
	store := memindex.New(0, ix.store.Embedder)
	texts := newIndex(ix.engine.NewForTexts(store), store)
	texts.reranking = ix.reranking
	return texts
}

// Embed has the vectors made that are missing.
func (ix *Index) Embed(ctx context.Context) error { return ix.engine.Embed(ctx) }

// HasExactTexts reports each of some texts whether a document says just that.
func (ix *Index) HasExactTexts(ctx context.Context, all []string) ([]bool, error) {
	return ix.texts.HasExactTexts(ctx, all)
}

// AddTexts puts texts that a client sends into the index, as long as it lives. It
// reports how many can be found now, and how many of these are new.
func (ix *Index) AddTexts(ctx context.Context, all []string, progress chan<- int) (found, added int, err error) {
	return ix.texts.Add(ctx, all, progress)
}

// WaitFresh waits a little for the index to be up to date, with what was saved a
// moment ago too, and fails when there is nothing to answer from.
func (ix *Index) WaitFresh(ctx context.Context, to freshness.Purpose) error {
	return ix.fresh.Wait(ctx, to)
}

// State reports what the index is doing now.
func (ix *Index) State() progress.State {
	s := ix.fresh.State()
	if r, ok := ix.storages.Replica(); ok {
		s.Replica = progress.Replica{IsThere: true, Asked: r.Asked, Instead: r.Instead, Why: r.Why}
	}
	return s
}

// Size counts the documents that can be searched, and their passages.
func (ix *Index) Size() (documents, passages int) {
	passages, _ = ix.store.CountChunks()
	return ix.store.CountDocuments(), passages
}

// Changes returns a channel that holds a token whenever documents may have
// changed since it was last read, until ctx ends.
func (ix *Index) Changes(ctx context.Context) <-chan struct{} { return ix.fresh.Changes(ctx) }

// Freshness reports what answers may miss now.
func (ix *Index) Freshness() []notice.Note { return ix.fresh.Notes() }

// Estimate reads the folders of an Index that was not loaded. Nothing is saved,
// and no text is given to the model.
func (ix *Index) Estimate(ctx context.Context) (indexer.Estimate, error) {
	return ix.engine.Indexer.Estimate(ctx)
}
