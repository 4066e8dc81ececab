package index

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/docs/chunk"
	"vademecum/docs/kind"
	"vademecum/docs/text"
	"vademecum/index/indextest"
	"vademecum/index/ingest"
	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/store/sqlite"
	"vademecum/index/sync"
	"vademecum/internal/base/script"
)

// flatDocument is what an index holds of a document, but for what may differ
// between two indexes of one folder: row, slots, ids of terms, time of reading.
type flatDocument struct {
	catalog.Record // with id, readAt and chunks left out
	body           text.Body
	chunks         []flatChunk
}

// flatChunk is one chunk with what stands of it in the postings and among the
// vectors.
type flatChunk struct {
	span    text.Span
	heading []string
	key     catalog.EmbeddingKey
	wording rank.ChunkTextHash
	traits  kind.Traits
	terms   map[string]int
	vector  []float32 // nil when it has none
}

// compareIndexes fails the test unless both indexes, at rest and each of one
// folder, hold the same documents with the same text, chunks, postings and
// vectors, and nothing besides.
func compareIndexes(t testing.TB, a, b *Index) {
	t.Helper()
	for _, fault := range differences(t.Context(), a, b) {
		t.Error(fault)
	}
}

// differences lists what is wrong in either index, and where they differ.
func differences(ctx context.Context, a, b *Index) []string {
	inA, faults := flatten(ctx, a)
	inB, more := flatten(ctx, b)
	faults = append(faults, more...)
	for _, p := range slices.Sorted(maps.Keys(inA)) {
		if _, ok := inB[p]; !ok {
			faults = append(faults, p+" is in the first index only")
		} else if why := difference(inA[p], inB[p]); why != "" {
			faults = append(faults, p+": "+why)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(inB)) {
		if _, ok := inA[p]; !ok {
			faults = append(faults, p+" is in the second index only")
		}
	}
	return faults
}

// difference reports where two documents differ, "" if they do not.
func difference(got, want flatDocument) string {
	switch {
	case !reflect.DeepEqual(got.Record, want.Record):
		return fmt.Sprintf("the record is\n\t%+v, want\n\t%+v", got.Record, want.Record)
	case !reflect.DeepEqual(got.body, want.body):
		return fmt.Sprintf("the text is %.60q (%d bytes), want %.60q (%d bytes)", got.body.Text, len(got.body.Text), want.body.Text, len(want.body.Text))
	case len(got.chunks) != len(want.chunks):
		return fmt.Sprintf("it has %d chunks, want %d", len(got.chunks), len(want.chunks))
	}
	for i, g := range got.chunks {
		if why := chunkDifference(g, want.chunks[i]); why != "" {
			return fmt.Sprintf("chunk %d: %s", i, why)
		}
	}
	return ""
}

func chunkDifference(got, want flatChunk) string {
	switch {
	case got.span != want.span:
		return fmt.Sprintf("it is at %+v, want %+v", got.span, want.span)
	case !slices.Equal(got.heading, want.heading):
		return fmt.Sprintf("its headings are %q, want %q", got.heading, want.heading)
	case got.key != want.key:
		return "it has the key of another text"
	case got.wording != want.wording:
		return "it has the wording of another text"
	case got.traits != want.traits:
		return fmt.Sprintf("its traits are %v, want %v", got.traits, want.traits)
	case !maps.Equal(got.terms, want.terms):
		return fmt.Sprintf("its postings are\n\t%v, want\n\t%v", got.terms, want.terms)
	case got.vector == nil && want.vector != nil:
		return "it has no vector"
	case !isNear(got.vector, want.vector):
		return fmt.Sprintf("its vector is\n\t%v, want\n\t%v", got.vector, want.vector)
	}
	return ""
}

func isNear(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Abs(float64(x-y)) < 1e-5 })
}

// flatten lists the documents of an index by their paths, and what contradicts
// itself in it: entries of no document, chunks that are not those of the text.
func flatten(ctx context.Context, ix *Index) (map[string]flatDocument, []string) {
	st := ix.store
	for _, f := range st.Followers() {
		defer f.LockFollowing()() // no commit whose place in memory is yet to come
	}
	held, faults := inMemory(ix).Contents()
	faults = append(faults, strayRows(ctx, st)...)
	all := make(map[string]flatDocument)
	for d, chunks := range held {
		at := d.Location()
		flat, err := flattenDocument(ctx, st, d, chunks)
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		if why := contradiction(flat); why != "" {
			faults = append(faults, fmt.Sprintf("%s contradicts itself: %s", at.Path, why))
		}
		all[at.Path] = flat
	}
	return all, faults
}

// inMemory is what has the chunks of an index.
func inMemory(ix *Index) *memindex.Index { return ix.store.ChunkIndex.(*memindex.Index) }

// held lists the chunks of an index without contradictions.
func held(t testing.TB, ix *Index) (all []memindex.ChunkContents) {
	t.Helper()
	byDocument, faults := inMemory(ix).Contents()
	for _, fault := range faults {
		t.Error(fault)
	}
	for _, chunks := range byDocument {
		all = append(all, chunks...)
	}
	return all
}

// strayRows lists what differs between the rows on disk and the documents in
// memory.
func strayRows(ctx context.Context, st *live.Store) (faults []string) {
	for folder, c := range st.Followers() {
		rows, err := pathsOf(ctx, c)
		if err != nil {
			return append(faults, err.Error())
		}
		for _, d := range st.DocumentsIn(folder, live.AnyPath) {
			at := d.Location()
			if rows[d.ID] != at.Path {
				faults = append(faults, fmt.Sprintf("%s is in memory as row %d, where the file has %q", at.Path, d.ID, rows[d.ID]))
			}
			delete(rows, d.ID)
		}
		for id, path := range rows {
			faults = append(faults, fmt.Sprintf("%s is row %d of the file and not in memory", path, id))
		}
		file, ok := c.Catalog.(*sqlite.Catalog)
		if !ok { // what is in memory only has no tables
			continue
		}
		for _, table := range []string{"texts", "chunks"} {
			var n int
			err := file.Writer().QueryRowContext(ctx, "SELECT count(*) FROM "+table+" WHERE document NOT IN (SELECT id FROM documents)").Scan(&n)
			if err != nil || n > 0 {
				faults = append(faults, fmt.Sprintf("%d rows of %s belong to no document (error %v)", n, table, err))
			}
		}
	}
	return faults
}

// pathsOf maps the row of every document to its path.
func pathsOf(ctx context.Context, c *live.Follower) (map[int64]string, error) {
	paths := make(map[int64]string)
	err := c.EachPage(ctx, func(page []catalog.Record) error {
		for _, r := range page {
			paths[r.ID] = r.Path
		}
		return nil
	})
	return paths, err
}

func flattenDocument(ctx context.Context, st *live.Store, d *search.Document, chunks []memindex.ChunkContents) (flatDocument, error) {
	flat := flatDocument{Record: d.Record()}
	flat.ID, flat.ReadAt, flat.Record.Chunks = 0, time.Time{}, nil
	if d.SkipReason != "" {
		return flat, nil
	}
	body, ok, err := st.Body(ctx, d)
	if err != nil || !ok {
		return flat, fmt.Errorf("%s has no text (error %v)", d.Path, err)
	}
	flat.body = body
	for _, c := range chunks {
		flat.chunks = append(flat.chunks, flatChunk{c.Span, c.Heading, c.Key, c.ContentHash, c.Traits, c.Terms, c.Vector})
	}
	return flat, nil
}

// contradiction reports what in a document does not follow from its own text, ""
// if all does. The vectors are left to the caller.
func contradiction(d flatDocument) string {
	if d.SkipReason != "" {
		return ""
	}
	text := docs.Document{Body: d.body}
	if text.TextHash() != d.TextHash {
		return "the hash is that of another text"
	}
	record := d.Record
	for _, c := range d.chunks {
		record.Chunks = append(record.Chunks, catalog.Chunk{Span: c.span, Heading: c.heading, Traits: c.traits})
	}
	for i, c := range d.chunks {
		if c.span.StartByte > c.span.EndByte || c.span.EndByte > len(d.body.Text) {
			return fmt.Sprintf("chunk %d is at %+v of a text of %d bytes", i, c.span, len(d.body.Text))
		}
		want := c
		text := d.body.Text[c.span.StartByte:c.span.EndByte]
		input := catalog.EmbeddingInput(text, c.heading)
		want.wording = rank.ChunkTextHashOf(text)
		want.key, want.terms = keyOf(input), countsOf(ingest.TermsOfChunk(&record, d.body.Text, i))
		if why := chunkDifference(c, want); why != "" {
			return fmt.Sprintf("chunk %d: %s", i, why)
		}
	}
	return ""
}

func keyOf(input string) catalog.EmbeddingKey {
	sum := sha256.Sum256([]byte(input))
	return catalog.EmbeddingKey(sum[:len(catalog.EmbeddingKey{})])
}

// countsOf counts terms as the postings do, which hold no number above 255.
func countsOf(t analysis.TermCounts) map[string]int {
	x := lexical.New()
	if x.Put(0, t) != nil {
		return nil
	}
	terms, _ := x.Contents()
	if len(terms[0]) == 0 {
		return nil
	}
	return terms[0]
}

func traitsOf(d docs.Document, c chunk.Chunk, only bool) kind.Traits {
	k := kind.KindOf(kind.Passage{Path: d.Path, Heading: c.Heading, Text: c.Text, IsWholeDocument: only})
	language, isSure := script.CertainLanguageOf(d.Text), true // which is all prose
	if language == script.UnknownLanguage {
		language, isSure = script.LanguageOf(d.Text), false
	}
	return kind.Traits{Kind: k, Language: language, IsProseLanguageCertain: isSure, MinHash: kind.MinHashOf(c.Text)}
}

// flatOf is what an index must hold of a document.
func flatOf(d docs.Document, vector func(input string) []float32) flatDocument {
	flat := flatDocument{body: d.Body, Record: catalog.Record{
		Path: d.Path, Size: d.Size, Hash: d.Hash, Title: d.Title, MIME: d.MIME, TextMIME: d.TextMIME, ExtractionNote: d.ExtractionNote, TextHash: d.TextHash(), Encoding: d.Encoding,
	}}
	if d.IsEncodingGuessed {
		flat.Encoding = catalog.MarkGuessedEncoding(d.Encoding)
	}
	flat.Modified, flat.Record.Chunks = time.Unix(0, catalog.Nanoseconds(d.ModTime)), nil
	record, chunks := flat.Record, d.Chunks()
	for i, c := range chunks {
		traits := traitsOf(d, c, len(chunks) == 1)
		record.Chunks = append(record.Chunks, catalog.Chunk{Span: c.Span, Heading: c.Heading, Traits: traits})
		input := catalog.EmbeddingInput(c.Text, c.Heading)
		flat.chunks = append(flat.chunks, flatChunk{span: c.Span, heading: c.Heading, key: keyOf(input), wording: rank.ChunkTextHashOf(c.Text),
			traits: traits,
			terms:  countsOf(ingest.TermsOfChunk(&record, d.Text, i)), vector: vector(input)})
	}
	return flat
}

// TestCompareIndexesNoticesFaults makes one fault after the other by hand.
func TestCompareIndexesNoticesFaults(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "# Heart\n\nalpha beta", "b.md": "gamma delta"})
	fresh := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, fresh, sync.Scope{})
	for name, harm := range map[string]func(ix *Index, d *search.Document){
		"title":        func(_ *Index, d *search.Document) { d.Title = "Lung" },
		"size":         func(_ *Index, d *search.Document) { d.Size++ },
		"row":          func(_ *Index, d *search.Document) { d.ID += 100 },
		"text lost":    func(ix *Index, _ *search.Document) { execute(t, ix, "DELETE FROM texts") },
		"text of none": func(ix *Index, _ *search.Document) { execute(t, ix, "INSERT INTO texts VALUES (99, '', '', 0)") },
		"other text":   func(ix *Index, _ *search.Document) { execute(t, ix, "UPDATE texts SET text = upper(text)") },
	} {
		t.Run(name, func(t *testing.T) {
			ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
			mustSync(t, ix, sync.Scope{})
			if faults := differences(t.Context(), ix, fresh); len(faults) > 0 {
				t.Fatalf("before: %q", faults)
			}
			d, ok := ix.store.Document(search.Location{Folder: 0, Path: "a.md"})
			if !ok {
				t.Fatal("a.md is not indexed")
			}
			harm(ix, d)
			if faults := differences(t.Context(), ix, fresh); len(faults) == 0 {
				t.Error("not noticed")
			}
		})
	}
}

func execute(t *testing.T, ix *Index, statement string) {
	t.Helper()
	if _, err := onDisk(ix.store.Follower(0)).Writer().Exec(statement); err != nil {
		t.Fatal(err)
	}
}
