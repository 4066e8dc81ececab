package sync

import (
	"testing"
	"time"

	"vademecum/index/search"
)

// TestThrottleFile follows a log that takes two seconds to read and is read
// whenever that is due: the pauses grow, it takes little of the time in the end,
// and after a rest it is read at once.
func TestThrottleFile(t *testing.T) {
	rs, at := newRereadBackoff(), search.Location{Folder: 0, Path: "log.txt"}
	const cost = 2 * time.Second
	began := time.Now()
	now := began
	var reads int
	var last time.Duration
	for now.Sub(began) < time.Hour {
		if rs.deferIfTooSoon(at, false, now) {
			now = now.Add(time.Second / 2) // two lines a second
			continue
		}
		now = now.Add(cost)
		rs.RecordRead(at, cost, now)
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
	if got, want := rs.ReadInterval(at, now), 128*time.Second; got != want {
		t.Errorf("it is read every %s, want %s", got, want)
	}
	for len(rs.TakeDue(now)) == 0 { // the last change, of which there is no other event
		now = now.Add(time.Second)
	}
	if late := rs.ThrottledFiles(now); len(late) != 1 || late[0] != at {
		t.Errorf("late: %v", late)
	}
	if now = now.Add(3 * last); rs.deferIfTooSoon(at, false, now) || rs.ReadInterval(at, now) != 0 {
		t.Error("it has rested and is not read")
	}
	rs.RecordRead(at, cost, now.Add(cost))
	if f := rs.files[at]; f.pause() != 0 || f.interval() != 2*cost || len(rs.ThrottledFiles(now)) > 0 {
		t.Errorf("after the rest it is %+v", f)
	}
	rs.RecordRead(at, cost/100, now)
	if rs.deferIfTooSoon(at, false, now) {
		t.Error("a file that is read quickly is put off")
	}
}
