package storage

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"vademecum/docs"
	"vademecum/embed"
	"vademecum/index/catalog"
	"vademecum/index/postgres"
	"vademecum/index/postgres/db"
	"vademecum/index/postgres/schema"
	"vademecum/index/roots"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Libraries are the storages of folders in a PostgreSQL database.
type Libraries struct {
	address  db.Address
	replica  *db.Address // see ReadFrom
	names    []string    // one for each folder; empty: the paths of the folders
	served   []string    // the names of all libraries that were asked for
	model    string
	patience time.Duration
	opened   func(folder int, c *postgres.Catalog) // see OnOpened
	asks     bool                                  // see KeepModels

	opening sync.Mutex                     // held while it is opened or closed
	store   atomic.Pointer[postgres.Store] // nil until it is needed
}

var _ roots.Storages = (*Libraries)(nil)

// NewLibraries says where the database is; nobody connects to it yet. What a folder
// is called there is its path, where no names are given.
func NewLibraries(address string, names []string, model string, patience time.Duration) (*Libraries, error) {
	at, err := db.ParseAddress(address)
	if err != nil {
		return nil, err
	}
	return &Libraries{address: at, names: names, model: model, patience: patience}, nil
}

// ReadFrom has questions asked of a replica of the database.
func (all *Libraries) ReadFrom(address string) error {
	at, err := db.ParseAddress(address)
	all.replica = &at
	return err
}

// Replica reports how the replica is used, if there is one and it is open.
func (all *Libraries) Replica() (catalog.ReplicaUse, bool) {
	store := all.store.Load()
	if store == nil {
		return catalog.ReplicaUse{}, false
	}
	return store.Replica()
}

// Inspect looks at the database, and whether it has what the model needs.
func (all *Libraries) Inspect(ctx context.Context) (*catalog.DatabaseState, error) {
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

// OnOpened has opened reported each catalogue that is opened, by the number of its folder, before
// anything is asked of it: who searches asks the database itself.
func (all *Libraries) OnOpened(opened func(folder int, c *postgres.Catalog)) { all.opened = opened }

// KeepModels has libraries stay those of the model that they are indexed with.
func (all *Libraries) KeepModels() { all.asks = true }

// withGenerated ends the name of a library that has what machines made, too: else two
// servers that were asked otherwise would each undo what the other did.
const withGenerated = " with generated files"

// Of is the library of a folder.
func (all *Libraries) Of(f *docs.Folder, number int) (roots.Storage, error) {
	name := f.RealPath()
	if len(all.names) > 0 {
		if number >= len(all.names) {
			return nil, fmt.Errorf("%d libraries named: name one for each folder", len(all.names))
		}
		name = all.names[number]
	}
	if f.IncludesGenerated() {
		name += withGenerated
	}
	all.served = append(all.served, name)
	h := &Library{in: all, name: name, number: number, away: f.IsRemote(), indexing: new(libraryDuty)}
	h.indexing.paused.Store(h.away)
	if h.embedding = h.indexing; embed.IsWorthStoring(all.model) { // else vectors are made where they are needed
		h.embedding = new(libraryDuty)
	}
	return h, nil
}

// Close closes the connections.
func (all *Libraries) Close() error {
	all.opening.Lock()
	defer all.opening.Unlock()
	store := all.store.Swap(nil)
	if store == nil {
		return nil
	}
	return store.Close()
}

// openStore opens the database, once, and looks whether the tables still are those of this
// program.
func (all *Libraries) openStore(ctx context.Context) (_ *postgres.Store, err error) {
	all.opening.Lock()
	defer all.opening.Unlock()
	if store := all.store.Load(); store != nil {
		return store, schema.CheckVersion(ctx, store.DB)
	}
	store, err := postgres.Open(ctx, all.address, all.patience)
	if err == nil && all.replica != nil {
		err = store.ReadFrom(ctx, *all.replica)
	}
	if err != nil {
		return nil, err
	}
	if all.asks {
		store.KeepModels()
	}
	all.store.Store(store)
	return store, nil
}

// RecognisedPages and SaveRecognised have all machines share what was recognised on pages: see
// postgres.Store.
func (all *Libraries) RecognisedPages(ctx context.Context, file [32]byte, languages string) (map[int][]byte, error) {
	store, err := all.currentStore(ctx)
	if err != nil {
		return nil, err
	}
	return store.RecognisedPages(ctx, file, languages)
}

func (all *Libraries) SaveRecognised(ctx context.Context, file [32]byte, languages string, page int, content []byte) error {
	store, err := all.currentStore(ctx)
	if err != nil {
		return err
	}
	return store.SaveRecognised(ctx, file, languages, page, content)
}

// currentStore returns the database as it was opened, or opens it.
func (all *Libraries) currentStore(ctx context.Context) (*postgres.Store, error) {
	if store := all.store.Load(); store != nil {
		return store, nil
	}
	return all.openStore(ctx)
}

// checkRequirements fails where the database lacks what is asked of it: a caller it for those that
// are near by the vectors of a model has it compare them.
func (all *Libraries) checkRequirements(ctx context.Context, store *postgres.Store) error {
	if all.opened == nil || !embed.IsWorthStoring(all.model) {
		return nil
	}
	return store.CheckPgvector(ctx)
}

// reportOpened tells whoever asked for that of a catalogue.
func (h *Library) reportOpened(c *postgres.Catalog) {
	if h.in.opened != nil {
		h.in.opened(h.number, c)
	}
}

// Library is the storage of a folder in a database.
type Library struct {
	in                  *Libraries
	name                string
	number              int  // of the folder
	away                bool // the files are on other machines
	indexing, embedding *libraryDuty
}

// Name returns the name of the library, and where it is.
func (h *Library) Name() string { return fmt.Sprintf("library %s in %s", h.name, h.in.address) }

// ShortName returns the name of the library alone.
func (h *Library) ShortName() message.Message {
	return message.New("library %s", present.CleanLine(h.name))
}

// File is "": it is none.
func (h *Library) File() string { return "" }

// Bytes is 0: they are of a database.
func (h *Library) Bytes() int64 { return 0 }

// IsShared is true.
func (h *Library) IsShared() bool { return true }

// WhyNoPlace is nil: there is a place.
func (h *Library) WhyNoPlace() error { return nil }

// RemoveOldFormats does nothing: programs of several formats may serve a library.
func (h *Library) RemoveOldFormats() {}

// WriteRefusal is why the database takes no changes.
func (h *Library) WriteRefusal() message.Message {
	if store := h.in.store.Load(); store != nil {
		return store.WriteRefusal()
	}
	return ""
}

// Slowness is how long the database takes at least for a statement, if that is long.
func (h *Library) Slowness() time.Duration {
	if store := h.in.store.Load(); store != nil {
		return store.Slowness()
	}
	return 0
}

// Indexing is the duty to keep the index up to date.
func (h *Library) Indexing() roots.Duty { return h.indexing }

// Embedding is the duty to embed with the model in use.
func (h *Library) Embedding() roots.Duty { return h.embedding }

// Open opens the library or makes it.
func (h *Library) Open(ctx context.Context, model string) (roots.OpenedCatalog, error) {
	store, rebuilt, err := h.openReadyStore(ctx)
	if err != nil {
		return roots.OpenedCatalog{}, err
	}
	if h.away {
		if there, err := store.OpenReadOnly(ctx, h.name); err != nil || there == nil {
			return roots.OpenedCatalog{}, cmp.Or(err, fmt.Errorf("open %s: %w", h.Name(), catalog.ErrAbsent))
		}
	}
	if err := h.in.checkRequirements(ctx, store); err != nil { // before the library is that of the model
		return roots.OpenedCatalog{}, err
	}
	c, err := store.Catalog(ctx, h.name, model)
	if err != nil {
		return roots.OpenedCatalog{}, err
	}
	h.reportOpened(c)
	c.RequireDuty(h.indexing.moveTo(c, "indexing"))
	if h.embedding != h.indexing {
		h.embedding.moveTo(c, "embedding with "+model)
	}
	return roots.OpenedCatalog{Catalog: c, Before: c.Before, Kept: c.Kept, Rebuilt: rebuilt}, nil
}

// openReadyStore opens the database, and has tables made again that are gone although others are
// there, if the files are seen of which they are filled. It says what was made.
func (h *Library) openReadyStore(ctx context.Context) (store *postgres.Store, made string, err error) {
	store, err = h.in.openStore(ctx)
	if h.away || !schema.AreTablesMissing(err) {
		return store, "", err
	}
	r, failed := schema.RestoreAt(ctx, h.in.address)
	if failed != nil {
		return nil, "", fmt.Errorf("%w (%w)", err, failed)
	}
	if len(r.Parts) > 0 {
		made = "made again, as it was gone from the database: " + strings.Join(r.Parts, ", ")
	}
	store, err = h.in.openStore(ctx)
	return store, made, err
}

// Repair removes the documents of a library that are damaged, so that they are read again.
// It fails where the files are on other machines, where nothing is found to be damaged, and
// where nothing would be left, unless the folder has the files.
func (h *Library) Repair(ctx context.Context, model string, damaged catalog.Catalog, hasFiles func([]string) bool) (r roots.RepairedCatalog, err error) {
	_ = damaged.Close()
	if h.away {
		return r, fmt.Errorf("%s: %w: have a server or vademecum index that sees the files make it again", h.Name(), catalog.ErrDamaged)
	}
	paths, err := damaged.Health().Paths(ctx)
	done, err := damaged.Health().Mend(ctx, err == nil && hasFiles(paths))
	if err != nil {
		return r, err
	}
	if done.Damage == nil || done.Left {
		return r, fmt.Errorf("%s: %w: restore the database, or have the library made again: vademecum store remove", h.Name(), cmp.Or(done.Damage, catalog.ErrDamaged))
	}
	r.Followed, r.Done, r.Why = -1, "the library is built again", done.Damage.Error()
	r.OpenedCatalog, err = h.Open(ctx, model)
	r.Rebuilt = done.Damage.Error()
	return r, err
}

// Restore makes the tables again that are gone although others are there. Where libraries
// are emptied for that, it does so only if that is allowed, and where there are no others
// than those of this process.
func (h *Library) Restore(ctx context.Context, empty bool) ([]string, error) {
	store := h.in.store.Load()
	if store == nil {
		return nil, nil
	}
	var own []string
	if empty {
		own = h.in.served
	}
	made, err := schema.RecreateMissingTables(ctx, store.DB, own)
	return made.Parts, err
}

// OpenEphemeral opens the library: nothing takes the place of a database.
func (h *Library) OpenEphemeral(ctx context.Context, model string) (roots.OpenedCatalog, error) {
	return h.Open(ctx, model)
}

// OpenReadOnly opens the library as it is.
func (h *Library) OpenReadOnly(ctx context.Context) (seen roots.ReadOnlyCatalog, err error) {
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

// libraryDuty is one for a library, nobody's until that is open.
type libraryDuty struct {
	paused atomic.Bool // it is for others, such as those who see the files

	mu   sync.RWMutex
	held *postgres.Duty
}

// moveTo has the duty be the one named for a library, and gives back the one for what the
// library was before.
func (d *libraryDuty) moveTo(c *postgres.Catalog, name string) *postgres.Duty {
	of := c.Duty(name)
	d.mu.Lock()
	before := d.held
	d.held = of
	d.mu.Unlock()
	if before != nil {
		_ = before.Release() // which always succeeds
	}
	return of
}

func (d *libraryDuty) currentDuty() *postgres.Duty {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.held
}

func (d *libraryDuty) TryAcquire() bool {
	d.mu.RLock() // whoever has given one back has nobody try to get it again
	defer d.mu.RUnlock()
	of := d.held
	if of == nil || d.paused.Load() {
		return false
	}
	held := of.TryAcquire()
	if d.paused.Load() { // meanwhile
		_ = of.Release() // which always succeeds
		return false
	}
	return held
}

func (d *libraryDuty) HeldSince() (since time.Time, held bool) {
	if of := d.currentDuty(); of != nil {
		return of.HeldSince()
	}
	return since, false
}

func (d *libraryDuty) IsTaken(ctx context.Context) bool {
	of := d.currentDuty()
	return of != nil && of.IsTaken(ctx)
}

// WhyUnlocked is nil: a database always has locks.
func (d *libraryDuty) WhyUnlocked() error { return nil }

// HolderSilence is 0: the database ends the duty of a process that gives no sign of life.
func (d *libraryDuty) HolderSilence() time.Duration { return 0 }

func (d *libraryDuty) Release() error {
	if of := d.currentDuty(); of != nil {
		return of.Release()
	}
	return nil
}

func (d *libraryDuty) Pause() {
	d.paused.Store(true)
	_ = d.Release() // which always succeeds
}

func (d *libraryDuty) Resume() { d.paused.Store(false) }
