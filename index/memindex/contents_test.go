package memindex

import (
	"fmt"
	"reflect"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/indextest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// noteOf is a document of one chunk.
func noteOf(path, content string) catalog.RecordWithBody {
	return catalog.RecordWithBody{Record: catalog.Record{Path: path, Chunks: []catalog.Chunk{{
		Span: text.Span{EndByte: len(content), StartLine: 1, EndLine: 1}, Key: catalog.EmbeddingKey([]byte(content + "................")[:16]),
		ContentHash: rank.ChunkTextHashOf(content), Terms: analysis.CountTerms(analysis.ChunkNames{}, content),
	}}}, Body: text.Body{Text: content}}
}

// ofTexts is a store of texts that clients sent, of one chunk each, with their vectors.
func ofTexts(t *testing.T, contents ...string) (*live.Store, *Index) {
	t.Helper()
	st := New(0, indextest.Builtin(t))
	for i, content := range contents {
		must(t, st.PutClientText(t.Context(), noteOf(fmt.Sprint(i, ".md"), content)))
	}
	return st, st.ChunkIndex.(*Index)
}

// TestContentsNoticesFaults makes one fault after the other by hand.
func TestContentsNoticesFaults(t *testing.T) {
	for name, harm := range map[string]func(x *Index, d *search.Document){
		"posting lost":     func(x *Index, d *search.Document) { x.postTerms(d.Slots[0], "alpha") },
		"posting too many": func(x *Index, d *search.Document) { x.postTerms(d.Slots[0], "alpha beta gamma") },
		"posting of none": func(x *Index, _ *search.Document) {
			x.postTerms(2, "alpha")
			x.chunks = append(x.chunks, search.Chunk{})
		},
		"vector lost":       func(x *Index, d *search.Document) { x.vectors.Delete(d.Slots[0]) },
		"vector too many":   func(x *Index, _ *search.Document) { _ = x.vectors.Put(9, axis(x)) },
		"vector of another": func(x *Index, d *search.Document) { _ = x.vectors.Put(d.Slots[0], axis(x)) },
		"bare": func(x *Index, d *search.Document) {
			update(x, func(docs *live.Documents) { docs.MarkUnembedded(d, 0) })
		},
		"chunk of another": func(x *Index, d *search.Document) { x.chunks[d.Slots[0]].Number++ },
		"document lost": func(x *Index, d *search.Document) {
			update(x, func(docs *live.Documents) { docs.RemoveAt(d.Location()) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, x := ofTexts(t, "alpha beta", "gamma delta")
			before, faults := x.Contents()
			if len(faults) > 0 || len(before) != 2 {
				t.Fatalf("before: %q, %v", faults, before)
			}
			for d := range before {
				if d.Path == "0.md" {
					harm(x, d)
				}
			}
			if after, faults := x.Contents(); len(faults) == 0 && reflect.DeepEqual(after, before) {
				t.Error("not noticed")
			}
		})
	}
}

func update(x *Index, f func(*live.Documents)) {
	_ = x.store.Update(func(docs *live.Documents) error { f(docs); return nil })
}

// postTerms puts the terms of a text at a slot, in place of those that are there.
func (ix *Index) postTerms(s rank.Slot, text string) {
	if int(s) < len(ix.chunks) {
		ix.postings.Delete(s)
	}
	_ = ix.postings.Put(s, analysis.CountTerms(analysis.ChunkNames{}, text))
}

// axis is a unit vector of the length that the index has.
func axis(x *Index) []float32 {
	vec := make([]float32, x.vectors.Dimensions())
	vec[0] = 1
	return vec
}

// TestShrink: room for many more chunks is given back, and all is found as before.
func TestSettle(t *testing.T) {
	var contents []string
	for i := range 300 {
		contents = append(contents, fmt.Sprint("note ", i))
	}
	_, x := ofTexts(t, contents...)
	x.chunks = append(make([]search.Chunk, 0, 1000), x.chunks...)
	before, _ := x.Contents()
	x.TrimCapacity()
	if room := cap(x.chunks); room > 300+300/4 {
		t.Errorf("there is room for %d chunks, and there are 300", room)
	}
	if after, faults := x.Contents(); len(faults) > 0 || !reflect.DeepEqual(after, before) {
		t.Errorf("there are %d documents, %q", len(after), faults)
	}
}

// TestReload: what a panic has torn is loaded again as it was.
func TestReload(t *testing.T) {
	st, x := ofTexts(t, "alpha beta", "gamma delta")
	func() {
		defer func() { _ = recover() }()
		_ = st.Update(func(*live.Documents) error {
			x.contents = newContents(precisionFor(st.ModelProperties))
			panic("half-way")
		})
	}()
	must(t, st.Reload(t.Context(), []catalog.RecordWithBody{noteOf("0.md", "alpha beta")}))
	held, faults := x.Contents()
	if len(faults) > 0 || len(held) != 1 {
		t.Errorf("there are %d documents, %q", len(held), faults)
	}
}
