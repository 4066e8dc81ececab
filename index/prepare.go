package index

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"vademecum/docs"
	"vademecum/embed"
)

// prepared is a document that is read, chunked and analysed, and waits for
// its vectors.
type prepared struct {
	record
	text   string
	inputs []string // what is embedded for each chunk
}

// batchChunks is how many chunks a worker gathers before it asks for vectors.
const batchChunks = 64

// process indexes files, several at a time, and returns how many documents
// took another's place. Each document is committed by itself.
func (r *run) process(ctx context.Context, folder int, files []docs.File) (replaced int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	feed := make(chan docs.File)
	var group sync.WaitGroup
	var mu sync.Mutex // guards the report and replaced
	for range min(workers(), len(files)) {
		group.Go(func() {
			w := worker{run: r, folder: folder, mu: &mu, replaced: &replaced}
			if err := w.work(ctx, feed); err != nil {
				cancel(err)
			}
		})
	}
	err = offer(ctx, feed, files)
	group.Wait()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return replaced, err
}

func offer(ctx context.Context, feed chan<- docs.File, files []docs.File) error {
	defer close(feed)
	for _, f := range files {
		select {
		case feed <- f:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// worker prepares files and commits them in batches.
type worker struct {
	*run
	folder   int
	mu       *sync.Mutex
	replaced *int
	batch    []prepared
	chunks   int
	touched  []record
	seen     int // files since the last flush
}

func (w *worker) work(ctx context.Context, feed <-chan docs.File) error {
	for f := range feed {
		w.seen++
		if err := w.take(ctx, f); err != nil {
			return err
		}
		if w.chunks >= batchChunks || w.seen >= 4*batchChunks {
			if err := w.flush(ctx); err != nil {
				return err
			}
		}
	}
	return w.flush(ctx)
}

// take looks into one file and puts what must be saved into the batch.
func (w *worker) take(ctx context.Context, f docs.File) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	have, _ := w.ix.store.document(location{w.folder, f.Path})
	p, err := w.prepare(f, have)
	switch {
	case errors.Is(err, errGone):
		return nil
	case err != nil:
		return err
	case have != nil && p.id == have.id:
		w.touched = append(w.touched, p.record)
		w.mu.Lock()
		w.unchanged(w.folder, have)
		w.mu.Unlock()
		return nil
	}
	w.batch = append(w.batch, p)
	w.chunks += len(p.chunks)
	return nil
}

// prepare reads a file. The result has the row of have when the file holds
// what have does.
func (w *worker) prepare(f docs.File, have *document) (prepared, error) {
	p := prepared{record: record{path: f.Path, size: f.Size, modified: f.ModTime, readAt: time.Now(), skip: f.Skip, mime: "application/octet-stream"}}
	if f.Skip != "" {
		return p, nil
	}
	d, err := w.ix.folders[w.folder].Read(f.Path)
	var skip *docs.SkipError
	switch {
	case errors.As(err, &skip):
		p.skip = skip.Reason
		if have != nil && have.skip == p.skip && have.size == p.size {
			p.id = have.id
		}
		return p, nil
	case errors.Is(err, fs.ErrNotExist):
		return p, errGone
	case err != nil:
		p.skip = "cannot be read: " + reasonOnly(err).Error()
		return p, nil
	}
	p.hash, p.size, p.modified = d.Hash, d.Size, d.ModTime
	if have != nil && have.hash == p.hash && have.skip == "" && !w.force && !w.ix.store.isBare(have) {
		p.id = have.id
		return p, nil
	}
	p.fill(d)
	return p, nil
}

// fill takes over what a document says.
func (p *prepared) fill(d docs.Document) {
	p.title, p.mime, p.text, p.textHash = d.Title, d.MIME, d.Text, d.TextHash()
	for _, c := range d.Chunks() {
		input := embeddingInput(c)
		sum := sha256.Sum256([]byte(input))
		p.inputs = append(p.inputs, input)
		p.chunks = append(p.chunks, chunkRecord{
			span: c.Span, heading: c.Heading, key: textKey(sum[:len(textKey{})]),
			terms: countTerms(p.title, name(p.path), input),
		})
	}
}

// embeddingInput is a chunk's text after those headings above it that do not
// stand in it. The file's name is left out, so that a renamed document keeps
// its vectors.
func embeddingInput(c docs.Chunk) string {
	var above []string
	for _, h := range c.Heading {
		if !strings.Contains(c.Text, h) {
			above = append(above, h)
		}
	}
	if len(above) == 0 {
		return c.Text
	}
	return strings.Join(above, "\n") + "\n" + c.Text
}

// name is the last element of a path without its extension.
func name(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

// flush commits the batch, each document by itself.
func (w *worker) flush(ctx context.Context) error {
	fresh := w.embed(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, p := range w.batch {
		if err := w.commit(ctx, p, fresh); err != nil {
			return err
		}
	}
	if err := w.ix.store.touch(ctx, w.folder, w.touched); err != nil {
		return err
	}
	w.ix.progress.advance(w.seen)
	w.batch, w.touched, w.chunks, w.seen = w.batch[:0], w.touched[:0], 0, 0
	return nil
}

func (w *worker) commit(ctx context.Context, p prepared, vectors embedded) error {
	_, existed := w.ix.store.document(location{w.folder, p.path})
	if err := w.ix.store.put(ctx, w.folder, p.record, p.text, vectors.known, vectors.of(p)); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if existed {
		*w.replaced++
	}
	if p.skip != "" {
		w.skipped(w.folder, p.path, p.skip)
	} else {
		w.report.Indexed++
	}
	return nil
}

// embedded holds the vectors of a batch: known from before, and new.
type embedded struct{ known, fresh map[textKey][]float32 }

// of picks the new vectors of one document.
func (e embedded) of(p prepared) map[textKey][]float32 {
	own := make(map[textKey][]float32)
	for _, c := range p.chunks {
		if v, ok := e.fresh[c.key]; ok {
			own[c.key] = v
		}
	}
	return own
}

// embed finds or makes the vectors of the batch. When the model does not
// answer, the documents are searchable by their words until a later run.
func (w *worker) embed(ctx context.Context) embedded {
	var e embedded
	var chunks []chunkRecord
	for _, p := range w.batch {
		chunks = append(chunks, p.chunks...)
	}
	var err error
	if e.known, err = w.ix.store.known(ctx, w.folder, chunks); err == nil {
		e.fresh, err = w.ix.embedMissing(ctx, w.batch, e.known)
	}
	if err != nil && ctx.Err() == nil {
		w.mu.Lock()
		w.warn(fmt.Sprintf("no vectors for some documents, they are found by their words only: %v", err))
		w.mu.Unlock()
	}
	return e
}

// embedMissing embeds every text of the batch once that has no vector yet.
func (ix *Index) embedMissing(ctx context.Context, batch []prepared, known map[textKey][]float32) (map[textKey][]float32, error) {
	var keys []textKey
	var inputs []string
	asked := make(map[textKey]bool)
	for _, p := range batch {
		for i, c := range p.chunks {
			if known[c.key] == nil && !asked[c.key] {
				asked[c.key] = true
				keys, inputs = append(keys, c.key), append(inputs, p.inputs[i])
			}
		}
	}
	if len(inputs) == 0 {
		return nil, nil
	}
	vectors, err := ix.embedder.Embed(ctx, embed.Passage, inputs)
	if err != nil {
		return nil, err
	}
	fresh := make(map[textKey][]float32, len(keys))
	for i, k := range keys {
		fresh[k] = vectors[i]
	}
	return fresh, nil
}
