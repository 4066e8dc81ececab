package sheet

import (
	"testing"
	"time"
)

// TestManyMerges checks that many merged cells among many hidden columns take no product of both.
func TestManyMerges(t *testing.T) {
	var h HiddenRanges
	for i := range 1 << 13 {
		h.AddColumns(100_000+2*i, 100_000+2*i)
	}
	h.AddColumns(2, 64)
	h.AddColumns(0, 3)
	for i := range 60_000 {
		h.AddMerge(Merge{i + 1, i + 1, 0, 66})
	}
	table := &Table{Rows: []Row{{Number: 1, Cells: []Cell{{Column: 0, Text: "a"}, {Column: 66, Text: "b"}}}}}
	done := make(chan struct{})
	go func() {
		table.RemoveHidden(&h)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it takes too long")
	}
	if len(table.Rows) != 1 || len(table.Rows[0].Cells) != 2 || table.Rows[0].Cells[0] != (Cell{Column: 65, Text: "a"}) {
		t.Errorf("%+v", table.Rows)
	}
}
