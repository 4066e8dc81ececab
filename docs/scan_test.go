package docs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"vademecum/docs/extract"
	"vademecum/internal/base/message"
)

// scanned returns what a scan finds, as "path" or "path: reason".
func scanned(t testing.TB, f *Folder, under string) []string {
	t.Helper()
	files, err := f.Scan(context.Background(), under)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, file := range files {
		if file.SkipReason != "" {
			file.Path += ": " + file.SkipReason.String()
		}
		got = append(got, file.Path)
	}
	return got
}

func TestScan(t *testing.T) {
	f := testFolder(t, map[string]string{
		"a.md": "x", "a/b.txt": "x", "a/c/README": "x", "a-b.org": "x", "空 格/笔记.md": "x", "build/a.md": "x", "vendor/b.md": "x",
		"empty.md": "", "p.PNG": "x", "q.pdf": "x", "odd.xyz": "x",
		".hidden.md": "x", ".git/config": "x", ".obsidian/a.md": "x", "node_modules/a/README.md": "x", "a/__pycache__/x.txt": "x",
		"Thumbs.db": "x", "desktop.ini": "x", "~$letter.docx": "x", "a.md~": "x", "4913": "x", "b.tmp": "x", "c.txt.part": "x", "#a.md#": "x", ".#a.md": "x", "d.CRDOWNLOAD": "x",
		"emptydir/": "",
	})
	want := []string{
		"a-b.org", "a.md", "a/b.txt", "a/c/README", "build/a.md", "empty.md: empty", "odd.xyz",
		"p.PNG: not a text format (.png)", "q.pdf", "vendor/b.md", "空 格/笔记.md",
	}
	if got := scanned(t, f, "."); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestScanUnder(t *testing.T) {
	f := testFolder(t, map[string]string{
		"a.md": "x", "a/b.txt": "x", "a/c/d.txt": "x", "a/c/e.log": "x", "ab/x.md": "x",
		"node_modules/x.md": "x", ".h/x.md": "x", "secret/in/x.md": "x",
		".gitignore": "/secret/\n*.log\n",
	})
	tests := []struct {
		under string
		want  []string
	}{
		{"a", []string{"a/b.txt", "a/c/d.txt"}},
		{"a/c/", []string{"a/c/d.txt"}},
		{"a/c/d.txt", []string{"a/c/d.txt"}},
		{"a.md", []string{"a.md"}},
		{"none", nil},
		{"a.md/none", nil},
		{"a/none/deep", nil},
		{"a/c/e.log", nil},
		{"node_modules", nil},
		{"node_modules/x.md", nil},
		{".h/x.md", nil},
		{"secret/in", nil},
		{"secret/in/x.md", nil},
		{".gitignore", nil},
	}
	for _, tt := range tests {
		if got := scanned(t, f, tt.under); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.under, got, tt.want)
		}
	}
	for _, under := range []string{"..", "../x", "/etc", "a/../../b"} {
		if files, err := f.Scan(context.Background(), under); err == nil {
			t.Errorf("%s: got %v, want an error", under, files)
		}
	}
}

func TestScanIgnoreFiles(t *testing.T) {
	f := testFolder(t, map[string]string{
		".gitignore":         "\uFEFF*.log\r\n/drafts/\n!keep.log\n",
		".vademecumignore":   "!notes.log\nprivate/\n",
		"a.log":              "x",
		"keep.log":           "x",
		"notes.log":          "x",
		"drafts/a.md":        "x",
		"sub/drafts/a.md":    "x",
		"sub/private/a.md":   "x",
		"sub/.gitignore":     "*.md\n!/b.md\n",
		"sub/a.md":           "x",
		"sub/b.md":           "x",
		"sub/deep/b.md":      "x",
		"sub/a.log":          "x",
		"other/.gitignore":   "c.md\n",
		"other/c.md":         "x",
		"other/d.md":         "x",
		"third/c.md":         "x",
		"whole/.gitignore":   "*\n",
		"whole/a.md":         "x",
		"whole/deep/none.md": "x",
	})
	want := []string{"keep.log", "notes.log", "other/d.md", "sub/b.md", "third/c.md"}
	if got := scanned(t, f, "."); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := scanned(t, f, "sub"); !slices.Equal(got, []string{"sub/b.md"}) {
		t.Errorf("below sub: got %q", got)
	}
}

func TestScanOddNames(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("names that other systems refuse")
	}
	f := testFolder(t, map[string]string{"new\nline.md": "x", "bad\xff.md": "x", "bad\xffdir/a.md": "x"})
	want := []string{"bad\uFFFD.md: " + reasonBadName.String(), "bad\uFFFDdir: " + reasonBadName.String(), "new\nline.md"}
	if got := scanned(t, f, "."); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestScanReportsSizeAndTime(t *testing.T) {
	f := testFolder(t, map[string]string{"a.md": "four"})
	when := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(f.Dir(), "a.md"), when, when); err != nil {
		t.Fatal(err)
	}
	big, err := os.Create(filepath.Join(f.Dir(), "big.md"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(big.Truncate(extract.MaxFileBytes+1), big.Close()); err != nil {
		t.Fatal(err)
	}
	files, err := f.Scan(context.Background(), ".")
	if err != nil || len(files) != 2 {
		t.Fatalf("got %v, %v", files, err)
	}
	if files[0].Size != 4 || !files[0].ModTime.Equal(when) {
		t.Errorf("got %+v", files[0])
	}
	if files[1].SkipReason.String() != "larger than 50 MB" || files[1].Size != extract.MaxFileBytes+1 {
		t.Errorf("got %+v", files[1])
	}
}

// TestClosedFolder: a folder that may not be opened is told from a file that cannot be read.
func TestClosedFolder(t *testing.T) {
	walker := &treeWalker{}
	if got := walker.unreadableEntry("closed", &fs.PathError{Op: "open", Path: "closed", Err: fs.ErrPermission}); len(got) != 1 || !IsInaccessibleFolderSkip(got[0].SkipReason) {
		t.Errorf("it is listed as %v", got)
	}
	if IsInaccessibleFolderSkip(reasonBadName) || IsInaccessibleFolderSkip("") {
		t.Error("another reason is taken for that")
	}
}

func TestScanWithoutPermission(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("every file can be read")
	}
	f := testFolder(t, map[string]string{"a.md": "x", "closed/b.md": "x", "c.md": "x"})
	closed, file := filepath.Join(f.Dir(), "closed"), filepath.Join(f.Dir(), "c.md")
	if err := errors.Join(os.Chmod(closed, 0), os.Chmod(file, 0)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(closed, 0o755) })
	want := []string{"a.md", "c.md", "closed: the folder cannot be opened: permission denied"}
	if got := scanned(t, f, "."); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := scanned(t, f, "closed"); !slices.Equal(got, want[2:]) {
		t.Errorf("below it: got %q", got)
	}
	if _, err := read(f, "c.md"); err == nil || err.Error() != "read c.md: permission denied" {
		t.Errorf("error is %v", err)
	}
	if _, err := Open(closed); err == nil || err.Error() != "open "+closed+": permission denied" {
		t.Errorf("error is %v", err)
	}
}

func TestScanEnds(t *testing.T) {
	f := testFolder(t, map[string]string{"a.md": "x"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.Scan(ctx, "."); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	f.Close()
	if _, err := f.Scan(context.Background(), "."); err == nil {
		t.Error("a closed folder can be scanned")
	}
}

// benchmarkFolder has n notes in folders of each.
func benchmarkFolder(b *testing.B, n, each int) *Folder {
	b.Helper()
	if n > 10_000 && testing.Short() {
		b.Skip("takes a while to make")
	}
	files := map[string]string{".gitignore": "*.log\n/drafts/\nbuild/\n"}
	for i := range n {
		files[fmt.Sprintf("area%d/folder%d/note%06d.md", i/each/50, i/each, i)] = "x"
	}
	return testFolder(b, files)
}

func BenchmarkScan(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := benchmarkFolder(b, n, 500)
			b.ReportAllocs()
			for b.Loop() {
				if got, err := f.Scan(context.Background(), "."); err != nil || len(got) != n {
					b.Fatal(len(got), err)
				}
			}
		})
	}
}

func BenchmarkWatch(b *testing.B) {
	f := benchmarkFolder(b, 100_000, 20)
	for b.Loop() {
		w, err := f.Watch("")
		if err != nil || w.IncompleteReason() != "" {
			b.Fatal(w.IncompleteReason(), err)
		}
		b.StopTimer()
		w.Close()
		b.StartTimer()
	}
}

// The order is that of the whole paths, however the directories were read.
func TestScanOrder(t *testing.T) {
	files := make(map[string]string)
	var want []string
	for _, dir := range []string{"a", "a-b", "a.b", "a/b", "a/b-c", "a0", "ab", "\u00e9", "\u6587"} {
		for i := range 30 {
			for _, p := range []string{fmt.Sprintf("%s/%d/note.md", dir, i), fmt.Sprintf("%s/%d.md", dir, i)} {
				files[p] = "x"
				want = append(want, p)
			}
		}
	}
	slices.Sort(want)
	f := testFolder(t, files)
	for range 20 {
		if got := scanned(t, f, "."); !slices.Equal(got, want) {
			t.Fatalf("got  %q\nwant %q", got, want)
		}
	}
}

// reasonsOf returns why each file at and below under is not read, "" of those
// that are.
func reasonsOf(t *testing.T, f *Folder, under string) map[string]message.Message {
	t.Helper()
	files, err := f.Scan(t.Context(), under)
	if err != nil {
		t.Fatal(err)
	}
	reasons := make(map[string]message.Message)
	for _, file := range files {
		reasons[file.Path] = file.SkipReason
	}
	return reasons
}

// What a link points to is not listed, whether it lies in the folder or not. The
// link is, with the reason.
func TestScanLinks(t *testing.T) {
	outside := t.TempDir()
	writeFile(t, outside, "secret/a.md", "x")
	f := testFolder(t, map[string]string{"in/a.md": "x"})
	for link, target := range map[string]string{
		"out": outside, "in/deep": filepath.Join(outside, "secret"), "file.md": filepath.Join(outside, "secret/a.md"), "loop": ".", "again": "in",
		"in/lost.md": "gone.md", "ring": "ring", ".hidden": "in", "copy.md": "in/a.md", "whole": filepath.Join(f.RealPath(), "in/a.md"), "in/up": "../../x",
	} {
		if err := os.Symlink(target, filepath.Join(f.Dir(), link)); err != nil {
			t.Skip("no links to be had: ", err)
		}
	}
	want := map[string]message.Message{
		"in/a.md": "", "out": reasonLinkOutside, "in/deep": reasonLinkOutside, "file.md": reasonLinkOutside, "loop": reasonLinkInside,
		"again": reasonLinkInside, "copy.md": reasonLinkInside, "in/lost.md": reasonLinkInside, "ring": reasonLinkInside,
		"whole": reasonLinkInside, "in/up": reasonLinkOutside,
	}
	if got := reasonsOf(t, f, "."); !maps.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	for under, reason := range map[string]message.Message{"out": reasonLinkOutside, "in/deep": reasonLinkOutside, "file.md": reasonLinkOutside, "again": reasonLinkInside} {
		if got := reasonsOf(t, f, under); len(got) != 1 || got[under] != reason {
			t.Errorf("%s: got %q", under, got)
		}
	}
	for _, under := range []string{"out/secret", "in/deep/a.md", "again/a.md", "loop/in"} {
		if got := scanned(t, f, under); len(got) > 0 {
			t.Errorf("%s: got %q", under, got)
		}
	}
	w, err := f.Watch("")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if len(w.dirs) != 2 {
		t.Errorf("%d folders are watched, want 2", len(w.dirs))
	}
	if entries, err := w.readDirNames(w.root, "out"); err == nil {
		t.Errorf("a link is read: %v", entries)
	}
}

// TestPanicInAScanReachesTheCaller: directories are read in goroutines, where
// nobody could catch it.
func TestPanicInAScanReachesTheCaller(t *testing.T) {
	dir := t.TempDir()
	for i := range 8 {
		if err := os.MkdirAll(filepath.Join(dir, fmt.Sprint(i), "deep"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	walk := newTreeWalker(t.Context(), root, func(root *os.Root, dir string) ([]fs.DirEntry, error) {
		if dir == "0/deep" { // the first directory is always one of a goroutine
			panic("odd")
		}
		return readDirAndStat(root, dir)
	})
	defer func() {
		if p := recover(); p != "odd" {
			t.Errorf("caught %v", p)
		}
	}()
	_, err = walk.walkBelow(everything)
	t.Errorf("the scan ended with %v", err)
}

// TestWalkIsGivenUp: a walk whose caller is gone ends between two directories, with
// those that it has come to.
func TestWalkIsGivenUp(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"a", "b", "c"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	ctx, cancel := context.WithCancel(t.Context())
	walk := newTreeWalker(ctx, root, func(root *os.Root, dir string) ([]fs.DirEntry, error) {
		cancel()
		return readDirAndStat(root, dir)
	})
	if l, err := walk.walk(everything, nil); err != nil || len(l.subs) > 0 {
		t.Errorf("it went on to %d directories, %v", len(l.subs), err)
	}
}

// TestTurns counts how often another directory was found in the place of the folder.
func TestTurns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "notes")
	must(0, os.Mkdir(dir, 0o700))
	f := must(Open(dir))
	defer f.Close()
	must(f.Scan(t.Context(), "."))
	must(0, os.WriteFile(filepath.Join(dir, "a.md"), nil, 0o600))
	must(f.Scan(t.Context(), "."))
	if n := f.RootReplacementCount(); n != 0 {
		t.Errorf("%d, of one that is still there", n)
	}
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Skip("an open folder cannot be moved here")
	}
	must(0, os.Mkdir(dir, 0o700))
	must(f.Scan(t.Context(), "."))
	if n := f.RootReplacementCount(); n != 1 {
		t.Errorf("%d, of one in the place of another", n)
	}
}
