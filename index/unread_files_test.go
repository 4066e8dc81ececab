package index

import (
	"path/filepath"
	"slices"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestFilesThatNoRunHasComeTo: a file that is there is told to be, before there is an index and
// after a run that did not come to it, and status counts such files, but none that are never read.
func TestFilesThatNoRunHasComeTo(t *testing.T) {
	t.Parallel()
	n, file := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "sub/b.md": "beta", "x.exe": "MZ", "scan.png": "a picture", ".hidden.md": "Hidden."}), filepath.Join(t.TempDir(), "x.db")
	ix := openOn(t, []string{file}, indextest.NewCountingModel(t), n.Dir)
	find := func(name, want string) {
		t.Helper()
		all, err := ix.FindUnindexedFiles(t.Context(), name)
		indextest.Must(t, err)
		got := ""
		for _, f := range all {
			got += f.Message().String() + "\n"
		}
		if got != want {
			t.Errorf("%s: it says\n%s, want\n%s", name, got, want)
		}
	}
	const a, b = "a.md: not indexed: it exists but has not been read yet: vademecum index FOLDER reads it\n", "sub/b.md: not indexed: it exists but has not been read yet: vademecum index FOLDER reads it\n"
	find(".md", a+b)
	find(filepath.Join(n.Dir, "sub", "b.md"), b)
	find("scan", "scan.png: not indexed: it exists but has not been read yet: vademecum index FOLDER reads it\n")
	find("nowhere", "")
	_, err := ix.Sync(t.Context(), sync.Scope{Paths: []string{"a.md"}}) // as far as a run came that was killed
	indextest.Must(t, err)
	find(".md", b)
	if s := lookAt(t, n.Dir, file); s.Folders[0].UnreadFiles != 2 || s.Documents != 1 {
		t.Errorf("status says %+v", s)
	}
	mustSync(t, ix, sync.Scope{})
	find(".md", "")
	if s := lookAt(t, n.Dir, file); s.Folders[0].UnreadFiles != 0 || s.Documents != 2 {
		t.Errorf("after a run over all, status says %+v", s)
	}
}

// TestStatusTellsFoldersLeftOut: status reports which folders are left out by their names, as they
// are shown, until they are asked for.
func TestStatusTellsFoldersLeftOut(t *testing.T) {
	t.Parallel()
	n, file := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b/node_modules/c.md": "gamma", "CVS/d.md": "delta", ".obsidian/e.md": "x"}), filepath.Join(t.TempDir(), "x.db")
	ix := openOn(t, []string{file}, indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	if s := lookAt(t, n.Dir, file); !slices.Equal(s.Folders[0].ExcludedFolders, []string{"b/node_modules"}) || s.Documents != 2 {
		t.Errorf("status says %+v", s)
	}
	n.Write("b/.vademecumignore", "!node_modules/\n")
	if s := lookAt(t, n.Dir, file); s.Folders[0].ExcludedFolders != nil || s.Folders[0].UnreadFiles != 1 {
		t.Errorf("when it is asked for, status says %+v", s)
	}
}
