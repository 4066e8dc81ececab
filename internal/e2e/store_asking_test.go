package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDatabaseKeepsModel: commands that query or index a library without naming a model keep
// its model, and say so. A named model wins.
func TestDatabaseKeepsModel(t *testing.T) {
	t.Parallel()
	d, dir, model := newDatabase(t), manyNotes(t, 3), newProvider(t)
	on := func(command string, args ...string) []string {
		return append([]string{command, dir, "--library", "notes"}, args...)
	}
	search := func(args ...string) []string {
		return append([]string{"search", dir, "warfarin", "--library", "notes", "--top-k", "1"}, args...)
	}
	check := func(want string) {
		t.Helper()
		if out := onStore(t, d, d.serving, "model:      "+want, on("status")...); !strings.Contains(out, "3 (3 with a vector)") {
			t.Errorf("status tells of other vectors than three: %s", out)
		}
		onStore(t, d, d.serving, "notes: 3 documents, 3 passages, 3 vectors: ok", "store", "check")
	}
	spec, other := model.spec("model"), model.spec("other")
	unused := "the library is indexed with the model " + spec + ", whose vectors were not used"

	onStore(t, d, d.serving, "3 in total", on("index", "--embed", spec)...)
	check(spec)
	onStore(t, d, d.serving, unused, search()...)
	check(spec)
	queries, qrels := filepath.Join(t.TempDir(), "q"), filepath.Join(t.TempDir(), "r")
	for file, text := range map[string]string{queries: "1\twarfarin\n", qrels: "1\t0/0.md\t1\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	onStore(t, d, d.serving, unused, on("eval", "--queries", queries, "--qrels", qrels)...)
	onStore(t, d, d.serving, unused, on("index")...)
	onStore(t, d, d.serving, "passages:  3", on("index", "--embed", other, "--dry-run")...)
	check(spec)
	s := servesLibrary(t, d, dir)
	awaitAnswer(t, s, isWhole)
	s.kill()
	check(spec)

	onStore(t, d, d.serving, "the embedding model has changed", search("--embed", other)...)
	onStore(t, d, d.serving, "model:      "+spec, on("status")...)
	onStore(t, d, d.serving, "notes: 3 documents, 3 passages, 6 vectors: ok", "store", "check") // those of both
	inDatabase(t, d.owner, "UPDATE vademecum.vectors SET checksum = 0 WHERE model = (SELECT id FROM vademecum.models WHERE name LIKE '%other')")
	onStore(t, d, d.serving, "1 fault found", "store", "check")
	if out := onStore(t, d, d.serving, "3 in total", on("index", "--embed", "builtin")...); strings.Contains(out, "not used") {
		t.Errorf("who goes back to the built-in embedding is told %s", out)
	}
	onStore(t, d, d.serving, "model:      builtin/", on("status")...)
}

// TestDatabaseLacksVectors: in a database without vector support a library stays as it is,
// whatever model is named. Passages that the model refused are not counted as embedded,
// also when status does not know the model.
func TestDatabaseLacksVectors(t *testing.T) {
	t.Parallel()
	d, dir, model := newDatabase(t), manyNotes(t, 3), newProvider(t)
	on := func(command string, args ...string) []string {
		return append([]string{command, dir, "--library", "notes"}, args...)
	}
	spec := model.spec("model")
	onStore(t, d, d.serving, "3 in total", on("index")...)
	inDatabase(t, d.owner, "DROP EXTENSION vector")
	onStore(t, d, d.serving, "lacks pgvector", on("index", "--embed", spec)...)
	onStore(t, d, d.serving, "model:      builtin/", on("status")...)
	if out := onStore(t, d, d.serving, "0/0.md", on("search", "warfarin")...); strings.Contains(out, "not used") {
		t.Errorf("of a model that the library has not it says %s", out)
	}

	inDatabase(t, d.owner, "CREATE EXTENSION vector")
	model.stop()
	onStore(t, d, d.serving, "no vector", on("index", "--embed", spec)...)
	onStore(t, d, d.serving, "passages:   3 (0 with a vector)", on("status")...)
}
