package postgres

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/catalog"
	"vademecum/index/indextest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/rank"
)

// paragraphs is a document of one chunk for each text.
func paragraphs(path string, texts ...string) catalog.Entry {
	e := catalog.Entry{Record: catalog.Record{Path: path}}
	for i, words := range texts {
		at, sum := len(e.Body.Text), sha256.Sum256([]byte(words))
		e.Body.Text += words
		e.Chunks = append(e.Chunks, catalog.Chunk{
			Span: text.Span{StartByte: at, EndByte: at + len(words), StartLine: i + 1, EndLine: i + 1},
			Key:  catalog.Key(sum[:len(catalog.Key{})]), Wording: rank.WordingOf(words), Terms: analysis.Count(analysis.Names{}, words),
		})
	}
	return e
}

// TestEmbedding: a process that embeds and one that follows it agree on which passages
// have no vector, and so does one that begins then.
func TestEmbedding(t *testing.T) {
	db, name := database(t), rand.Text()
	first, other := loaded(t, db, indextest.NewCounting(t), name), loaded(t, db, indextest.NewCounting(t), name)
	agree := func(step string, bare, pending int) {
		t.Helper()
		_, err := other.Follow(t.Context(), 0)
		must(t, err)
		for who, st := range map[string]*live.Store{"who embeds": first, "who follows": other, "who begins now": loaded(t, db, indextest.NewCounting(t), name)} {
			if n, p := st.CountBare(0), st.CountPending(st.Pending()); n != bare || p != pending {
				t.Errorf("%s, %s: %d have no vector and %d are to be embedded, want %d and %d", step, who, n, p, bare, pending)
			}
		}
	}
	embed := func(length int, but string) {
		t.Helper()
		for _, d := range first.Pending() {
			chunks, ok, err := first.BareOf(t.Context(), d)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			vectors, refused := make(map[catalog.Key][]float32), make(map[catalog.Key]string)
			for _, w := range chunks {
				if w.Input == but {
					refused[w.Key] = "it is odd"
					continue
				}
				vectors[w.Key] = make([]float32, length)
				vectors[w.Key][len(vectors)%length] = 1
			}
			if len(vectors) > 0 && first.IsOther(make([]float32, length)) {
				must(t, first.DropVectors(t.Context(), make([]float32, length)))
			}
			must(t, first.SaveVectors(t.Context(), 0, vectors))
			must(t, first.Refuse(t.Context(), 0, chunks, refused))
			must(t, first.Attach(chunks, vectors))
		}
	}
	var many []string
	for i := range 130 { // more than two words of a set
		many = append(many, fmt.Sprint("many ", i))
	}
	must(t, first.Put(t.Context(), 0, paragraphs("a.md", "one", "two", "odd"), paragraphs("b.md", many...)))
	agree("at first", 133, 133)
	embed(4, "odd")
	agree("embedded", 1, 0)
	must(t, first.Put(t.Context(), 0, paragraphs("a.md", "one", "two", "three", "odd"), paragraphs("c.md", "four")))
	agree("a document in the place of one", 3, 2)
	embed(4, "odd")
	agree("that embedded", 1, 0)
	if all, err := other.Refused(t.Context()); err != nil || len(all) != 1 || all[0].Document.Path != "a.md" || all[0].Number != 3 || all[0].Reason != "it is odd" {
		t.Errorf("refused are %+v, %v", all, err)
	}
	must(t, first.Forgive(t.Context(), 0))
	must(t, first.Put(t.Context(), 0, paragraphs("d.md", "five"))) // or else nothing tells who follows
	agree("forgiven", 2, 2)
	embed(8, "") // of another length: all that had vectors is to get others
	embed(8, "")
	agree("by another model of that name", 0, 0)
	must(t, first.Put(t.Context(), 0, paragraphs("e.md", "two", "six")))
	agree("with a text that has one", 1, 1)
}
