package sync_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/memindex"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// TestSnapshotOfWhoIndexes: of two processes the one saves snapshots that indexes.
func TestSnapshotOfWhoIndexes(t *testing.T) {
	n, file := indextest.NewNotesFolder(t, indextest.ManyFiles(memindex.MinSnapshotChanges)), filepath.Join(t.TempDir(), "x.db")
	var both [2]*sync.Syncer
	for i := range both {
		both[i] = syncertest.OpenFiles(t, []string{file}, indextest.NewCountingModel(t), n.Dir)
	}
	isSaved := func() bool {
		_, err := os.Stat(file + memindex.SnapshotSuffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return err == nil
	}
	syncertest.MustSync(t, both[0], sync.Scope{})
	if !isSaved() {
		t.Fatal("who indexes saves none")
	}
	syncertest.BecomeIndexer(t, both[0])
	indextest.Must(t, os.Remove(file+memindex.SnapshotSuffix))
	syncertest.FollowAll(t, both[1])
	if !both[1].Store.IsSnapshotDue(0) {
		t.Fatal("no snapshot is due")
	}
	if both[1].SaveSnapshots(t.Context()); isSaved() {
		t.Error("who does not index saves one")
	}
}
