package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// examples are the files that show how to start the program for a shared library, with the
// pattern of its commands.
var examples = map[string]*regexp.Regexp{
	"compose.yaml": regexp.MustCompile(`(?m)^ *command: \[(.*)\]$`),
	"store.conf":   regexp.MustCompile(`(?m)^(?:ExecStart=/usr/bin/|# .*PGPASSWORD=… )vademecum (.*)$`),
}

// TestSharedExamples checks that the program accepts the commands and flags in the examples.
func TestSharedExamples(t *testing.T) {
	t.Parallel()
	for name, pattern := range examples {
		content, err := os.ReadFile(filepath.Join(repository, ".packaging", "shared", name))
		if err != nil {
			t.Fatal(err)
		}
		found := pattern.FindAllStringSubmatch(string(content), -1)
		if len(found) < 2 {
			t.Errorf("%s has %d commands", name, len(found))
		}
		for _, m := range found {
			args := strings.FieldsFunc(m[1], func(r rune) bool { return strings.ContainsRune(`", `, r) })
			if !slices.Contains(args, "serve") && !slices.Contains(args, "migrate") {
				t.Errorf("%s: no command is seen in %s", name, m[1])
			}
			if out, err := vademecum(t, append(args, "--help")...).CombinedOutput(); err != nil { // the arguments before it are checked first
				t.Errorf("%s: %s: %s %v", name, m[1], out, err)
			}
		}
	}
}

// TestPartitions: with tables partitioned by library everything works as without, and
// removed libraries are gone.
func TestPartitions(t *testing.T) {
	t.Parallel()
	d, dir, model := newDatabase(t), manyNotes(t, 3), newProvider(t)
	divide, err := os.ReadFile(filepath.Join(repository, ".packaging", "shared", "partitions.sql"))
	if err != nil {
		t.Fatal(err)
	}
	inDatabase(t, d.owner, string(divide))
	onStore(t, d, d.owner, "match this version", "store", "migrate", "--grant", d.name)
	for library := range 10 { // two more than have partitions of their own
		onStore(t, d, d.serving, "3 in total", "index", dir, "--library", fmt.Sprint("notes", library), "--embed", model.spec("model"))
	}
	onStore(t, d, d.serving, "warfarin", "search", dir, "warfarin", "--library", "notes9", "--embed", model.spec("model"))
	onStore(t, d, d.serving, "notes9: 3 documents, 3 passages, 3 vectors: ok", "store", "check")
	onStore(t, d, d.owner, "vacuumed", "store", "vacuum")
	onStore(t, d, d.owner, "Removed notes0, with 3 documents", "store", "remove", "notes0")
	inDatabase(t, d.owner, `DO $$ BEGIN
		IF (SELECT count(*) FROM vademecum.passages_1) > 0 OR (SELECT count(*) FROM vademecum.passages_2) = 0 OR (SELECT count(*) FROM vademecum.passages_rest) = 0 THEN
			RAISE 'rows are in other partitions';
		END IF;
	END $$`)
}
