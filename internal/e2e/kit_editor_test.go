package e2e

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// editor changes a folder as people and their programs do.
type editor struct {
	t      *testing.T
	dir    string
	rng    *rand.Rand
	serial int      // number of the next text or name
	past   []string // texts that were in the folder
}

func newEditor(t *testing.T, dir string) *editor {
	return &editor{t: t, dir: dir, rng: rand.New(rand.NewPCG(5, 6))}
}

// word returns the n-th of the words that occur nowhere else, that no stemmer changes, and of which
// none is part of another.
func word(n int) string {
	return "zx" + strings.NewReplacer("0", "b", "1", "d", "2", "f", "3", "g", "4", "h", "5", "j", "6", "k", "7", "l", "8", "m", "9", "n").Replace(fmt.Sprintf("%07d", n))
}

// text returns a note and the word that is unique to it.
func (e *editor) text() (text, unique string) {
	e.serial++
	unique = word(e.serial)
	text = note(e.rng.IntN(1000)) + "\n\nLater the word " + unique + " was added.\n"
	e.past = append(e.past, text)
	return text, unique
}

func (e *editor) check(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) files() []string {
	e.t.Helper()
	var files []string
	e.check(filepath.WalkDir(e.dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, p)
		}
		return err
	}))
	return files
}

// write saves a file in place, like simple programs.
func (e *editor) write(path, text string) {
	e.t.Helper()
	e.check(os.MkdirAll(filepath.Dir(path), 0o755))
	e.check(os.WriteFile(path, []byte(text), 0o644))
}

// save replaces a file by a new one, like good editors.
func (e *editor) save(path, text string) {
	e.t.Helper()
	e.serial++
	beside := filepath.Join(filepath.Dir(path), fmt.Sprintf(".save%d~", e.serial))
	e.write(beside, text)
	e.check(os.Rename(beside, path))
}

// fresh returns a path at which nothing exists.
func (e *editor) fresh(elem ...string) string {
	e.serial++
	return filepath.Join(append(append([]string{e.dir}, elem...), fmt.Sprintf("new%d.md", e.serial))...)
}

// step makes a random change; the number of files stays near that of least.
func (e *editor) step(least int) {
	e.t.Helper()
	files := e.files()
	some := func() string { return files[e.rng.IntN(len(files))] }
	text, _ := e.text()
	switch kind := e.rng.IntN(14); {
	case len(files) > least+least/4:
		e.check(os.Remove(some()))
	case kind < 4:
		e.save(some(), text)
	case kind < 7:
		e.write(some(), text)
	case kind == 7:
		e.save(e.fresh(), text)
	case kind == 8:
		e.write(e.fresh(fmt.Sprintf("deep%d", e.serial), "a", "b"), text)
	case kind == 9 && len(files) > least*3/4:
		e.check(os.Remove(some()))
	case kind == 10:
		e.move(some(), e.fresh("moved"))
	case kind == 11:
		copied, err := os.ReadFile(some())
		e.check(err)
		e.write(e.fresh(), string(copied))
	case kind == 12:
		e.save(some(), e.past[e.rng.IntN(len(e.past))])
	default:
		e.renameFolder(filepath.Dir(some()))
	}
}

func (e *editor) move(from, to string) {
	e.t.Helper()
	e.check(os.MkdirAll(filepath.Dir(to), 0o755))
	e.check(os.Rename(from, to))
}

func (e *editor) renameFolder(dir string) {
	e.t.Helper()
	if dir != e.dir {
		e.serial++
		e.move(dir, filepath.Join(filepath.Dir(dir), fmt.Sprintf("folder%d", e.serial)))
	}
}

func (e *editor) relative(path string) string {
	e.t.Helper()
	rel, err := filepath.Rel(e.dir, path)
	e.check(err)
	return filepath.ToSlash(rel)
}
