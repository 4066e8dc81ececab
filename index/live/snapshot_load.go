package live

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"vademecum/docs/kind"
	"vademecum/index/blob"
	"vademecum/index/catalog"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/vector"
	"vademecum/internal/panics"
)

// loadSnapshot reads what was in memory when the snapshot beside c was made.
// The error matches errNoSnapshot when there is none that fits c.
func loadSnapshot(ctx context.Context, c *Follower, folder int, p vector.Precision) (*Memory, snapshotHead, error) {
	s, err := c.openSnapshot()
	if err != nil {
		return nil, snapshotHead{}, err
	}
	defer s.Close()
	if err := c.checkHead(ctx, s.head); err != nil {
		return nil, s.head, err
	}
	l := &loading{file: s, folder: folder, source: c, precision: p, Memory: newMemory(p)}
	if err := l.run(); err != nil {
		return nil, s.head, fmt.Errorf("%w: %w", errNoSnapshot, err)
	}
	return l.Memory, s.head, nil
}

// openSnapshot opens the one beside the file, if there is a file.
func (c *Follower) openSnapshot() (*snapshotFile, error) {
	if c.File() == "" {
		return nil, errNoSnapshot
	}
	return openSnapshot(c.File() + SnapshotSuffix)
}

// checkHead refuses a snapshot of another catalogue, or model, and any that is
// not the last one: the catalogue may have been put back to an earlier state.
func (c *Follower) checkHead(ctx context.Context, h snapshotHead) error {
	token, err := c.Values().Get(ctx, "snapshot")
	if err != nil {
		return err
	}
	model, err := c.Vectors().Model(ctx)
	if err != nil {
		return err
	}
	if h.token != token || h.model != model || h.words.Chunks > lexical.MaxSlots {
		return errNoSnapshot
	}
	return nil
}

// loading brings the sections of a snapshot into memory.
type loading struct {
	file      *snapshotFile
	folder    int
	source    *Follower
	precision vector.Precision
	*Memory
}

// run loads several sections at a time: those that take longest first.
func (l *loading) run() error {
	h := l.file.head
	if h.words.Chunks > lexical.MaxSlots || len(l.file.sections)-vectorSections != vector.SectionCount(h.words.Chunks) {
		return errNoSnapshot
	}
	// Whatever is numbered takes some bytes: what is made is bounded by the file.
	for _, part := range []struct{ count, section, least int }{
		{h.documents, documentSection, 64}, {h.headings - 1, chunkSection, 1}, {h.words.Chunks, chunkSection, 24 + kind.MarkBytes},
	} {
		if int64(part.count)*int64(part.least) > l.file.sections[part.section].length {
			return errNoSnapshot
		}
	}
	vectors, err := vector.Load(h.words.Chunks, h.dimensions, l.precision, func(n int, buffer []byte) ([]byte, error) {
		return l.file.section(vectorSections+n, buffer)
	})
	if err != nil {
		return err
	}
	words := lexical.Load(h.words, sectionsFrom{l.file, lexicalSections})
	l.Chunks, l.begins = make([]search.Chunk, h.words.Chunks), make([]uint16, h.words.Chunks)
	steps := append(words.Steps(), func() error { return l.loadDocuments(vectors) })
	steps = append(steps, vectors.Steps()...)
	if err := allOf(steps); err != nil {
		return err
	}
	l.Vectors, l.Postings = vectors.Index(), words.Index()
	return nil
}

// allOf takes several steps at a time, and returns what went wrong: a snapshot can
// be done without, so panics are nothing else.
func allOf(steps []func() error) error {
	var next atomic.Int64
	var group sync.WaitGroup
	faults := make([]error, len(steps))
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(steps); i = next.Add(1) - 1 {
				faults[i] = panics.Catch(steps[i]) // what is wrong with the file may cause one
			}
		})
	}
	group.Wait()
	return errors.Join(faults...)
}

// withText opens a section that has its strings in another.
func (l *loading) withText(section, strings int) (*blob.Reader, *blob.Text, error) {
	all := sectionsFrom{l.file, 0}
	b, err := blob.ReadBytes(all, section)
	if err != nil {
		return nil, nil, err
	}
	text, err := blob.ReadText(all, strings)
	return &blob.Reader{Rest: b}, text, err
}

// loadDocuments makes the documents and their chunks.
func (l *loading) loadDocuments(vectors *vector.Loading) error {
	r, text, err := l.withText(documentSection, documentTextSection)
	if err != nil {
		return err
	}
	all := make([]search.Document, l.file.head.documents)
	slots := make([]rank.Slot, 0, len(l.Chunks))
	said := shareReader{r: r, text: text}
	l.numbering = newNumbering(len(all))
	for i := range all {
		of := catalog.Record{ID: r.Signed(), Size: r.Signed()}
		of.Modified, of.Changed, of.ReadAt = catalog.TimeOf(r.Signed()), catalog.TimeOf(r.Signed()), catalog.TimeOf(r.Signed())
		count := int(r.Signed())
		copy(of.Hash[:], r.Take(len(of.Hash)))
		copy(of.TextHash[:], r.Take(len(of.TextHash)))
		for _, s := range []*string{&of.Path, &of.Title, &of.MIME, &of.TextMIME, &of.Encoding, &of.Note, &of.Skip} {
			*s = text.Cut(r.Number())
		}
		of.Meta = said.data()
		all[i] = search.DocumentOf(&of, l.common(search.CommonOf(&of, l.folder, l.source.id())))
		d := &all[i]
		first := len(slots)
		switch {
		case r.Err != nil, count < 0, count > len(l.Chunks)-first, d.Skip != "" && count > 0, d.Size < 0:
			return errNoSnapshot
		}
		for n := range count {
			slots = append(slots, rank.Slot(first+n))
			bare := !vectors.Has(rank.Slot(first + n))
			l.Chunks[first+n] = search.Chunk{Document: d, Number: n, Bare: bare}
			if bare {
				l.Bare++
				l.incomplete[d]++
			}
		}
		d.Slots = slots[first:len(slots):len(slots)]
		if l.At(d.At()) != nil { // each is there once
			return errNoSnapshot
		}
		l.put(d)
	}
	if r.Err != nil || len(slots) != len(l.Chunks) {
		return errNoSnapshot
	}
	return l.loadChunks()
}

// loadChunks fills in the ranges, keys, wordings, marks and heading paths.
func (l *loading) loadChunks() error {
	r, text, err := l.withText(chunkSection, chunkTextSection)
	if err != nil {
		return err
	}
	paths := make([][]string, 1, max(1, l.file.head.headings))
	for i := range l.Chunks {
		c := &l.Chunks[i]
		c.Span.StartByte = r.Number()
		c.Span.EndByte = c.Span.StartByte + r.Number()
		c.Span.StartLine = r.Number()
		c.Span.EndLine = c.Span.StartLine + r.Number()
		copy(c.Key[:], r.Take(len(c.Key)))
		copy(c.Wording[:], r.Take(len(c.Wording)))
		l.begins[i] = beginning(c.Wording)
		mark, known := kind.MarkOf(r.Take(kind.MarkBytes))
		c.Mark = mark
		number := r.Number()
		switch {
		case r.Err != nil || !known || number > len(paths):
			return errNoSnapshot
		case number == len(paths):
			length := r.Number()
			if length > len(r.Rest) { // each takes a byte
				return errNoSnapshot
			}
			path := make([]string, length)
			for i := range path {
				path[i] = text.Cut(r.Number())
			}
			paths = append(paths, path)
		}
		c.Heading = paths[number]
	}
	return r.Err
}
