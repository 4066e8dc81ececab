package docs

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A watched folder collects what a Watcher reports.
type watched struct {
	*Folder
	t       *testing.T
	reports chan []string
}

func watchFolder(t *testing.T, files map[string]string) *watched {
	t.Helper()
	f := testFolder(t, files)
	w, err := f.Watch("")
	if err != nil {
		t.Fatal(err)
	}
	if reason := w.IncompleteReason(); reason != "" {
		t.Skip(reason)
	}
	return runWatcher(t, f, w)
}

// runWatcher collects what w reports of f.
func runWatcher(t *testing.T, f *Folder, w *Watcher) *watched {
	reports := make(chan []string, 1000)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- w.Run(ctx, WatchCallbacks{Changed: func(paths []string) { reports <- paths }}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
		w.Close()
	})
	return &watched{Folder: f, t: t, reports: reports}
}

// expect waits until every path, or a folder above it, has been reported. It
// returns all that was reported until then.
func (w *watched) expect(paths ...string) []string {
	w.t.Helper()
	var seen []string
	missing := paths
	deadline := time.After(time.Minute)
	for len(missing) > 0 {
		select {
		case report := <-w.reports:
			seen = append(seen, report...)
			reported := setOf(report)
			missing = slices.DeleteFunc(slices.Clone(missing), reported.covers)
		case <-deadline:
			w.t.Fatalf("not reported: %q; reported: %q", missing, seen)
		}
	}
	return seen
}

// A pathSet covers its paths and what is below them.
type pathSet map[string]bool

func setOf(paths []string) pathSet {
	s := make(pathSet)
	for _, p := range paths {
		s[p] = true
	}
	return s
}

func (s pathSet) covers(p string) bool {
	for ; p != everything; p = path.Dir(p) {
		if s[p] {
			return true
		}
	}
	return s[everything]
}

func covered(p string, report []string) bool { return setOf(report).covers(p) }

func (w *watched) write(p, content string) {
	w.t.Helper()
	writeFile(w.t, w.Dir(), p, content)
}

func (w *watched) rename(from, to string) {
	w.t.Helper()
	if err := os.Rename(filepath.Join(w.Dir(), from), filepath.Join(w.Dir(), to)); err != nil {
		w.t.Fatal(err)
	}
}

func TestWatchFiles(t *testing.T) {
	t.Parallel()
	w := watchFolder(t, map[string]string{"old.md": "x", "sub/deep/a.md": "x"})
	w.write("new.md", "x")
	w.expect("new.md")
	w.write("old.md", "changed")
	w.expect("old.md")
	w.write("sub/deep/a.md", "changed")
	w.expect("sub/deep/a.md")
	w.write("swap.tmp", "replaced")
	w.rename("swap.tmp", "old.md")
	for _, p := range w.expect("old.md") {
		if p != "old.md" {
			t.Errorf("reported %s", p)
		}
	}
	w.rename("old.md", "renamed.md")
	w.expect("old.md", "renamed.md")
	if err := os.Remove(filepath.Join(w.Dir(), "new.md")); err != nil {
		t.Fatal(err)
	}
	w.expect("new.md")
}

func TestWatchFolders(t *testing.T) {
	t.Parallel()
	w := watchFolder(t, map[string]string{"sub/a.md": "x"})
	w.write("a/b/c/quick.md", "x")
	w.expect("a/b/c/quick.md")
	w.write("a/b/c/later.md", "x")
	w.expect("a/b/c/later.md")

	w.rename("a", "moved")
	w.expect("a", "moved")
	w.write("moved/b/c/after.md", "x")
	if seen := w.expect("moved/b/c/after.md"); covered("a", seen) {
		t.Errorf("reported under the old name: %q", seen)
	}
	w.rename("sub", "moved/b/sub")
	w.expect("sub", "moved/b/sub")
	w.write("moved/b/sub/a.md", "changed")
	w.expect("moved/b/sub/a.md")

	if err := os.RemoveAll(filepath.Join(w.Dir(), "moved")); err != nil {
		t.Fatal(err)
	}
	w.expect("moved")
	w.write("moved/again.md", "x")
	w.expect("moved/again.md")
	w.write("moved/more.md", "x")
	w.expect("moved/more.md")
}

func TestWatchFiltersAsScanDoes(t *testing.T) {
	w := watchFolder(t, map[string]string{".gitignore": "*.log\n/drafts/\n", "drafts/a.md": "x", ".git/HEAD": "x"})
	for _, p := range []string{
		"a.log", "drafts/b.md", ".git/HEAD", ".hidden.md", "a.swp", "b.md~", "4913", "node_modules/x/README.md", ".cache/x.md",
	} {
		w.write(p, "y")
	}
	if err := os.Chmod(filepath.Join(w.Dir(), "drafts", "a.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.write("last.md", "x")
	for _, p := range w.expect("last.md") {
		if p != "last.md" {
			t.Errorf("reported %s", p)
		}
	}
}

func TestWatchReportsAttributes(t *testing.T) {
	w := watchFolder(t, map[string]string{"a.md": "x", "b.md": "x"})
	if err := os.Chmod(filepath.Join(w.Dir(), "a.md"), 0o400); err != nil { // it may be readable no more
		t.Fatal(err)
	}
	w.expect("a.md")
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(w.Dir(), "b.md"), past, past); err != nil { // it may be hidden that it was written
		t.Fatal(err)
	}
	w.expect("b.md")
}

func TestWatchFollowsIgnoreFiles(t *testing.T) {
	w := watchFolder(t, map[string]string{".gitignore": "/drafts/\n", "drafts/in/a.md": "x", "notes/a.md": "x"})
	w.write(".gitignore", "/notes/\n")
	if seen := w.expect("notes/a.md"); !covered("anything", seen) {
		t.Errorf("reported %q, want everything", seen)
	}
	// The ignore file may be written in two steps, and reported as often.
	w.write("drafts/in/a.md", "changed")
	for !covered("drafts/in/a.md", dropEverything(w.expect("drafts/in/a.md"))) {
	}
	w.write("notes/a.md", "changed")
	w.write("drafts/last.md", "x")
	for _, p := range dropEverything(w.expect("drafts/last.md")) {
		if strings.HasPrefix(p, "notes") {
			t.Errorf("reported %s, which is ignored", p)
		}
	}
}

func dropEverything(paths []string) []string {
	var rest []string
	for _, p := range paths {
		if p != everything {
			rest = append(rest, p)
		}
	}
	return rest
}

func TestWatchRootMoved(t *testing.T) {
	w := watchFolder(t, map[string]string{"a.md": "x"})
	if err := os.Rename(w.Dir(), filepath.Join(t.TempDir(), "elsewhere")); err != nil {
		t.Skip("an open folder cannot be moved here")
	}
	if seen := w.expect("a.md"); !covered("anything", seen) {
		t.Errorf("reported %q, want everything", seen)
	}
}

func TestFolderReplaced(t *testing.T) {
	w := watchFolder(t, map[string]string{"old.md": "x"})
	aside := filepath.Join(t.TempDir(), "aside")
	if err := os.Rename(w.Dir(), aside); err != nil {
		t.Skip("an open folder cannot be moved here")
	}
	if _, err := w.Scan(t.Context(), "."); err == nil {
		t.Error("a folder that is gone is scanned")
	}
	if err := os.Mkdir(w.Dir(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.Dir(), "new.md"), []byte("y"), 0o644); err != nil {
		t.Fatal(err)
	}
	if seen := w.expect("new.md"); !covered("new.md", seen) {
		t.Errorf("reported %q, want everything", seen)
	}
	files, err := w.Scan(t.Context(), ".")
	if err != nil || len(files) != 1 || files[0].Path != "new.md" {
		t.Errorf("scan finds %+v, %v", files, err)
	}
	if d, err := read(w.Folder, "new.md"); err != nil || d.Text != "y" {
		t.Errorf("read %q, %v", d.Text, err)
	}
}

func TestWatchEndsOnClose(t *testing.T) {
	f := testFolder(t, nil)
	w, err := f.Watch("")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- w.Run(context.Background(), WatchCallbacks{Changed: func([]string) {}}) }()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
