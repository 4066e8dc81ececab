package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// holdsDocument makes a folder with one document and indexes it as the library notes.
func (d database) holdsDocument(t *testing.T, name, text string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	onStore(t, d, d.serving, "1 in total", "index", dir, "--library", "notes", "--replace")
}

// makeTables creates the program's tables again.
func (d database) makeTables(t *testing.T) {
	t.Helper()
	onStore(t, d, d.owner, "may serve from them", "store", "migrate", "--grant", d.name)
}

// servesNotes serves the library without a folder.
func (d database) servesNotes(t *testing.T) *httpServer {
	t.Helper()
	c := vademecum(t, "serve", "--http=127.0.0.1:0", "--library", "notes")
	c.Env = append(c.Env, d.env())
	return startHTTP(t, c)
}

// awaits waits until the answer of a tool contains one text, and not another.
func (c *webClient) awaits(tool, argument, value, want, not string) {
	c.t.Helper()
	said := ""
	says := func() bool {
		said = c.saysOf(tool, argument, value)
		return strings.Contains(said, want) && !strings.Contains(said, not)
	}
	if !poll(longestWait, says) {
		c.t.Fatalf("%s says %q, want %q and not %q", tool, said, want, not)
	}
}

// awaitsLine waits for a line in the server's log.
func (s *httpServer) awaitsLine(want string) {
	s.t.Helper()
	said := ""
	if !poll(longestWait, func() bool { said += s.newLines(); return strings.Contains(said, want) }) {
		s.t.Fatalf("it says %q, want %q", said, want)
	}
}

// TestDatabaseRestored: the database of a library that a server has read is restored to
// another state of the same number. Earlier documents are gone then, and those of the
// backup are found, but not before all are there.
func TestDatabaseRestored(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.holdsDocument(t, "later.md", "# Later\n\nThe zugzwang of the endgame.\n")
	inDatabase(t, d.owner, "ALTER SCHEMA vademecum RENAME TO later")
	d.makeTables(t)
	d.holdsDocument(t, "sooner.md", "# Sooner\n\nThe gambit of the opening.\n")
	s := d.servesNotes(t)
	s.awaitReady("ready")
	client := connectHTTP(t, s.url, "2025-06-18", http.DefaultClient)
	client.awaits("retrieve_docs", "query", "gambit", "sooner.md", "later.md")

	inDatabase(t, d.owner, strings.Join([]string{
		"BEGIN",
		"UPDATE later.libraries l SET version = s.version, last_change = s.last_change FROM vademecum.libraries s",
		"ALTER TABLE later.passages DROP CONSTRAINT passages_pkey", // keys are made when all rows are there
		"CREATE TABLE later.kept AS TABLE later.passages",
		"ALTER TABLE later.kept ADD PRIMARY KEY (library, slot)",
		"DELETE FROM later.passages",
		"ALTER SCHEMA vademecum RENAME TO sooner",
		"ALTER SCHEMA later RENAME TO vademecum",
		"COMMIT",
	}, ";"))
	s.awaitReady("not ready: the database cannot be used; the log says why")
	s.awaitsLine("the database does not serve") // as a backup is being restored, or the library removed: which is seen first may differ
	inDatabase(t, d.owner, "BEGIN; INSERT INTO vademecum.passages TABLE vademecum.kept; ALTER TABLE vademecum.passages ADD PRIMARY KEY (library, slot); COMMIT")
	s.awaitReady("ready")
	client.awaits("retrieve_docs", "query", "zugzwang", "endgame", "sooner.md")
	client.awaits("list_docs", "path", "*.md", "later.md", "sooner.md")
	client.awaits("read_doc", "path", "later.md", "endgame", "damaged")
}

// TestDatabaseCopyTakesPlace: a server continues with a copy that replaces the database,
// where everything but the documents has the same numbers.
func TestDatabaseCopyTakesPlace(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	server, c := os.Getenv(serverVariable), d
	c.name += "_copy"
	for _, address := range []*string{&c.owner, &c.serving} {
		who, where, _ := strings.Cut(*address, "@")
		*address = who + "@" + strings.Replace(where, "/"+d.name, "/"+c.name, 1)
	}
	inDatabase(t, server, "CREATE DATABASE "+c.name+" TEMPLATE "+d.name)
	t.Cleanup(func() { inDatabase(t, server, "DROP DATABASE IF EXISTS "+c.name+" WITH (FORCE)") })
	c.holdsDocument(t, "later.md", "# Later\n\nThe zugzwang of the endgame.\n")
	d.holdsDocument(t, "sooner.md", "# Sooner\n\nThe gambit of the opening.\n")
	for _, one := range []database{c, d} {
		inDatabase(t, one.owner, "UPDATE vademecum.libraries SET version = 1000")
	}
	s := d.servesNotes(t)
	s.awaitReady("ready")
	client := connectHTTP(t, s.url, "2025-06-18", http.DefaultClient)
	client.awaits("retrieve_docs", "query", "gambit", "sooner.md", "later.md")
	inDatabase(t, server, "DROP DATABASE "+d.name+" WITH (FORCE)", "ALTER DATABASE "+c.name+" RENAME TO "+d.name)
	client.awaits("list_docs", "path", "*.md", "later.md", "sooner.md")
	client.awaits("read_doc", "path", "later.md", "endgame", "damaged")
}

// TestDatabaseLibraryMadeAgain: a server is not ready when its library was removed, and
// continues with one created in its place.
func TestDatabaseLibraryMadeAgain(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.holdsDocument(t, "sooner.md", "# Sooner\n\nThe gambit of the opening.\n")
	s := d.servesNotes(t)
	s.awaitReady("ready")
	client := connectHTTP(t, s.url, "2025-06-18", http.DefaultClient)
	onStore(t, d, d.owner, "notes", "store", "remove", "notes")
	s.awaitReady("not ready: the database cannot be used; the log says why")
	if text := client.saysOf("retrieve_docs", "query", "gambit"); !strings.Contains(text, "the library was removed") {
		t.Errorf("of a library that was removed it says %s", text)
	}
	d.holdsDocument(t, "later.md", "# Later\n\nThe zugzwang of the endgame.\n")
	s.awaitReady("ready")
	client.awaits("retrieve_docs", "query", "zugzwang", "later.md", "sooner.md")
}

// TestDatabaseTablesAway: servers with a folder and without one are not ready while the
// tables are gone, and go on when they are there again.
func TestDatabaseTablesAway(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	c := vademecum(t, "serve", "--http=127.0.0.1:0", manyNotes(t, 3), "--library", "notes")
	c.Env = append(c.Env, d.env())
	servers := []*httpServer{startHTTP(t, c), d.servesNotes(t)}
	for _, s := range servers {
		s.awaitReady("ready")
	}
	for _, tables := range []string{"stays", "is made anew"} {
		inDatabase(t, d.owner, "ALTER SCHEMA vademecum RENAME TO away")
		for _, s := range servers {
			s.awaitReady("not ready: the database cannot be used; the log says why")
		}
		if tables == "stays" {
			inDatabase(t, d.owner, "ALTER SCHEMA away RENAME TO vademecum")
		} else {
			d.makeTables(t) // the server that sees the files fills them
		}
		for _, s := range slices.Backward(servers) {
			s.awaitReady("ready")
			connectHTTP(t, s.url, "2025-06-18", http.DefaultClient).awaits("retrieve_docs", "query", "notes", "0.md", "[isError]")
		}
	}
}

// TestDatabaseVectorMoved: questions are answered after pgvector has moved to another
// schema, as after restoring a backup into a database with the extension. A server whose
// questions fail without the extension is not ready until it is there again.
func TestDatabaseVectorMoved(t *testing.T) {
	t.Parallel()
	d, model := newDatabase(t), newProvider(t)
	c := vademecum(t, "serve", "--http=127.0.0.1:0", manyNotes(t, 3), "--library", "notes", "--embed", model.spec("model"))
	c.Env = append(c.Env, d.env())
	s := startHTTP(t, c)
	s.awaitReady("ready")
	client := connectHTTP(t, s.url, "2025-06-18", http.DefaultClient)
	client.awaits("retrieve_docs", "query", "warfarin", "0.md", "no vector")
	inDatabase(t, d.owner, "CREATE SCHEMA elsewhere", "GRANT USAGE ON SCHEMA elsewhere TO "+d.name, "ALTER EXTENSION vector SET SCHEMA elsewhere")
	if text := client.saysOf("retrieve_docs", "query", "warfarin visit"); !strings.Contains(text, "0.md") {
		t.Errorf("when pgvector has moved it says %s", text)
	}
	inDatabase(t, d.owner, "DROP EXTENSION vector CASCADE")
	if text := client.saysOf("retrieve_docs", "query", "warfarin"); !strings.Contains(text, "lacks pgvector") {
		t.Errorf("when pgvector is gone it says %s", text)
	}
	s.awaitReady("not ready: the database cannot be used; the log says why")
	inDatabase(t, d.owner, "CREATE EXTENSION vector SCHEMA public")
	s.awaitReady("ready")
	client.awaits("retrieve_docs", "query", "warfarin", "0.md", "no vector")
}
