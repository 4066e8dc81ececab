package sync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"vademecum/docs"
	"vademecum/index/freshness"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// backgroundReader reads files that take long, mainly PDFs, outside of the runs that find them, so
// that a note saved meanwhile does not wait for a large file. It has a lock because it is a queue between
// runs and several readers, and answers list what is in it.
type backgroundReader struct {
	s    *Syncer
	ctx  context.Context // context of all reads, which ends when the Syncer is closed
	stop context.CancelFunc

	mu       sync.Mutex
	queue    []*backgroundFile
	at       map[search.Location]*backgroundFile // queued or being read
	hugeFile *backgroundFile                     // the large file being read; nil if none
	readers  int
	group    sync.WaitGroup
	indexed  int // number of files indexed since the queue was last empty
}

// backgroundFile is a file that is read in the background, and later its result.
type backgroundFile struct {
	at     search.Location
	file   docs.File // as last seen
	force  bool
	begun  bool
	wanted bool // the file changed after reading began, and must be read again
	// throttled means that the file changes all the time: no caller waits for it, and the result is
	// accepted even if the file has changed again by then.
	throttled bool

	done      chan struct{} // closed when the file is done
	committed ingest.PreparedDocument
	err       error // why nothing was committed
}

func newBackgroundReader(x *Syncer) *backgroundReader {
	ctx, stop := context.WithCancel(context.Background())
	return &backgroundReader{s: x, ctx: ctx, stop: stop, at: make(map[search.Location]*backgroundFile)}
}

// pending is the skip reason of a file that has not been read yet.
var pending = message.New("waiting to be read: ask again")

func unreadDocument(at search.Location, f docs.File) *search.Document {
	return search.NewDocument(&catalog.Record{Path: at.Path, Size: f.Size, Modified: f.ModTime, SkipReason: pending}, at.Folder)
}

// enqueue queues files of the current run. A file that is already queued or being read is not read
// twice, unless it has changed by the end.
func (a *backgroundReader) enqueue(folder int, files []docs.File, force bool) []*backgroundFile {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ctx.Err() != nil {
		return nil
	}
	var all []*backgroundFile
	fresh := 0
	for _, f := range files {
		at := search.Location{Folder: folder, Path: f.Path}
		r := a.at[at]
		if r == nil {
			r = &backgroundFile{at: at, file: f, force: force, throttled: !force && a.s.RereadBackoff.isThrottled(at, time.Now()), done: make(chan struct{})}
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
	a.s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.MoveToBackground(len(files), fresh) })
	for a.readers < min(workerCount(), len(a.at)) {
		a.readers++
		a.group.Go(a.readQueue)
	}
	return all
}

// readQueue reads files until the queue is empty.
func (a *backgroundReader) readQueue() {
	for {
		r, file := a.nextFile()
		if r == nil {
			return
		}
		var p ingest.PreparedDocument
		err := a.s.Guard.Catch("index a file", func() (err error) {
			p, err = a.s.readInBackground(a.ctx, r, file)
			return err
		})
		if a.isUpToDate(r, p, err) {
			a.finishFile(r, p, err)
		}
	}
}

func (a *backgroundReader) nextFile() (*backgroundFile, docs.File) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ctx.Err() == nil {
		if r := a.dequeue(); r != nil {
			r.begun = true
			return r, r.file
		}
	}
	if a.readers--; a.readers == 0 && a.indexed > 0 {
		a.s.log.Info("indexed", "documents", a.indexed)
		a.indexed = 0
	}
	return nil, docs.File{}
}

// dequeue removes and returns the next file to read. It returns nil if there is none, or if there
// are only large files while one is being read; the reader of that file will continue with them.
// Large files come first, so that the end of the work is not delayed by a single large file.
func (a *backgroundReader) dequeue() *backgroundFile {
	i := slices.IndexFunc(a.queue, func(r *backgroundFile) bool { return r.isHuge() == (a.hugeFile == nil) })
	if i < 0 && a.hugeFile == nil && len(a.queue) > 0 {
		i = 0 // no large file is waiting
	}
	if i < 0 {
		return nil
	}
	r := a.queue[i]
	a.queue = slices.Delete(a.queue, i, i+1)
	if r.isHuge() {
		a.hugeFile = r
	}
	return r
}

func (r *backgroundFile) isHuge() bool { return r.file.Size >= hugeFile }

// isUpToDate reports whether the result of reading a file is up to date with the last scan. If not, it
// queues the file again.
func (a *backgroundReader) isUpToDate(r *backgroundFile, p ingest.PreparedDocument, err error) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.hugeFile == r {
		a.hugeFile = nil
	}
	if r.wanted && a.s.acceptsOlder(r) {
		r.wanted = false
		a.s.RereadBackoff.recordChangedDuringRead(r.at)
	}
	if r.wanted && a.ctx.Err() == nil && (err != nil || !hasSizeAndTimes(r.file, p.Size, p.Modified, p.ChangeTime)) {
		r.begun, r.wanted = false, false
		a.queue = append(a.queue, r)
		return false
	}
	delete(a.at, r.at)
	if err == nil && p.SkipReason == "" && p.ID == 0 {
		a.indexed++
	}
	return true
}

func (a *backgroundReader) finishFile(r *backgroundFile, p ingest.PreparedDocument, err error) {
	r.committed, r.err = p, err
	if errors.Is(err, catalog.ErrLeaseLost) {
		a.s.recordQuestion(time.Now(), func(folder int) bool { return folder == r.at.Folder }) // the other process must read it
	}
	if r.err != nil && !errors.Is(r.err, ingest.ErrFileRemoved) && !errors.Is(r.err, catalog.ErrLeaseLost) && a.ctx.Err() == nil {
		a.s.log.Error("could not index", "path", a.s.Folders.ShownPath(r.at), "error", r.err)
	}
	close(r.done)
	a.s.Embedding.Wake()
	if r.throttled {
		a.s.FreshnessPublisher.SignalDocumentChange()
		return
	}
	a.s.FreshnessPublisher.Update((*freshness.Snapshot).AddReadBackgroundFile)
}

// hugeFile is the size in bytes from which files are read one at a time, to limit memory.
const hugeFile = 16 << 20

// attempts is how often a file that changes while it is being read is read in a row. After that,
// the next scan finds it.
const attempts = 3

// readInBackground reads and commits one file. The result has the row of the existing document if
// the file has the same content.
func (s *Syncer) readInBackground(ctx context.Context, r *backgroundFile, file docs.File) (ingest.PreparedDocument, error) {
	folder := r.at.Folder
	w := worker{Run: s.NewRun(Comparison{Force: r.force}), folder: folder}
	if file.Size >= hugeFile {
		s.large.Lock()
		defer s.large.Unlock()
	}
	for try := 1; ; try++ {
		have, _ := s.Store.Document(search.Location{Folder: folder, Path: file.Path})
		p, err := w.prepare(ctx, folder, w.s.Reader.Fetch(ctx, folder, file), have)
		if err != nil {
			return p, err
		}
		now, err := s.commitInBackground(ctx, &w, p, have, s.acceptsOlder(r))
		if err != nil || now == nil {
			return p, err
		}
		if file = *now; try == attempts {
			return p, fmt.Errorf("%s is being written", file.Path)
		}
	}
}

// acceptsOlder reports whether the result of reading a file is saved even if the file has changed again:
// a file that changes all the time would otherwise never be indexed.
func (s *Syncer) acceptsOlder(r *backgroundFile) bool {
	return r.throttled || !docs.IsSlowToRead(r.at.Path) && s.RereadBackoff.isThrottled(r.at, time.Now())
}

// commitInBackground saves the document p, which was read in the background. If its file has changed
// since it was read, and older is not set, it returns the new state of the file instead. No run is
// active meanwhile, so no run can hold a listing from before the commit.
func (s *Syncer) commitInBackground(ctx context.Context, w *worker, p ingest.PreparedDocument, have *search.Document, older bool) (*docs.File, error) {
	if err := s.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.turn.Release(1)
	files, err := s.Folders[w.folder].Scan(ctx, p.Path)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 || files[0].Path != p.Path {
		return nil, ingest.ErrFileRemoved
	}
	if f := files[0]; !older && !hasSizeAndTimes(f, p.Size, p.Modified, p.ChangeTime) {
		return &f, nil
	}
	if have != nil && p.ID == have.ID {
		return nil, s.Store.Touch(ctx, w.folder, []catalog.Record{p.Record})
	}
	_, err = w.commitDocument(ctx, p)
	if salvaged, failed := s.moveToMemory(ctx); salvaged && err != nil {
		_, err = w.commitDocument(ctx, p)
	} else if err != nil {
		err = errors.Join(err, failed)
	}
	return nil, err
}

// WaitBackground waits until the files of the run that are read in the background are done, and counts
// them in the report.
func (r *Run) WaitBackground(ctx context.Context) error {
	for _, reading := range r.background {
		select {
		case <-reading.done:
		case <-ctx.Done():
			return ctx.Err()
		case <-r.s.background.ctx.Done():
			return context.Canceled
		}
		p, at := reading.committed, reading.at
		switch {
		case errors.Is(reading.err, ingest.ErrFileRemoved):
		case errors.Is(reading.err, catalog.ErrLeaseLost):
			r.isLeaseLost = true
		case reading.err != nil:
			r.recordSkipped(at.Folder, at.Path, catalog.ReadFailureReason(ingest.UnwrapOnce(reading.err)))
		case p.SkipReason != "":
			r.recordSkipped(at.Folder, at.Path, p.SkipReason)
		case p.ID != 0:
			r.Report.Unchanged++
		default:
			r.Report.Indexed++
		}
	}
	return nil
}

// UnreadDocuments lists the files that are yet to be read in the background for the first time, as
// documents without text.
func (s *Syncer) UnreadDocuments() []*search.Document {
	a := s.background
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []*search.Document
	for at, r := range a.at {
		if _, ok := s.Store.Document(at); !ok {
			all = append(all, unreadDocument(at, r.file))
		}
	}
	return all
}

// FindUnreadDocument returns the document, without text, for a file that is yet to be read in the background for
// the first time; false if there is no such file at the location.
func (s *Syncer) FindUnreadDocument(at search.Location) (*search.Document, bool) {
	s.background.mu.Lock()
	defer s.background.mu.Unlock()
	r, ok := s.background.at[at]
	if !ok {
		return nil, false
	}
	return unreadDocument(at, r.file), true
}

// CurrentSkipReason returns why a document is not indexed; "" if it is. What was found when its file
// was read before, such as that it was empty, does not hold while it is read again.
func (s *Syncer) CurrentSkipReason(d *search.Document) message.Message {
	if d.SkipReason == "" {
		return ""
	}
	if unread, ok := s.FindUnreadDocument(d.Location()); ok {
		return unread.SkipReason
	}
	return d.SkipReason
}

// FindWaitingFileWithEquivalentPath returns the document, without text, for a file that is yet to be
// read in the background for the first time, and whose path may be written with other Unicode
// characters than at; false if there is no such file.
func (s *Syncer) FindWaitingFileWithEquivalentPath(at search.Location) (*search.Document, bool) {
	s.background.mu.Lock()
	defer s.background.mu.Unlock()
	for other, r := range s.background.at {
		if live.NFCLocation(other) == live.NFCLocation(at) {
			return unreadDocument(other, r.file), true
		}
	}
	return nil, false
}
