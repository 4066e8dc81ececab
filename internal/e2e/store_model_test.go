package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index"
	"vademecum/index/indextest"
)

// loadedIndex opens and loads an index until the end of the test.
func loadedIndex(t *testing.T, o index.Options) *index.Index {
	t.Helper()
	o.Logger = indextest.QuietLog
	ix, err := index.New(o)
	indextest.Must(t, err)
	t.Cleanup(func() { _ = ix.Close() })
	indextest.Must(t, ix.Load(t.Context()))
	return ix
}

// TestDatabaseRanksAlikeByModel is TestDatabaseRanksAlike with the vectors of a model,
// which the database compares.
func TestDatabaseRanksAlikeByModel(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	content, err := os.ReadFile("testdata/questions.tsv")
	indextest.Must(t, err)
	dir, model := filepath.Join(repository, "sample_docs"), indextest.NewCountingModel(t)
	inFile := index.Options{Folders: []string{dir}, IndexPaths: []string{indexFile(t)}, Embedder: model}
	shared := index.Options{Folders: []string{dir}, DatabaseAddress: d.serving, Libraries: []string{"samples"}, Embedder: model}
	file, made := loadedIndex(t, inFile), loadedIndex(t, shared)
	bringUpToDate(t, file)
	model.TakeCount()
	bringUpToDate(t, made)
	if _, passages := made.Size(); model.TakeCount() == 0 || passages == 0 {
		t.Fatal("nothing was embedded")
	}
	found := loadedIndex(t, shared)
	bringUpToDate(t, found)
	if n := model.TakeCount(); n != 0 {
		t.Errorf("%d texts were embedded again", n)
	}
	for line := range strings.Lines(string(content)) {
		question := strings.Split(strings.TrimSpace(line), "\t")[1]
		for _, q := range []index.Query{
			{Text: question, TopK: 10}, {Text: "blood pressure", OtherWordings: []string{question}, TopK: 10}, {Text: "anticoagulationsthatare", TopK: 10},
			{Text: question, TopK: 10, Filter: index.Filter{Path: "notes"}}, {Text: question, TopK: 10, Filter: index.Filter{Path: "nowhere"}},
		} {
			want, err := file.Search(t.Context(), q)
			indextest.Must(t, err)
			for name, ix := range map[string]*index.Index{"who made it": made, "who found it": found} {
				got, err := ix.Search(t.Context(), q)
				indextest.Must(t, err)
				if !alike(got, want) {
					t.Errorf("%+v: %s ranks\n%s\nin a file it is\n%s", q, name, ranking(got), ranking(want))
				}
			}
		}
	}
}

// bareOf returns how many passages have no vector, and how many of these were refused, as
// known to the indexing process and to another reader of the library.
func bareOf(t *testing.T, o index.Options, own *index.Index) (bare, refused int) {
	t.Helper()
	look, err := index.New(o)
	indextest.Must(t, err)
	defer look.Close()
	seen, err := look.Status(t.Context())
	indextest.Must(t, err)
	knows, err := own.Overview(t.Context())
	indextest.Must(t, err)
	if knows.UnembeddedChunks != seen.UnembeddedChunks || len(knows.RefusedPassages) != len(seen.RefusedPassages) || knows.Chunks != seen.Chunks {
		t.Errorf("who made them has %d passages, %d without a vector, %d refused; status tells of %d, %d, %d",
			knows.Chunks, knows.UnembeddedChunks, len(knows.RefusedPassages), seen.Chunks, seen.UnembeddedChunks, len(seen.RefusedPassages))
	}
	return seen.UnembeddedChunks, len(seen.RefusedPassages)
}

// TestDatabaseKnowsBare: the indexing process and readers know which passages have no
// vector yet, though neither holds any: when the model is down, refuses a text, or is
// another one with the same name.
func TestDatabaseKnowsBare(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	n := indextest.NewNotesFolder(t, indextest.ManyTexts(5))
	n.Write("odd.md", "# Odd\n\nZugzwang is not to be embedded.")
	model := indextest.NewCountingModel(t)
	o := index.Options{Folders: []string{n.Dir}, DatabaseAddress: d.serving, Libraries: []string{"notes"}, Embedder: model}
	first := loadedIndex(t, o)
	check := func(step string, bare, refused int) {
		t.Helper()
		if b, r := bareOf(t, o, first); b != bare || r != refused {
			t.Errorf("%s: %d passages have no vector, %d are refused; want %d and %d", step, b, r, bare, refused)
		}
	}
	sync := func(s index.Scope) {
		t.Helper()
		_, err := first.Sync(t.Context(), s)
		indextest.Must(t, err)
	}

	model.SetDown(true)
	sync(index.Scope{})
	_, all := first.Size()
	check("before the model answers", all, 0)
	model.SetDown(false)
	model.RefusedWord = "Zugzwang"
	indextest.Must(t, first.Embed(t.Context()))
	check("when it has refused one", 1, 1)
	model.TakeCount()
	indextest.Must(t, first.Embed(t.Context()))
	if taken := model.TakeCount(); taken != 0 {
		t.Errorf("%d texts were sent again", taken)
	}
	n.Remove("0.md")
	n.Write("more.md", "One more thing.")
	sync(index.Scope{})
	check("with a note that is new", 2, 1)
	indextest.Must(t, first.Embed(t.Context()))
	check("when that is embedded", 1, 1)

	model.RefusedWord = ""
	sync(index.Scope{Force: true})
	indextest.Must(t, first.Embed(t.Context()))
	check("when it refuses no more", 0, 0)
	model.ReturnsShortVectors = true
	n.Write("last.md", "The last one.")
	sync(index.Scope{})
	indextest.Must(t, first.Embed(t.Context()))
	check("with another model of that name", 0, 0)
	if _, now := first.Size(); model.TakeCount() < now {
		t.Errorf("not all of %d texts were embedded anew", now)
	}
}
