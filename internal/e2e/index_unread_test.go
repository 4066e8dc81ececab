package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStatusOfUnreadFiles: a file that was found and not read yet is reported so, in both
// languages, and status counts such files.
func TestStatusOfUnreadFiles(t *testing.T) {
	t.Parallel()
	dir, file := t.TempDir(), indexFile(t)
	save := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("Kyoto\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	says := func(want string, args ...string) {
		t.Helper()
		out, err := vademecum(t, append(args, "--index", file)...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%v: it says %s, %v, want %s", args, out, err, want)
		}
	}
	save("a.md")
	says("a.md: not indexed: it exists but has not been read yet: ", "status", dir, "--why", "a.md")
	says("a.md：未索引：文件在，但还没有读取：", "status", dir, "--why", "a.md", "--lang", "zh")
	says("1 in total", "index", dir)
	says("a.md: it is indexed", "status", dir, "--why", "a.md")
	save("b.md")
	says("to read:    1 file not read yet", "status", dir)
	says("待读取：1 个文件，尚未读取（", "status", dir, "--lang", "zh")
}
