package sync_test

import (
	"strings"
	"testing"
	"time"

	"vademecum/index/indextest"
	"vademecum/index/search"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// TestOthersDoNotWaitForARestlessFile has notes found as ever while a log is put
// off, and the log when its time has come, although it changes while it is read.
func TestOthersDoNotWaitForARestlessFile(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"log.txt": "first line", "note.txt": "alpha"})
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, ix, sync.Scope{})
	log := search.Location{Folder: 0, Path: "log.txt"}
	for range 5 {
		ix.RereadBackoff.RecordRead(log, time.Minute, time.Now())
	}
	n.Write("log.txt", "first line\nsecond zebra")
	n.Write("note.txt", "gamma")
	if r := syncertest.MustSync(t, ix, sync.Scope{}); r.Indexed != 1 {
		t.Errorf("report %+v", r)
	}
	if got := syncertest.BestPath(t, ix, "gamma"); got != "note.txt" {
		t.Errorf("found %q", got)
	}
	const note = "log.txt changes constantly and is read at intervals: its latest changes may be missing."
	if notes := syncertest.FreshnessNotes(ix); !strings.Contains(notes, note) || !ix.Freshness().MayMissDocuments() {
		t.Errorf("notes %q, may miss something %t", notes, ix.Freshness().MayMissDocuments())
	}
	for _, path := range []string{"log.txt", "note.txt"} {
		every := ix.RereadBackoff.ReadInterval(search.Location{Folder: 0, Path: path}, time.Now())
		if says := every == 5*time.Minute; says != (path == "log.txt") {
			t.Errorf("%s is read every %s", path, every)
		}
	}

	ix.RereadBackoff.RecordRead(log, time.Minute, time.Now().Add(-5*time.Minute))
	if due := ix.RereadBackoff.TakeDue(time.Now()); len(due) != 1 || due[0] != log {
		t.Errorf("due: %v", due)
	}
	release := sync.HoldLarge(ix) // a reading apart that has begun does not hold up the others
	r, err := ix.IndexAreas(t.Context(), ix.NewRun(sync.Comparison{}), []sync.Subtree{{Folder: 0, Base: "log.txt"}})
	if err != nil || r.WaitBackground(t.Context()) != nil {
		t.Error(err)
	}
	if s := ix.State(); s.IsBehind() {
		t.Errorf("behind: %+v", s)
	}
	release()
	indextest.Eventually(t, indextest.ShortTimeout, "the log is read", func() bool {
		return syncertest.BestPath(t, ix, "zebra") == "log.txt" && !strings.Contains(syncertest.FreshnessNotes(ix), note)
	})
}

// TestThrottledFileThatIsGone is not reported any more.
func TestThrottledFileThatIsGone(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"log.txt": "first line"})
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, ix, sync.Scope{})
	for range 5 {
		ix.RereadBackoff.RecordRead(search.Location{Folder: 0, Path: "log.txt"}, time.Minute, time.Now())
	}
	n.Write("log.txt", "first line\nsecond line")
	syncertest.MustSync(t, ix, sync.Scope{})
	if late := ix.RereadBackoff.ThrottledFiles(time.Now()); len(late) != 1 {
		t.Fatalf("late are %v", late)
	}
	n.Remove("log.txt")
	syncertest.MustSync(t, ix, sync.Scope{})
	if late := ix.RereadBackoff.ThrottledFiles(time.Now()); len(late) > 0 {
		t.Errorf("late are %v", late)
	}
}
