package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/lexical/analysis"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/schema"
)

// indexed is an entry with a text.
func indexed(path, words string) catalog.RecordWithBody {
	e := catalog.RecordWithBody{Record: catalog.Record{Path: path, TextHash: [32]byte{byte(len(path))}}}
	e.Body.Text = words
	return e
}

// tended is a database of its own with a library in it, for the role that owns it.
func tended(t *testing.T) (db.Address, *Store, *Catalog) {
	t.Helper()
	at := emptyDatabase(t)
	must(t, migrate(t.Context(), at, server.Role()))
	s := opened(t, at, patience)
	c := named(t, s, "l")
	_, err := c.Put(t.Context(), indexed("a.md", "alpha"), indexed("bb.md", "beta"), skipped("c.bin"))
	must(t, err)
	must(t, c.SaveVectors(t.Context(), "", map[catalog.EmbeddingKey][]float32{{1}: {1, 2}, {2}: {3, 4}}))
	return at, s, c
}

// TestStats counts what was put.
func TestStats(t *testing.T) {
	_, s, _ := tended(t)
	found, err := s.Stats(t.Context())
	must(t, err)
	want := LibraryStats{Name: "l", Format: catalog.FormatVersion, IsCurrentFormat: true, Documents: 2, Skipped: 1, Vectors: 2}
	if len(found.Libraries) != 1 || found.Libraries[0] != want || found.SchemaVersion != schema.LatestVersion {
		t.Errorf("it says %+v", found)
	}
	if !slices.ContainsFunc(found.Tables, func(t TableStats) bool { return t.Name == "texts" && t.Bytes > 0 }) {
		t.Errorf("the tables are %+v", found.Tables)
	}
}

// TestCheck finds what was changed by others than this program.
func TestCheck(t *testing.T) {
	_, s, c := tended(t)
	rivers := indexed("rivers.md", "a delta of rivers")
	rivers.Chunks = []catalog.Chunk{{Span: text.Span{EndByte: len(rivers.Body.Text), StartLine: 1, EndLine: 1}, Terms: analysis.CountTerms(analysis.ChunkNames{}, rivers.Body.Text)}}
	_, err := c.Put(t.Context(), rivers)
	must(t, err)
	check := func() (all []CheckResult) {
		t.Helper()
		must(t, s.Check(t.Context(), func(one CheckResult) { all = append(all, one) }))
		return all
	}
	if all := check(); len(all) != 1 || all[0] != (CheckResult{Library: "l", Documents: 4, Passages: 1, Vectors: 2}) {
		t.Errorf("what is whole: %+v", all)
	}
	for name, harm := range map[string][2]string{
		"text":    {"UPDATE vademecum.texts SET text = 'gamma'::bytea WHERE text = 'alpha'::bytea", "UPDATE vademecum.texts SET text = 'alpha'::bytea WHERE text = 'gamma'::bytea"},
		"vector":  {"UPDATE vademecum.vectors SET vector = '{9,2}' WHERE vector = '{1,2}'", "UPDATE vademecum.vectors SET vector = '{1,2}' WHERE vector = '{9,2}'"},
		"title":   {"UPDATE vademecum.documents SET title = 'x'", "UPDATE vademecum.documents SET title = ''"},
		"list":    {flipped("postings", "list"), flipped("postings", "list")},
		"passage": {flipped("passages", "chunk"), flipped("passages", "chunk")},
	} {
		for i, statement := range harm {
			_, err := s.Pool.Exec(t.Context(), statement)
			must(t, err)
			if all := check(); len(all) != 1 || (all[0].Fault == "") != (i == 1) {
				t.Errorf("%s, step %d: %+v", name, i, all)
			}
		}
	}
	_, err = s.Pool.Exec(t.Context(), "DELETE FROM vademecum.texts WHERE library = $1", c.ID)
	must(t, err)
	if all := check(); len(all) != 1 || !strings.Contains(all[0].Fault.String(), "a.md: its text is gone") {
		t.Errorf("without texts: %+v", all)
	}
}

// flipped is a statement that changes a bit in each row, or changes it back.
func flipped(table, column string) string {
	return fmt.Sprintf("UPDATE vademecum.%[1]s SET %[2]s = set_byte(%[2]s, 0, get_byte(%[2]s, 0) # 64)", table, column)
}

// TestRemove: a library goes with all that is of it and nothing of others, unless a
// process keeps it up to date.
func TestRemove(t *testing.T) {
	at, s, c := tended(t)
	other := named(t, s, "other")
	_, err := other.Put(t.Context(), indexed("kept.md", "gamma"))
	must(t, err)
	must(t, other.SaveVectors(t.Context(), "", map[catalog.EmbeddingKey][]float32{{7}: {1, 2}}))
	if _, err := RemoveLibrary(t.Context(), at, "L"); !errors.Is(err, ErrLibraryNotFound) {
		t.Errorf("of another name: %v", err)
	}
	d := c.Lease("indexing")
	if !d.TryAcquire() {
		t.Fatal("nobody else has the duty")
	}
	if _, err := RemoveLibrary(t.Context(), at, "l"); !errors.Is(err, ErrLibraryInUse) {
		t.Errorf("of one in use: %v", err)
	}
	must(t, d.Release())
	if done, err := RemoveLibrary(t.Context(), at, "l"); err != nil || done != (RemovedLibrary{Documents: 2, HasOtherConnections: true}) {
		t.Errorf("removed with %+v, %v", done, err)
	}
	for table, want := range map[string]int{"libraries": 1, "documents": 1, "texts": 1, "chunks": 1, "models": 1, "vectors": 1, "duties": 0} {
		var n int
		must(t, s.Pool.QueryRow(t.Context(), "SELECT count(*) FROM vademecum."+table).Scan(&n))
		if n != want {
			t.Errorf("%s has %d rows, want %d", table, n, want)
		}
	}
}

// TestTendBehindPooler: what would leave a lock or settings in the sessions of a pooler is
// refused there.
func TestTendBehindPooler(t *testing.T) {
	at := parsed(t, server.PooledAddress(t))
	if _, err := RemoveOldFormats(t.Context(), at); !errors.Is(err, db.ErrBehindPooler) {
		t.Errorf("vacuum: %v", err)
	}
	if err := IndexVectors(t.Context(), at, untold); !errors.Is(err, db.ErrBehindPooler) {
		t.Errorf("index: %v", err)
	}
}

// TestTendWithoutLimits: the limits of time that a role has by itself do not hold for what
// goes through whole tables.
func TestTendWithoutLimits(t *testing.T) {
	at, s, _ := tended(t)
	run := func(statement string) {
		t.Helper()
		_, err := s.Pool.Exec(t.Context(), statement)
		must(t, err)
	}
	run(`CREATE FUNCTION in_time() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF current_setting('statement_timeout') != '0' THEN RAISE 'it may take %', current_setting('statement_timeout'); END IF;
		RETURN OLD; END $$`)
	run("CREATE TRIGGER in_time BEFORE DELETE ON vademecum.libraries FOR EACH ROW EXECUTE FUNCTION in_time()")
	run("INSERT INTO vademecum.libraries (name, format) VALUES ('l', 1)")
	limited := db.Address{Config: at.Config.Copy()}
	limited.Config.ConnConfig.RuntimeParams["statement_timeout"] = "3600000"
	if old, err := RemoveOldFormats(t.Context(), limited); err != nil || len(old) != 1 {
		t.Errorf("removed %v, %v", old, err)
	}
	if _, err := RemoveLibrary(t.Context(), limited, "l"); err != nil {
		t.Error(err)
	}
}

// TestTendTells: what was removed is reported also where something fails afterwards.
func TestTendTells(t *testing.T) {
	at, s, _ := tended(t)
	run := func(statement string) {
		t.Helper()
		_, err := s.Pool.Exec(t.Context(), statement)
		must(t, err)
	}
	run("CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'it stays'; END $$")
	run("CREATE TRIGGER keep BEFORE DELETE ON vademecum.libraries FOR EACH ROW WHEN (OLD.format = 2) EXECUTE FUNCTION keep()")
	run("INSERT INTO vademecum.libraries (name, format) VALUES ('l', 1), ('l', 2)")
	if old, err := RemoveOldFormats(t.Context(), at); err == nil || !slices.Equal(old, []OtherFormatLibrary{{Library: "l", Format: 1}}) {
		t.Errorf("removed %v, %v", old, err)
	}

	run("DELETE FROM vademecum.libraries WHERE format = 1")
	run("DROP TRIGGER keep ON vademecum.libraries")
	run("ALTER VIEW pg_stat_activity RENAME TO hidden_activity")
	if done, err := RemoveLibrary(t.Context(), at, "l"); err != nil || done.Documents != 2 {
		t.Errorf("removed with %+v, %v", done, err)
	}
}

// TestSizeOfOld: what old libraries take is reported without reading all of it.
func TestSizeOfOld(t *testing.T) {
	_, s, c := tended(t)
	const size = 4 << 20 // of texts, and of a list
	words := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{}).Read(words) // it never fails
	for _, statement := range []string{"UPDATE vademecum.texts SET text = $2, parts = $2 WHERE library = $1", "INSERT INTO vademecum.postings (library, segment, term, count, list) VALUES ($1, 1, 'x', 1, $2)"} {
		_, err := s.Pool.Exec(t.Context(), statement, c.ID, words)
		must(t, err)
	}
	var plan []struct {
		Plan struct {
			Hit  int `json:"Shared Hit Blocks"`
			Read int `json:"Shared Read Blocks"`
		}
	}
	var bytes int64
	must(t, s.Pool.QueryRow(t.Context(), "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "+listOld, catalog.FormatVersion+1).Scan(&plan))
	must(t, s.Pool.QueryRow(t.Context(), listOld, catalog.FormatVersion+1).Scan(nil, nil, nil, nil, nil, &bytes))
	if blocks := plan[0].Plan.Hit + plan[0].Plan.Read; bytes < 5*size || blocks == 0 || int64(blocks)*8192 > size {
		t.Errorf("%d blocks are read to find %d bytes", blocks, bytes)
	}
}

// TestVacuum: a library of an older format goes where there is one of this, what is kept
// is reported with the reason, and only the owner of the tables may.
func TestVacuum(t *testing.T) {
	at, s, _ := tended(t)
	_, err := s.Pool.Exec(t.Context(), "INSERT INTO vademecum.libraries (name, format) VALUES ('l', 1), ('old', 1), ('l', 999)")
	must(t, err)
	for _, table := range []string{"documents (library, id, path_key, path, size, modified, changed, read_at, hash, text_hash, title, mime, text_mime, encoding, note, skip, meta, checksum) SELECT l.id, d.id, path_key, path, size, modified, changed, read_at, hash, text_hash, title, mime, text_mime, encoding, note, skip, meta, checksum FROM vademecum.documents d", "texts SELECT l.id, document, text, parts, checksum FROM vademecum.texts t"} {
		_, err := s.Pool.Exec(t.Context(), "INSERT INTO vademecum."+table+", vademecum.libraries l WHERE l.name = 'old'")
		must(t, err)
	}
	old, err := RemoveOldFormats(t.Context(), at)
	must(t, err)
	if len(old) != 3 || old[0] != (OtherFormatLibrary{Library: "l", Format: 1}) || old[1].KeptReason != "it is of a newer version of this program" ||
		old[2].Library != "old" || old[2].Documents != 2 || old[2].Bytes < 200 || old[2].KeptReason != "no program of this version has indexed the library yet" {
		t.Errorf("in other formats there were %+v", old)
	}
	found, err := s.Stats(context.WithoutCancel(t.Context()))
	must(t, err)
	var left []string
	for _, l := range found.Libraries {
		left = append(left, l.Name)
	}
	if !slices.Equal(left, []string{"l", "l", "old"}) {
		t.Errorf("left are %v", left)
	}
	if _, err := RemoveOldFormats(t.Context(), parsed(t, server.ServingAddress(t))); err == nil || !strings.Contains(err.Error(), "belong to the role") {
		t.Errorf("by the role that serves: %v", err)
	}
}
