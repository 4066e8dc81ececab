package index

import (
	"fmt"
	"testing"
)

// TestMainLanguages: a language is named that is that of enough documents.
func TestMainLanguages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		counted []DocumentCount
		want    string
	}{
		{[]DocumentCount{{Name: "", Documents: 900}, {Name: "en", Documents: 97}, {Name: "de", Documents: 3}}, "[{en 97} {de 3}] 100"},
		{[]DocumentCount{{Name: "en", Documents: 98}, {Name: "de", Documents: 2}}, "[{en 98}] 100"},
		{[]DocumentCount{{Name: "en", Documents: 996}, {Name: "de", Documents: 4}}, "[{en 996}] 1000"},
		{[]DocumentCount{{Name: "en", Documents: 3}, {Name: "zh", Documents: 1}}, "[{en 3} {zh 1}] 4"},
		{[]DocumentCount{{Name: "", Documents: 5}}, "[] 0"},
		{nil, "[] 0"},
	} {
		main, known := Contents{Languages: c.counted}.MainLanguages()
		if got := fmt.Sprint(main, " ", known); got != c.want {
			t.Errorf("%v: %s, want %s", c.counted, got, c.want)
		}
	}
}
