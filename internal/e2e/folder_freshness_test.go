package e2e

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	edits    = flag.Int("edits", 20, "how many edits TestFreshness makes, and TestFreshAtOnce of each kind")
	checkout = flag.Int("checkout", 300, "how many files differ between the branches of TestFreshnessOfCheckout")
)

// askAllTheTime makes two goroutines query the server until stop is called.
func askAllTheTime(t *testing.T, s *client) (stop func()) {
	t.Helper()
	done := make(chan struct{})
	var group sync.WaitGroup
	for i := range 2 {
		group.Go(func() {
			for n := i; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				if _, err := s.retrieve(questions[n%len(questions)]); err != nil {
					t.Errorf("a question meanwhile: %v", err)
					return
				}
			}
		})
	}
	return func() { close(done); group.Wait() }
}

// TestFreshness edits notes while questions are asked, and measures when each
// edit is found.
func TestFreshness(t *testing.T) {
	dir := manyNotes(t, 500)
	servers, e := twoServers(t, dir), newEditor(t, dir)
	defer askAllTheTime(t, servers[0])()
	took := make([][]time.Duration, len(servers))
	for range *edits {
		i := e.rng.IntN(500)
		text, unique := e.text()
		e.save(filepath.Join(dir, fmt.Sprint(i/100), fmt.Sprintf("%d.md", i)), text)
		for at, d := range awaitAll(t, time.Now(), servers, unique, func(f found) bool { return f.holds(unique) }) {
			took[at] = append(took[at], d)
		}
	}
	t.Logf("saved to found by the server that started first: %s", quantiles(took[0]))
	t.Logf("saved to found by the other: %s", quantiles(took[1]))
}

// place adds a note, waits until all servers find it, and returns its path and word.
func (e *editor) place(servers []*client, elem ...string) (path, unique string) {
	e.t.Helper()
	text, unique := e.text()
	path = e.fresh(elem...)
	e.write(path, text)
	e.awaitHere(servers, unique)
	return path, unique
}

func (e *editor) awaitHere(servers []*client, unique string) []time.Duration {
	e.t.Helper()
	return awaitAll(e.t, time.Now(), servers, unique, func(f found) bool { return f.holds(unique) })
}

func (e *editor) awaitGone(servers []*client, unique string) []time.Duration {
	e.t.Helper()
	return awaitAll(e.t, time.Now(), servers, unique, func(f found) bool { return !f.holds(unique) })
}

func (f found) isIn(folder string) bool {
	return len(f.Passages) > 0 && strings.Contains(f.Passages[0].URI, "/"+folder+"/")
}

// TestFreshnessOfKinds makes each kind of change and waits until answers show
// it, those of the first server and those of the other.
func TestFreshnessOfKinds(t *testing.T) {
	dir := manyNotes(t, 100)
	servers := twoServers(t, dir)
	e := newEditor(t, dir)
	for _, kind := range []struct {
		name string
		make func(e *editor, servers []*client) [][]time.Duration
	}{
		{"written in place", writtenInPlace},
		{"saved as vim does", savedAsVim},
		{"written in two halves", writtenInHalves},
		{"new file", newFile},
		{"new file in new folders", newDeepFile},
		{"folder renamed", folderRenamed},
		{"file deleted", fileDeleted},
		{"folder deleted and made again", folderMadeAgain},
		{"whole folder deleted and made again", allMadeAgain},
	} {
		t.Run(kind.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.HasPrefix(kind.name, "whole folder") {
				t.Skip("a folder that is open cannot be deleted")
			}
			e.t = t
			for _, took := range kind.make(e, servers) {
				t.Logf("found by the server that started first after %s, by the other after %s",
					took[0].Round(time.Millisecond), took[1].Round(time.Millisecond))
			}
		})
	}
}

func writtenInPlace(e *editor, servers []*client) [][]time.Duration {
	path, old := e.place(servers)
	text, unique := e.text()
	e.write(path, text)
	return [][]time.Duration{e.awaitHere(servers, unique), e.awaitGone(servers, old)}
}

// savedAsVim saves a file like Vim, which first moves the old file away.
func savedAsVim(e *editor, servers []*client) [][]time.Duration {
	path, old := e.place(servers)
	text, unique := e.text()
	e.move(path, path+"~")
	e.write(path, text)
	e.check(os.Remove(path + "~"))
	return [][]time.Duration{e.awaitHere(servers, unique), e.awaitGone(servers, old)}
}

// writtenInHalves writes a file like a program that pauses between two writes.
func writtenInHalves(e *editor, servers []*client) [][]time.Duration {
	first, early := e.text()
	second, late := e.text()
	f, err := os.Create(e.fresh())
	e.check(err)
	_, err = f.WriteString(first)
	e.check(err)
	took := [][]time.Duration{e.awaitHere(servers, early)}
	_, err = f.WriteString(second)
	e.check(err)
	e.check(f.Close())
	return append(took, e.awaitHere(servers, late), e.awaitHere(servers, early))
}

func newFile(e *editor, servers []*client) [][]time.Duration {
	text, unique := e.text()
	e.write(e.fresh(), text)
	return [][]time.Duration{e.awaitHere(servers, unique)}
}

func newDeepFile(e *editor, servers []*client) [][]time.Duration {
	text, unique := e.text()
	e.write(e.fresh("one", "two", "three"), text)
	return [][]time.Duration{e.awaitHere(servers, unique)}
}

func folderRenamed(e *editor, servers []*client) [][]time.Duration {
	path, unique := e.place(servers, "before")
	e.move(filepath.Dir(path), filepath.Join(e.dir, "after"))
	took := awaitAll(e.t, time.Now(), servers, unique, func(f found) bool { return f.isIn("after") })
	text, later := e.text() // the directory is watched under its new name
	e.write(e.fresh("after"), text)
	return [][]time.Duration{took, e.awaitHere(servers, later)}
}

func fileDeleted(e *editor, servers []*client) [][]time.Duration {
	path, unique := e.place(servers)
	e.check(os.Remove(path))
	return [][]time.Duration{e.awaitGone(servers, unique)}
}

func folderMadeAgain(e *editor, servers []*client) [][]time.Duration {
	path, old := e.place(servers, "again")
	text, unique := e.text()
	e.check(os.RemoveAll(filepath.Dir(path)))
	e.write(e.fresh("again"), text)
	took := [][]time.Duration{e.awaitHere(servers, unique), e.awaitGone(servers, old)}
	text, later := e.text() // the directory is watched again
	e.write(e.fresh("again"), text)
	return append(took, e.awaitHere(servers, later))
}

func allMadeAgain(e *editor, servers []*client) [][]time.Duration {
	_, old := e.place(servers)
	text, unique := e.text()
	e.check(os.RemoveAll(e.dir))
	e.write(e.fresh("new"), text)
	took := [][]time.Duration{e.awaitHere(servers, unique), e.awaitGone(servers, old)}
	text, later := e.text()
	e.write(e.fresh(), text)
	return append(took, e.awaitHere(servers, later))
}

// TestFreshAtOnce makes changes of every kind, and checks that the first question after each, to
// either server, is answered from the present files.
func TestFreshAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a question waits for quick scans only, as Windows does not tell in which order folders changed")
	}
	dir := manyNotes(t, 100)
	servers, e := twoServers(t, dir), newEditor(t, dir)
	var old string // a word that occurs nowhere any more
	note := e.fresh("kept")
	write := func(path string) (word string) {
		text, unique := e.text()
		e.write(path, text)
		return unique
	}
	last := write(note)
	kinds := map[string]func(n int) (word string){
		"in place": func(int) string { old = last; return write(note) },
		"renamed over": func(int) string {
			old = last
			word := write(note + ".tmp")
			e.move(note+".tmp", note)
			return word
		},
		"appended": func(int) string {
			text, unique := e.text()
			f, err := os.OpenFile(note, os.O_APPEND|os.O_WRONLY, 0)
			e.check(err)
			_, err = f.WriteString("\n" + text)
			e.check(errors.Join(err, f.Close()))
			old = ""
			return unique
		},
		"new folder": func(n int) string {
			old = ""
			write(e.fresh(fmt.Sprint("new", n)))
			return write(e.fresh(fmt.Sprint("new", n), "deep"))
		},
		"deleted": func(int) string {
			path := e.fresh("gone")
			old = write(path)
			e.check(os.Remove(path))
			return ""
		},
		"folder renamed": func(n int) string {
			old = ""
			path := e.fresh(fmt.Sprint("from", n))
			word := write(path)
			e.move(filepath.Dir(path), filepath.Join(e.dir, fmt.Sprint("to", n)))
			return word
		},
	}
	var took [2][]time.Duration
	for n := range *edits {
		for kind, change := range kinds {
			word := change(n)
			if strings.HasPrefix(kind, "in place") || kind == "renamed over" || kind == "appended" {
				last = word
			}
			for i := range servers {
				at := (n + i) % len(servers)
				for _, ask := range []string{word, old} {
					if ask == "" {
						continue
					}
					start := time.Now()
					f, err := servers[at].retrieve(ask)
					if err != nil {
						t.Fatal(err)
					}
					took[at] = append(took[at], time.Since(start))
					if f.holds(ask) != (ask == word) {
						t.Errorf("%s, server %d, edit %d: %q is found: %t", kind, at, n, ask, ask != word)
					}
				}
			}
		}
	}
	t.Logf("the answer of the server that started first: %s", quantiles(took[0]))
	t.Logf("of the other: %s", quantiles(took[1]))
}
