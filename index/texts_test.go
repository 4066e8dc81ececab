package index

import (
	"fmt"
	"testing"
	"time"

	"vademecum/index/indextest"
)

func ferretTexts(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("Text %d tells of ferret number %d.", i, i)
	}
	return texts
}

// TestManyTextsTakeLinearTime: four times as many take about four times as
// long, not sixteen times.
func TestManyTextsTakeLinearTime(t *testing.T) {
	took := func(n int) time.Duration {
		ix := open(t, t.TempDir(), indextest.NewCountingModel(t), indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}).Dir)
		start := time.Now()
		if _, added, err := ix.AddTexts(t.Context(), ferretTexts(n), nil); err != nil || added != n {
			t.Fatalf("added %d, %v", added, err)
		}
		return time.Since(start)
	}
	// Other processes make single measurements wrong in either direction: one
	// that is linear shows in some of them, one that is quadratic in none.
	var ratios []float64
	for range 6 {
		few := took(1500)
		ratios = append(ratios, float64(took(6000))/float64(few))
		if ratios[len(ratios)-1] < 9 {
			return
		}
	}
	t.Errorf("6000 texts take %.1f times as long as 1500", ratios)
}
