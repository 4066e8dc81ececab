package live

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// TestPlaces: a document is found where it is and nowhere else, whatever has come and
// gone before.
func TestPlaces(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	m, want := NewDocuments(0), make(map[search.Location]int64)
	check := func(step int) {
		t.Helper()
		count := 0
		for d := range m.All {
			if count++; want[d.Location()] != d.ID || m.DocumentAt(d.Location()) != d {
				t.Fatalf("step %d: %v is in row %d, want %d", step, d.Location(), d.ID, want[d.Location()])
			}
		}
		if count != len(want) || m.places.count != count {
			t.Fatalf("step %d: %d documents, %d in the table, want %d", step, count, m.places.count, len(want))
		}
	}
	const most = 700
	for step := range 20 * most {
		at := search.Location{Folder: random.IntN(3) - 1, Path: fmt.Sprint(random.IntN(most), ".md")}
		if d := m.DocumentAt(at); (d != nil) != (want[at] != 0) {
			t.Fatalf("step %d: at %v there is %v, want row %d", step, at, d, want[at])
		}
		m.RemoveAt(at)
		delete(want, at)
		if growing := step/(3*most)%2 == 0; random.IntN(10) < 7 == growing {
			m.Put(search.NewDocument(&catalog.Record{ID: int64(step + 1), Path: at.Path}, at.Folder))
			want[at] = int64(step + 1)
		}
		if step%500 == 0 {
			check(step)
		}
	}
	for at := range want {
		m.RemoveAt(at)
		delete(want, at)
	}
	check(-1)
}
