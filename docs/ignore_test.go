package docs

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// ignoringFolder has many directories with long ignore files, each another.
func ignoringFolder(t testing.TB, dirs, patterns int) (f *Folder, text int64) {
	t.Helper()
	files := make(map[string]string)
	for i := range dirs {
		var lines strings.Builder
		for n := range patterns {
			fmt.Fprintf(&lines, "/build%d/out%d/*.log\n", i, n)
		}
		dir := fmt.Sprintf("d%d/", i)
		files[dir+".gitignore"], files[dir+"a.md"], files[dir+"b.log"] = lines.String()+"b.log\n", "x", "x"
		text += int64(lines.Len())
	}
	return testFolder(t, files), text
}

// inUse is the memory that is in use, in bytes.
func inUse() int64 {
	runtime.GC()
	runtime.GC() // what weak pointers and handles kept
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestIgnoreFilesInMemory compares what a watcher keeps of ignore files with
// their size on disk.
func TestIgnoreFilesInMemory(t *testing.T) {
	f, text := ignoringFolder(t, 200, 200)
	before := inUse()
	set := newTreeWalker(context.Background(), f.lastRoot(), readDirAndStat)
	l, err := set.walk(everything, nil)
	if err != nil {
		t.Fatal(err)
	}
	kept := inUse() - before
	t.Logf("%d KB of ignore files take %d KB", text/1000, kept/1000)
	if kept > 3*text {
		t.Errorf("ignore files of %d bytes take %d", text, kept)
	}
	for i, sub := range l.subs { // still, and again after a collection
		if !sub.ignore.Excludes(sub.dir+"/b.log", false, nil) || sub.ignore.Excludes(sub.dir+"/a.md", false, nil) {
			t.Fatalf("directory %d: wrong rules", i)
		}
	}
	runtime.KeepAlive(l)
}

// TestIgnoreFilesJoined has the later of two ignore files win, the first of which
// does not end with a line's end.
func TestIgnoreFilesJoined(t *testing.T) {
	f := testFolder(t, map[string]string{".gitignore": "*.log\n*.txt", ".vademecumignore": "!a.txt\n", "a.txt": "x", "b.txt": "x", "c.log": "x"})
	if got := scanned(t, f, "."); strings.Join(got, " ") != "a.txt" {
		t.Errorf("scanned %q", got)
	}
}

func BenchmarkIgnoreFiles(b *testing.B) {
	f, _ := ignoringFolder(b, 200, 200)
	for b.Loop() {
		if _, err := f.Scan(b.Context(), "."); err != nil {
			b.Fatal(err)
		}
	}
}
