package progress

import "testing"

// TestStateOfSeveral puts the states of two indexers together.
func TestStateOfSeveral(t *testing.T) {
	books := State{Phase: Indexing, Apart: true, Done: 1, Total: 3}
	run := State{Phase: Indexing, Done: 2, Total: 4}
	for name, c := range map[string]struct{ a, b, want State }{
		"books and nothing":  {books, State{Phase: Ready}, books},
		"nothing and books":  {State{Phase: Ready}, books, books},
		"books and books":    {books, books, State{Phase: Indexing, Apart: true, Done: 2, Total: 6}},
		"books and a run":    {books, run, State{Phase: Indexing, Done: 3, Total: 7}},
		"a run and a scan":   {run, State{Phase: Scanning}, run},
		"a scan and nothing": {State{Phase: Scanning}, State{Phase: Ready}, State{Phase: Scanning}},
	} {
		if got := c.a.And(c.b); got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
