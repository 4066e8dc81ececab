package e2e

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/embed"
	"vademecum/index"
)

func openIndex(t *testing.T, dir, file string) *index.Index {
	t.Helper()
	e, err := embed.New("builtin")
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.New(index.Options{Folders: []string{dir}, IndexPaths: []string{file}, Embedder: e})
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ix.Close() })
	return ix
}

func bringUpToDate(t *testing.T, ix *index.Index) {
	t.Helper()
	if _, err := ix.Sync(t.Context(), index.Scope{}); err != nil {
		t.Fatal(err)
	}
	if err := ix.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// compare checks every document: present once, the same text, and the same
// answers with the same scores, which need the same postings and vectors.
func compare(t *testing.T, got, want *index.Index, notes int) {
	t.Helper()
	documents, err := got.List(t.Context(), index.Filter{})
	wanted, failed := want.List(t.Context(), index.Filter{})
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	if len(documents) != notes || len(wanted) != notes {
		t.Fatalf("%d documents, a fresh index has %d", len(documents), len(wanted))
	}
	for i, d := range documents {
		w := wanted[i]
		if d.Path != w.Path || d.Hash != w.Hash || d.Chunks != w.Chunks {
			t.Fatalf("%+v, a fresh index has %+v", d, w)
		}
		part, err := got.Read(t.Context(), index.ReadQuery{Ref: d.Path})
		if err != nil {
			t.Fatal(err)
		}
		if other, err := want.Read(t.Context(), index.ReadQuery{Ref: d.Path}); err != nil || part.Text != other.Text {
			t.Fatalf("%s reads %q, a fresh index %q, %v", d.Path, part.Text, other.Text, err)
		}
		if i%5 == 0 {
			compareAnswers(t, got, want, strings.TrimPrefix(strings.SplitN(part.Text, "\n", 2)[0], "# "))
		}
	}
}

func compareAnswers(t *testing.T, got, want *index.Index, query string) {
	t.Helper()
	var answers [2]string
	for i, ix := range []*index.Index{got, want} {
		a, err := ix.Search(t.Context(), index.Query{Text: query, TopK: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range a.Passages {
			answers[i] += fmt.Sprintf("%s %d %d %.4f\n", p.URI, p.LexicalRank, p.VectorRank, p.Score)
		}
	}
	if answers[0] != answers[1] {
		t.Fatalf("%s finds\n%sa fresh index\n%s", query, answers[0], answers[1])
	}
}
