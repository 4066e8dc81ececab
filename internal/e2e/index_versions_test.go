package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"vademecum/index/catalog"
)

// asFormat names the format by which the test binary that behaves as the program
// differs from this version, as a number.
const asFormat = "VADEMECUM_AS_FORMAT"

func setFormat() {
	if n, err := strconv.Atoi(os.Getenv(asFormat)); err == nil {
		catalog.Format += n
	}
}

// ofFormat has a command run in a version whose format is that many later.
func ofFormat(c *exec.Cmd, later int) *exec.Cmd {
	c.Env = append(c.Env, asFormat+"="+strconv.Itoa(later))
	return c
}

// TestTwoVersions: servers of two versions share a folder and the place of its
// index. Neither misses a document, whichever was first, and neither takes the
// other's file away.
func TestTwoVersions(t *testing.T) {
	t.Parallel()
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
				cmd := ofFormat(vademecum(t, args...), later)
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
