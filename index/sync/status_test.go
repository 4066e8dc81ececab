package sync_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/indextest"
	"vademecum/index/progress"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// TestLookAt reports an index on the disk, of one that is not there, and of one that is
// damaged, and takes no duty.
func TestLookAt(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	look := func() sync.FolderStatus {
		t.Helper()
		e := syncertest.New(t, syncertest.Options{Folders: []string{n.Dir}, Files: []string{file}, Embedder: indextest.NewCountingModel(t)})
		f, err := e.ReadStatus(t.Context(), 0)
		indextest.Must(t, err)
		if e.Folders[0].Storage.IndexingLease().TryAcquire() && f.Indexer != nil {
			t.Errorf("it takes the duty: %+v", f.Indexer)
		}
		syncertest.Close(t, e)
		return f
	}
	if f := look(); f.Folder != n.Dir || f.IndexLocation != file || f.Bytes != 0 || f.Model != "" || !f.LastScan.IsZero() {
		t.Errorf("of no index it says %+v", f)
	}
	ix := syncertest.OpenFiles(t, []string{file}, indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, ix, sync.Scope{})
	syncertest.Close(t, ix)
	if f := look(); f.Bytes == 0 || f.Model != ix.Store.Embedder.ModelIdentity() || f.LastScan.IsZero() || f.Damage != "" || f.Failure != "" {
		t.Errorf("of an index it says %+v", f)
	}
	content, err := os.ReadFile(file)
	indextest.Must(t, err)
	for i := 4096; i < len(content); i++ { // all pages but the first, which says what it is
		content[i] = 'x'
	}
	indextest.Must(t, os.WriteFile(file, content, 0o644))
	if f := look(); f.Damage == "" || f.Bytes == 0 || f.Model != "" {
		t.Errorf("of a damaged index it says %+v", f)
	}
}

// TestDescribe: the status of a folder that is kept up to date, and before it is loaded
// only where it is.
func TestDescribe(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	e := syncertest.New(t, syncertest.Options{Folders: []string{n.Dir}, Files: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: indextest.NewCountingModel(t)})
	f, err := e.DescribeFolder(t.Context(), 0)
	if err != nil || f.Folder != n.Dir || f.Bytes != 0 || f.Model != "" {
		t.Errorf("before it is loaded it says %+v, %v", f, err)
	}
	syncertest.KeepRunning(t, e)
	f, err = e.DescribeFolder(t.Context(), 0)
	if err != nil || f.Bytes == 0 || f.Model == "" || f.Indexer == nil || f.Indexer.PID != os.Getpid() {
		t.Errorf("of a server it says %+v, %v", f, err)
	}
	indextest.Must(t, progress.SaveFailure(t.Context(), e.Store.Follower(0), progress.RunFailureKey, errors.New("broken")))
	if f, err := e.DescribeFolder(t.Context(), 0); err != nil || f.Failure != "broken" {
		t.Errorf("after a failure it says %+v, %v", f, err)
	}
}

// TestCompareAll: status reports for each folder whether it has the files of its library, or
// that there was no time to find that out, and waits for all at once.
func TestCompareAll(t *testing.T) {
	a, b, at := indextest.NewNotesFolder(t, syncertest.NumberedNotes(9, "0")), indextest.NewNotesFolder(t, syncertest.NumberedNotes(9, "0")), t.TempDir()
	k := syncertest.LoadedOfLibraries(t, []string{filepath.Join(at, "a.db"), filepath.Join(at, "b.db")}, a.Dir, b.Dir)
	syncertest.MustSync(t, k, sync.Scope{})
	syncertest.ReplaceByEmpty(t, a.Dir)
	look := func(ctx context.Context) []sync.FolderStatus {
		all := make([]sync.FolderStatus, 2)
		k.RecordMismatches(ctx, all)
		return all
	}
	if s := look(t.Context()); !strings.Contains(s[0].MismatchReason.String(), "9 of the 9 documents") || s[0].UncomparedReason+s[1].MismatchReason+s[1].UncomparedReason != "" {
		t.Errorf("it says %+v", s)
	}
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	for i, s := range look(late) {
		if s.MismatchReason != "" || !strings.Contains(s.UncomparedReason.String(), "in time") {
			t.Errorf("of folder %d it says %+v without time", i, s)
		}
	}
	release := k.Store.Follower(0).LockFollowing() // as where a comparison takes long
	k.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.RecordScan(time.Hour) })
	k.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.RecordScan(time.Hour) })
	through := make(chan []sync.FolderStatus)
	go func() { through <- look(t.Context()) }()
	indextest.Eventually(t, indextest.ShortTimeout, "the other is compared", func() bool { return k.FreshnessPublisher.Current().ScanDelay(0) < freshness.RescanInterval })
	release()
	if s := <-through; s[0].MismatchReason == "" {
		t.Errorf("it says %+v", s)
	}
}
