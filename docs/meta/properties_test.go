package meta

import (
	"slices"
	"testing"
)

// TestPageAliases: the other names of a page in Logseq are those of the document.
func TestPageAliases(t *testing.T) {
	d := ReadData("pages/heart.md", "alias:: HF, [[cardiac failure]]\ntags:: organ\n\n- The heart.\n", true)
	if got := d.Aliases(); !slices.Equal(got, []string{"HF", "cardiac failure"}) {
		t.Errorf("aliases %q", got)
	}
	if d := ReadData("a.txt", "alias:: HF\n", false); len(d.Aliases()) > 0 {
		t.Errorf("of plain text: %q", d.Aliases())
	}
}
