package e2e

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vademecum/index"
)

// TestKillWhileIndexing kills the indexer at random points, over edits, and then compares
// the index with a fresh one.
func TestKillWhileIndexing(t *testing.T) {
	t.Parallel()
	const notes = 800
	kills := 8
	if *inFull {
		kills = 50
	}
	dir, file := manyNotes(t, notes), indexFile(t)
	rng := rand.New(rand.NewPCG(8, 9))
	killed := 0
	for round := range kills {
		for range 40 { // so that there is always something to index
			i := rng.IntN(notes)
			p := filepath.Join(dir, fmt.Sprint(i/100), fmt.Sprintf("%d.md", i))
			if err := os.WriteFile(p, []byte(note(i)+fmt.Sprintf("\n\nEdited in round %d.\n", round)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c := vademecum(t, "index", dir, "--index", file)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.IntN(120)) * time.Millisecond) // until the random point
		if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := c.Wait(); errors.As(err, &exit) {
			killed++
		}
	}
	if killed < kills/4 {
		t.Errorf("only %d of %d runs were killed before they were through", killed, kills)
	}
	if out, err := vademecum(t, "index", dir, "--index", file).CombinedOutput(); err != nil || !strings.Contains(string(out), fmt.Sprintf("%d in total", notes)) {
		t.Fatalf("the run after the kills: %s %v", out, err)
	}
	survivor, fresh := openIndex(t, dir, file), openIndex(t, dir, indexFile(t))
	if r, err := survivor.Sync(t.Context(), index.Scope{}); err != nil || r.Indexed != 0 || r.SearchableDocuments != notes || len(survivor.FreshnessNotes()) != 0 {
		t.Errorf("there was work left: %+v, %q, %v", r, survivor.FreshnessNotes(), err)
	}
	bringUpToDate(t, fresh)
	compare(t, survivor, fresh, notes)
}
