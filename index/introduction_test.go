package index

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index/indextest"
)

// TestSavedIntroduction: what was saved is read by another process for the same folders, and nothing
// else is.
func TestSavedIntroduction(t *testing.T) {
	t.Parallel()
	one, two, file := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "x.db")
	opened := func(folders ...string) *Index {
		files := []string{file, filepath.Join(t.TempDir(), "y.db")}[:len(folders)]
		ix, err := New(Options{Folders: folders, IndexPaths: files, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = ix.Close() })
		return ix
	}
	if got := opened(one).SavedIntroduction(); got != "" {
		t.Errorf("before, it is %q", got)
	}
	for _, text := range []string{"first", "笔记 \"second\"\n", strings.Repeat("x", mostIntroduction)} {
		indextest.Must(t, opened(one).SaveIntroduction(text))
	}
	if got := opened(one).SavedIntroduction(); got != "笔记 \"second\"\n" {
		t.Errorf("it is %q", got)
	}
	if got := opened(one, two).SavedIntroduction(); got != "" {
		t.Errorf("of other folders it is %q", got)
	}
	if left, _ := filepath.Glob(file + "*.tmp-*"); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
	indextest.Must(t, os.WriteFile(file+".introduction", []byte(`{"Folders":["`), 0o600))
	if got := opened(one).SavedIntroduction(); got != "" {
		t.Errorf("cut off, it is %q", got)
	}
	indextest.Must(t, os.Remove(file+".introduction"))
	indextest.Must(t, os.Mkdir(file+".introduction", 0o700))
	if got := opened(one).SavedIntroduction(); got != "" {
		t.Errorf("a folder is %q", got)
	}
	ix, err := New(Options{Folders: []string{one}, InMemory: true, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ix.Close() })
	if err := ix.SaveIntroduction("x"); err != nil || ix.SavedIntroduction() != "" {
		t.Errorf("without a file: %v", err)
	}
}
