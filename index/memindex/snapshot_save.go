package memindex

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"vademecum/index/blob"
	"vademecum/index/lexical"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/vector"
)

// snapshotState is the state contained in the last snapshot.
type snapshotState struct {
	change  int64 // the last change in the snapshot
	vectors int   // number of vectors in the snapshot
}

// A snapshot is written again when the number of changes and vectors that are not in it reaches both
// MinSnapshotChanges and one picturedPart-th of the chunks. To load or compute one of these at a start
// takes about 20 to 40 µs.
const (
	MinSnapshotChanges = 200
	picturedPart       = 20
)

// lastState returns the state of the last snapshot of a folder.
func (all *snapshots) lastState(folder int) snapshotState {
	p, _ := all.pictured.Load(folder)
	last, _ := p.(snapshotState)
	return last
}

// IsSnapshotDue implements live.ChunkIndex.
func (ix *Index) IsSnapshotDue(folder int) bool {
	f, last := ix.store.Follower(folder), ix.lastState(folder)
	chunks, vectors := 0, 0
	ix.store.ReadLocked(func(docs *live.Documents) {
		for d := range docs.InFolder(folder) {
			chunks += len(d.Slots)
		}
		vectors = chunks - docs.CountMissingVectors(folder)
	})
	missing := int(f.LastFollowedChange() - last.change)
	if f.Describe().File != "" {
		missing += max(0, vectors-last.vectors)
	}
	return missing >= max(MinSnapshotChanges, chunks/picturedPart)
}

// SaveSnapshot writes the snapshot of a folder beside its catalogue. It blocks until the file is
// written; queries and changes continue meanwhile.
func (ix *Index) SaveSnapshot(ctx context.Context, folder int) error {
	f := ix.store.Follower(folder)
	if f.Describe().File == "" { // there is no place for a snapshot
		ix.pictured.Store(folder, snapshotState{change: f.LastFollowedChange()})
		return nil
	}
	if all, _ := ix.store.CountChunks(); all >= live.ManyChunksThreshold {
		debug.FreeOSMemory() // release the memory left by indexing before the snapshot needs memory
	}
	p, err := ix.newSnapshotSource(folder, f)
	if err != nil {
		return err
	}
	// Save the token before the file: whatever is lost later, a catalogue with the token contains
	// everything in the snapshot.
	if err := f.SetValue(ctx, "snapshot", p.head.token); err != nil {
		return fmt.Errorf("save a snapshot of the index: %w", err)
	}
	if err := ix.writeFile(f.Describe().File+SnapshotSuffix, p.sections); err != nil {
		return fmt.Errorf("save a snapshot of the index: %w", err)
	}
	ix.pictured.Store(folder, snapshotState{p.head.change, p.head.words.Chunks - p.vectors.CountMissingVectors()})
	return nil
}

// snapshotSource is the state of a folder at one moment. It shares append-only data with the index,
// and copies the rest.
type snapshotSource struct {
	head      snapshotHead
	documents []*search.Document
	chunks    []byte // encoded by encodeChunks, which takes a third of their size in memory
	chunkText []byte
	words     *lexical.Snapshot
	vectors   *vector.SavedVectors
}

// newSnapshotSource captures the state of a folder, so that a snapshot can be written while the
// index changes.
func (ix *Index) newSnapshotSource(folder int, f *live.Follower) (*snapshotSource, error) {
	defer f.LockFollowing()()
	p := &snapshotSource{head: snapshotHead{token: rand.Text(), model: f.Describe().Model, change: f.LastFollowedChange(), vector: f.LastVectorRow()}}
	ix.store.ReadLocked(func(docs *live.Documents) { p.copyChanging(docs, &ix.contents, folder) })
	p.head.documents, p.head.dimensions = len(p.documents), p.vectors.Dimensions
	var err error
	if p.head.words, err = p.words.AssignTermNumbers(); err != nil {
		return nil, fmt.Errorf("save a snapshot of the index: %w", err)
	}
	return p, nil
}

// copyChanging copies the data that may change in place.
func (p *snapshotSource) copyChanging(docs *live.Documents, c *contents, folder int) {
	p.documents = slices.AppendSeq(p.documents, docs.InFolder(folder))
	slices.SortFunc(p.documents, func(a, b *search.Document) int { return cmp.Compare(a.ID, b.ID) })
	count := 0
	for _, d := range p.documents {
		count += len(d.Slots)
	}
	slots := make([]rank.Slot, 0, count)
	for _, d := range p.documents {
		slots = append(slots, d.Slots...)
	}
	p.encodeChunks(c, slots)
	p.words = c.postings.Snapshot(slots)
	p.vectors = vector.TakeSnapshot(c.vectors, slots)
}

// sections yields the sections in order.
func (p *snapshotSource) sections(yield func(blob.Section) bool) {
	text, documents := p.encodeDocuments()
	for _, b := range [][]byte{p.head.encode(), text, documents, p.chunkText, p.chunks} {
		if !yield(blob.SectionOfBytes(b)) {
			return
		}
	}
	for s := range p.words.Sections() {
		if !yield(s) {
			return
		}
	}
	for s := range p.vectors.Sections() {
		if !yield(s) {
			return
		}
	}
}

// encodeDocuments encodes the documents, with their strings in one section and the other fields in
// another.
func (p *snapshotSource) encodeDocuments() (text, out []byte) {
	said := stringTableWriter{make(map[string]int), &text}
	for _, d := range p.documents {
		for _, n := range []int64{d.ID, d.Size, catalog.Nanoseconds(d.Modified()), catalog.Nanoseconds(d.ChangeTime()), catalog.Nanoseconds(d.ReadAt()), int64(len(d.Slots))} {
			out = binary.AppendVarint(out, n)
		}
		out = append(append(out, d.Hash[:]...), d.TextHash[:]...)
		for _, s := range []string{d.Path, d.Title, d.MIME, d.TextMIME, d.Encoding, string(d.ExtractionNote), string(d.SkipReason)} {
			out = binary.AppendUvarint(out, uint64(len(s)))
			text = append(text, s...)
		}
		out = said.writeData(out, *d.Meta)
	}
	return text, out
}

// chunkBytes is the approximate size of an encoded chunk.
const chunkBytes = 64

// encodeChunks encodes the heading paths of chunks, their ranges, keys, content hashes and traits.
// A heading path is written where it is first used, and referred to by its number afterwards; 0 is
// the empty path.
func (p *snapshotSource) encodeChunks(c *contents, slots []rank.Slot) {
	numbers := map[string]int{"": 0} // of heading paths
	text, out := []byte(nil), make([]byte, 0, chunkBytes*len(slots))
	for _, s := range slots {
		one := &c.chunks[s]
		for _, n := range []int{one.Span.StartByte, one.Span.EndByte - one.Span.StartByte, one.Span.StartLine, one.Span.EndLine - one.Span.StartLine} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		out = append(out, one.Key[:]...)
		out = one.Traits.AppendTo(append(out, one.ContentHash[:]...))
		path := strings.Join(one.Heading, "\x00")
		number, known := numbers[path]
		if !known {
			number = len(numbers)
			numbers[path] = number
		}
		out = binary.AppendUvarint(out, uint64(number))
		if known {
			continue
		}
		out = binary.AppendUvarint(out, uint64(len(one.Heading)))
		for _, h := range one.Heading {
			out = binary.AppendUvarint(out, uint64(len(h)))
			text = append(text, h...)
		}
	}
	p.chunks, p.chunkText, p.head.headings = out, text, len(numbers)
}
