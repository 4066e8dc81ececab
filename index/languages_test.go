package index

import (
	"fmt"
	"testing"
)

// TestMainLanguages: a language of few documents is none of the folder's.
func TestMainLanguages(t *testing.T) {
	c := Contents{Searchable: 20, Languages: []Tally{{"en", 12}, {"", 5}, {"de", 2}, {"fr", 1}}}
	if got := fmt.Sprint(mainLanguages(c)); got != "[en de]" {
		t.Errorf("the documents are said to be in %s", got)
	}
}
