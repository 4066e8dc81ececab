//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// withSmallFiles returns a command that runs where no file may grow beyond a few hundred kilobytes,
// as on a disk that fills up. The shell sets that limit; if it cannot, the test is skipped.
func withSmallFiles(t *testing.T, c *exec.Cmd) *exec.Cmd {
	t.Helper()
	limited := exec.CommandContext(t.Context(), "sh", append([]string{"-c", `ulimit -f 300 && exec "$@"`, "sh"}, c.Args...)...)
	limited.Env = c.Env
	if out, err := exec.CommandContext(t.Context(), "sh", "-c", "ulimit -f 300").CombinedOutput(); err != nil {
		t.Skipf("there are no limits here: %s %v", out, err)
	}
	return limited
}

const keptInMemory = "the index is kept in memory"

// TestDiskThatGetsFull indexes more than the disk can hold, and checks that everything is found
// nevertheless, and that one warning says that it is not saved.
func TestDiskThatGetsFull(t *testing.T) {
	t.Parallel()
	const notes = 600
	dir := manyNotes(t, notes)
	if err := os.WriteFile(filepath.Join(dir, "z.md"), []byte("The quokka is the last of the files."), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("search", func(t *testing.T) {
		var warnings bytes.Buffer
		c := withSmallFiles(t, vademecum(t, "search", dir, "quokka", "--index", indexFile(t), "--top-k", "1"))
		c.Stderr = &warnings
		out, err := c.Output()
		if err != nil || !strings.Contains(string(out), "z.md, line 1") || strings.Count(warnings.String(), keptInMemory) != 1 {
			t.Errorf("%v\n%s%s", err, out, &warnings)
		}
	})
	t.Run("index", func(t *testing.T) {
		out, err := withSmallFiles(t, vademecum(t, "index", dir, "--index", indexFile(t))).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "is not saved: ") || !strings.Contains(string(out), fmt.Sprintf("Indexed %d documents", notes+1)) || strings.Count(string(out), keptInMemory) != 1 {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("serve", func(t *testing.T) {
		var log bytes.Buffer
		file := indexFile(t)
		c := withSmallFiles(t, vademecum(t, "serve", dir, "--index", file))
		c.Stderr = &log
		s := connect(t, c)
		blocks, err := s.tool("index_docs", `{}`)
		if err != nil || !strings.Contains(blocks[0].Text, fmt.Sprintf("%d in total", notes+1)) {
			t.Errorf("%v %v", blocks, err)
		}
		other := connect(t, withSmallFiles(t, vademecum(t, "serve", dir, "--index", file)))
		e := newEditor(t, dir)
		for range 3 {
			text, unique := e.text()
			e.save(e.fresh(), text)
			awaitAll(t, time.Now(), []*client{s, other}, unique, func(f found) bool { return f.holds(unique) && f.Notes == nil })
		}
		s.kill()
		if strings.Count(log.String(), keptInMemory) != 1 || strings.Contains(log.String(), "level=ERROR") {
			t.Errorf("logged %s", &log)
		}
	})
}

// TestPlacesThatTakeNoIndex checks that a place that cannot hold an index, or has unreadable files
// beside it, is skipped with a warning.
func TestPlacesThatTakeNoIndex(t *testing.T) {
	t.Parallel()
	dir, place := manyNotes(t, 5), t.TempDir()
	loop := filepath.Join(place, "loop.db")
	if err := os.Symlink(loop+".snapshot", loop+".snapshot"); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		file   string
		warned bool
	}{
		"a device":                      {os.DevNull, true},
		"a name too long for a log":     {filepath.Join(place, strings.Repeat("n", 253)), true},
		"too long for a snapshot":       {filepath.Join(place, strings.Repeat("n", 247)), false},
		"a snapshot that does not open": {loop, false},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			c := vademecum(t, "search", dir, "warfarin", "--index", test.file)
			c.Stderr = &log
			out, err := c.Output()
			if err != nil || !strings.Contains(string(out), ".md") || strings.Contains(log.String(), keptInMemory) != test.warned {
				t.Errorf("%v\n%s%s", err, out, &log)
			}
		})
	}
	foreign := filepath.Join(place, "mine.txt")
	if err := os.WriteFile(foreign, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	const refusal = "it is not an index of vademecum"
	if out, err := vademecum(t, "search", dir, "warfarin", "--index", foreign).CombinedOutput(); err == nil || !strings.Contains(string(out), refusal) {
		t.Errorf("a foreign file: %v %s", err, out)
	}
	if _, err := connect(t, vademecum(t, "serve", dir, "--index", foreign)).retrieve("warfarin"); err == nil || !strings.Contains(err.Error(), refusal) {
		t.Errorf("a foreign file, served: %v", err)
	}
	if text, err := os.ReadFile(foreign); err != nil || string(text) != "mine" {
		t.Errorf("a foreign file was changed: %q, %v", text, err)
	}
}
