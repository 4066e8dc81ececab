package index

import (
	"slices"
	"testing"
	"time"

	"vademecum/index/say"
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
	n := newNotes(t, map[string]string{"log.txt": "first line", "note.txt": "alpha"})
	ix := open(t, t.TempDir(), newCounting(t), n.dir)
	mustSync(t, ix, Scope{})
	log := search.Location{Folder: 0, Path: "log.txt"}
	for range 5 {
		ix.restless.note(log, time.Minute, time.Now())
	}
	n.write("log.txt", "first line\nsecond zebra")
	n.write("note.txt", "gamma")
	if r := mustSync(t, ix, Scope{}); r.Indexed != 1 {
		t.Errorf("report %+v", r)
	}
	if got := found(mustSearch(t, ix, Query{Text: "gamma", TopK: 1})); got != "note.txt" {
		t.Errorf("found %q", got)
	}
	const note = "log.txt changes all the time and is read at intervals: what was written to it last may be missing."
	for query, told := range map[string]bool{"zebra": true, "first line": true, "gamma": false} {
		a := mustSearch(t, ix, Query{Text: query, TopK: 1})
		if slices.Contains(say.Lines(a.Notes), note) != told || !a.Incomplete || slices.Contains(say.Lines(a.Notes), "Nowhere in the documents: zebra.") {
			t.Errorf("%s: notes %q, incomplete %t", query, a.Notes, a.Incomplete)
		}
	}
	for _, d := range ix.list(nil) {
		if says := d.Every == 5*time.Minute; says != (d.Path == "log.txt") {
			t.Errorf("%s is read every %s", d.Path, d.Every)
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
	if s := ix.State(); s.Behind() {
		t.Errorf("behind: %+v", s)
	}
	ix.large.Unlock()
	within(t, seconds, "the log is read", func() bool {
		a := mustSearch(t, ix, Query{Text: "zebra", TopK: 1})
		return found(a) == "log.txt" && !slices.Contains(say.Lines(a.Notes), note)
	})
}
