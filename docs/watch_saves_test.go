package docs

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func (w *watched) remove(p string) {
	w.t.Helper()
	if err := os.RemoveAll(filepath.Join(w.Dir(), p)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watched) mkdir(p string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Join(w.Dir(), p), 0o755); err != nil {
		w.t.Fatal(err)
	}
}

// quiet forgets what was reported so far: the last of it is a mark.
func (w *watched) quiet() {
	w.t.Helper()
	w.write("quiet.md", time.Now().String())
	w.expect("quiet.md")
}

// expectWatched makes sure that each folder is watched by itself: a change in
// it is reported, and not only as one of everything.
func (w *watched) expectWatched(dirs ...string) {
	w.t.Helper()
	for _, dir := range dirs {
		p := dir + "/probe.md"
		w.expectAlone(p, func() { w.write(p, "x") })
	}
}

// expectAlone makes a change until the path is reported as itself: when all is
// to be looked at, that is all that is reported.
func (w *watched) expectAlone(p string, change func()) {
	w.t.Helper()
	for seen := []string(nil); !covered(p, dropEverything(seen)); {
		change()
		seen = w.expect(p)
	}
}

// Editors save in many ways. Each is seen, and nothing but the note is.
func TestWatchAtomicSaves(t *testing.T) {
	t.Parallel()
	saves := map[string]func(w *watched, n int){
		"in place": func(w *watched, n int) { w.write("notes/a.md", fmt.Sprint("in place", n)) },
		"temporary file and rename": func(w *watched, n int) {
			w.write("notes/a.md.tmp", fmt.Sprint("renamed", n))
			w.rename("notes/a.md.tmp", "notes/a.md")
		},
		"hidden temporary file and rename": func(w *watched, n int) {
			w.write("notes/.a.md.x7Yz", fmt.Sprint("renamed", n))
			w.rename("notes/.a.md.x7Yz", "notes/a.md")
		},
		"vim": func(w *watched, n int) { // backupcopy=no
			w.write("notes/4913", "")
			w.remove("notes/4913")
			w.rename("notes/a.md", "notes/a.md~")
			w.write("notes/a.md", fmt.Sprint("vim", n))
			w.remove("notes/a.md~")
		},
		"emacs": func(w *watched, n int) {
			w.write("notes/#a.md#", "autosave")
			w.rename("notes/a.md", "notes/a.md~")
			w.write("notes/a.md", fmt.Sprint("emacs", n))
			w.remove("notes/#a.md#")
		},
		"from another folder": func(w *watched, n int) {
			outside := filepath.Join(w.t.TempDir(), "a.md")
			if err := errors.Join(os.WriteFile(outside, []byte(fmt.Sprint("outside", n)), 0o644), os.Rename(outside, filepath.Join(w.Dir(), "notes/a.md"))); err != nil {
				w.t.Fatal(err)
			}
		},
		"remove and write": func(w *watched, n int) {
			w.remove("notes/a.md")
			w.write("notes/a.md", fmt.Sprint("again", n))
		},
	}
	for name, save := range saves {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := watchFolder(t, map[string]string{"notes/a.md": "x"})
			for n := range 3 {
				save(w, n)
				for _, p := range w.expect("notes/a.md") {
					if p != "notes/a.md" {
						t.Errorf("reported %s", p)
					}
				}
			}
		})
	}
}

func TestWatchDeepRenames(t *testing.T) {
	t.Parallel()
	w := watchFolder(t, map[string]string{"a/b/c/d/e/note.md": "x", "a/b/f/note.md": "x", "z/note.md": "x"})
	for range 3 {
		w.rename("a/b", "z/b")
		w.expect("a/b", "z/b")
		w.quiet()
		w.expectWatched("z/b/c/d/e", "z/b/f", "z/b", "a")
		w.rename("z/b", "a/b")
		w.expect("a/b", "z/b")
		w.quiet()
		w.expectWatched("a/b/c/d/e", "a/b/f", "a/b", "z")
	}
}

// Folders that move before the events of it are read are found in their new
// place first, where the system still knows them by their old one.
func TestWatchMovesIntoNewFolders(t *testing.T) {
	t.Parallel()
	w := watchFolder(t, map[string]string{"a/b/c/note.md": "x", "p/q/note.md": "x"})
	for n := range 5 {
		target := fmt.Sprintf("new%d", n)
		w.mkdir(target)
		w.rename("a", target+"/a")
		w.rename("p", "a")
		w.expect(target, "a", "p")
		w.quiet()
		w.expectWatched(target+"/a/b/c", target+"/a/b", target+"/a", "a/q", "a")
		w.rename("a", "p")
		w.rename(target+"/a", "a")
		w.expect("a", "p")
		w.quiet()
		w.expectWatched("a/b/c", "p/q")
	}
}

func TestWatchSwappedFolders(t *testing.T) {
	t.Parallel()
	w := watchFolder(t, map[string]string{"a/x/note.md": "x", "b/y/note.md": "x"})
	w.rename("a", "t")
	w.rename("b", "a")
	w.rename("t", "b")
	w.expect("a", "b")
	w.quiet()
	w.expectWatched("a/y", "a", "b/x", "b")
	w.write("a/y/note.md", "changed")
	for _, p := range dropEverything(w.expect("a/y/note.md")) {
		if strings.HasPrefix(p, "b") {
			t.Errorf("reported %s", p)
		}
	}
}

func TestWatchFolderMadeAgain(t *testing.T) {
	t.Parallel()
	w := watchFolder(t, map[string]string{"a/b/note.md": "x"})
	for n := range 10 {
		w.remove("a")
		w.write("a/b/note.md", fmt.Sprint(n))
		w.write("a/c/d/other.md", fmt.Sprint(n))
		w.expect("a/b/note.md", "a/c/d/other.md")
	}
	w.quiet()
	w.expectWatched("a", "a/b", "a/c", "a/c/d")
}

// A folder made with all that is in it is reported as a whole, or each of its
// files is.
func TestWatchNewTrees(t *testing.T) {
	t.Parallel()
	w := watchFolder(t, nil)
	var files, dirs []string
	for i := range 40 {
		dir := fmt.Sprintf("tree%d/a/b%d/c", i%4, i)
		dirs = append(dirs, dir)
		for _, name := range []string{"/one.md", "/two.md"} {
			w.write(dir+name, "x")
			files = append(files, dir+name)
		}
	}
	w.expect(files...)
	w.quiet()
	w.expectWatched(dirs[0], dirs[17], dirs[39])

	outside := t.TempDir()
	writeFile(t, outside, "moved/in/deep/note.md", "x")
	if err := os.Rename(filepath.Join(outside, "moved"), filepath.Join(w.Dir(), "moved")); err != nil {
		t.Fatal(err)
	}
	w.expect("moved/in/deep/note.md")
	w.quiet()
	w.expectWatched("moved/in/deep", "moved/in")
	if err := os.Rename(filepath.Join(w.Dir(), "moved"), filepath.Join(outside, "moved")); err != nil {
		t.Fatal(err)
	}
	w.expect("moved")
	w.quiet()
	writeFile(t, outside, "moved/in/deep/unseen.md", "x")
	w.write("last.md", "x")
	for _, p := range w.expect("last.md") {
		if p != "last.md" {
			t.Errorf("reported %s", p)
		}
	}
}

var checkoutFiles = flag.Int("checkout", 1000, "files to check out in TestWatchCheckout")

// As when another branch is checked out: thousands of files are replaced, some
// with their folders.
func TestWatchCheckout(t *testing.T) {
	t.Parallel()
	files := *checkoutFiles
	name := func(branch string, i int) string {
		if i%2 == 0 {
			branch = "both"
		}
		return fmt.Sprintf("src/%s%d/note%d.md", branch, i%50, i)
	}
	w := watchFolder(t, map[string]string{"src/other.md": "x"})
	for i := range files {
		w.write(name("main", i), "main")
	}
	w.expect(name("main", 0), name("main", files-1))
	var changed []string
	for i := range files {
		w.remove(name("main", i))
		w.write(name("work", i), "work")
		changed = append(changed, name("main", i), name("work", i))
	}
	w.expect(changed...)
	w.quiet()
	w.expectWatched("src/work1", "src/both0", "src")
}

// A file that grows is reported some times while it does, and at its end; the
// notes that are saved meanwhile do not wait for it.
func TestWatchGrowingFile(t *testing.T) {
	t.Parallel()
	w := watchFolder(t, map[string]string{"grows.txt": ""})
	f, err := os.OpenFile(filepath.Join(w.Dir(), "grows.txt"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stop, stopped := make(chan struct{}), make(chan error)
	go func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			if _, err := f.WriteString("more "); err != nil {
				stopped <- err
				return
			}
			select {
			case <-stop:
				_, err := f.WriteString("the end")
				stopped <- err
				return
			case <-tick.C:
			}
		}
	}()
	grows := 0
	var slowest time.Duration
	for n := range 20 {
		start := time.Now()
		note := fmt.Sprintf("note%d.md", n)
		w.write(note, "x")
		for _, p := range w.expect(note) {
			if p == "grows.txt" {
				grows++
			}
		}
		slowest = max(slowest, time.Since(start))
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	t.Logf("reported %d times while it grew; the slowest save %v later", grows, slowest)
	w.expect("grows.txt")
	if grows > 10 {
		t.Errorf("reported %d times while 20 notes were saved", grows)
	}
}
