package live

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// TestSpellingsAreKept: what is kept of spellings is that of the documents that there are,
// whatever has come and gone.
func TestSpellingsAreKept(t *testing.T) {
	rng, docs := rand.New(rand.NewPCG(7, 7)), NewDocuments(0)
	for step := range 2000 {
		name := fmt.Sprintf("ồ%d.md", rng.IntN(5))
		for _, p := range []string{norm.NFC.String(name), norm.NFD.String(name), strings.Replace(norm.NFD.String(name), "o\u0302", "\u00f4", 1)} {
			docs.RemoveAt(search.Location{Path: p})
			if rng.IntN(2) == 0 {
				docs.Put(search.NewDocument(&catalog.Record{ID: int64(step + 1), Path: p}, 0))
			}
		}
		want := make(map[search.Location][]string)
		for d := range docs.All {
			if key := NFCLocation(d.Location()); key != d.Location() {
				want[key] = append(want[key], d.Path)
			}
		}
		for _, paths := range want {
			slices.Sort(paths)
		}
		if !reflect.DeepEqual(docs.decomposed, want) {
			t.Fatalf("step %d: kept are %v, want %v", step, docs.decomposed, want)
		}
	}
}
