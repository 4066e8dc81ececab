package upkeep

import (
	"strings"
	"testing"
	"time"

	"vademecum/index/indextest"
	"vademecum/index/search"
)

// TestRestlessFile follows a log that takes two seconds to read and is read
// whenever that is due: the pauses grow, it takes little of the time in the end,
// and after a rest it is read at once.
func TestRestlessFile(t *testing.T) {
	rs, at := newRestless(), search.Location{Folder: 0, Path: "log.txt"}
	const cost = 2 * time.Second
	began := time.Now()
	now := began
	var reads int
	var last time.Duration
	for now.Sub(began) < time.Hour {
		if rs.putOff(at, false, now) {
			now = now.Add(time.Second / 2) // two lines a second
			continue
		}
		now = now.Add(cost)
		rs.note(at, cost, now)
		reads++
		if pause := rs.files[at].pause(); pause < last {
			t.Errorf("the pause fell from %v to %v", last, pause)
		} else {
			last = pause
		}
	}
	if reads < 10 || time.Duration(reads)*cost > time.Hour/30 {
		t.Errorf("read %d times in an hour", reads)
	}
	if got, want := rs.every(at, now), 128*time.Second; got != want {
		t.Errorf("it is read every %s, want %s", got, want)
	}
	for len(rs.due(now)) == 0 { // the last change, of which there is no other event
		now = now.Add(time.Second)
	}
	if late := rs.late(now); len(late) != 1 || late[0] != at {
		t.Errorf("late: %v", late)
	}
	if now = now.Add(3 * last); rs.putOff(at, false, now) || rs.every(at, now) != 0 {
		t.Error("it has rested and is not read")
	}
	rs.note(at, cost, now.Add(cost))
	if f := rs.files[at]; f.pause() != 0 || f.interval() != 2*cost || len(rs.late(now)) > 0 {
		t.Errorf("after the rest it is %+v", f)
	}
	rs.note(at, cost/100, now)
	if rs.putOff(at, false, now) {
		t.Error("a file that is read quickly is put off")
	}
}

// TestOthersDoNotWaitForARestlessFile has notes found as ever while a log is put
// off, and the log when its time has come, although it changes while it is read.
func TestOthersDoNotWaitForARestlessFile(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"log.txt": "first line", "note.txt": "alpha"})
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	mustSync(t, ix, Scope{})
	log := search.Location{Folder: 0, Path: "log.txt"}
	for range 5 {
		ix.restless.note(log, time.Minute, time.Now())
	}
	n.Write("log.txt", "first line\nsecond zebra")
	n.Write("note.txt", "gamma")
	if r := mustSync(t, ix, Scope{}); r.Indexed != 1 {
		t.Errorf("report %+v", r)
	}
	if got := found(t, ix, "gamma"); got != "note.txt" {
		t.Errorf("found %q", got)
	}
	const note = "log.txt changes all the time and is read at intervals: what was written to it last may be missing."
	if notes := notes(ix); !strings.Contains(notes, note) || !ix.fresh.MayMiss() {
		t.Errorf("notes %q, may miss something %t", notes, ix.fresh.MayMiss())
	}
	for _, path := range []string{"log.txt", "note.txt"} {
		every := ix.Every(search.Location{Folder: 0, Path: path})
		if says := every == 5*time.Minute; says != (path == "log.txt") {
			t.Errorf("%s is read every %s", path, every)
		}
	}

	ix.restless.files[log].read = time.Now().Add(-longestRest)
	if due := ix.restless.due(time.Now()); len(due) != 1 || due[0] != log {
		t.Errorf("due: %v", due)
	}
	ix.large.Lock() // a reading apart that has begun does not hold up the others
	r, err := ix.sync(t.Context(), []area{{folder: 0, base: "log.txt"}}, false)
	if err != nil || r.await(t.Context()) != nil {
		t.Error(err)
	}
	if s := ix.fresh.State(); s.Behind() {
		t.Errorf("behind: %+v", s)
	}
	ix.large.Unlock()
	indextest.Within(t, indextest.Soon, "the log is read", func() bool {
		return found(t, ix, "zebra") == "log.txt" && !strings.Contains(notes(ix), note)
	})
}
