package live_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/text/unicode/norm"

	"vademecum/docs/extract"
	"vademecum/docs/kind"
	"vademecum/docs/meta"
	"vademecum/docs/text"
	"vademecum/index/indextest"
	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/store/memory"
	"vademecum/index/store/sqlite"
)

// opened is a store of one folder, whose catalogue is in a file.
func opened(t *testing.T, file string) (*live.Store, *sqlite.Catalog) {
	t.Helper()
	c, err := sqlite.Open(t.Context(), sqlite.Location{File: file, Folder: filepath.Dir(file)}, "m")
	indextest.Must(t, err)
	st := memindex.New(1, indextest.NewCountingModel(t))
	_, err = st.Load(t.Context(), 0, c)
	indextest.Must(t, err)
	t.Cleanup(func() { indextest.Must(t, st.Close()) })
	return st, c
}

// noteOf is a document of one chunk.
func noteOf(path, content string, said meta.Data) catalog.RecordWithBody {
	r := catalog.Record{Path: path, Meta: said, TextHash: hashOf(content), Chunks: []catalog.Chunk{{
		Span: text.Span{EndByte: len(content), StartLine: 1, EndLine: 1}, Key: catalog.EmbeddingKey([]byte(content + "................")[:16]),
		ContentHash: rank.ChunkTextHashOf(content), Terms: analysis.CountTerms(analysis.ChunkNames{}, content), Traits: kind.Traits{Kind: kind.GeneratedFile},
	}}}
	return catalog.RecordWithBody{Record: r, Body: text.Body{Text: content}}
}

func hashOf(content string) [32]byte {
	return sha256.Sum256([]byte(content))
}

func documentAt(t *testing.T, st *live.Store, path string) *search.Document {
	t.Helper()
	d, ok := st.Document(search.Location{Path: path})
	if !ok {
		t.Fatalf("there is no %s", path)
	}
	return d
}

// TestLostTexts: a text that the catalogue has lost is reported until the document is read
// again, and one that was replaced is no fault.
func TestLostTexts(t *testing.T) {
	st, c := opened(t, filepath.Join(t.TempDir(), "x.db"))
	indextest.Must(t, st.Put(t.Context(), 0, noteOf("a.md", "alpha", meta.Data{}), noteOf("b.md", "beta", meta.Data{})))
	before := documentAt(t, st, "a.md")
	if body, ok, err := st.Body(t.Context(), before); err != nil || !ok || body.Text != "alpha" {
		t.Errorf("it says %q, %t, %v", body.Text, ok, err)
	}
	indextest.Must(t, st.CheckForLostTexts(t.Context(), 0))
	_, err := c.Writer().ExecContext(t.Context(), "DELETE FROM texts WHERE document = ?", before.ID)
	indextest.Must(t, err)
	if _, _, err := st.Body(t.Context(), before); !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("a lost text is read with %v", err)
	}
	if err := st.CheckForLostTexts(t.Context(), 0); !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("all texts are there: %v", err)
	}
	if lost := st.DocumentsWithLostText(0); len(lost) != 1 || lost[0] != before {
		t.Errorf("lost are %v", lost)
	}
	indextest.Must(t, st.Put(t.Context(), 0, noteOf("a.md", "alpha again", meta.Data{})))
	if _, ok, err := st.Body(t.Context(), before); ok || err != nil {
		t.Errorf("the text of a document that was replaced is there: %t, %v", ok, err)
	}
	if lost := st.DocumentsWithLostText(0); len(lost) != 0 {
		t.Errorf("read again, lost are %v", lost)
	}
}

// TestFolderComesAndGoes: a folder is unloaded, looked at, exchanged for another catalogue
// and for a copy in memory, and has its documents each time.
func TestFolderComesAndGoes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.db")
	st, c := opened(t, file)
	indextest.Must(t, st.Put(t.Context(), 0, noteOf("a.md", "alpha", meta.Data{})))
	has := func(when string, want int) {
		t.Helper()
		if all, _ := st.CountChunks(); st.CountDocuments() != want || all != want || len(st.DocumentsIn(0, live.AnyPath)) != want {
			t.Errorf("%s there are %d documents of %d chunks, want %d", when, st.CountDocuments(), all, want)
		}
	}
	old := st.Follower(0)
	_, err := c.Writer().ExecContext(t.Context(), "PRAGMA query_only = 1") // as where the disk takes no more
	indextest.Must(t, err)
	if err := st.Put(t.Context(), 0, noteOf("b.md", "beta", meta.Data{})); err == nil {
		t.Fatal("it is written")
	}
	same, err := st.SwitchToCopy(t.Context(), 0, old, func(ctx context.Context) (catalog.Catalog, int64, error) {
		return memory.CopyCatalog(ctx, c, "m", catalog.ErrWriteRejected)
	})
	if !same || err != nil {
		t.Errorf("the copy has the same rows: %t, %v", same, err)
	}
	has("of a copy in memory", 1)
	if now := st.Follower(0); now == old || !old.IsBeingReplaced() || now.CatalogID() != old.CatalogID() {
		t.Error("the copy has not taken the place of the catalogue")
	}
	st.Unload(0)
	has("unloaded", 0)
	indextest.Must(t, old.Close())
	again, err := sqlite.Open(t.Context(), sqlite.Location{File: file, Folder: filepath.Dir(file)}, "m")
	indextest.Must(t, err)
	_, err = st.LoadReadOnly(t.Context(), 0, again)
	indextest.Must(t, err)
	has("looked at", 1)
	indextest.Must(t, st.ReplaceCatalog(t.Context(), 0, again))
	has("exchanged", 1)
	st.Follower(0).SetBeingReplaced(true)
	if changed, err := st.Follow(t.Context(), 0); changed || err != nil {
		t.Errorf("one that another takes the place of is followed: %t, %v", changed, err)
	}
}

// TestSpellings: a path finds what looks like it, and a glob means not what only looks like
// what it means exactly.
func TestSpellings(t *testing.T) {
	st, _ := opened(t, filepath.Join(t.TempDir(), "x.db"))
	composed, decomposed := norm.NFC.String("é.md"), norm.NFD.String("é.md")
	indextest.Must(t, st.Put(t.Context(), 0, noteOf(decomposed, "alpha", meta.Data{})))
	at := search.Location{Path: composed}
	if found, ok := st.FindEquivalentLocation(at); !ok || found.Path != decomposed {
		t.Errorf("%+q finds %+q, %t", composed, found.Path, ok)
	}
	if unmeant := st.LookalikesOf(map[search.Location]bool{{Path: decomposed}: true}); len(unmeant) != 0 {
		t.Errorf("nothing looks like it, but %v", unmeant)
	}
	indextest.Must(t, st.Put(t.Context(), 0, noteOf(composed, "beta", meta.Data{})))
	if found, ok := st.FindEquivalentLocation(at); !ok || found != at {
		t.Errorf("%+q finds %+q, %t", composed, found.Path, ok)
	}
	if unmeant := st.LookalikesOf(map[search.Location]bool{at: true}); len(unmeant) != 1 || !unmeant[search.Location{Path: decomposed}] {
		t.Errorf("not meant are %v", unmeant)
	}
	if _, ok := st.FindEquivalentLocation(search.Location{Path: "e.md"}); ok {
		t.Error("another path is alike")
	}
}

// TestDocumentsAreCounted: by tags, keys and values, with filters and without.
func TestDocumentsAreCounted(t *testing.T) {
	st, _ := opened(t, filepath.Join(t.TempDir(), "x.db"))
	said := func(tag, state string, links ...string) meta.Data {
		return meta.Data{Tags: []string{tag}, LinkTargets: links, Fields: []meta.Field{{Key: "state", Values: []string{state}}}}
	}
	indextest.Must(t, st.Put(t.Context(), 0,
		noteOf("a.md", "alpha", said("heart/valve", "draft")), noteOf("b.md", "beta", said("heart", "done", "a")),
		noteOf("c/d.md", "gamma", said("lung", "draft", "a", "nowhere")), catalog.RecordWithBody{Record: catalog.Record{Path: "e.md", SkipReason: "it is empty"}}))
	show := func(counts []search.ValueCount) string {
		slices.SortFunc(counts, func(x, y search.ValueCount) int {
			return len(x.Value)*100 + y.Documents - len(y.Value)*100 - x.Documents
		})
		return fmt.Sprint(counts)
	}
	if got := show(st.Tags(search.Filter{})); got != "[{lung 1} {heart 2} {heart/valve 1}]" {
		t.Errorf("tags are %s", got)
	}
	if got := show(st.FrontMatterKeys()) + show(st.FrontMatterValues("State")); got != "[{state 3}][{done 1} {draft 2}]" {
		t.Errorf("keys and values are %s", got)
	}
	heart := search.Filter{Conditions: meta.Conditions{meta.Condition{Tag: "heart"}}}
	some := search.Filter{Locations: map[search.Location]bool{{Path: "a.md"}: true, {Path: "e.md"}: true}, Conditions: heart.Conditions}
	if len(st.Matching(heart)) != 2 || len(st.Matching(some)) != 1 || !st.HasSearchableDocuments(some) {
		t.Errorf("admitted are %v and %v", st.Matching(heart), st.Matching(some))
	}
	if empty := (search.Filter{Locations: map[search.Location]bool{{Path: "e.md"}: true}}); st.HasSearchableDocuments(empty) {
		t.Error("what is skipped counts")
	}
	if from := st.LinkingTo(documentAt(t, st, "a.md"), 0); len(from) != 2 || from[0].Path != "b.md" || from[1].Path != "c/d.md" {
		t.Errorf("links are from %v", from)
	}
	st.ReadLocked(func(docs *live.Documents) {
		if docs.CountDirectories() != 2 || docs.CountInDirectory(docs.DocumentAt(search.Location{Path: "a.md"})) != 2 {
			t.Errorf("%d directories, %d documents beside a.md", docs.CountDirectories(), docs.CountInDirectory(docs.DocumentAt(search.Location{Path: "a.md"})))
		}
		admitted := docs.SlotFilter(heart, docs.CountChunks())
		if d := docs.DocumentAt(search.Location{Path: "c/d.md"}); admitted.Has(d.Slots[0]) || !admitted.Has(docs.DocumentAt(search.Location{Path: "b.md"}).Slots[0]) {
			t.Error("the filter admits other chunks")
		}
	})
	if !st.IsMachineGenerated(documentAt(t, st, "a.md")) || st.IsMachineGenerated(documentAt(t, st, "e.md")) {
		t.Error("it does not tell what machines made")
	}
	if !st.AnySearchable(func(d *search.Document) bool { return d.Path == "b.md" }) || st.AnySearchable(func(d *search.Document) bool { return d.Path == "e.md" }) {
		t.Error("what is searchable is another")
	}
	indextest.Must(t, st.PutClientText(t.Context(), noteOf("text:1", "delta", meta.Data{})))
	if have, held, _ := st.TextHashes(); held != 1 || !have[hashOf("alpha")] || !have[hashOf("delta")] {
		t.Errorf("%d texts were sent, of %d", held, len(have))
	}
	indextest.Must(t, st.Put(t.Context(), 0, noteOf("f.md", "delta", meta.Data{})))
	if _, held, _ := st.TextHashes(); held != 0 {
		t.Error("a text that a file has is held as sent")
	}
}

// TestFoldersAreCounted: with the pages that wait for their text, as documents come, are replaced
// and go.
func TestFoldersAreCounted(t *testing.T) {
	st, _ := opened(t, filepath.Join(t.TempDir(), "x.db"))
	inPart := noteOf("a.pdf", "alpha", meta.Data{})
	inPart.ExtractionNote = extract.WithUnrecognisedPageCount("some pages are scans", 3)
	scan := catalog.RecordWithBody{Record: catalog.Record{Path: "b.pdf", SkipReason: extract.WithUnrecognisedPageCount("a scan", 2)}}
	for _, step := range []struct {
		name  string
		do    func() error
		want  live.FolderCounts
		found int // searchable documents
	}{
		{"nothing", func() error { return nil }, live.FolderCounts{}, 0},
		{"scans", func() error { return st.Put(t.Context(), 0, inPart, scan) }, live.FolderCounts{Documents: 2, UnrecognisedPages: 5}, 1},
		{"one is recognised", func() error { return st.Put(t.Context(), 0, noteOf("b.pdf", "beta", meta.Data{})) }, live.FolderCounts{Documents: 2, UnrecognisedPages: 3}, 2},
		{"a text of a client", func() error { return st.PutClientText(t.Context(), noteOf("text:1", "delta", meta.Data{})) }, live.FolderCounts{Documents: 2, UnrecognisedPages: 3}, 3},
		{"a file is gone", func() error { return st.Remove(t.Context(), 0, "a.pdf") }, live.FolderCounts{Documents: 1}, 2},
	} {
		indextest.Must(t, step.do())
		if got := st.CountFolder(0); got != step.want || st.CountDocuments() != step.found {
			t.Errorf("%s: %+v and %d to find, want %+v and %d", step.name, got, st.CountDocuments(), step.want, step.found)
		}
	}
}

// TestMissing: chunks without a vector are counted as they get one.
func TestMissing(t *testing.T) {
	docs := live.NewDocuments(0)
	d := search.NewDocument(&catalog.Record{Path: "a.md", SlotRange: lexical.SlotRange{Count: 70}}, 0)
	docs.SetUnembedded(d, live.FullChunkSet(70))
	docs.Put(d)
	docs.MarkEmbedded(d, 69)
	docs.MarkEmbedded(d, 69)
	docs.MarkEmbedded(d, 3)
	if docs.CountMissingVectors(0) != 68 || docs.CountAllMissingVectors() != 68 || docs.IsUnembedded(d, 69) || !docs.IsUnembedded(d, 68) {
		t.Errorf("%d of 70 chunks lack a vector, want 68", docs.CountMissingVectors(0))
	}
	docs.MarkUnembedded(d, 3)
	if docs.CountAllMissingVectors() != 69 || docs.CountMissingVectors(1) != 0 {
		t.Errorf("%d of 70 chunks lack a vector, want 69", docs.CountAllMissingVectors())
	}
	docs.RemoveAt(d.Location())
	if docs.CountAllMissingVectors() != 0 || !docs.IsEmpty() || docs.CountChunks() != 0 {
		t.Errorf("without documents %d chunks lack a vector, of %d", docs.CountAllMissingVectors(), docs.CountChunks())
	}
}
