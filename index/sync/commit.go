package sync

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"vademecum/docs"
	"vademecum/docs/kind"
	"vademecum/index/freshness"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/panics"
)

// Number of chunks in a batch. Batches are small if chunks are held in memory with their terms.
// They are large if each commit writes a segment of postings lists, which is later merged with
// others: with batches of 64, indexing a million passages wrote and removed 43 million short lists.
const (
	batchChunks  = 64
	batchOfLists = 2048
)

func (w *worker) batchChunks() int {
	if w.s.Folders[w.folder].Storage.Describe().IsShared {
		return batchOfLists
	}
	return batchChunks
}

// indexFiles reads files of a folder and commits them, several at a time.
func (r *Run) indexFiles(ctx context.Context, folder int, files []docs.File) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	feed := make(chan ingest.FetchedFile)
	var group sync.WaitGroup
	workers := make([]worker, min(workerCount(), len(files)))
	for i := range workers {
		w := &workers[i]
		*w = worker{Run: r.s.NewRun(Comparison{Force: r.Force}), folder: folder}
		group.Go(func() {
			err := r.s.Guard.Catch("index files", func() error {
				for l := range feed {
					if err := w.indexFile(ctx, l); err != nil {
						return err
					}
				}
				return w.flushBatch(ctx)
			})
			if err != nil {
				cancel(err)
			}
		})
	}
	r.s.Reader.FetchAll(ctx, folder, files, feed)
	group.Wait()
	for _, w := range workers {
		r.addReport(w.Report)
	}
	return context.Cause(ctx)
}

// worker prepares files of a folder, and commits them in batches. Its Run only has its own report.
type worker struct {
	*Run
	folder  int
	batch   []ingest.PreparedDocument
	chunks  int
	touched []catalog.Record
	seen    int // number of files since the last commit
}

// indexFile reads one file, adds it to the batch if it must be saved, and commits a batch that is
// large enough.
func (w *worker) indexFile(ctx context.Context, l ingest.FetchedFile) error {
	if l.Size >= LargeFileBytes {
		w.s.large.Lock()
		defer w.s.large.Unlock()
		defer live.LowerGCPercent()()
		defer debug.FreeOSMemory() // the next batch may follow at once
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	w.seen++
	have, _ := w.s.Store.Document(search.Location{Folder: w.folder, Path: l.Path})
	p, err := w.prepare(ctx, w.folder, l, have)
	switch {
	case errors.Is(err, ingest.ErrFileRemoved):
	case err != nil:
		return err
	case have != nil && p.ID == have.ID:
		w.touched = append(w.touched, p.Record)
		w.recordUnchanged(w.folder, have)
	default:
		w.batch = append(w.batch, p)
		w.chunks += len(p.Chunks)
	}
	if most := w.batchChunks(); w.chunks >= most || w.seen >= 4*most || l.Size >= LargeFileBytes {
		return w.flushBatch(ctx)
	}
	return nil
}

// prepare makes a document of a file, and records how long that took if its content has changed.
func (r *Run) prepare(ctx context.Context, folder int, l ingest.FetchedFile, have *search.Document) (ingest.PreparedDocument, error) {
	p, err := r.s.Reader.Prepare(ctx, folder, l, have, r.Force)
	if err == nil && p.ReadDurationIfChanged > 0 {
		r.s.RereadBackoff.RecordRead(search.Location{Folder: folder, Path: l.Path}, p.ReadDurationIfChanged, time.Now())
	}
	return p, err
}

// flushBatch commits the batch and counts its files.
func (w *worker) flushBatch(ctx context.Context) error {
	if err := w.commitBatch(ctx); err != nil {
		return err
	}
	for _, p := range w.batch {
		if p.SkipReason != "" {
			w.recordSkipped(w.folder, p.Path, p.SkipReason)
		} else {
			w.Report.Indexed++
		}
	}
	if err := w.s.Store.Touch(ctx, w.folder, w.touched); err != nil {
		return err
	}
	w.s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.AddReadFiles(w.seen) })
	w.batch, w.touched, w.chunks, w.seen = w.batch[:0], w.touched[:0], 0, 0
	return nil
}

// commitBatch saves the batch in one commit, which takes a sixth of the time of separate commits.
// After a panic, it commits each document separately, so that only those that cause a panic are
// skipped. The caller must hold Syncer.turn.
func (w *worker) commitBatch(ctx context.Context) error {
	if len(w.batch) == 0 {
		return nil
	}
	entries := make([]catalog.RecordWithBody, len(w.batch))
	for i, p := range w.batch {
		entries[i] = p.RecordWithBody
	}
	err := w.s.Guard.Catch("save documents", func() error { return w.s.Store.Put(ctx, w.folder, entries...) })
	if !panics.Is(err) {
		return err
	}
	if w.s.reload(ctx) != nil { // a document cannot be loaded: remove all
		for _, p := range w.batch {
			_ = w.s.Guard.Catch("take a document back", func() error { return w.s.Store.Remove(ctx, w.folder, p.Path) })
		}
		if err := w.s.reload(ctx); err != nil {
			return err
		}
	}
	for i, p := range w.batch {
		if w.isAlreadyCommitted(p) {
			continue
		}
		if w.batch[i], err = w.commitDocument(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// isAlreadyCommitted reports whether a document has been committed since it was read.
func (w *worker) isAlreadyCommitted(p ingest.PreparedDocument) bool {
	d, ok := w.s.Store.Document(search.Location{Folder: w.folder, Path: p.Path})
	return ok && d.ReadAt().Equal(p.ReadAt) && d.Hash == p.Hash && d.SkipReason == p.SkipReason
}

// commitDocument saves a document and makes it searchable. After a panic, it reloads memory from
// the disk, and marks the document as skipped if it caused the panic. The caller must hold
// Syncer.turn.
func (w *worker) commitDocument(ctx context.Context, p ingest.PreparedDocument) (ingest.PreparedDocument, error) {
	put := func() error { return w.s.Store.Put(ctx, w.folder, p.RecordWithBody) }
	err := w.s.Guard.Catch("save a document", put)
	if !panics.Is(err) {
		return p, err
	}
	if w.s.reload(ctx) == nil && w.isAlreadyCommitted(p) {
		return p, nil
	}
	p = w.s.Reader.WithoutText(w.folder, p, err)
	err = w.s.Guard.Catch("save that a document is skipped", put)
	if w.s.Store.NeedsReload() {
		err = w.s.reload(ctx)
	}
	return p, err
}

// workerCount returns the number of goroutines that prepare documents.
func workerCount() int { return max(2, runtime.GOMAXPROCS(0)) }

// commitMoved commits those of the slow files that are moved documents: their content is that of a
// document whose file is gone. So a renamed folder of books is not read again, and its documents
// never disappear from the index. It returns the other files.
func (r *Run) commitMoved(ctx context.Context, folder int, slow []docs.File, gone []*search.Document) ([]docs.File, error) {
	if r.Force {
		return slow, nil
	}
	type look struct{ size, modified int64 }
	left := make(map[look]*search.Document)
	for _, d := range gone {
		if d.SkipReason == "" {
			left[look{d.Size, catalog.Nanoseconds(d.Modified())}] = d
		}
	}
	var rest []docs.File
	for _, f := range slow {
		moved := false
		if d := left[look{f.Size, catalog.Nanoseconds(f.ModTime)}]; d != nil {
			var err error
			if moved, err = r.commitIfMoved(ctx, folder, d, f); err != nil {
				return nil, err
			}
		}
		if !moved {
			rest = append(rest, f)
		}
	}
	return rest, nil
}

// commitIfMoved commits a document under the path of a file if both have the same content, and
// reports whether it did.
func (r *Run) commitIfMoved(ctx context.Context, folder int, d *search.Document, f docs.File) (bool, error) {
	raw, err := r.s.Folders[folder].Load(ctx, f.Path)
	if ctx.Err() != nil || errors.Is(err, docs.ErrNotResponding) {
		return false, err
	}
	if err != nil || raw.Hash != d.Hash {
		return false, nil // the caller reads it like other files, and reports errors
	}
	body, ok, err := r.s.Store.Body(ctx, d)
	if err != nil || !ok {
		return false, err
	}
	p := catalog.RecordWithBody{Body: body}
	if p.Record, err = r.s.Store.Follower(folder).Record(ctx, d.ID); err != nil {
		return false, fmt.Errorf("read the record of %s: %w", d.Path, err)
	}
	if p.Title == ingest.NameWithoutExtension(p.Path) {
		p.Title = ingest.NameWithoutExtension(f.Path)
	}
	p.Path, p.Modified, p.ChangeTime = f.Path, raw.ModTime, raw.ChangeTime
	for i := range p.Chunks {
		c := &p.Chunks[i]
		c.Terms = ingest.TermsOfChunk(&p.Record, body.Text, i)
		if c.Traits.Kind != kind.GeneratedFile { // Generated depends on the content alone
			c.Traits.Kind = kind.KindOf(kind.Passage{Path: p.Path, Heading: c.Heading, Text: body.Text[c.Span.StartByte:c.Span.EndByte], IsWholeDocument: len(p.Chunks) == 1})
		}
	}
	if err := r.s.Store.Put(ctx, folder, p); err != nil {
		return false, err
	}
	r.Report.Indexed++
	return true, nil
}

// Limits of the number of documents removed in one commit, and of their passages; a single document
// may exceed the latter. When a database committed each of 3,000 removals separately, they took
// longer than indexing 5,000 documents.
const (
	goneAtOnce     = 256
	passagesAtOnce = 8192
)

// removeGone removes documents of a folder in batches. If one cannot be removed, batches committed
// before stay removed.
func (r *Run) removeGone(ctx context.Context, folder int, gone []*search.Document) error {
	report := func(done, total int) {
		r.s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.OwnState.RemoveDone, now.OwnState.RemoveTotal = done, total })
	}
	defer report(0, 0)
	for done := 0; done < len(gone); {
		report(done, len(gone))
		some := firstBatch(gone[done:])
		paths := make([]string, len(some))
		for i, d := range some {
			paths[i] = d.Path
		}
		if err := r.s.Store.Remove(ctx, folder, paths...); err != nil {
			return err
		}
		for _, d := range some {
			r.s.RereadBackoff.forget(d.Location())
			if d.SkipReason == "" {
				r.Report.Removed++
			}
		}
		done += len(some)
	}
	return nil
}

// firstBatch returns the longest prefix of gone, at least one document, that may be removed in one
// commit.
func firstBatch(gone []*search.Document) []*search.Document {
	passages := 0
	for i, d := range gone {
		passages += d.CountChunks()
		if i == goneAtOnce || i > 0 && passages > passagesAtOnce {
			return gone[:i]
		}
	}
	return gone
}
