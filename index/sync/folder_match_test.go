package sync

import (
	"testing"
)

// TestIsUnlike: a folder is another one, or a part, by how many documents are its files.
func TestIsUnlike(t *testing.T) {
	for name, c := range map[string]struct {
		Overlap
		want bool
	}{
		"all are there":                    {Overlap{Documents: 20}, false},
		"all were moved":                   {Overlap{Documents: 20, MovedDocuments: 20}, false},
		"an empty folder":                  {Overlap{Documents: 3, MissingFiles: 3}, true},
		"another one with the same README": {Overlap{Documents: 25, MissingFiles: 24}, true},
		"some were deleted":                {Overlap{Documents: 30, MissingFiles: 24}, false},
		"many, more than half":             {Overlap{Documents: 49, MissingFiles: 25}, true},
		"many, half":                       {Overlap{Documents: 50, MissingFiles: 25}, false},
		"a part of it":                     {Overlap{Documents: 84, MissingFiles: 41, MovedDocuments: 43}, true},
		"one deleted, nearly all moved":    {Overlap{Documents: 84, MissingFiles: 1, MovedDocuments: 80}, false},
	} {
		if got := c.isMismatch(); got != c.want {
			t.Errorf("%s: it is %v that the folder is another", name, got)
		}
	}
}
