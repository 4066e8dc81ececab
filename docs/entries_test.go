package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestLookAll: what is looked at from its directory is what the os package says of it
// by its path.
func TestLookAll(t *testing.T) {
	f := testFolder(t, map[string]string{"a.md": "alpha", "sub/b.md": "beta", "empty.txt": ""})
	_ = os.Symlink("a.md", filepath.Join(f.dir, "link")) // where there are any
	_ = mkfifo(filepath.Join(f.dir, "pipe"))
	entries, err := readDirAndStat(f.lastRoot(), everything)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadDir(f.dir)
	if err != nil || len(entries) != len(want) || len(want) < 3 {
		t.Fatalf("%d entries, want %d (error %v)", len(entries), len(want), err)
	}
	for _, w := range want {
		path := filepath.Join(f.dir, w.Name())
		i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == w.Name() })
		if i < 0 {
			t.Errorf("%s is missing", w.Name())
			continue
		}
		e, info := entries[i], must(os.Lstat(path))
		got := must(e.Info())
		if e.IsDir() != w.IsDir() || got.Mode().IsRegular() != info.Mode().IsRegular() || got.Mode()&fs.ModeSymlink != info.Mode()&fs.ModeSymlink ||
			!got.ModTime().Equal(info.ModTime()) || !changeTime(got).Equal(changeTime(info)) || !w.IsDir() && got.Size() != info.Size() {
			t.Errorf("%s: got %+v, want %+v", w.Name(), got, info)
		}
		if !isSameFile(got, info) || !isSameFile(info, got) || isSameFile(got, must(os.Lstat(f.dir))) {
			t.Errorf("%s is not known to be the same file", w.Name())
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// TestFoundIsAScan: what is listed while a folder begins to be watched is what a scan
// lists, and is to be had once.
func TestFoundIsAScan(t *testing.T) {
	f := testFolder(t, map[string]string{
		"a.md": "alpha", "sub/b.md": "beta", "sub/deep/c.md": "gamma", "sub-b.md": "delta", ".gitignore": "out/\n*.log\n",
		"out/left.md": "out", "x.log": "out", ".hidden/d.md": "out",
	})
	_ = os.Symlink("a.md", filepath.Join(f.dir, "link"))
	want, err := f.Scan(t.Context(), everything)
	if err != nil || len(want) < 4 {
		t.Fatal(want, err)
	}
	w, err := f.Watch("")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	found := w.InitialListing()
	if !slices.Equal(found.Files, want) || found.StartedAt.IsZero() {
		t.Errorf("found %+v, want %+v", found, want)
	}
	if again := w.InitialListing(); !again.StartedAt.IsZero() {
		t.Error("it is there twice")
	}
	for _, dir := range []string{everything, "sub", "sub/deep"} {
		if w.dirs[dir] == nil {
			t.Errorf("%s is not watched", dir)
		}
	}
}
