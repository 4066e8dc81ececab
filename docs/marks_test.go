package docs

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// marked is a watched folder that marks are set for.
type marked struct {
	*watched
	dir string

	mu       sync.Mutex
	reported pathSet
	told     chan string
}

func watchWithMarks(t *testing.T, files map[string]string) *marked {
	t.Helper()
	m := &marked{dir: filepath.Join(t.TempDir(), "marks"), reported: make(pathSet), told: make(chan string, 1000)}
	f := testFolder(t, files)
	w, err := f.Watch(m.dir)
	if err != nil {
		t.Fatal(err)
	}
	if !w.MarkersCoverAllChanges() {
		t.Skip("not all changes are told here")
	}
	m.watched = &watched{Folder: f, t: t}
	done := make(chan error)
	go func() {
		done <- w.Run(t.Context(), WatchCallbacks{
			Changed: func(paths []string) {
				m.mu.Lock()
				defer m.mu.Unlock()
				for _, p := range paths {
					m.reported[p] = true
				}
			},
			MarkerSeen: func(name string) { m.told <- name },
		})
	}()
	t.Cleanup(func() {
		w.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return m
}

// mark sets one, and returns what was reported until it is told.
func (m *marked) mark(name string) pathSet {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.dir, name), nil, 0o600); err != nil {
		m.t.Fatal(err)
	}
	deadline := time.After(time.Minute)
	for {
		select {
		case told := <-m.told:
			if told != name {
				continue
			}
			m.mu.Lock()
			defer m.mu.Unlock()
			reported := m.reported
			m.reported = make(pathSet)
			return reported
		case <-deadline:
			m.t.Fatalf("mark %s is not told", name)
		}
	}
}

// TestMarks makes changes of every style, each followed by a mark: by then it is
// reported.
func TestMarks(t *testing.T) {
	t.Parallel()
	m := watchWithMarks(t, map[string]string{"a.md": "a", "b/c.md": "c"})
	at := func(p string) string { return filepath.Join(m.Dir(), filepath.FromSlash(p)) }
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "x")
	styles := []func(n int) (changed string){
		func(n int) string { m.write("a.md", fmt.Sprint(n)); return "a.md" },
		func(n int) string {
			check(os.WriteFile(outside, []byte(fmt.Sprint(n)), 0o644))
			check(os.Rename(outside, at("b/c.md")))
			return "b/c.md"
		},
		func(n int) string {
			p := fmt.Sprintf("new %d/in it/d.md", n)
			m.mkdir(filepath.Dir(p))
			m.write(p, "d")
			return p
		},
		func(n int) string {
			from, to := fmt.Sprintf("from %d", n), fmt.Sprintf("to %d", n)
			m.mkdir(from)
			m.write(from+"/e.md", "e")
			check(os.Rename(at(from), at(to)))
			return to + "/e.md"
		},
		func(n int) string { p := fmt.Sprint(n, ".md"); m.write(p, "gone"); m.remove(p); return p },
	}
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		changed := styles[random.IntN(len(styles))](n)
		if reported := m.mark(fmt.Sprint("mark ", n)); !reported.covers(changed) {
			t.Fatalf("%s changed before a mark, and only %v is reported", changed, reported)
		}
	}
}

// TestMarksSetBefore somebody watched are told after everything: no event tells what
// was changed before them.
func TestMarksSetBefore(t *testing.T) {
	t.Parallel()
	f, dir := testFolder(t, map[string]string{"a.md": "a"}), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "early"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := f.Watch(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if !w.MarkersCoverAllChanges() {
		t.Skip("not all changes are told here")
	}
	var told []string
	err = w.Run(t.Context(), WatchCallbacks{
		Changed:    func(paths []string) { told = append(told, paths...) },
		MarkerSeen: func(name string) { told = append(told, name); w.Close() },
	})
	if want := []string{everything, "early"}; err != nil || !slices.Equal(told, want) {
		t.Errorf("told of %q, %v, want %q", told, err, want)
	}
}

// TestMarksAreSetAgain where somebody takes their directory away.
func TestMarksAreSetAgain(t *testing.T) {
	t.Parallel()
	m := watchWithMarks(t, map[string]string{"a.md": "a"})
	m.mark("one")
	if err := os.RemoveAll(m.dir); err != nil {
		t.Fatal(err)
	}
	until := time.Now().Add(time.Minute)
	for _, err := os.Stat(m.dir); err != nil; _, err = os.Stat(m.dir) {
		if time.Now().After(until) {
			t.Fatal("there is no directory for marks")
		}
	}
	m.write("a.md", "b")
	if reported := m.mark("two"); !reported.covers("a.md") {
		t.Errorf("reported is %v", reported)
	}
}
