package progress

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestStateOfSeveral puts the states of two indexers together.
func TestStateOfSeveral(t *testing.T) {
	books := State{Phase: Indexing, ReadsInBackground: true, FilesDone: 1, FilesTotal: 3}
	run := State{Phase: Indexing, FilesDone: 2, FilesTotal: 4}
	for name, c := range map[string]struct{ a, b, want State }{
		"books and nothing":  {books, State{Phase: Ready}, books},
		"nothing and books":  {State{Phase: Ready}, books, books},
		"books and books":    {books, books, State{Phase: Indexing, ReadsInBackground: true, FilesDone: 2, FilesTotal: 6}},
		"books and a run":    {books, run, State{Phase: Indexing, FilesDone: 3, FilesTotal: 7}},
		"a run and a scan":   {run, State{Phase: Scanning}, run},
		"a scan and nothing": {State{Phase: Scanning}, State{Phase: Ready}, State{Phase: Scanning}},
	} {
		if got := c.a.Combined(c.b); got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestLeft: the time that is left follows from the files that are done, and is not told
// of few files nor of a few seconds.
func TestLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		since := time.Now()
		time.Sleep(10 * time.Second)
		for _, test := range []struct {
			done, total int
			want        time.Duration
		}{
			{done: 100, total: 300, want: 20 * time.Second},
			{done: 100, total: 1250, want: 2 * time.Minute},
			{done: 100, total: 110},
			{done: 10, total: 1000},
			{done: 100, total: 100},
		} {
			s := State{Phase: Indexing, Since: since, FilesDone: test.done, FilesTotal: test.total}
			if got := s.TimeLeft(); got != test.want {
				t.Errorf("%d of %d: %v, want %v", test.done, test.total, got, test.want)
			}
		}
		if got := (State{Phase: Scanning, Since: since, FilesDone: 100, FilesTotal: 300}).TimeLeft(); got != 0 {
			t.Errorf("a scan: %v", got)
		}
	})
}
