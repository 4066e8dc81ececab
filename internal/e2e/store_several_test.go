package e2e

import (
	"fmt"
	"testing"
)

// TestStoreCommandsBesideServers: of two libraries, one served with its folder and the
// other without, each is counted and compared, the tables are vacuumed, and removing one
// mentions the servers.
func TestStoreCommandsBesideServers(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	onStore(t, d, d.serving, "3 in total", "index", manyNotes(t, 3), "--library", "quiet")
	s := servesLibrary(t, d, manyNotes(t, 9))
	awaitAnswer(t, s, isWhole)
	onStore(t, d, d.serving, "notes: 9 documents, 9 passages, 0 vectors, 0 files skipped\nquiet: 3 documents, ", "store", "stats")
	onStore(t, d, d.serving, "notes: 9 documents, 9 passages, 0 vectors: ok\nquiet: 3 documents, 3 passages, 0 vectors: ok", "store", "check")
	onStore(t, d, d.owner, "The tables are vacuumed.", "store", "vacuum")
	onStore(t, d, d.serving, fmt.Sprintf("end that first (process %d on ", s.cmd.Process.Pid), "store", "remove", "notes")
	onStore(t, d, d.serving, "note: servers are connected to the database: those that search this library say", "store", "remove", "quiet")
	awaitAnswer(t, s, isWhole)
	s.kill()
}
