package indexer

import (
	"strings"
	"testing"
	"time"

	"vademecum/index/compare"
	"vademecum/index/indextest"
	"vademecum/index/search"
)

// TestOthersDoNotWaitForARestlessFile has notes found as ever while a log is put
// off, and the log when its time has come, although it changes while it is read.
func TestOthersDoNotWaitForARestlessFile(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"log.txt": "first line", "note.txt": "alpha"})
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	mustSync(t, ix, scope{})
	log := search.Location{Folder: 0, Path: "log.txt"}
	for range 5 {
		ix.Throttle.Observe(log, time.Minute, time.Now())
	}
	n.Write("log.txt", "first line\nsecond zebra")
	n.Write("note.txt", "gamma")
	if r := mustSync(t, ix, scope{}); r.Indexed != 1 {
		t.Errorf("report %+v", r)
	}
	if got := found(t, ix, "gamma"); got != "note.txt" {
		t.Errorf("found %q", got)
	}
	const note = "log.txt changes all the time and is read at intervals: what was written to it last may be missing."
	if notes := notes(ix); !strings.Contains(notes, note) || !ix.Fresh.MayMiss() {
		t.Errorf("notes %q, may miss something %t", notes, ix.Fresh.MayMiss())
	}
	for _, path := range []string{"log.txt", "note.txt"} {
		every := ix.Throttle.Every(search.Location{Folder: 0, Path: path}, time.Now())
		if says := every == 5*time.Minute; says != (path == "log.txt") {
			t.Errorf("%s is read every %s", path, every)
		}
	}

	ix.Throttle.Observe(log, time.Minute, time.Now().Add(-5*time.Minute))
	if due := ix.Throttle.Due(time.Now()); len(due) != 1 || due[0] != log {
		t.Errorf("due: %v", due)
	}
	ix.large.Lock() // a reading apart that has begun does not hold up the others
	r, err := ix.Index(t.Context(), ix.NewRun(compare.Comparison{}), []compare.Area{{Folder: 0, Base: "log.txt"}})
	if err != nil || r.Wait(t.Context()) != nil {
		t.Error(err)
	}
	if s := ix.Fresh.State(); s.Behind() {
		t.Errorf("behind: %+v", s)
	}
	ix.large.Unlock()
	indextest.Within(t, indextest.Soon, "the log is read", func() bool {
		return found(t, ix, "zebra") == "log.txt" && !strings.Contains(notes(ix), note)
	})
}
