package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"vademecum/index/store/catalog"
)

// nextFormatSource returns the file that declares the index format, and its text with the next format.
func nextFormatSource(t *testing.T) (file, next string) {
	t.Helper()
	dir, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "index", "store", "catalog", "format.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const declared = "const FormatVersion = "
	next = strings.Replace(string(text), declared+strconv.Itoa(catalog.FormatVersion), declared+strconv.Itoa(catalog.FormatVersion+1), 1)
	if next == string(text) {
		t.Fatalf("%s does not declare the format %d", file, catalog.FormatVersion)
	}
	return file, next
}

// buildWith builds the program with the given text in place of a source file.
func buildWith(t *testing.T, source, text string) (file string) {
	t.Helper()
	replaced := filepath.Join(t.TempDir(), "format.go")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {source: replaced}})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "overlay.json")
	for name, content := range map[string][]byte{replaced: []byte(text), list: overlay} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file = filepath.Join(t.TempDir(), "vademecum.exe")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", list, "-ldflags", "-s -w", "-o", file, ".")
	build.Dir = repository
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	return file
}

// TestTwoVersions checks that servers of two versions can share a folder and the place of its
// index: neither misses a document, whichever was first, and neither removes the other's file.
func TestTwoVersions(t *testing.T) {
	t.Parallel()
	source, text := nextFormatSource(t) // also in a short run, so that it keeps up with the source
	if !*inFull {
		t.Skip("it builds another version: give -full")
	}
	nextFormat := buildWith(t, source, text)
	for name, c := range map[string]struct {
		first, second int
		named         bool
	}{
		"upgrade in the cache folder":   {0, 1, false},
		"downgrade in the cache folder": {1, 0, false},
		"upgrade of a named file":       {0, 1, true},
		"downgrade of a named file":     {1, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, cache, file := manyNotes(t, 10), t.TempDir(), indexFile(t)
			model := newProvider(t)
			serve := func(later int) *client {
				args := []string{"serve", dir, "--embed", model.spec("model")}
				if c.named {
					args = append(args, "--index", file)
				}
				cmd := vademecum(t, args...)
				if later > 0 {
					cmd.Path = nextFormat
				}
				cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+cache, "LocalAppData="+cache, "HOME="+cache)
				return connect(t, cmd)
			}
			whole := func(f found) bool { return len(f.Passages) == 10 && len(f.Notes) == 0 }
			both := []*client{serve(c.first)}
			awaitAll(t, time.Now(), both, "patient", whole)
			both = append(both, serve(c.second))
			awaitAll(t, time.Now(), both, "patient", whole)
			if _, _, again := model.tally(nobody); len(again) > 0 {
				t.Errorf("%d passages were embedded again, for example %q", len(again), again[0])
			}
			e := newEditor(t, dir)
			for range 3 {
				text, unique := e.text()
				path := e.fresh()
				e.save(path, text)
				awaitAll(t, time.Now(), both, unique, func(f found) bool { return f.holds(unique) })
				e.check(os.Remove(path))
				awaitAll(t, time.Now(), both, unique, func(f found) bool { return !f.holds(unique) })
				awaitAll(t, time.Now(), both, "patient", whole)
			}
			if files, err := filepath.Glob(filepath.Join(cache, "*", "*.v*.db")); err != nil || !c.named && len(files) != 2 {
				t.Errorf("the two versions have the files %q, %v", files, err)
			}
			aside, err := filepath.Glob(filepath.Join(cache, "*", "*.damaged*"))
			if more, _ := filepath.Glob(file + ".damaged*"); err != nil || len(aside)+len(more) > 0 {
				t.Errorf("set aside: %q %q, %v", aside, more, err)
			}
		})
	}
}
