package e2e

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/meta"
	"vademecum/embed"
	"vademecum/index"
)

// inLibrary is openIndex of a library in a database.
func inLibrary(t *testing.T, dir string, d database) *index.Index {
	t.Helper()
	e, err := embed.New("builtin")
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.New(index.Options{Folders: []string{dir}, DatabaseAddress: d.serving, Libraries: []string{"samples"}, Embedder: e})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ix.Close() })
	if err := ix.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	return ix
}

// TestDatabaseRanksAlike asks the samples the same questions in a file and in a database,
// with filters and without: the first ten passages are the same, and so are the notes on
// words that occur nowhere. The database is also queried through a server that did not
// index it.
func TestDatabaseRanksAlike(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	content, err := os.ReadFile("testdata/questions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(repository, "sample_docs")
	file, made := openIndex(t, dir, indexFile(t)), inLibrary(t, dir, d)
	bringUpToDate(t, file)
	bringUpToDate(t, made)
	found := inLibrary(t, dir, d)
	bringUpToDate(t, found)
	for line := range strings.Lines(string(content)) {
		question := strings.Split(strings.TrimSpace(line), "\t")[1]
		for _, q := range []index.Query{
			{Text: question, TopK: 10}, {Text: question + " qwertzui wafarin", TopK: 10, WithExplanations: true}, {Text: "anticoagulationsthatare", TopK: 10}, {Text: "blood pressure", OtherWordings: []string{question}, TopK: 10},
			{Text: question, TopK: 10, Filter: index.Filter{Path: "notes"}}, {Text: question, TopK: 10, Filter: index.Filter{Conditions: meta.Conditions{meta.Condition{NotBefore: 20000101}}}},
		} {
			want, err := file.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for name, ix := range map[string]*index.Index{"who made it": made, "who found it": found} {
				got, err := ix.Search(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				if !alike(got, want) {
					t.Errorf("%+v: %s ranks\n%s\nin a file it is\n%s", q, name, ranking(got), ranking(want))
				}
			}
		}
	}
}

// alike compares answers. The database stores vectors of the built-in embedding in 16
// bits.
func alike(a, b index.Answer) bool {
	return len(a.Notes) == len(b.Notes) && slices.EqualFunc(a.Passages, b.Passages, func(p, q index.Passage) bool {
		return p.URI == q.URI && p.Text == q.Text && math.Abs(p.Score-q.Score) < 0.00002 && p.LexicalRank == q.LexicalRank && slices.Equal(p.Heading, q.Heading)
	})
}

func ranking(a index.Answer) string {
	var out strings.Builder
	for _, p := range a.Passages {
		out.WriteString(strings.Join([]string{p.Path, p.Place.String(), strings.Join(p.Heading, " > ")}, " ") + "\n")
	}
	return out.String()
}
