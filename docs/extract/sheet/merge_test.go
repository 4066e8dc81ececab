package sheet

import (
	"fmt"
	"strings"
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

// TestRepeatMerged checks that a short text of cells that are merged over several rows stands in each row that
// has other cells, and that nothing else is filled.
func TestRepeatMerged(t *testing.T) {
	long := strings.Repeat("long remark ", 20)
	var h HiddenRanges
	h.AddMergedCells("A1:A3")
	h.AddMergedCells("C1:C2")
	h.AddMergedCells("D1:D2")
	h.AddMergedCells("A5:B5")
	h.AddRow(1)
	shared := []Cell{{Column: 1, Text: "bed"}}
	table := &Table{Rows: []Row{
		{Number: 1, Cells: []Cell{{Column: 0, Text: "Ward A"}, {Column: 2, Text: long}}},
		{Number: 2, Cells: shared}, {Number: 3, Cells: shared}, {Number: 4, Cells: shared},
		{Number: 5, Cells: []Cell{{Column: 0, Text: "total"}}}, {Number: 6, Cells: shared},
	}}
	table.RemoveHidden(&h)
	var rows []string
	for _, r := range table.Rows {
		line := fmt.Sprint(r.Number)
		for _, c := range r.Cells {
			line += fmt.Sprintf(" %d:%.7s", c.Column, c.Text)
		}
		rows = append(rows, line)
	}
	if got, want := strings.Join(rows, "; "), "2 0:Ward A 1:bed 2:long re; 3 0:Ward A 1:bed; 4 1:bed; 5 0:total; 6 1:bed"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
