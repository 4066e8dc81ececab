package indexer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/compare"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/search"
	"vademecum/internal/message"
)

// background reads the files that take their time, PDFs above all, beside the runs
// that find them: a note that is saved meanwhile does not wait for a book.
type background struct {
	x    *Indexer
	ctx  context.Context // ends with the Index
	stop context.CancelFunc

	mu      sync.Mutex
	queue   []*reading
	at      map[search.Location]*reading // queued or being read
	book    *reading                     // the large one that is being read, nil when there is none
	readers int
	group   sync.WaitGroup
	indexed int // since the queue was last empty
}

// reading is one file that is read apart, and then what came of it.
type reading struct {
	at     search.Location
	file   docs.File // as it was seen last
	force  bool
	begun  bool
	wanted bool // again, since it was begun
	// throttled says that it changes all the time: nobody waits for it, and what is
	// read counts although there is more by then.
	throttled bool

	done      chan struct{} // closed when it is through
	committed ingest.Document
	err       error // why nothing was committed
}

func newBackground(x *Indexer) *background {
	ctx, stop := context.WithCancel(context.Background())
	return &background{x: x, ctx: ctx, stop: stop, at: make(map[search.Location]*reading)}
}

// close gives up what is being read, and waits for that.
func (a *background) close() {
	a.stop()
	a.group.Wait()
}

// pending is the reason of a file that is yet to be read for the first time.
var pending = message.New("waits to be read: ask again", "等待读取，请稍后再问")

// unread lists the documents that there will be, of files that were never read.
func (a *background) unread() []*search.Document {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []*search.Document
	for at, r := range a.at {
		if _, ok := a.x.Store.Document(at); !ok {
			all = append(all, waiting(at, r.file))
		}
	}
	return all
}

// find returns one of them.
func (a *background) find(at search.Location) (*search.Document, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r, ok := a.at[at]
	if !ok {
		return nil, false
	}
	return waiting(at, r.file), true
}

// findAlike returns one whose path looks like that of at.
func (a *background) findAlike(at search.Location) (*search.Document, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for other, r := range a.at {
		if live.Composed(other) == live.Composed(at) {
			return waiting(other, r.file), true
		}
	}
	return nil, false
}

func waiting(at search.Location, f docs.File) *search.Document {
	return search.NewDocument(&catalog.Record{Path: at.Path, Size: f.Size, Modified: f.ModTime, Skip: pending}, at.Folder)
}

// add queues files of the run under way. One that is queued or being read already is not read twice
// unless it has changed by the end.
func (a *background) add(folder int, files []docs.File, force bool) []*reading {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ctx.Err() != nil {
		return nil
	}
	var all []*reading
	fresh := 0
	for _, f := range files {
		at := search.Location{Folder: folder, Path: f.Path}
		r := a.at[at]
		if r == nil {
			r = &reading{at: at, file: f, force: force, throttled: !force && a.x.Throttle.Holds(at, time.Now()), done: make(chan struct{})}
			a.at[at] = r
			a.queue = append(a.queue, r)
			if !r.throttled {
				fresh++
			}
		}
		r.file, r.wanted = f, r.begun
		r.force = r.force || force && !r.begun
		if !r.throttled || force {
			all = append(all, r)
		}
	}
	a.x.Fresh.HandApart(len(files), fresh)
	for a.readers < min(workers(), len(a.at)) {
		a.readers++
		a.group.Go(a.work)
	}
	return all
}

// work reads until the queue is empty.
func (a *background) work() {
	for {
		r, file := a.next()
		if r == nil {
			return
		}
		var p ingest.Document
		err := a.x.Guard.Catch("index a file", func() (err error) {
			p, err = a.x.readApart(a.ctx, r, file)
			return err
		})
		if a.isOver(r, p, err) {
			a.finish(r, p, err)
		}
	}
}

func (a *background) next() (*reading, docs.File) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ctx.Err() == nil {
		if r := a.take(); r != nil {
			r.begun = true
			return r, r.file
		}
	}
	if a.readers--; a.readers == 0 && a.indexed > 0 {
		a.x.Log.Info("indexed", "documents", a.indexed)
		a.indexed = 0
	}
	return nil, docs.File{}
}

// take takes from the queue what is to be read next, nil when that is nothing, or only
// books while one is being read: who reads that goes on with them. A book goes before
// all others, so that in the end not all wait for one.
func (a *background) take() *reading {
	i := slices.IndexFunc(a.queue, func(r *reading) bool { return r.isBook() == (a.book == nil) })
	if i < 0 && a.book == nil && len(a.queue) > 0 {
		i = 0 // there is no book
	}
	if i < 0 {
		return nil
	}
	r := a.queue[i]
	a.queue = slices.Delete(a.queue, i, i+1)
	if r.isBook() {
		a.book = r
	}
	return r
}

func (r *reading) isBook() bool { return r.file.Size >= largeBook }

// isOver tells whether what came of a reading is what the last scan saw. If it
// is not, the file is queued again.
func (a *background) isOver(r *reading, p ingest.Document, err error) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.book == r {
		a.book = nil
	}
	if r.wanted && a.x.mayBeOlder(r) {
		r.wanted = false
		a.x.Throttle.Changed(r.at)
	}
	if r.wanted && a.ctx.Err() == nil && (err != nil || !compare.IsOf(r.file, p.Size, p.Modified, p.Changed)) {
		r.begun, r.wanted = false, false
		a.queue = append(a.queue, r)
		return false
	}
	delete(a.at, r.at)
	if err == nil && p.Skip == "" && p.ID == 0 {
		a.indexed++
	}
	return true
}

func (a *background) finish(r *reading, p ingest.Document, err error) {
	r.committed, r.err = p, err
	if errors.Is(err, catalog.ErrOvertaken) {
		a.x.Fresh.Doubt(time.Now()) // the other process has it to read
	}
	if r.err != nil && !errors.Is(r.err, ingest.ErrGone) && !errors.Is(r.err, catalog.ErrOvertaken) && a.ctx.Err() == nil {
		a.x.Log.Error("could not index", "path", a.x.Folders.Show(r.at), "error", r.err)
	}
	close(r.done)
	a.x.Embedding.Wake()
	if r.throttled {
		a.x.Fresh.Signal()
		return
	}
	a.x.Fresh.AdvanceApart()
}

// largeBook is the size in bytes from which files are read one at a time, for
// the sake of memory.
const largeBook = 16 << 20

// attempts is how often a file that changes while it is read is read again at
// once. After that the next scan finds it.
const attempts = 3

// readApart reads and commits one file. The result has the row of the document
// that was there when the file holds the same.
func (x *Indexer) readApart(ctx context.Context, r *reading, file docs.File) (ingest.Document, error) {
	folder := r.at.Folder
	w := worker{Run: x.NewRun(compare.Comparison{Force: r.force}), folder: folder}
	if file.Size >= largeBook {
		x.large.Lock()
		defer x.large.Unlock()
	}
	for try := 1; ; try++ {
		have, _ := x.Store.Document(search.Location{Folder: folder, Path: file.Path})
		p, err := w.x.Reader.Prepare(ctx, folder, w.x.Reader.Fetch(ctx, folder, file), have, w.Force)
		if err != nil {
			return p, err
		}
		now, err := x.commitApart(ctx, &w, p, have, x.mayBeOlder(r))
		if err != nil || now == nil {
			return p, err
		}
		if file = *now; try == attempts {
			return p, fmt.Errorf("%s is being written", file.Path)
		}
	}
}

// mayBeOlder tells whether what is read of a file counts although it has changed
// again: there would never be an end of it.
func (x *Indexer) mayBeOlder(r *reading) bool {
	return r.throttled || !docs.IsSlow(r.at.Path) && x.Throttle.Holds(r.at, time.Now())
}

// commitApart saves p unless the file is no longer what was read and must be; then
// it returns the file. No run goes on meanwhile, so that none has seen the folder
// as it will not be after it.
func (x *Indexer) commitApart(ctx context.Context, w *worker, p ingest.Document, have *search.Document, older bool) (*docs.File, error) {
	if err := x.Turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer x.Turn.Release(1)
	files, err := x.Folders[w.folder].Scan(ctx, p.Path)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 || files[0].Path != p.Path {
		return nil, ingest.ErrGone
	}
	if f := files[0]; !older && !compare.IsOf(f, p.Size, p.Modified, p.Changed) {
		return &f, nil
	}
	if have != nil && p.ID == have.ID {
		return nil, x.Store.Touch(ctx, w.folder, []catalog.Record{p.Record})
	}
	_, err = w.commit(ctx, p)
	if salvaged, failed := x.Recovery.Salvage(ctx); salvaged && err != nil {
		_, err = w.commit(ctx, p)
	} else if err != nil {
		err = errors.Join(err, failed)
	}
	return nil, err
}

// Wait waits for the files of a run that are read apart, and counts them.
func (r *Run) Wait(ctx context.Context) error {
	for _, reading := range r.apart {
		select {
		case <-reading.done:
		case <-ctx.Done():
			return ctx.Err()
		case <-r.x.background.ctx.Done():
			return context.Canceled
		}
		p, at := reading.committed, reading.at
		switch {
		case errors.Is(reading.err, ingest.ErrGone):
		case errors.Is(reading.err, catalog.ErrOvertaken):
			r.Overtaken = true
		case reading.err != nil:
			r.NoteSkipped(at.Folder, at.Path, catalog.Unread(ingest.Cause(reading.err)))
		case p.Skip != "":
			r.NoteSkipped(at.Folder, at.Path, p.Skip)
		case p.ID != 0:
			r.Report.Unchanged++
		default:
			r.Report.Indexed++
		}
	}
	return nil
}

// Unread lists the files that are yet to be read apart, as documents without text.
func (x *Indexer) Unread() []*search.Document { return x.background.unread() }

// FindUnread finds one of them.
func (x *Indexer) FindUnread(at search.Location) (*search.Document, bool) {
	return x.background.find(at)
}

// FindUnreadAlike finds one whose path looks the same.
func (x *Indexer) FindUnreadAlike(at search.Location) (*search.Document, bool) {
	return x.background.findAlike(at)
}
