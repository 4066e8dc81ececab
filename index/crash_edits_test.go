package index

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// mostFiles is how many files a sub-folder holds before more are deleted than
// made.
const mostFiles = 120

// edit makes one change to the sub-folder, as a person or a program would.
func (e *editor) edit() error {
	if len(e.files) > mostFiles {
		return e.deleteFolder()
	}
	switch n := e.rng.IntN(40); {
	case n < 9:
		return e.write(e.fresh(), e.text())
	case n < 16:
		return e.write(e.any(), e.text())
	case n < 22:
		return e.saveAtomically(e.any(), e.text())
	case n < 26:
		return e.rename(e.any(), e.fresh())
	case n < 30:
		return e.remove(e.any())
	case n < 32:
		return e.renameFolder()
	case n < 33:
		return e.deleteFolder()
	case n < 34:
		return e.burst()
	case n < 35:
		return e.write(e.fresh(), e.big())
	case n < 37:
		return e.touch(e.any())
	default:
		return e.write(e.fresh(), fmt.Sprintf("# Shared\n\nOne of a few texts, number %d, that several files hold.", e.rng.IntN(5)))
	}
}

// touching tells that a file is about to change.
func (e *editor) touching(p string) {
	e.say("edit %s", p)
	e.changed[p] = true
}

func (e *editor) on(p string) string { return filepath.Join(e.dir, filepath.FromSlash(p)) }

// any is the path of some file; there is always one.
func (e *editor) any() string {
	all := slices.Sorted(maps.Keys(e.files))
	return all[e.rng.IntN(len(all))]
}

// fresh is a path that no file has had.
func (e *editor) fresh() string {
	e.made++
	extension := "md"
	switch n := e.rng.IntN(30); {
	case n == 0:
		extension = "html"
	case n < 6:
		extension = "txt"
	}
	return fmt.Sprintf("%s/%s/%x-%d.%s", e.sub, e.folder(), e.rng.Uint32(), e.made, extension)
}

func (e *editor) folder() string { return fmt.Sprintf("s%d", e.rng.IntN(6)) }

var crashWords = strings.Fields("heart lung dose pill salt sugar warfarin insulin diet sleep kidney liver 血压 糖尿病 心脏 饮食 vessel stroke fever cough")

// text is a note of one to about ten chunks.
func (e *editor) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "# Note %x\n", e.rng.Uint32())
	for range 1 + e.rng.IntN(1+e.rng.IntN(12)) {
		e.section(&out, 20+e.rng.IntN(200))
	}
	return out.String()
}

func (e *editor) section(out *strings.Builder, words int) {
	fmt.Fprintf(out, "\n## Section %x\n\n", e.rng.Uint32())
	for range words {
		out.WriteString(crashWords[e.rng.IntN(len(crashWords))] + " ")
	}
	fmt.Fprintf(out, "%x.\n", e.rng.Uint32())
}

// big is a text of about 300 chunks.
func (e *editor) big() string {
	var out strings.Builder
	for range 300 {
		e.section(&out, 150)
	}
	return out.String()
}

// write changes a file in place, in two steps.
func (e *editor) write(p, text string) error {
	e.touching(p)
	if err := os.MkdirAll(filepath.Dir(e.on(p)), 0o755); err != nil {
		return err
	}
	f, err := os.Create(e.on(p))
	if err != nil {
		return err
	}
	half := len(text) / 2
	_, err = f.WriteString(text[:half])
	_, more := f.WriteString(text[half:])
	e.files[p] = hashOf([]byte(text))
	return errors.Join(err, more, f.Close())
}

// saveAtomically puts another file in the place of one, as editors do.
func (e *editor) saveAtomically(p, text string) error {
	e.touching(p)
	if err := os.WriteFile(e.on(p)+"~", []byte(text), 0o644); err != nil {
		return err
	}
	e.files[p] = hashOf([]byte(text))
	return os.Rename(e.on(p)+"~", e.on(p))
}

func (e *editor) rename(from, to string) error {
	if from == e.base() {
		return nil
	}
	to = strings.TrimSuffix(to, path.Ext(to)) + path.Ext(from)
	e.touching(from)
	e.touching(to)
	if err := os.MkdirAll(filepath.Dir(e.on(to)), 0o755); err != nil {
		return err
	}
	e.files[to] = e.files[from]
	delete(e.files, from)
	return os.Rename(e.on(from), e.on(to))
}

// base is a file that stays.
func (e *editor) base() string { return e.sub + "/base.md" }

func (e *editor) remove(p string) error {
	if p == e.base() {
		return nil
	}
	e.touching(p)
	delete(e.files, p)
	return os.Remove(e.on(p))
}

// renameFolder moves a folder to a name that is free, sometimes deeper.
func (e *editor) renameFolder() error {
	from := e.sub + "/" + e.folder()
	to := fmt.Sprintf("%s/moved-%x", e.sub, e.rng.Uint32())
	if e.rng.IntN(2) == 0 {
		to = fmt.Sprintf("%s/%s/moved-%x", e.sub, "s6", e.rng.Uint32())
	}
	inside := e.inside(from)
	if len(inside) == 0 {
		return nil
	}
	for _, p := range inside {
		e.touching(p)
		e.touching(to + strings.TrimPrefix(p, from))
	}
	if err := os.MkdirAll(filepath.Dir(e.on(to)), 0o755); err != nil {
		return err
	}
	for _, p := range inside {
		e.files[to+strings.TrimPrefix(p, from)] = e.files[p]
		delete(e.files, p)
	}
	return os.Rename(e.on(from), e.on(to))
}

// inside lists the files below a folder.
func (e *editor) inside(folder string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(e.files)), func(p string) bool { return !strings.HasPrefix(p, folder+"/") })
}

// deleteFolder removes the folder of some file with all that is in it.
func (e *editor) deleteFolder() error {
	folder := path.Dir(e.any())
	if folder == e.sub {
		return nil
	}
	for _, p := range e.inside(folder) {
		e.touching(p)
		delete(e.files, p)
	}
	return os.RemoveAll(e.on(folder))
}

// burst makes 50 files at once.
func (e *editor) burst() error {
	for range 50 {
		if err := e.write(e.fresh(), e.text()); err != nil {
			return err
		}
	}
	return nil
}

// touch gives a file another time and leaves its content.
func (e *editor) touch(p string) error {
	e.touching(p)
	at := time.Now().Add(-time.Duration(e.rng.IntN(1000)) * time.Hour)
	return os.Chtimes(e.on(p), at, at)
}
