package sync_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/roots"
	"vademecum/index/store/catalog"
	"vademecum/index/store/location"
	syncs "vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// database keeps the library of one folder as one that others share does, and in memory. It
// answers as a test says.
type database struct {
	location.MemoryStorages

	mu sync.Mutex
	faults
	opened, mends, restores int // how often that was asked for
}

// faults are what a database answers.
type faults struct {
	open     []error // of the next openings, in their order
	kept     string  // the model that it stays indexed with
	others   bool    // another process has the duty to index
	doubt    bool    // damage was met and passed over
	skipped  int64   // how often
	compare  error
	mend     error
	mended   catalog.RepairResult
	mendAll  bool // whether all might have been removed, by the last call
	made     roots.RestoreResult
	restore  error
	lostText bool // no text is there
}

// set changes what it answers.
func (d *database) set(change func(f *faults)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(&d.faults)
}

func (d *database) now() faults {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.faults
}

// counts are how often it was opened, mended and restored.
func (d *database) counts() (opened, mends, restores int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.opened, d.mends, d.restores
}

func (d *database) StorageOf(f *docs.Folder, number int) (roots.Storage, error) {
	h, err := d.MemoryStorages.StorageOf(f, number)
	return &library{h, d}, err
}

type library struct {
	roots.Storage
	of *database
}

func (l *library) Describe() roots.StorageDescription {
	d := l.Storage.Describe()
	d.IsShared = true
	return d
}

func (l *library) IndexingLease() roots.Lease { return duty{l.Storage.IndexingLease(), l.of} }

func (l *library) Open(ctx context.Context, model string) (roots.OpenedCatalog, error) {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	l.of.opened++
	if len(l.of.open) > 0 {
		err := l.of.open[0]
		if l.of.open = l.of.open[1:]; err != nil {
			return roots.OpenedCatalog{}, err
		}
	}
	o, err := l.Storage.Open(ctx, model)
	o.Catalog, o.KeptModel = rows{o.Catalog, l.of}, l.of.kept
	return o, err
}

func (l *library) RestoreMissingParts(_ context.Context, empty bool) (roots.RestoreResult, error) {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	l.of.restores++
	made := l.of.made
	l.of.made = roots.RestoreResult{}
	return made, l.of.restore
}

type duty struct {
	roots.Lease
	of *database
}

func (d duty) TryAcquire() bool { return !d.of.now().others }

type rows struct {
	catalog.Catalog
	of *database
}

func (r rows) RowsWithText(ctx context.Context) ([]int64, error) {
	if r.of.now().lostText {
		return nil, nil
	}
	return r.Catalog.RowsWithText(ctx)
}

func (r rows) Record(ctx context.Context, id int64) (catalog.Record, error) {
	if r.of.now().lostText {
		return catalog.Record{}, nil
	}
	return r.Catalog.Record(ctx, id)
}

func (r rows) Condition() catalog.Condition {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	if r.of.doubt {
		r.of.skipped++
	}
	return catalog.Condition{SkippedDamageCount: r.of.skipped}
}

func (r rows) Repair(_ context.Context, suspected bool, mayRemoveAll func() bool) (catalog.RepairResult, error) {
	if err := r.of.now().compare; !suspected && !errors.Is(err, catalog.ErrDamaged) {
		return catalog.RepairResult{}, err
	}
	whole := mayRemoveAll()
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	r.of.mends++
	r.of.mendAll = whole
	m := r.of.mended
	r.of.mended, r.of.compare, r.of.doubt = catalog.RepairResult{}, nil, false
	return m, r.of.mend
}

// shared is a Syncer of a folder with a library whose Checker runs beside it.
type shared struct {
	*syncs.Syncer
	*database
	said *journal

	mu     sync.Mutex
	dirty  int
	asked  int
	forgot int
}

// journal is a log that is read while it is written.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

// count reports how often something was said.
func (j *journal) count(what string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Count(j.text.String(), what)
}

// newShared makes one of notes, and does not load it.
func newShared(t *testing.T, n indextest.NotesFolder) *shared {
	t.Helper()
	s := &shared{database: &database{}, said: new(journal)}
	s.Syncer = syncertest.NewInStorages(t, s.database, syncertest.Options{
		Folders: []string{n.Dir}, Embedder: indextest.Builtin(t), Log: slog.New(slog.NewTextHandler(s.said, nil)),
	})
	return s
}

// check has the Checker run until the test, or its bubble, ends.
func (s *shared) check(t *testing.T) {
	t.Helper()
	count := func(n *int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		*n++
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Syncer.Check(ctx, func(int) { count(&s.asked) }, func(int) { count(&s.dirty) }, func(*live.Follower) { count(&s.forgot) })
	}()
	t.Cleanup(func() { stop(); <-done })
}

// told are how often a folder was to be compared, another process was asked, and others
// were to be told again.
func (s *shared) told() (dirty, asked, forgot int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dirty, s.asked, s.forgot
}

// soon is more than the time between two checks that nobody asks for.
const soon = 11 * time.Second
