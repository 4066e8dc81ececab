package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"vademecum/docs"
	"vademecum/docs/ocr"
	"vademecum/embed"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/store/location"
	"vademecum/index/sync"
)

// Options configure an Index.
type Options struct {
	Folders []string // at least one, unless Libraries are given
	// path of each folder's index; if empty, they are in the user's cache directory
	IndexPaths          []string
	AllowMissingFolders bool           // folders may be missing at first: each is served as soon as it exists
	FolderOpenTimeout   time.Duration  // how long New waits for the file system of a folder; 0 means 2 s
	Embedder            embed.Embedder // required
	Logger              *slog.Logger   // nil means slog.Default

	// DatabaseAddress is the address of a database that stores the index instead of files, for any number of
	// servers. The documents of a folder are a library there, named by
	// Libraries, or else by the path of the folder. Without Folders, the given Libraries are
	// served, whose files are on other machines.
	DatabaseAddress string
	InMemory        bool   // nothing is saved: for tests
	ReplicaAddress  string // address of a replica of DatabaseAddress for queries; "" means none
	Libraries       []string

	// KeepLibraryModels keeps libraries in a database on the model that they were indexed with, even if it
	// is not the Embedder's, because the user has not asked for a change.
	KeepLibraryModels bool

	// Reranker reorders the best candidates for a query if it answers within RerankTimeout (0
	// means the default). nil means no reranking.
	Reranker      Reranker
	RerankTimeout time.Duration

	// FolderNames are the names of the folders that prefix the paths of their documents, if these folders
	// are only a part of those of a server: see FolderNames of the Index of all of them. Empty
	// otherwise.
	FolderNames []string

	// Recogniser recognises the text of scanned pages, see Index.Recognise; if nil, scanned pages have
	// no text.
	Recogniser *ocr.Recogniser

	// How long Sync and Embed wait for another process that indexes or embeds a folder, before they
	// return with the work not done; 0 means no limit.
	OtherProcessTimeout time.Duration
}

// Index is a searchable set of folders. Its methods may be called from
// several goroutines at once.
type Index struct {
	folders roots.Set
	// other processes serve other folders, and a folder name here is part of a path there
	isPart      bool
	storages    roots.Storages
	database    *location.LibraryStorages // nil if the indexes are in files
	store       *live.Store
	sameNames   similarFoldersCache
	unreadNames unreadNames
	contents    untilChange[struct{}, Contents]
	trees       untilChange[string, Directory] // keyed by the open directory
	tags        untilChange[struct{}, []TagCount]
	syncer      *sync.Syncer // keeps the index up to date
	pictures    *pictureCache
	reranking   *rerankClient // nil if there is no Reranker
	literals    scanSlot      // limits searches for texts and quotations
	patterns    scanSlot      // limits searches for patterns
}

// New opens the folders. It reads no files yet: see Load and Run.
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
		folders, err = roots.OpenRemote(o.Libraries, o.FolderNames, storages)
	} else {
		folders, err = roots.Open(o.Folders, o.FolderNames, docs.Opener{AllowMissing: o.AllowMissingFolders, Timeout: o.FolderOpenTimeout}, storages)
	}
	if err != nil {
		return nil, errors.Join(err, storages.Close())
	}
	store := o.newStore(database, len(folders))
	if database != nil && o.Recogniser != nil {
		o.Recogniser.SetSharedStore(database)
	}
	ix := newIndex(sync.New(folders, store, o.OtherProcessTimeout, o.Recogniser, o.Logger), store)
	ix.folders, ix.isPart, ix.storages, ix.database, ix.reranking = folders, len(o.FolderNames) > 0, storages, database, o.newRerankClient(folders, store)
	return ix, nil
}

// newIndex returns an Index that has no folders.
func newIndex(e *sync.Syncer, store *live.Store) *Index {
	return &Index{
		storages: location.FileStorages{}, store: store, syncer: e, pictures: newPictureCache(), literals: make(scanSlot, 1), patterns: make(scanSlot, 1),
	}
}

// storages returns the storages for the catalogues, and the database that holds them, if any.
func (o Options) storages() (roots.Storages, *location.LibraryStorages, error) {
	if o.InMemory {
		return location.MemoryStorages{}, nil, nil
	}
	if o.DatabaseAddress == "" {
		if len(o.IndexPaths) > 0 && len(o.IndexPaths) != len(o.Folders) {
			return nil, nil, fmt.Errorf("%d index files given for %d folders: give one for each", len(o.IndexPaths), len(o.Folders))
		}
		return location.FileStorages{IndexPaths: o.IndexPaths, Model: o.Embedder.ModelIdentity(), OtherProcessTimeout: o.OtherProcessTimeout}, nil, nil
	}
	all, err := location.NewLibraryStorages(o.DatabaseAddress, o.Libraries, o.Embedder.ModelIdentity(), o.OtherProcessTimeout)
	if err == nil && o.ReplicaAddress != "" {
		err = all.UseReplica(o.ReplicaAddress)
	}
	if err != nil {
		return nil, nil, err
	}
	if o.KeepLibraryModels {
		all.KeepLibraryModels()
	}
	return all, all, nil
}

// newStore returns the store for the documents of the given number of folders. It includes their
// chunks, unless a database holds these.
func (o Options) newStore(database *location.LibraryStorages, folders int) *live.Store {
	if database == nil {
		return memindex.New(folders, o.Embedder)
	}
	return database.NewStore(folders, o.Embedder)
}

// Close releases the folders and files. No other method may be running.
func (ix *Index) Close() error {
	ix.syncer.Close()
	return errors.Join(ix.store.Close(), ix.folders.ReleaseLeases(), ix.folders.Close(), ix.storages.Close())
}

// Folders lists the absolute paths of the folders, as given.
func (ix *Index) Folders() []string { return ix.folders.Dirs() }

// FolderNames lists the name of each folder that prefixes the paths of its documents. A single
// folder has no name.
func (ix *Index) FolderNames() []string { return ix.folders.Names() }

// NoFileReason returns why the index of a folder is kept in memory: no file was given, and the user
// has no cache directory. It is nil if every index has a place on disk.
func (ix *Index) NoFileReason() error { return ix.folders.NoFileReason() }

// IsInDatabase reports whether the index is in a database, which other machines may use too.
func (ix *Index) IsInDatabase() bool {
	return slices.ContainsFunc(ix.folders, func(f roots.Root) bool { return f.Storage.Describe().IsShared })
}

// UnsavedReason returns why the index of a loaded folder exists only in memory. It is nil if all
// indexes are on disk.
func (ix *Index) UnsavedReason() error { return ix.syncer.UnsavedReason() }

// Load opens the catalogues and loads them into memory. When it returns, their content can be
// searched. It is called once.
func (ix *Index) Load(ctx context.Context) error {
	err := ix.syncer.Load(ctx)
	ix.setHasRecogniser()
	return err
}

// setHasRecogniser records whether a program that recognises text is installed, so that answers
// report how many scanned pages are waiting. While Run is active, that does so.
func (ix *Index) setHasRecogniser() {
	if !ix.syncer.FreshnessPublisher.Current().IsMaintaining {
		ix.syncer.Recognition.DetectProgram()
	}
}

// Run loads the index, brings it up to date, and keeps it up to date until ctx ends. It returns an
// error if the index cannot be used at all, and nil if ctx ended.
func (ix *Index) Run(ctx context.Context) error { return ix.syncer.Run(ctx) }

// UnusedModels lists the models of loaded libraries whose vectors are not used because the Embedder
// computes its own at no cost, as the built-in one does.
func (ix *Index) UnusedModels() []string { return ix.syncer.UnusedModels() }

// Sync brings the index up to date with the files in scope, except for vectors: see Embed. Files
// that cannot be read are in the report, and do not cause an error.
func (ix *Index) Sync(ctx context.Context, scope sync.Scope) (notice.Report, error) {
	report, err := ix.syncer.Sync(ctx, scope)
	ix.setHasRecogniser()
	return report, err
}

// NewForClientTexts returns an Index without folders for texts given to AddTexts, which only its own
// searches find. It uses the models of ix; its Run computes the vectors of the texts. It need not
// be closed.
func (ix *Index) NewForClientTexts() *Index {
	store := memindex.New(0, ix.store.Embedder)
	texts := newIndex(ix.syncer.NewForClientTexts(store), store)
	texts.reranking = ix.reranking
	return texts
}

// Embed computes the missing vectors.
func (ix *Index) Embed(ctx context.Context) error { return ix.syncer.Embed(ctx) }

// AreDocumentTexts reports for each text whether a document has exactly that text.
func (ix *Index) AreDocumentTexts(ctx context.Context, texts []string) ([]bool, error) {
	return ix.syncer.AreDocumentTexts(ctx, texts)
}

// AddTexts adds texts sent by a client to the index, for the lifetime of the Index. It returns how
// many of them can be found now, and how many of these are new.
func (ix *Index) AddTexts(ctx context.Context, texts []string, progress chan<- int) (found, added int, err error) {
	return ix.syncer.AddTexts(ctx, texts, progress)
}

// WaitFresh waits a little until the index is up to date, including recently saved files. It fails
// if there is no index to answer from.
func (ix *Index) WaitFresh(ctx context.Context, purpose WaitPurpose) error {
	return ix.syncer.WaitFresh(ctx, purpose)
}

// State returns what the index is doing now.
func (ix *Index) State() progress.State {
	s := ix.syncer.State()
	if ix.database == nil {
		return s
	}
	if r, ok := ix.database.ReplicaUse(); ok {
		s.Replica = progress.ReplicaUse{IsConfigured: true, AnsweredByReplica: r.AnsweredByReplica, AnsweredByDatabase: r.AnsweredByDatabase, FallbackReason: r.FallbackReason}
	}
	return s
}

// Size returns the numbers of searchable documents and of their passages.
func (ix *Index) Size() (documents, passages int) {
	passages, _ = ix.store.CountChunks()
	return ix.store.CountDocuments(), passages
}

// Changes returns a channel that receives a value whenever documents may have changed since the
// last receive, until ctx ends.
func (ix *Index) Changes(ctx context.Context) <-chan struct{} {
	return ix.syncer.FreshnessPublisher.Changes(ctx)
}

// FreshnessNotes returns notes on what answers may lack at the moment.
func (ix *Index) FreshnessNotes() []notice.Note { return ix.syncer.Freshness().AllNotes() }

// Estimate reads the folders of an Index that is not loaded, and estimates the cost of indexing. It
// saves nothing and sends no text to the model.
func (ix *Index) Estimate(ctx context.Context) (sync.Estimate, error) {
	return ix.syncer.Estimate(ctx)
}
