package upkeep

import (
	"testing"

	"vademecum/index/indextest"
)

// TestMemoryIsGivenBack when nothing is under way any more, and once.
func TestMemoryIsGivenBack(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.md": "alpha"})
	k := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	isDue := func() bool {
		before := k.slack.made.Load()
		k.giveBack()
		return before && !k.slack.made.Load()
	}
	if isDue() {
		t.Error("it is given back before the folder has been compared")
	}
	_, err := k.Sync(t.Context(), Scope{})
	indextest.Must(t, err)
	k.embedding.Lock()
	if isDue() {
		t.Error("it is given back while passages are embedded, or a snapshot is saved")
	}
	k.embedding.Unlock()
	if !isDue() {
		t.Error("it is not given back")
	}
	if isDue() {
		t.Error("it is given back twice")
	}
}
