package upkeep

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"vademecum/docs"
	"vademecum/docs/chunk"
	"vademecum/docs/extract"
	"vademecum/docs/kind"
	"vademecum/index/catalog"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/internal/panics"
	"vademecum/internal/script"
)

// prepared is a document that is read, chunked and analysed.
type prepared struct{ catalog.Entry }

// So many chunks are gathered before they are saved: few where they are in memory with
// that; many where each commit writes a segment of lists, to be merged with others until
// they are long. Of a million passages that came 64 at a time 43 million short lists were
// written and removed again.
const (
	batchChunks  = 64
	batchOfLists = 2048
)

func (w *worker) batchChunks() int {
	if w.k.folders[w.folder].Home.IsShared() {
		return batchOfLists
	}
	return batchChunks
}

// process indexes files, several at a time.
func (r *run) process(ctx context.Context, folder int, files []docs.File) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	feed := make(chan fetched)
	var group sync.WaitGroup
	var mu sync.Mutex // guards the report
	for range min(workers(), len(files)) {
		group.Go(func() {
			w := worker{run: r, folder: folder, mu: &mu}
			if err := r.k.guard.Catch("index files", func() error { return w.work(ctx, feed) }); err != nil {
				cancel(err)
			}
		})
	}
	r.k.offerFetched(ctx, folder, feed, files)
	group.Wait()
	return context.Cause(ctx)
}

// offer feeds items until they are out or ctx ends.
func offer[T any](ctx context.Context, feed chan<- T, items []T) {
	defer close(feed)
	for _, item := range items {
		select {
		case feed <- item:
		case <-ctx.Done():
			return
		}
	}
}

// worker prepares files and commits them in batches.
type worker struct {
	*run
	folder  int
	mu      *sync.Mutex
	batch   []prepared
	chunks  int
	touched []catalog.Record
	seen    int // files since the last flush
}

func (w *worker) work(ctx context.Context, feed <-chan fetched) error {
	for l := range feed {
		if err := w.next(ctx, l); err != nil {
			return err
		}
	}
	return w.flush(ctx)
}

// largeFile is the size in bytes from which files are indexed one at a time:
// each takes several times its size in memory.
const largeFile = 4 << 20

func (w *worker) next(ctx context.Context, l fetched) error {
	if l.Size >= largeFile {
		w.k.large.Lock()
		defer w.k.large.Unlock()
		defer debug.FreeOSMemory() // the next one may follow at once
	}
	w.seen++
	if err := w.take(ctx, l); err != nil {
		return err
	}
	if most := w.batchChunks(); w.chunks >= most || w.seen >= 4*most || l.Size >= largeFile {
		return w.flush(ctx)
	}
	return nil
}

// take looks into one file and puts what must be saved into the batch.
func (w *worker) take(ctx context.Context, l fetched) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.waits {
		l = w.k.fetch(ctx, w.folder, l.File)
	}
	have, _ := w.k.store.Document(search.Location{Folder: w.folder, Path: l.Path})
	p, err := w.prepareFetched(ctx, l, have)
	switch {
	case errors.Is(err, errGone):
		return nil
	case err != nil:
		return err
	case have != nil && p.ID == have.ID:
		w.touched = append(w.touched, p.Record)
		w.mu.Lock()
		w.unchanged(w.folder, have)
		w.mu.Unlock()
		return nil
	}
	w.batch = append(w.batch, p)
	w.chunks += len(p.Chunks)
	return nil
}

// errGone marks a file that went away between the scan and the read.
var errGone = errors.New("gone")

// prepare reads a file. The result has the row of have when the file holds
// what have does. A panic is the fault of the file, which is skipped.
func (w *worker) prepare(ctx context.Context, f docs.File, have *search.Document) (p prepared, err error) {
	return w.prepareFetched(ctx, w.k.fetch(ctx, w.folder, f), have)
}

func (w *worker) prepareFetched(ctx context.Context, l fetched, have *search.Document) (p prepared, err error) {
	err = w.k.guard.Catch("read a file", func() error {
		p, err = w.read(ctx, l, have)
		return err
	})
	if err == nil && have != nil && p.Skip == "" && p.Hash != have.Hash {
		w.k.throttle.Observe(search.Location{Folder: w.folder, Path: l.Path}, time.Since(l.began), time.Now())
	}
	if panics.Is(err) {
		return w.broken(newPrepared(l), err).orHave(have), nil
	}
	return p, err
}

// broken is a document that this program cannot cope with, without its text.
func (w *worker) broken(p prepared, why error) prepared {
	w.k.log.Error("could not index", "path", w.k.folders.Show(search.Location{Folder: w.folder, Path: p.Path}), "error", why)
	return prepared{catalog.Entry{Record: catalog.Record{
		Path: p.Path, Size: p.Size, Modified: p.Modified, Changed: p.Changed, ReadAt: p.ReadAt, Hash: p.Hash, MIME: p.MIME, Skip: why.Error(),
	}}}
}

func newPrepared(l fetched) prepared {
	return prepared{catalog.Entry{Record: catalog.Record{Path: l.Path, Size: l.Size, Modified: l.ModTime, Changed: l.Changed, ReadAt: l.began, Skip: l.Skip, MIME: "application/octet-stream"}}}
}

// read turns what was fetched into chunks.
func (w *worker) read(ctx context.Context, l fetched, have *search.Document) (prepared, error) {
	p, raw := newPrepared(l), l.raw
	if l.Skip != "" {
		return p.orHave(have), nil
	}
	if panics.Is(l.err) {
		return p, l.err
	}
	if l.err != nil {
		return p.without(l.err, have)
	}
	p.Hash, p.Size, p.Modified, p.Changed = raw.Hash, raw.Size, raw.ModTime, raw.Changed
	if have != nil && have.Hash == p.Hash && !have.IsUnread() && !w.force && !w.k.isMisjudged(have) {
		p.ID, p.Skip = have.ID, have.Skip
		return p, nil
	}
	d, err := raw.Document(ctx)
	if err != nil {
		return p.without(err, have)
	}
	err = p.fill(ctx, d)
	return p, err
}

// without says why there is no text.
func (p prepared) without(err error, have *search.Document) (prepared, error) {
	var skip *extract.SkipError
	switch {
	case errors.As(err, &skip):
		p.Skip = skip.Reason
	case errors.Is(err, fs.ErrNotExist):
		return p, errGone
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, docs.ErrSilent):
		return p, err
	default:
		p.Skip = catalog.Unread(cause(err))
	}
	return p.orHave(have), nil
}

// orHave takes the row of have when that is skipped for the same reason.
func (p prepared) orHave(have *search.Document) prepared {
	if have != nil && have.Skip == p.Skip {
		p.ID = have.ID
	}
	return p
}

// cause leaves out what was being done, which the report shows anyway.
func cause(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}

// fill takes over what a document says. It fails when ctx ends.
func (p *prepared) fill(ctx context.Context, d docs.Document) error {
	p.Title, p.MIME, p.TextMIME, p.Note = d.Title, d.MIME, d.TextMIME, d.Note
	p.Body, p.TextHash, p.Meta = d.Body, d.TextHash(), d.Meta
	if p.Encoding = d.Encoding; d.Guessed {
		p.Encoding = catalog.Guessed(p.Encoding)
	}
	chunks := d.Chunks()
	language := script.LanguageOf(d.Text)
	for i, c := range chunks {
		if err := ctx.Err(); err != nil {
			return err
		}
		input := catalog.EmbeddingInput(c.Text, c.Heading)
		sum := sha256.Sum256([]byte(input))
		p.Chunks = append(p.Chunks, catalog.Chunk{
			Span: c.Span, Heading: c.Heading, Key: catalog.Key(sum[:len(catalog.Key{})]), Wording: rank.WordingOf(c.Text),
			Mark: kind.Mark{Kind: kindOf(d, c, len(chunks) == 1), Language: language, Sketch: kind.SketchOf(c.Text)},
		})
		p.Chunks[i].Terms = Terms(&p.Record, p.Body.Text, i)
	}
	return nil
}

// kindOf is the kind of a chunk, which is all that its document says if it is the
// only one.
func kindOf(d docs.Document, c chunk.Chunk, only bool) kind.Kind {
	if d.Generated {
		return kind.Generated
	}
	return kind.Of(kind.Passage{Path: d.Path, Heading: c.Heading, Text: c.Text, Whole: only})
}

// flush commits the batch.
func (w *worker) flush(ctx context.Context) error {
	if err := w.commitBatch(ctx); err != nil {
		return err
	}
	for _, p := range w.batch {
		w.count(p)
	}
	if err := w.k.store.Touch(ctx, w.folder, w.touched); err != nil {
		return err
	}
	w.k.fresh.Advance(w.seen)
	w.batch, w.touched, w.chunks, w.seen = w.batch[:0], w.touched[:0], 0, 0
	return nil
}

// commitBatch saves documents in one commit, which takes a sixth of the time of one
// for each. When a panic comes of that, each is committed by itself, so that those
// are skipped alone that are to blame. The caller holds the token of k.syncing.
func (w *worker) commitBatch(ctx context.Context) error {
	if len(w.batch) == 0 {
		return nil
	}
	entries := make([]catalog.Entry, len(w.batch))
	for i, p := range w.batch {
		entries[i] = p.Entry
	}
	err := w.k.guard.Catch("save documents", func() error { return w.k.store.Put(ctx, w.folder, entries...) })
	if !panics.Is(err) {
		return err
	}
	if w.k.reload(ctx) != nil { // one of them cannot be loaded: all are taken off the disk
		for _, p := range w.batch {
			_ = w.k.guard.Catch("take a document back", func() error { return w.k.store.Drop(ctx, w.folder, p.Path) })
		}
		if err := w.k.reload(ctx); err != nil {
			return err
		}
	}
	for i, p := range w.batch {
		if w.holds(p) {
			continue
		}
		if w.batch[i], err = w.commit(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) at(p prepared) search.Location {
	return search.Location{Folder: w.folder, Path: p.Path}
}

// holds tells whether a document has been committed since it was read.
func (w *worker) holds(p prepared) bool {
	d, ok := w.k.store.Document(w.at(p))
	return ok && d.ReadAt().Equal(p.ReadAt) && d.Hash == p.Hash && d.Skip == p.Skip
}

// commit saves a document and makes it searchable. When a panic comes of that,
// memory is loaded again from the disk, and the document is skipped if it is to
// blame. The caller holds the token of k.syncing.
func (w *worker) commit(ctx context.Context, p prepared) (prepared, error) {
	put := func() error { return w.k.store.Put(ctx, w.folder, p.Entry) }
	err := w.k.guard.Catch("save a document", put)
	if !panics.Is(err) {
		return p, err
	}
	if w.k.reload(ctx) == nil && w.holds(p) {
		return p, nil
	}
	p = w.broken(p, err)
	err = w.k.guard.Catch("save that a document is skipped", put)
	if w.k.store.IsTorn() {
		err = w.k.reload(ctx)
	}
	return p, err
}

func (w *worker) count(p prepared) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.Skip != "" {
		w.skipped(w.folder, p.Path, p.Skip)
		return
	}
	w.report.Indexed++
}

// workers is how many documents are prepared at once.
func workers() int { return max(2, runtime.GOMAXPROCS(0)) }
