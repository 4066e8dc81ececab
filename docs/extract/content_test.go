package extract

import "testing"

func TestNotes(t *testing.T) {
	for want, got := range map[string]string{
		"":         Notes("", "", ""),
		"one":      Notes("", "one"),
		"one; two": Notes("one", "", "two"),

		"slide 3 could not be read completely":  Incomplete("slide", []int{3}),
		"2 slides could not be read completely": Incomplete("slide", []int{3, 4}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
