package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vademecum/index"
)

// TestSampleQuestions asks questions about the samples in other words than the
// documents'. The rankings are a golden file, so that a change is a diff to review; in
// any case the right document must be first for nine questions out of ten in each
// language.
func TestSampleQuestions(t *testing.T) {
	t.Parallel()
	questions, err := os.ReadFile("testdata/questions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	ix := openIndex(t, filepath.Join(repository, "sample_docs"), indexFile(t))
	bringUpToDate(t, ix)
	var rankings strings.Builder
	asked, right := make(map[string]int), make(map[string]int)
	for line := range strings.Lines(string(questions)) {
		column := strings.Split(strings.TrimSpace(line), "\t")
		language, question, path := column[0], column[1], column[2]
		a, err := ix.Search(t.Context(), index.Query{Text: question})
		if err != nil {
			t.Fatal(err)
		}
		asked[language]++
		mark := "✗"
		if len(a.Passages) > 0 && a.Passages[0].Path == path {
			right[language]++
			mark = "✓"
		}
		fmt.Fprintf(&rankings, "%s %s (%s)\n", mark, question, path)
		for _, p := range a.Passages {
			if len(p.Heading) == 0 || p.StartLine < 1 || p.EndLine < p.StartLine {
				t.Errorf("%s: %s has no heading or lines: %+v", question, p.Path, p.Span)
			}
			fmt.Fprintf(&rankings, "  %.2f %s:%d-%d %s\n", p.Score, p.Path, p.StartLine, p.EndLine, strings.Join(p.Heading, " > "))
		}
	}
	for language, n := range asked {
		if n < 10 || right[language]*10 < n*9 {
			t.Errorf("%s: %d of %d right", language, right[language], n)
		}
	}
	golden(t, "rankings.txt", rankings.String())
}

// golden compares a text with a file in testdata, or writes the file with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	normal := strings.ReplaceAll(string(want), "\r\n", "\n")
	if got == normal {
		return
	}
	t.Errorf("%s differs; -update writes it anew", file)
	had, has := strings.Split(normal, "\n"), strings.Split(got, "\n")
	for _, line := range has {
		if !slices.Contains(had, line) {
			t.Errorf("now there is %q", line)
		}
	}
	for _, line := range had {
		if !slices.Contains(has, line) {
			t.Errorf("there was %q", line)
		}
	}
}

// TestFirstExample checks that the program prints what the README shows first.
func TestFirstExample(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join(repository, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(strings.ReplaceAll(string(readme), "\r\n", "\n"), "```")
	_, question, _ := strings.Cut(blocks[1], `sample_docs "`)
	question, _, found := strings.Cut(question, `"`)
	want, cut := strings.CutSuffix(strings.TrimSpace(blocks[3]), "…")
	if !found || !cut {
		t.Fatalf("the README begins otherwise: %q, %q", blocks[1], blocks[3])
	}
	search := vademecum(t, "search", "sample_docs", question, "--index", indexFile(t))
	search.Dir = repository
	got, err := search.Output()
	if err != nil || !strings.HasPrefix(string(got), want) {
		t.Errorf("%v\nit prints\n%s\nwant\n%s", err, got, want)
	}
}
