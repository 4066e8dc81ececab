package docs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// hung is a folder whose file system stops answering.
type hung struct {
	*Folder
	held chan struct{} // closed when it answers again
}

func hang(f *Folder) hung {
	h := hung{f, make(chan struct{})}
	f.calls.began = func(string) { <-h.held }
	return h
}

// left is how many calls are under way.
func (f *Folder) left() int {
	f.calls.mu.Lock()
	defer f.calls.mu.Unlock()
	return len(f.calls.open)
}

// TestFolderThatDoesNotAnswer asks a folder that hangs for all that an answer may
// need: each comes back in time, few calls are left alone, and all is as before
// when the file system is back.
func TestFolderThatDoesNotAnswer(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "real/a.md", "x")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "real"), link); err != nil {
		t.Skip("no symbolic links here")
	}
	synctest.Test(t, func(t *testing.T) {
		f := mustOpen(t, link)
		h := hang(f)
		took := func(what string, most time.Duration, ask func()) {
			began := time.Now()
			ask()
			if took := time.Since(began); took > most {
				t.Errorf("%s took %v", what, took)
			}
		}
		took("strayed", lookLimit, func() {
			if why := f.PathMovedNote(); why != "" {
				t.Errorf("strayed: %s", why)
			}
		})
		if f.UnresponsiveFor() == 0 {
			t.Error("it counts as answering")
		}
		took("all the rest", 0, func() {
			for range 100 {
				f.PathMovedNote()
				if listed, ok := f.CanonicalPath("a.md"); listed != "a.md" || ok {
					t.Errorf("listed %q %v", listed, ok)
				}
				if rel, ok := f.RelativePath(filepath.Join(link, "a.md")); rel != "a.md" || !ok {
					t.Errorf("rel %q %v", rel, ok)
				}
				if _, ok := f.RelativePath(filepath.Join(dir, "elsewhere", "a.md")); ok {
					t.Error("another folder is this one")
				}
			}
		})
		brief, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		took("scan and load", time.Second, func() {
			if _, err := f.Scan(brief, "."); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("scan: %v", err)
			}
			if _, err := f.Load(brief, "a.md"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("load: %v", err)
			}
		})
		if n := f.left(); n != 3 { // the look, the scan and the load
			t.Errorf("%d calls are left alone", n)
		}

		close(h.held)
		synctest.Wait()
		if since := f.UnresponsiveFor(); since > 0 {
			t.Errorf("silent for %v although it answers again", since)
		}
		if got := scanned(t, f, "."); len(got) != 1 {
			t.Errorf("scanned %q", got)
		}
		if n := f.left(); n != 0 {
			t.Errorf("%d calls are left alone", n)
		}
	})
}

// TestOpenDoesNotWait opens a folder that does not answer, which is the one at
// that path as soon as it does.
func TestOpenDoesNotWait(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "a.md", "x")
	synctest.Test(t, func(t *testing.T) {
		held := make(chan struct{})
		began := time.Now()
		f, err := openWithTimeout(dir, openTimeout, func(dir string) (openedRoot, error) {
			<-held
			return openDirectory(dir)
		})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if took := time.Since(began); took > openTimeout || f.Dir() != dir || f.UnresponsiveFor() == 0 {
			t.Errorf("after %v: %s, silent for %v", took, f.Dir(), f.UnresponsiveFor())
		}
		close(held)
		synctest.Wait()
		if got := scanned(t, f, "."); len(got) != 1 || f.UnresponsiveFor() > 0 {
			t.Errorf("scanned %q, silent for %v", got, f.UnresponsiveFor())
		}
	})
}

// TestSilenceOfAScan has a scan count as silent that waits for its first answer.
func TestSilenceOfAScan(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "a.md", "x")
	synctest.Test(t, func(t *testing.T) {
		f := mustOpen(t, dir)
		h := hang(f)
		go f.Scan(context.Background(), ".")
		time.Sleep(silence)
		if since := f.UnresponsiveFor(); since > 0 {
			t.Errorf("silent for %v already", since)
		}
		time.Sleep(time.Second)
		if since := f.UnresponsiveFor(); since != silence+time.Second {
			t.Errorf("silent for %v", since)
		}
		close(h.held)
		synctest.Wait()
		if f.UnresponsiveFor() > 0 {
			t.Error("still silent")
		}
	})
}

// TestLookupElsewhere: a path that leads to a drive that does not answer, such as one that a model asks
// for, does not make the folder count as silent.
func TestLookupElsewhere(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		f := mustOpen(t, dir)
		held := make(chan struct{})
		f.lookups.began = func(string) { <-held }
		began := time.Now()
		for range 3 {
			if rel, ok := f.RelativePath(filepath.Join(elsewhere, "a.md")); ok {
				t.Errorf("the path is %s in the folder", rel)
			}
		}
		if took := time.Since(began); took != lookLimit {
			t.Errorf("took %v", took)
		}
		time.Sleep(silence)
		if since := f.UnresponsiveFor(); since > 0 || !f.IsResponding() {
			t.Errorf("silent for %v", since)
		}
		close(held)
		synctest.Wait()
	})
}
