package syncertest

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"vademecum/docs"
	"vademecum/index/freshness"
	"vademecum/index/indextest"
	"vademecum/index/roots"
	"vademecum/index/store/location"
	"vademecum/index/sync"
)

// sharedFiles is a storage in files that appears to be shared with other machines.
type sharedFiles struct{ location.FileStorages }

func (s sharedFiles) StorageOf(f *docs.Folder, number int) (roots.Storage, error) {
	h, err := s.FileStorages.StorageOf(f, number)
	if err != nil {
		return nil, err
	}
	return &sharedStorage{Storage: h, duty: &CountingLease{Lease: h.IndexingLease()}}, nil
}

type sharedStorage struct {
	roots.Storage
	duty *CountingLease
}

func (l *sharedStorage) Describe() roots.StorageDescription {
	d := l.Storage.Describe()
	d.IsShared = true
	return d
}

func (l *sharedStorage) IndexingLease() roots.Lease { return l.duty }

// CountingLease is a duty that counts how often it is resumed.
type CountingLease struct {
	roots.Lease
	paused      atomic.Bool
	ResumeCount atomic.Int64 // number of calls of Resume
}

func (d *CountingLease) TryAcquire() bool { return !d.paused.Load() && d.Lease.TryAcquire() }

func (d *CountingLease) Pause() {
	d.paused.Store(true)
	_ = d.Release()
}

func (d *CountingLease) Resume() {
	d.paused.Store(false)
	d.ResumeCount.Add(1)
}

// NewOfLibraries returns a Syncer of folders with libraries, each in its own file.
func NewOfLibraries(t *testing.T, files []string, dirs ...string) *sync.Syncer {
	t.Helper()
	e := indextest.NewCountingModel(t)
	return NewInStorages(t, sharedFiles{location.FileStorages{IndexPaths: files, Model: e.ModelIdentity()}}, Options{Folders: dirs, Embedder: e})
}

// LoadedOfLibraries is NewOfLibraries, and loads the index.
func LoadedOfLibraries(t *testing.T, files []string, dirs ...string) *sync.Syncer {
	t.Helper()
	k := NewOfLibraries(t, files, dirs...)
	indextest.Must(t, k.Load(t.Context()))
	return k
}

// NumberedNotes returns n notes in each of the given directories.
func NumberedNotes(n int, in ...string) map[string]string {
	files := make(map[string]string)
	for _, dir := range in {
		for i := range n {
			files[fmt.Sprintf("%s/%d.md", dir, i)] = fmt.Sprintf("Note number %d of %s on the heart.", i, dir)
		}
	}
	return files
}

// ReplaceByEmpty replaces a folder by an empty directory, as if a drive were not mounted. The
// returned function restores the folder.
func ReplaceByEmpty(t *testing.T, dir string) (back func()) {
	t.Helper()
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Skip("an open folder cannot be moved here")
	}
	indextest.Must(t, os.Mkdir(dir, 0o700))
	return func() {
		t.Helper()
		indextest.Must(t, errors.Join(os.Remove(dir), os.Rename(dir+".away", dir)))
	}
}

// MustMismatch fails the test unless err is a FolderMismatch for exactly the given folders.
func MustMismatch(t *testing.T, err error, others bool, folders ...int) {
	t.Helper()
	var mismatch freshness.FolderMismatchError
	if !errors.As(err, &mismatch) || len(mismatch.Folders) != len(folders) || mismatch.IsPartlyFresh != others {
		t.Fatalf("the error is %v, others: %t; want one about the folders %d", err, mismatch.IsPartlyFresh, folders)
	}
	for _, i := range folders {
		if _, ok := mismatch.Folders[i]; !ok {
			t.Errorf("the error is %v, want one about the folder %d", err, i)
		}
	}
}

// BecomeIndexer makes a Syncer acquire the duty to index.
func BecomeIndexer(t *testing.T, k *sync.Syncer) {
	t.Helper()
	if !k.IsIndexer(0) {
		t.Fatal("another has the duty")
	}
}

func MustHaveDocuments(t *testing.T, k *sync.Syncer, n int) {
	t.Helper()
	FollowAll(t, k)
	if got := k.Store.CountDocuments(); got != n {
		t.Fatalf("there are %d documents, want %d", got, n)
	}
}
