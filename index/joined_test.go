package index

import (
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestJoinedKeepsHeadings: neighbours are joined unless the first of them would lose what
// it stands under, and seem to belong to the second.
func TestJoinedKeepsHeadings(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("Nothing of that is said here, and all of it is well known. ", 4)
	n := indextest.NewNotesFolder(t, map[string]string{"thyroid.md": "# Thyroid\n\n## Underactive\n\n" + filler + "\n\n### Pregnancy\n\nTwo extra tablets in pregnancy. " + filler +
		"\n\n### Travel\n\nTablets on a journey in pregnancy. " + filler + "\n\n## Overactive\n\nMethimazole tablets, less in pregnancy. " + filler})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	joined := false
	for _, p := range mustSearch(t, ix, Query{Text: "tablets pregnancy"}).Passages {
		if strings.Contains(p.Text, "Two extra") && strings.Contains(p.Text, "Methimazole") || strings.Contains(p.Text, "journey") && strings.Contains(p.Text, "Methimazole") {
			t.Errorf("joined below %q: %s", p.Heading, p.Text)
		}
		joined = joined || strings.Contains(p.Text, "Two extra") && strings.Contains(p.Text, "journey")
	}
	if !joined {
		t.Error("siblings are not joined")
	}
}
