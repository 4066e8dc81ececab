package location

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"vademecum/docs"
	"vademecum/embed"
	"vademecum/index/live"
	"vademecum/index/roots"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/schema"
	"vademecum/index/store/postgres/searcher"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// LibraryStorages provides storages in a PostgreSQL database.
type LibraryStorages struct {
	address     db.Address
	replica     *db.Address // address of the replica that answers queries; nil if there is none
	names       []string    // one for each folder; if empty, the paths of the folders
	served      []string    // names of all libraries opened
	model       string
	patience    time.Duration
	opened      func(folder int, c *postgres.Catalog) // called with each catalogue before it is used; may be nil
	keepsModels bool                                  // whether libraries stay with the model they were indexed with, see KeepLibraryModels

	opening sync.Mutex                     // held while the database is being opened or closed
	store   atomic.Pointer[postgres.Store] // nil until needed
}

var _ roots.Storages = (*LibraryStorages)(nil)

// NewLibraryStorages returns storages in a database, without connecting to it. If names is empty,
// libraries are named by the paths of the folders. waitTimeout is how long to wait for a server
// that does not answer, or for other processes; 0 means the default.
func NewLibraryStorages(address string, names []string, model string, waitTimeout time.Duration) (*LibraryStorages, error) {
	at, err := db.ParseAddress(address)
	if err != nil {
		return nil, err
	}
	return &LibraryStorages{address: at, names: names, model: model, patience: waitTimeout}, nil
}

// UseReplica directs queries to a replica of the database.
func (all *LibraryStorages) UseReplica(address string) error {
	at, err := db.ParseAddress(address)
	all.replica = &at
	return err
}

// ReplicaUse returns how the replica is used, if there is one and it is open.
func (all *LibraryStorages) ReplicaUse() (catalog.ReplicaStats, bool) {
	store := all.store.Load()
	if store == nil {
		return catalog.ReplicaStats{}, false
	}
	return store.ReplicaUse()
}

// Inspect examines the database, and whether it has what the model needs.
func (all *LibraryStorages) Inspect(ctx context.Context) (*catalog.DatabaseStatus, error) {
	store, err := all.openStore(ctx)
	if err == nil && embed.IsWorthStoring(all.model) {
		err = store.CheckPgvector(ctx)
	}
	if err != nil {
		return nil, err
	}
	found, err := store.Inspect(ctx)
	return &found, err
}

// NewStore returns a store for the documents of folderCount folders, whose chunks stay in the
// database. Each catalogue opened later is made known to the store before it is used, because
// searches query the database directly.
func (all *LibraryStorages) NewStore(folderCount int, e embed.Embedder) *live.Store {
	store, searcher := searcher.New(folderCount, e, runtime.GOMAXPROCS(0))
	all.opened = searcher.RegisterCatalog
	return store
}

// KeepLibraryModels keeps libraries on the model that they were indexed with.
func (all *LibraryStorages) KeepLibraryModels() { all.keepsModels = true }

// StorageOf returns the storage in the library of a folder.
func (all *LibraryStorages) StorageOf(f *docs.Folder, folderIndex int) (roots.Storage, error) {
	name := f.RealPath()
	if len(all.names) > 0 {
		if folderIndex >= len(all.names) {
			return nil, fmt.Errorf("%d libraries named: name one for each folder", len(all.names))
		}
		name = all.names[folderIndex]
	}
	all.served = append(all.served, name)
	described := roots.StorageDescription{Name: fmt.Sprintf("library %s in %s", name, all.address), ShortName: message.New("library %s", present.CleanLine(name)), IsShared: true}
	h := &libraryStorage{in: all, name: name, description: described, number: folderIndex, away: f.IsRemote(), indexing: new(libraryLease)}
	h.indexing.paused.Store(h.away)
	// otherwise vectors are computed when needed
	if h.embedding = h.indexing; embed.IsWorthStoring(all.model) {
		h.embedding = new(libraryLease)
	}
	return h, nil
}

// Close closes the connections.
func (all *LibraryStorages) Close() error {
	all.opening.Lock()
	defer all.opening.Unlock()
	store := all.store.Swap(nil)
	if store == nil {
		return nil
	}
	return store.Close()
}

// openStore opens the database, once, and checks that the tables are those of this program.
func (all *LibraryStorages) openStore(ctx context.Context) (_ *postgres.Store, err error) {
	all.opening.Lock()
	defer all.opening.Unlock()
	if store := all.store.Load(); store != nil {
		return store, schema.CheckVersion(ctx, store.DB)
	}
	store, err := postgres.Open(ctx, all.address, all.patience)
	if err == nil && all.replica != nil {
		err = store.UseReplica(ctx, *all.replica)
	}
	if err != nil {
		return nil, err
	}
	if all.keepsModels {
		store.KeepLibraryModels()
	}
	all.store.Store(store)
	return store, nil
}

// RecognisedPages and SaveRecognised share the recognised text of pages between machines: see
// postgres.Store.
func (all *LibraryStorages) RecognisedPages(ctx context.Context, fileHash [32]byte, languages string) (map[int][]byte, error) {
	store, err := all.currentStore(ctx)
	if err != nil {
		return nil, err
	}
	return store.RecognisedPages(ctx, fileHash, languages)
}

func (all *LibraryStorages) SaveRecognised(ctx context.Context, fileHash [32]byte, languages string, page int, content []byte) error {
	store, err := all.currentStore(ctx)
	if err != nil {
		return err
	}
	return store.SaveRecognised(ctx, fileHash, languages, page, content)
}

// currentStore returns the open database, or opens it.
func (all *LibraryStorages) currentStore(ctx context.Context) (*postgres.Store, error) {
	if store := all.store.Load(); store != nil {
		return store, nil
	}
	return all.openStore(ctx)
}

// checkRequirements returns an error if the database lacks something needed: searching by the
// vectors of a model requires that it can compare them.
func (all *LibraryStorages) checkRequirements(ctx context.Context, store *postgres.Store) error {
	if all.opened == nil || !embed.IsWorthStoring(all.model) {
		return nil
	}
	return store.CheckPgvector(ctx)
}

// reportOpened makes an opened catalogue known to the store of NewStore.
func (h *libraryStorage) reportOpened(c *postgres.Catalog) {
	if h.in.opened != nil {
		h.in.opened(h.number, c)
	}
}

// libraryStorage is the storage of a folder in a database.
type libraryStorage struct {
	in                  *LibraryStorages
	name                string
	description         roots.StorageDescription
	number              int               // index of the folder
	away                bool              // the files are on other machines
	opened              *postgres.Catalog // the catalogue opened last; opening and repairing are not concurrent
	indexing, embedding *libraryLease
}

// Describe returns the names of the library, and that other machines may use it too.
func (h *libraryStorage) Describe() roots.StorageDescription { return h.description }

// State returns why the database accepts no changes, and its latency.
func (h *libraryStorage) State() (now roots.StorageState) {
	if store := h.in.store.Load(); store != nil {
		now.WriteRefusal, now.MinLatency = store.WriteRefusal(), store.MinLatency()
	}
	return now
}

// SizeOnDisk returns 0: the data is in the database.
func (h *libraryStorage) SizeOnDisk() int64 { return 0 }

// RemoveOldFormats does nothing: programs that use other formats may serve the same library.
func (h *libraryStorage) RemoveOldFormats() {}

// IndexingLease returns the lease of the process that keeps the index up to date.
func (h *libraryStorage) IndexingLease() roots.Lease { return h.indexing }

// EmbeddingLease returns the lease of the process that embeds with the model in use.
func (h *libraryStorage) EmbeddingLease() roots.Lease { return h.embedding }

// Open opens or creates the library.
func (h *libraryStorage) Open(ctx context.Context, model string) (roots.OpenedCatalog, error) {
	store, rebuilt, err := h.openReadyStore(ctx)
	if err != nil {
		return roots.OpenedCatalog{}, err
	}
	if h.away {
		if there, err := store.OpenReadOnly(ctx, h.name); err != nil || there == nil {
			return roots.OpenedCatalog{}, cmp.Or(err, fmt.Errorf("open %s: %w", h.description.Name, catalog.ErrLibraryNotFound))
		}
	}
	if err := h.in.checkRequirements(ctx, store); err != nil { // before the library is assigned to the model
		return roots.OpenedCatalog{}, err
	}
	c, err := store.OpenCatalog(ctx, h.name, model)
	if err != nil {
		return roots.OpenedCatalog{}, err
	}
	h.reportOpened(c)
	h.opened = c
	c.RequireLease(h.indexing.moveTo(c, "indexing"))
	if h.embedding != h.indexing {
		h.embedding.moveTo(c, "embedding with "+model)
	}
	return roots.OpenedCatalog{Catalog: c, PreviousModel: c.PreviousModel, KeptModel: c.KeptModel, RebuildReason: rebuilt}, nil
}

// openReadyStore opens the database, and recreates missing tables if others exist and this machine
// has the files to fill them. It returns what was recreated.
func (h *libraryStorage) openReadyStore(ctx context.Context) (store *postgres.Store, made message.Message, err error) {
	store, err = h.in.openStore(ctx)
	if h.away || !schema.AreTablesMissing(err) {
		return store, "", err
	}
	r, failed := schema.RecreateMissingTablesAt(ctx, h.in.address)
	if failed != nil {
		return nil, "", fmt.Errorf("%w (%w)", err, failed)
	}
	if len(r.Objects) > 0 {
		made = message.New("recreated, because it was missing from the database: %s", strings.Join(r.Objects, ", "))
	}
	store, err = h.in.openStore(ctx)
	return store, made, err
}

// Repair removes the damaged documents of a library, so that they are read again. It returns an
// error if the files are on other machines, if no damage is found, or if nothing would be left,
// unless the folder has the files.
func (h *libraryStorage) Repair(ctx context.Context, model string, damaged catalog.Catalog, _ catalog.Condition, hasFiles func([]string) bool) (r roots.RepairedCatalog, err error) {
	_ = damaged.Close()
	if h.away {
		return r, fmt.Errorf("%s: %w: have a server or vademecum index that sees the files make it again", h.description.Name, catalog.ErrDamaged)
	}
	done, err := h.opened.Repair(ctx, true, func() bool {
		paths, err := h.opened.Paths(ctx)
		return err == nil && hasFiles(paths)
	})
	if err != nil {
		return r, err
	}
	if done.Damage == nil || done.RefusedToRemoveAll {
		return r, fmt.Errorf("%s: %w: restore the database, or have the library made again: vademecum store remove", h.description.Name, cmp.Or(done.Damage, catalog.ErrDamaged))
	}
	r.CopiedUpToChange, r.ActionTaken, r.RepairReason = -1, "the library is built again", done.Damage.Error()
	r.OpenedCatalog, err = h.Open(ctx, model)
	r.RebuildReason = message.FromError(done.Damage)
	return r, err
}

// RestoreMissingParts recreates missing tables if others exist. If that empties libraries, it does so only if
// mayEmpty is set, and only if all libraries are served by this process.
func (h *libraryStorage) RestoreMissingParts(ctx context.Context, mayEmpty bool) (roots.RestoreResult, error) {
	store := h.in.store.Load()
	if store == nil {
		return roots.RestoreResult{}, nil
	}
	var own []string
	if mayEmpty {
		own = h.in.served
	}
	made, err := schema.RecreateMissingTables(ctx, store.DB, own)
	return roots.RestoreResult{RecreatedObjects: made.Objects, LostVectorRecords: made.LostVectors}, err
}

// OpenEphemeral opens the library itself: there is no substitute for a database.
func (h *libraryStorage) OpenEphemeral(ctx context.Context, model string) (roots.OpenedCatalog, error) {
	return h.Open(ctx, model)
}

// OpenReadOnly opens the library without changing it.
func (h *libraryStorage) OpenReadOnly(ctx context.Context) (seen roots.ReadOnlyCatalog, err error) {
	store, err := h.in.openStore(ctx)
	if err != nil {
		return seen, err
	}
	if err := h.in.checkRequirements(ctx, store); err != nil {
		return seen, err
	}
	c, err := store.OpenReadOnly(ctx, h.name)
	if err != nil || c == nil {
		return seen, err
	}
	h.reportOpened(c)
	h.indexing.moveTo(c, "indexing")
	seen.Catalog = c
	seen.Bytes, err = c.Size(ctx)
	return seen, err
}

// libraryLease is a lease of a library. No process holds it until the library is open.
type libraryLease struct {
	paused atomic.Bool // the lease is left to other processes, such as those on machines with the files

	mu   sync.RWMutex
	held *postgres.Lease
}

// moveTo replaces the lease by that of another library, and releases the previous one.
func (d *libraryLease) moveTo(c *postgres.Catalog, name string) *postgres.Lease {
	of := c.Lease(name)
	d.mu.Lock()
	before := d.held
	d.held = of
	d.mu.Unlock()
	if before != nil {
		_ = before.Release() // always succeeds
	}
	return of
}

func (d *libraryLease) currentDuty() *postgres.Lease {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.held
}

func (d *libraryLease) TryAcquire() bool {
	d.mu.RLock() // so that no call acquires it again after a release
	defer d.mu.RUnlock()
	of := d.held
	if of == nil || d.paused.Load() {
		return false
	}
	held := of.TryAcquire()
	if d.paused.Load() { // paused in the meantime
		_ = of.Release() // always succeeds
		return false
	}
	return held
}

func (d *libraryLease) HeldSince() (since time.Time, held bool) {
	if of := d.currentDuty(); of != nil {
		return of.HeldSince()
	}
	return since, false
}

func (d *libraryLease) IsHeldByAny(ctx context.Context) bool {
	of := d.currentDuty()
	return of != nil && of.IsHeldByAny(ctx)
}

// NotExclusiveReason returns nil: a database always has locks.
func (d *libraryLease) NotExclusiveReason() error { return nil }

// HolderUnresponsiveFor returns 0: the database ends the lease of a process that shows no sign of
// life.
func (d *libraryLease) HolderUnresponsiveFor() time.Duration { return 0 }

func (d *libraryLease) Release() error {
	if of := d.currentDuty(); of != nil {
		return of.Release()
	}
	return nil
}

func (d *libraryLease) Pause() {
	d.paused.Store(true)
	_ = d.Release() // always succeeds
}

func (d *libraryLease) Resume() { d.paused.Store(false) }
