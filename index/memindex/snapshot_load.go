package memindex

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"vademecum/docs/kind"
	"vademecum/index/blob"
	"vademecum/index/lexical"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/vector"
	"vademecum/internal/base/panics"
)

// RestoreSnapshot implements live.ChunkIndex. It loads the snapshot beside the catalogue. If that does not fit and
// rescuesVectors is set, it saves the vectors in it to the catalogue.
func (ix *Index) RestoreSnapshot(ctx context.Context, folder int, f *live.Follower, rescuesVectors bool) (change int64, takeOver func(*live.Documents) error, err error) {
	ix.pictured.Delete(folder)
	l, err := loadSnapshot(ctx, f, folder, precisionFor(ix.store.ModelProperties))
	if errors.Is(err, errNoSnapshot) {
		if err = nil; rescuesVectors {
			err = rescueSnapshot(ctx, folder, f)
		}
		return 0, nil, err
	}
	if err != nil {
		return 0, nil, err
	}
	head := l.file.head
	f.SetLastVectorRow(head.vector)
	ix.pictured.Store(folder, snapshotState{head.change, l.vectors.Len()})
	return head.change, func(docs *live.Documents) error { return ix.takeLoaded(docs, l) }, nil
}

// takeLoaded makes the content of a folder that was loaded from a snapshot searchable. The caller must hold the lock for
// writing.
func (ix *Index) takeLoaded(docs *live.Documents, l *snapshotLoading) error {
	if len(l.chunks) >= live.ManyChunksThreshold {
		live.SetGCPercent(growth)
	}
	if docs.IsEmpty() && len(ix.chunks) == 0 {
		*docs, ix.contents = *l.docs, l.contents
		return nil
	}
	return ix.addLoaded(docs, l)
}

// addLoaded adds the loaded content to that of the index.
func (ix *Index) addLoaded(docs *live.Documents, l *snapshotLoading) error {
	first := rank.Slot(len(ix.chunks))
	if len(ix.chunks)+len(l.chunks) > lexical.MaxSlots {
		return errFull
	}
	for d := range l.docs.All {
		for i := range d.Slots {
			d.Slots[i] += first
		}
		docs.RemoveAt(d.Location())
		docs.TakeFrom(l.docs, d)
	}
	ix.chunks, ix.begins = append(ix.chunks, l.chunks...), append(ix.begins, l.begins...)
	ix.postings.Append(l.postings, first)
	unfit, err := vector.MergeIndexes(ix.vectors, l.vectors, first, len(l.chunks))
	for _, s := range unfit { // vectors with another number of dimensions
		docs.MarkUnembedded(ix.chunks[s].Document, ix.chunks[s].Number)
	}
	return err
}

// loadSnapshot reads the snapshot beside a catalogue. The error matches errNoSnapshot if there is
// none that fits.
func loadSnapshot(ctx context.Context, f *live.Follower, folder int, p vector.Precision) (*snapshotLoading, error) {
	s, err := openSnapshotOf(f)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := s.checkHead(ctx, f); err != nil {
		return nil, err
	}
	l := newLoading(s, folder, f, p)
	if err := l.run(); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoSnapshot, err)
	}
	return l, nil
}

// openSnapshotOf opens the snapshot beside the file of a catalogue, if the catalogue has a file.
func openSnapshotOf(f *live.Follower) (*snapshotFile, error) {
	if f.Describe().File == "" {
		return nil, errNoSnapshot
	}
	return openSnapshot(f.Describe().File + SnapshotSuffix)
}

// checkHead returns an error if the snapshot belongs to another catalogue or model, or is not the
// last one saved: the catalogue may have been restored to an earlier state.
func (s *snapshotFile) checkHead(ctx context.Context, f *live.Follower) error {
	token, err := f.Value(ctx, "snapshot")
	if err != nil {
		return err
	}
	if h := s.head; h.token != token || h.model != f.Describe().Model || h.words.Chunks > lexical.MaxSlots {
		return errNoSnapshot
	}
	return nil
}

// snapshotLoading decodes the sections of a snapshot.
type snapshotLoading struct {
	file      *snapshotFile
	folder    int
	source    *live.Follower
	precision vector.Precision
	docs      *live.Documents
	contents
}

func newLoading(s *snapshotFile, folder int, source *live.Follower, p vector.Precision) *snapshotLoading {
	return &snapshotLoading{file: s, folder: folder, source: source, precision: p, docs: live.NewDocuments(0)}
}

// run loads several sections concurrently, starting with those that take longest, and blocks until
// all are loaded.
func (l *snapshotLoading) run() error {
	h := l.file.head
	if h.words.Chunks > lexical.MaxSlots || len(l.file.sections)-vectorSections != vector.SnapshotSectionCount(h.words.Chunks) {
		return errNoSnapshot
	}
	// Each item takes a minimum number of bytes in the file, so the file's size limits the memory
	// allocated.
	for _, part := range []struct{ count, section, least int }{
		{h.documents, documentSection, 64}, {h.headings - 1, chunkSection, 1}, {h.words.Chunks, chunkSection, 24 + kind.TraitsBytes},
	} {
		if int64(part.count)*int64(part.least) > l.file.sections[part.section].length {
			return errNoSnapshot
		}
	}
	vectors, err := vector.NewIndexLoader(h.words.Chunks, h.dimensions, l.precision, func(n int, buffer []byte) ([]byte, error) {
		return l.file.section(vectorSections+n, buffer)
	})
	if err != nil {
		return err
	}
	words := lexical.NewIndexLoader(h.words, sectionsFrom{l.file, lexicalSections})
	l.chunks, l.begins = make([]search.Chunk, h.words.Chunks), make([]uint16, h.words.Chunks)
	steps := append(words.Steps(), func() error { return l.loadDocuments(vectors) })
	steps = append(steps, vectors.Steps()...)
	if err := runParallel(steps); err != nil {
		return err
	}
	l.vectors, l.postings = vectors.Index(), words.Index()
	return nil
}

// runParallel runs several steps concurrently, and returns their errors joined. A panic is returned
// as an error, because the index can do without a snapshot.
func runParallel(steps []func() error) error {
	var next atomic.Int64
	var group sync.WaitGroup
	faults := make([]error, len(steps))
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(steps); i = next.Add(1) - 1 {
				faults[i] = panics.Catch(steps[i]) // a corrupt file may cause a panic
			}
		})
	}
	group.Wait()
	return errors.Join(faults...)
}

// withText returns a reader of a section and one of the section with its strings.
func (l *snapshotLoading) withText(section, strings int) (*blob.Reader, *blob.StringReader, error) {
	all := sectionsFrom{l.file, 0}
	b, err := blob.ReadBytes(all, section)
	if err != nil {
		return nil, nil, err
	}
	text, err := blob.NewStringReader(all, strings)
	return &blob.Reader{Rest: b}, text, err
}

// loadDocuments decodes the documents and assigns their chunks.
func (l *snapshotLoading) loadDocuments(vectors *vector.IndexLoader) error {
	r, text, err := l.withText(documentSection, documentTextSection)
	if err != nil {
		return err
	}
	all := make([]search.Document, l.file.head.documents)
	slots := make([]rank.Slot, 0, len(l.chunks))
	said := stringTableReader{r: r, text: text}
	l.docs = live.NewDocuments(len(all))
	for i := range all {
		of := catalog.Record{ID: r.SignedNumber(), Size: r.SignedNumber()}
		of.Modified, of.ChangeTime, of.ReadAt = catalog.TimeOfNanoseconds(r.SignedNumber()), catalog.TimeOfNanoseconds(r.SignedNumber()), catalog.TimeOfNanoseconds(r.SignedNumber())
		count := int(r.SignedNumber())
		copy(of.Hash[:], r.Next(len(of.Hash)))
		copy(of.TextHash[:], r.Next(len(of.TextHash)))
		for _, s := range []*string{&of.Path, &of.Title, &of.MIME, &of.TextMIME, &of.Encoding, (*string)(&of.ExtractionNote), (*string)(&of.SkipReason)} {
			*s = text.Next(r.Number())
		}
		of.Meta = said.readData()
		all[i] = search.DocumentOf(&of, l.docs.InternSharedFields(search.InternedFieldsOf(&of, l.folder, l.source.CatalogID())))
		d := &all[i]
		first := len(slots)
		switch {
		case r.Err != nil, count < 0, count > len(l.chunks)-first, d.SkipReason != "" && count > 0, d.Size < 0:
			return errNoSnapshot
		}
		var unembedded live.ChunkSet
		for n := range count {
			slots = append(slots, rank.Slot(first+n))
			l.chunks[first+n] = search.Chunk{Document: d, Number: n}
			if !vectors.HasVector(rank.Slot(first + n)) {
				unembedded = unembedded.Add(n, count)
			}
		}
		d.Slots = slots[first:len(slots):len(slots)]
		if l.docs.DocumentAt(d.Location()) != nil { // each location must occur only once
			return errNoSnapshot
		}
		l.docs.SetUnembedded(d, unembedded)
		l.docs.Put(d)
	}
	if r.Err != nil || len(slots) != len(l.chunks) {
		return errNoSnapshot
	}
	return l.loadChunks()
}

// loadChunks decodes the ranges, keys, content hashes, traits and heading paths of chunks.
func (l *snapshotLoading) loadChunks() error {
	r, text, err := l.withText(chunkSection, chunkTextSection)
	if err != nil {
		return err
	}
	paths := make([][]string, 1, max(1, l.file.head.headings))
	for i := range l.chunks {
		c := &l.chunks[i]
		c.Span.StartByte = r.Number()
		c.Span.EndByte = c.Span.StartByte + r.Number()
		c.Span.StartLine = r.Number()
		c.Span.EndLine = c.Span.StartLine + r.Number()
		copy(c.Key[:], r.Next(len(c.Key)))
		copy(c.ContentHash[:], r.Next(len(c.ContentHash)))
		l.begins[i] = hashPrefix(c.ContentHash)
		traits, known := kind.ParseTraits(r.Next(kind.TraitsBytes))
		c.Traits = traits
		number := r.Number()
		switch {
		case r.Err != nil || !known || number > len(paths):
			return errNoSnapshot
		case number == len(paths):
			length := r.Number()
			if length > len(r.Rest) { // each element takes at least one byte
				return errNoSnapshot
			}
			path := make([]string, length)
			for i := range path {
				path[i] = text.Next(r.Number())
			}
			paths = append(paths, path)
		}
		c.Heading = paths[number]
	}
	return r.Err
}
