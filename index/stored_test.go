package index

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/store/catalog"
	"vademecum/index/store/location"
	"vademecum/index/sync"
)

// reopen opens an index on a file, syncs it and closes it again.
func reopen(t *testing.T, dir, file string, own bool) (notice.Report, string) {
	t.Helper()
	ix, err := New(Options{Folders: []string{dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	ix.folders[0].Storage.(*location.FileStorage).Location.IsInCacheDir = own
	if err := ix.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	rebuilt := onDisk(ix.store.Follower(0)).RebuildReason
	return mustSync(t, ix, sync.Scope{}), rebuilt.String()
}

func TestDamagedFileIsRebuilt(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b.md": "beta"})
	noise := make([]byte, 64<<10)
	rng := rand.NewChaCha8([32]byte{7})
	_, _ = rng.Read(noise)
	for name, damage := range map[string]func(t *testing.T, file string){
		"noise":    func(t *testing.T, file string) { write(t, file, noise) },
		"text":     func(t *testing.T, file string) { write(t, file, []byte("this is no database")) },
		"empty":    func(t *testing.T, file string) { write(t, file, nil) },
		"cut":      func(t *testing.T, file string) { cut(t, file, 10_000) },
		"overlaid": func(t *testing.T, file string) { overlay(t, file, noise[:8192], 4096) },
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.db")
			for range 2 {
				reopen(t, n.Dir, file, true)
				damage(t, file)
				if r, _ := reopen(t, n.Dir, file, true); r.SearchableDocuments != 2 {
					t.Errorf("after the damage: %+v", r)
				}
			}
		})
	}
}

func write(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func cut(t *testing.T, file string, size int64) {
	t.Helper()
	if err := os.Truncate(file, size); err != nil {
		t.Fatal(err)
	}
}

func overlay(t *testing.T, file string, noise []byte, at int64) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	copy(content[at:], noise)
	if bytes.Equal(content[at:at+8], make([]byte, 8)) {
		t.Fatal("nothing was overlaid")
	}
	write(t, file, content)
}

func TestOtherFormatIsRebuiltAndKeepsVectors(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b.md": "beta"})
	file := filepath.Join(t.TempDir(), "x.db")
	reopen(t, n.Dir, file, true)
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE meta SET value = '0' WHERE key = 'format'; ALTER TABLE documents ADD COLUMN other TEXT"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	model := indextest.NewCountingModel(t)
	ix, err := New(Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: model, Logger: indextest.QuietLog})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	if err := ix.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if why := onDisk(ix.store.Follower(0)).RebuildReason; !strings.Contains(why.String(), "another version") {
		t.Errorf("rebuilt because %q", why)
	}
	r := mustSync(t, ix, sync.Scope{})
	if r.Indexed != 2 || model.TakeCount() != 0 {
		t.Errorf("indexed %d, embedded again", r.Indexed)
	}
}

// TestOthersFilesAreLeftAlone: a slip in --index must not cost a file.
func TestOthersFilesAreLeftAlone(t *testing.T) {
	t.Parallel()
	n, other := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}), indextest.NewNotesFolder(t, nil)
	dir := t.TempDir()
	note, foreign, mine, none := filepath.Join(dir, "thesis.md"), filepath.Join(dir, "patients.db"), filepath.Join(dir, "mine.db"), filepath.Join(dir, "none.db")
	write(t, note, []byte("A thesis of many years."))
	db, err := sql.Open("sqlite", foreign)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE patients (name TEXT)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	reopen(t, other.Dir, mine, false)
	write(t, none, nil)
	for file, want := range map[string]string{note: "not an index of vademecum", foreign: "not an index of vademecum", mine: "it is the index of " + other.Dir, none: ""} {
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		ix, err := New(Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog})
		if err != nil {
			t.Fatal(err)
		}
		_, statusErr := ix.Status(t.Context())
		for _, err := range []error{statusErr, ix.Load(t.Context())} {
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s: error %v, want %q", file, err, want)
			}
		}
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
		if after, err := os.ReadFile(file); want != "" && (err != nil || !bytes.Equal(before, after)) {
			t.Errorf("%s was changed, %v", file, err)
		}
	}
	// A folder that was moved takes its index along.
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(other.Dir, moved); err != nil {
		t.Fatal(err)
	}
	reopen(t, moved, mine, false)
}

func TestTwoProcessesFollowEachOther(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	both := twoOn(t, n.Dir)
	n.Write("b.md", "bananas are yellow")
	mustSync(t, both[0], sync.Scope{})
	followAll(t, both[1])
	if got := found(mustSearch(t, both[1], Query{Text: "bananas", TopK: 1})); got != "b.md" {
		t.Errorf("the follower finds %q", got)
	}
	n.Remove("b.md")
	n.Write("a.md", "apples are red")
	mustSync(t, both[0], sync.Scope{})
	// Without following first: what it would answer with is gone.
	a := mustSearch(t, both[1], Query{Text: "alpha bananas", TopK: 2})
	for _, p := range a.Passages {
		if p.Text != "apples are red" {
			t.Errorf("the follower answers with %q", p.Text)
		}
	}
	if got := listed(both[1]); got != "a.md" {
		t.Errorf("the follower lists %q", got)
	}
}

// TestEmbedEndsWithoutTexts: a pass must end whatever the catalogue lacks, and tell it.
func TestEmbedEndsWithoutTexts(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	if _, err := ix.Sync(t.Context(), sync.Scope{}); err != nil {
		t.Fatal(err)
	}
	if _, err := onDisk(ix.store.Follower(0)).Writer().Exec("DELETE FROM texts"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := ix.Embed(ctx); !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("it ended with %v, want damage", err)
	}
}
