package e2e

import "testing"

// TestServersOnDatabase lets four servers share a folder and a library in a database
// while the folder is edited and the one that indexes is killed again and again.
func TestServersOnDatabase(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	c := newCrew(t, manyNotes(t, notesOfCrew))
	c.library = []string{"notes", d.env()}
	for range 4 {
		c.add()
	}
	c.liveThrough()
}
