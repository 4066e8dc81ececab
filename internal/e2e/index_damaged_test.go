package e2e

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// poison changes the texts in an index file directly.
func poison(t *testing.T, file string) {
	t.Helper()
	db := openBeside(t, file)
	defer db.Close()
	if _, err := db.Exec("UPDATE texts SET text = replace(text, 'warfarin', 'arsenic!')"); err != nil {
		t.Fatal(err)
	}
}

// TestPoisonedTexts checks that texts in the index that were changed are detected when they are
// read, by a server and by a search, and that questions are answered nevertheless.
func TestPoisonedTexts(t *testing.T) {
	t.Parallel()
	dir, file, model := manyNotes(t, 30), indexFile(t), newProvider(t)
	args := []string{dir, "--index", file, "--embed", model.spec("model")}
	search := append([]string{"search", dir, "warfarin"}, args[1:]...)
	want, err := vademecum(t, search...).Output()
	if err != nil || !strings.Contains(string(want), "warfarin") {
		t.Fatalf("%s %v", want, err)
	}
	poison(t, file)
	if got, err := vademecum(t, search...).CombinedOutput(); err != nil || !strings.Contains(string(got), strings.TrimSpace(string(want))) {
		t.Errorf("search answers with %v\n%s\nwant\n%s", err, got, want)
	}
	s := connect(t, vademecum(t, append([]string{"serve"}, args...)...))
	before, err := s.retrieve("warfarin")
	if err != nil {
		t.Fatal(err)
	}
	poison(t, file)
	if after, err := s.retrieve("warfarin"); err != nil || !after.equals(before) {
		t.Errorf("the server answers with %v\n%s\nwant\n%s", err, after, before)
	}
	poison(t, file)
	if blocks, err := s.tool("read_doc", `{"path":"0/0.md"}`); err != nil || !strings.Contains(blocks[0].Text, "warfarin") {
		t.Errorf("read_doc answers with %v, %v", blocks, err)
	}
	if _, _, again := model.tally(nobody); len(again) > 0 {
		t.Errorf("%d texts were embedded again", len(again))
	}
}

// TestLostTexts: status reports a note whose text the index has lost, and indexing the
// folder reads it again, although the file is unchanged.
func TestLostTexts(t *testing.T) {
	t.Parallel()
	dir, file := manyNotes(t, 30), indexFile(t)
	run := func(args ...string) string {
		t.Helper()
		out, err := vademecum(t, append(args, "--index", file)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %s %v", args, out, err)
		}
		return string(out)
	}
	lose := func() {
		t.Helper()
		db := openBeside(t, file)
		defer db.Close()
		for _, s := range []string{"UPDATE documents SET read_at = read_at + 3600000000000", "DELETE FROM texts WHERE document IN (SELECT id FROM documents WHERE path = '0/7.md')"} {
			if _, err := db.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	const found = "0/7.md: it is indexed and can be found"
	for range 4 { // until there is a snapshot that contains the note
		run("index", dir, "--force")
	}
	lose()
	if out := run("status", dir, "--why", "0/7.md"); strings.Contains(out, found) || !strings.Contains(out, "lost its text") {
		t.Errorf("status says\n%s", out)
	}
	if out := run("index", dir); strings.Count(out, "note: the index is built again") != 1 || !strings.Contains(out, "Indexed 30") {
		t.Errorf("index says\n%s", out)
	}
	if out := run("status", dir, "--why", "0/7.md"); !strings.Contains(out, found) {
		t.Errorf("then status says\n%s", out)
	}
	if err := os.Remove(file + ".snapshot"); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	lose()
	if out := run("status", dir, "--why", "0/7.md"); strings.Contains(out, found) || !strings.Contains(out, "its index is damaged") || !strings.Contains(out, " index "+dir+" --index "+file+" builds it again") {
		t.Errorf("without a snapshot status says\n%s", out)
	}
	s := connect(t, vademecum(t, "serve", dir, "--index", file))
	if _, err := s.retrieve("insulin"); err != nil {
		t.Fatal(err)
	}
	lose()
	if out, err := s.tool("index_docs", `{}`); err != nil || !strings.Contains(out[0].Text, "30") {
		t.Errorf("index_docs says %v, %v", out, err)
	}
	if out := run("status", dir, "--why", "0/7.md"); !strings.Contains(out, found) {
		t.Errorf("after index_docs status says\n%s", out)
	}
}
