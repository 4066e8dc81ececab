package index

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"vademecum/embed"
	"vademecum/index/indextest"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
)

// TestBuiltinVectorsAreMade: they are there as soon as a document is, in whichever
// way it comes into memory, and are not in the catalogue.
func TestBuiltinVectorsAreMade(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "# Alpha\n\nThe first note.", "b.md": "beta", "c.md": ""})
	file := filepath.Join(t.TempDir(), "x.db")
	ix, follower := openOn(t, []string{file}, indextest.Builtin(t), n.Dir), openOn(t, []string{file}, indextest.Builtin(t), n.Dir)
	if _, err := ix.Sync(t.Context(), sync.Scope{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ix.AddTexts(t.Context(), []string{"gamma was sent"}, nil); err != nil {
		t.Fatal(err)
	}
	followAll(t, follower)
	checkMade(t, "indexed", ix, 3)
	checkMade(t, "followed", follower, 2)
	n.Rename("b.md", "z.md")
	n.Write("a.md", "# Alpha\n\nThe first note is another.")
	mustSync(t, ix, sync.Scope{})
	followAll(t, follower)
	checkMade(t, "changed", ix, 3)
	checkMade(t, "changed and followed", follower, 2)
	checkMade(t, "loaded", openOn(t, []string{file}, indextest.Builtin(t), n.Dir), 2)
	indextest.Must(t, ix.store.Reload(t.Context(), nil))
	checkMade(t, "loaded again", ix, 2)
	indextest.Must(t, ix.store.SaveSnapshot(t.Context(), 0))
	checkMade(t, "from a snapshot", openOn(t, []string{file}, indextest.Builtin(t), n.Dir), 2)
	if rows := savedVectors(t, ix); rows != 0 {
		t.Errorf("%d vectors are saved", rows)
	}
	if e, err := ix.Estimate(t.Context()); err != nil || e.TextsToEmbed != 0 || e.Tokens != 0 {
		t.Errorf("it estimates %+v, %v", e, err)
	}
}

// free is another model than the built-in one whose vectors cost nothing.
type free struct{ *indextest.CountingModel }

func (free) Properties() embed.Properties {
	return embed.Properties{IsCheapToCompute: true, Weight: 0.1}
}

// TestFreeVectorsAreOfTheModel: whichever model says that its vectors are free is asked
// for them as documents come into memory, and none are saved.
func TestFreeVectorsAreOfTheModel(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, indextest.ManyFiles(5))
	file := filepath.Join(t.TempDir(), "x.db")
	model := free{indextest.NewCountingModel(t)}
	model.ReturnsShortVectors = true
	ix := openOn(t, []string{file}, model, n.Dir)
	mustSync(t, ix, sync.Scope{})
	for how, ix := range map[string]*Index{"indexed": ix, "loaded": openOn(t, []string{file}, model, n.Dir)} {
		for _, c := range held(t, ix) {
			if n := len(c.Vector); n != len(embed.EmbedBuiltin(""))/2 {
				t.Errorf("%s: vectors are of %d numbers, want those of the model", how, n)
			}
		}
		if _, unembedded := ix.store.CountChunks(); unembedded != 0 {
			t.Errorf("%s: %d passages wait for a vector", how, unembedded)
		}
	}
	if rows := savedVectors(t, ix); rows != 0 {
		t.Errorf("%d vectors are saved", rows)
	}
}

// checkMade compares the vectors of all chunks with those of their texts.
func checkMade(t *testing.T, how string, ix *Index, chunks int) {
	t.Helper()
	if all, unembedded := ix.store.CountChunks(); all != chunks || unembedded != 0 {
		t.Errorf("%s: %d chunks, want %d, and %d without a vector", how, all, chunks, unembedded)
	}
	for _, c := range held(t, ix) {
		body, ok, err := ix.store.Body(t.Context(), c.Document)
		if err != nil || !ok {
			t.Fatal(err)
		}
		want := embed.EmbedBuiltin(catalog.EmbeddingInput(body.Text[c.Span.StartByte:c.Span.EndByte], c.Heading))
		if cosine := cosineOf(c.Vector, want); cosine < 0.999 {
			t.Errorf("%s: %s has a vector of another text (cosine %.3f)", how, c.Document.Path, cosine)
		}
	}
}

func savedVectors(t *testing.T, ix *Index) (rows int) {
	t.Helper()
	indextest.Must(t, onDisk(ix.store.Follower(0)).Writer().QueryRow("SELECT count(*) FROM vectors").Scan(&rows))
	return rows
}

// TestSavedBuiltinVectorsGo: an index in which an earlier version saved them is
// as good as any, and they are dropped. Those of a model stay.
func TestSavedBuiltinVectorsGo(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, indextest.ManyFiles(20))
	file := filepath.Join(t.TempDir(), "x.db")
	mustSync(t, openOn(t, []string{file}, indextest.NewCountingModel(t), n.Dir), sync.Scope{})
	before := openOn(t, []string{file}, indextest.Builtin(t), n.Dir)
	c := before.store.Follower(0)
	for i := range 20 {
		indextest.Must(t, c.SaveVectors(t.Context(), "", map[catalog.EmbeddingKey][]float32{{byte(i)}: embed.EmbedBuiltin(fmt.Sprint(i))}))
	}
	if rows := savedVectors(t, before); rows != 40 {
		t.Fatalf("%d rows, want 40", rows)
	}
	_, err := onDisk(c).Writer().Exec("UPDATE meta SET value = '10' WHERE key = 'format'")
	indextest.Must(t, err)
	ix := openOn(t, []string{file}, indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	checkMade(t, "with saved ones", ix, 20)
	if rows := savedVectors(t, ix); rows != 20 {
		t.Errorf("%d rows are left, want those 20 of the model", rows)
	}
}

// TestBuiltinVectorsAreNotRescued: what is damaged is made again.
func TestBuiltinVectorsAreNotRescued(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, indextest.ManyFiles(20))
	file := filepath.Join(t.TempDir(), "x.db")
	ix := openOn(t, []string{file}, indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	c := ix.store.Follower(0)
	indextest.Must(t, c.SaveVectors(t.Context(), "", map[catalog.EmbeddingKey][]float32{{1}: embed.EmbedBuiltin("1")}))
	_ = c.RecordDamage(catalog.ErrDamaged)
	mustSync(t, ix, sync.Scope{})
	if ix.store.Follower(0) == c {
		t.Fatal("it was not opened again")
	}
	checkMade(t, "built again", ix, 20)
	if rows := savedVectors(t, ix); rows != 0 {
		t.Errorf("%d vectors were rescued", rows)
	}
	if _, err := os.Stat(file + ".damaged"); err == nil {
		t.Error("the damaged file is left")
	}
}

func cosineOf(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	sum, of, with := 0.0, 0.0, 0.0
	for i, x := range a {
		y := b[i]
		sum, of, with = sum+float64(x)*float64(y), of+float64(x)*float64(x), with+float64(y)*float64(y)
	}
	return sum / math.Sqrt(of*with)
}
