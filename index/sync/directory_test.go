package sync_test

import (
	"strings"
	"testing"

	"vademecum/index/freshness"
	"vademecum/index/indextest"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// TestEmptyMountPoint: an empty directory in the place of the one that was indexed, as
// where a drive is not mounted, changes nothing, while a server runs or before one starts
// or elsewhere. One that somebody has emptied, or that has other files, is indexed.
func TestEmptyMountPoint(t *testing.T) {
	n, files := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}), t.TempDir()
	k := syncertest.Open(t, files, indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, k, sync.Scope{})
	mustKeep := func(k *sync.Syncer) {
		t.Helper()
		_, err := k.Sync(t.Context(), sync.Scope{})
		if syncertest.MustMismatch(t, err, false, 0); !freshness.IsMissingFolderError(err) || !strings.Contains(err.Error(), "its drive seems not to be mounted") || k.Store.CountDocuments() != 1 {
			t.Errorf("it says %v and has %d documents", err, k.Store.CountDocuments())
		}
	}
	back := syncertest.ReplaceByEmpty(t, n.Dir)
	mustKeep(k)
	other := syncertest.Open(t, files, indextest.NewCountingModel(t), n.Dir)
	mustKeep(other)
	syncertest.Close(t, other)
	syncertest.Close(t, k)
	k = syncertest.Open(t, files, indextest.NewCountingModel(t), n.Dir)
	mustKeep(k)
	back()
	if r := syncertest.MustSync(t, k, sync.Scope{}); r.SearchableDocuments != 1 || r.Removed != 0 {
		t.Errorf("back there are %+v", r)
	}
	syncertest.ReplaceByEmpty(t, n.Dir)
	n.Write("b.md", "beta")
	if r := syncertest.MustSync(t, k, sync.Scope{}); r.SearchableDocuments != 1 || r.Removed != 1 {
		t.Errorf("with other files there are %+v", r)
	}
	n.Remove("b.md")
	if r := syncertest.MustSync(t, k, sync.Scope{}); r.SearchableDocuments != 0 || r.Removed != 1 {
		t.Errorf("emptied there are %+v", r)
	}
}

// TestDirectoryOfNothing: an empty directory is not remembered, so that whatever takes its
// place is indexed; one with documents is.
func TestDirectoryOfNothing(t *testing.T) {
	n := indextest.NewNotesFolder(t, nil)
	k := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, k, sync.Scope{})
	if got := k.Folders[0].ExpectedIdentity(); got != "" {
		t.Errorf("it remembers %q", got)
	}
	n.Write("a.md", "alpha")
	syncertest.MustSync(t, k, sync.Scope{})
	if k.Folders[0].ExpectedIdentity() == "" {
		t.Error("it does not remember the directory of a document")
	}
}
