package e2e

import (
	"net/http"
	"strings"
	"testing"
)

// TestDatabaseLosesLists: a server detects that the segments of a library are gone,
// reports it once and indexes it again; store check reports it, with the repair.
func TestDatabaseLosesLists(t *testing.T) {
	t.Parallel()
	d, dir := newDatabase(t), manyNotes(t, 3)
	onStore(t, d, d.serving, "3 in total", "index", dir, "--library", "notes")
	inDatabase(t, d.owner, "DELETE FROM vademecum.segments")
	if said := d.run(t, d.serving, "", "store", "check"); !strings.Contains(said, "the lists of terms reach to passage 0 of") || !strings.Contains(said, "reindexes what is damaged") {
		t.Errorf("store check says %s", said)
	}
	s := d.servesNotesOf(t, dir)
	client := connectHTTP(t, s.url, "2025-06-18", http.DefaultClient)
	client.awaits("retrieve_docs", "query", "warfarin", "0.md", "[isError]")
	inDatabase(t, d.owner, "DELETE FROM vademecum.segments")
	client.awaits("retrieve_docs", "query", "warfarin", "0.md", "[isError]")
	onStore(t, d, d.serving, "ok", "store", "check")
	if said := s.newLines(); strings.Count(said, "damage=") != 2 {
		t.Errorf("it tells of the two damages: %s", said)
	}
}

// servesNotesOf serves a folder as the library notes.
func (d database) servesNotesOf(t *testing.T, dir string) *httpServer {
	t.Helper()
	c := vademecum(t, "serve", "--http=127.0.0.1:0", dir, "--library", "notes")
	c.Env = append(c.Env, d.env())
	return startHTTP(t, c)
}

// TestDatabaseLosesTables: for dropped tables, questions and store check name the repair,
// which is store migrate, or a server of their owner, automatically.
func TestDatabaseLosesTables(t *testing.T) {
	t.Parallel()
	d, dir := newDatabase(t), manyNotes(t, 3)
	s := d.servesNotesOf(t, dir)
	client := connectHTTP(t, s.url, "2025-06-18", http.DefaultClient)
	client.awaits("retrieve_docs", "query", "warfarin", "0.md", "[isError]")
	for _, table := range []string{"changes", "vocabulary"} {
		inDatabase(t, d.owner, "DROP TABLE vademecum."+table)
		if said := d.run(t, d.serving, "", "store", "check"); !strings.Contains(said, "are missing from the database ("+table+"): vademecum store migrate recreates them") {
			t.Errorf("store check says %s", said)
		}
		onStore(t, d, d.owner, "Recreated what was missing: table "+table, "store", "migrate")
		client.awaits("retrieve_docs", "query", "warfarin", "0.md", "[isError]")
		onStore(t, d, d.serving, "ok", "store", "check")
	}
	owned := newDatabase(t) // where no other process indexes
	owned.serving = owned.owner
	o := owned.servesNotesOf(t, dir)
	other := connectHTTP(t, o.url, "2025-06-18", http.DefaultClient)
	other.awaits("retrieve_docs", "query", "warfarin", "0.md", "[isError]")
	inDatabase(t, owned.owner, "DROP TABLE vademecum.vocabulary")
	said := ""
	isMended := poll(longestWait, func() bool {
		said = owned.run(t, owned.serving, "", "store", "check") // no question uses that table
		return strings.Contains(said, ": ok")
	})
	if !isMended {
		t.Errorf("store check says %s", said)
	}
	other.awaits("retrieve_docs", "query", "warfarin", "0.md", "[isError]")
}
