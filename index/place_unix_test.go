//go:build unix

package index

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/memindex"
	"vademecum/index/sync"
	"vademecum/internal/base/system"
)

// TestCacheFolderOfOthers makes an index in the cache folder and then lets
// others write there: nothing of it is read or changed any more, and the index
// is kept in memory.
func TestCacheFolderOfOthers(t *testing.T) {
	for name, give := range map[string]func(t *testing.T, cache, file string) error{
		"all may write to the folder":   func(_ *testing.T, cache, _ string) error { return os.Chmod(cache, 0o777) },
		"also where they cannot remove": func(_ *testing.T, cache, _ string) error { return os.Chmod(cache, 0o777|os.ModeSticky) },
		"a group may write the file":    func(_ *testing.T, _, file string) error { return os.Chmod(file, 0o660) },
		"the folder is another user's": func(t *testing.T, cache, _ string) error {
			if os.Geteuid() != 0 {
				t.Skip("only root can give folders away")
			}
			return os.Chown(cache, 4711, -1)
		},
		"the snapshot is another user's": func(t *testing.T, _, file string) error {
			if os.Geteuid() != 0 {
				t.Skip("only root can give files away")
			}
			return os.Chown(file+memindex.SnapshotSuffix, 4711, -1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("HOME", t.TempDir())
			t.Setenv("XDG_CACHE_HOME", filepath.Join(t.TempDir(), "caches"))
			n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
			visit := func() (*Index, string) {
				ix, err := New(Options{Folders: []string{n.Dir}, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog})
				if err != nil {
					t.Fatal(err)
				}
				file := ix.folders[0].Storage.Describe().File
				if err := ix.Load(t.Context()); err != nil {
					t.Fatal(err)
				}
				mustSync(t, ix, sync.Scope{})
				if got := found(mustSearch(t, ix, Query{Text: "alpha"})); got != "a.md" {
					t.Errorf("found %q", got)
				}
				return ix, file
			}
			ix, file := visit()
			if err := ix.store.SaveSnapshot(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			if err := ix.Close(); err != nil {
				t.Fatal(err)
			}
			cache, err := system.CacheDir()
			if err != nil {
				t.Fatal(err)
			}
			for path, want := range map[string]os.FileMode{cache: 0o700 | os.ModeDir, file: 0o600, file + memindex.SnapshotSuffix: 0o600} {
				if info, err := os.Stat(path); err != nil || info.Mode() != want {
					t.Errorf("%s has the mode %v, %v", path, info.Mode(), err)
				}
			}
			before, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := give(t, cache, file); err != nil {
				t.Fatal(err)
			}
			ix, _ = visit()
			defer ix.Close()
			if err := ix.NoFileReason(); err == nil || !strings.Contains(err.Error(), "cannot be trusted") {
				t.Errorf("the place is in order: %v", err)
			}
			if now, err := os.Stat(file); err != nil || now.Size() != before.Size() || !now.ModTime().Equal(before.ModTime()) {
				t.Errorf("the file was changed: %v", err)
			}
		})
	}
}
