package sync_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	mathrand "math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/index"
	"vademecum/index/indextest"
	"vademecum/index/store/postgres"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/schema"
	syncs "vademecum/index/sync"
)

// damagesVariable says how many damages are done to a library in a database, cold and
// as many under two running servers; see .ci/damages.
const damagesVariable = "VADEMECUM_TEST_DAMAGES"

// serverVariable has the address of a PostgreSQL server, of a role that may make databases.
const serverVariable = "VADEMECUM_TEST_POSTGRES"

// harmed is a folder that is indexed in a database, copies of which are damaged, and
// what a library made at once answers.
type harmed struct {
	indextest.NotesFolder
	server   string
	template string
	want     string
	columns  map[string][]string // of the tables, in the order of their names
}

// onServer runs statements in a database of the server.
func (h *harmed) on(t testing.TB, database string, statements ...string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, h.address(t, database))
	indextest.Must(t, err)
	defer conn.Close(ctx)
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func (h *harmed) address(t testing.TB, database string) string {
	t.Helper()
	u, err := url.Parse(h.server)
	indextest.Must(t, err)
	u.Path = database
	return u.String()
}

// newName returns a new name for a database that is dropped at the end of the test.
func (h *harmed) newName(t testing.TB) string {
	name := strings.ToLower("vademecum_test_" + rand.Text()[:10])
	t.Cleanup(func() { h.on(t, "postgres", "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	return name
}

// newDatabase makes one with tables.
func (h *harmed) newDatabase(t testing.TB) string {
	t.Helper()
	name := h.newName(t)
	h.on(t, "postgres", "CREATE DATABASE "+name)
	at, err := db.ParseAddress(h.address(t, name))
	indextest.Must(t, err)
	_, err = schema.Migrate(t.Context(), at, "")
	indextest.Must(t, err)
	return name
}

// open is a server of the folder on a database, not yet loaded.
func (h *harmed) open(t testing.TB, database string, log *slog.Logger) *index.Index {
	t.Helper()
	ix, err := index.New(index.Options{Folders: []string{h.Dir}, DatabaseAddress: h.address(t, database), Libraries: []string{"notes"}, Embedder: indextest.Builtin(t), Logger: log})
	indextest.Must(t, err)
	return ix
}

// indexes brings a database up to date and closes it again.
func (h *harmed) indexes(t testing.TB, database string, scopes ...syncs.Scope) {
	t.Helper()
	ix := h.open(t, database, indextest.QuietLog)
	indextest.Must(t, ix.Load(t.Context()))
	for _, scope := range scopes {
		_, err := ix.Sync(t.Context(), scope)
		indextest.Must(t, errors.Join(err, ix.Embed(t.Context())))
	}
	if h.want == "" {
		h.want = h.answers(t.Context(), ix, new(waits))
	}
	indextest.Must(t, ix.Close())
}

const notesHarmed = 16

// newHarmed indexes a folder in several steps, so that there are several segments with
// chunks that are gone. Copies of the tables as they were before the last are in the
// schema older.
func newHarmed(t *testing.T) *harmed {
	t.Helper()
	server := os.Getenv(serverVariable)
	if server == "" {
		t.Skip("not tested with PostgreSQL: " + serverVariable + " names no server")
	}
	all := indextest.ManyTexts(notesHarmed)
	h := &harmed{NotesFolder: indextest.NewNotesFolder(t, all), server: server}
	age := func() {
		for path := range all {
			h.Backdate(path)
		}
	}
	age()
	h.indexes(t, h.newDatabase(t), syncs.Scope{})
	for i := range notesHarmed / 2 {
		h.Write(indextest.TextPath(i), "An older text of warfarin, number "+strconv.Itoa(i))
	}
	h.template = h.newDatabase(t)
	h.indexes(t, h.template, syncs.Scope{Paths: []string{"?.md"}}, syncs.Scope{})
	h.learnColumns(t)
	copies := []string{"CREATE SCHEMA older"}
	for table := range h.columns {
		copies = append(copies, "CREATE TABLE older."+table+" AS TABLE vademecum."+table)
	}
	h.on(t, h.template, copies...)
	for path, text := range all {
		h.Write(path, text)
	}
	age()
	h.indexes(t, h.template, syncs.Scope{Paths: []string{"0.md", "1.md"}}, syncs.Scope{}, syncs.Scope{Paths: []string{"1?.md"}, Force: true})
	return h
}

// learnColumns notes which tables and columns there are.
func (h *harmed) learnColumns(t testing.TB) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), h.address(t, h.template))
	indextest.Must(t, err)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
		WHERE c.relnamespace = 'vademecum'::regnamespace AND c.relkind = 'r' AND a.attidentity = '' ORDER BY 1, a.attnum`)
	indextest.Must(t, err)
	h.columns = make(map[string][]string)
	var table, column string
	_, err = pgx.ForEachRow(rows, []any{&table, &column}, func() error {
		h.columns[table] = append(h.columns[table], column)
		return nil
	})
	indextest.Must(t, err)
	// These say which version the tables have, and of them nothing is known.
	delete(h.columns, "program")
	delete(h.columns, "schema_version")
}

// damage is one of a database, chosen at random.
func (h *harmed) damage(rng *mathrand.Rand) (what string, statements []string) {
	tables := slices.Sorted(maps.Keys(h.columns))
	// What has rows of a library with the built-in embedding, more often.
	filled := []string{"documents", "texts", "chunks", "passages", "postings", "segments", "gone", "vocabulary", "changes", "libraries", "settings", "duties"}
	table := filled[rng.IntN(len(filled))]
	if rng.IntN(8) == 0 {
		table = tables[rng.IntN(len(tables))]
	}
	columns := h.columns[table]
	column := columns[rng.IntN(len(columns))]
	rows := []string{"LIMIT 1", "LIMIT 1", "LIMIT 3", "LIMIT (SELECT greatest(1, count(*) / 2) FROM vademecum." + table + ")", ""}[rng.IntN(5)]
	seed := rng.Uint32()
	chosen := fmt.Sprintf("(SELECT ctid FROM vademecum.%s ORDER BY hashint8extended(('x' || substr(md5(%s::text), 1, 8))::bit(32)::bigint, %d) %s)", table, table, seed, rows)
	other := fmt.Sprintf("(SELECT %%s FROM vademecum.%s ORDER BY hashint8extended(('x' || substr(md5(%s::text), 1, 8))::bit(32)::bigint, %d) LIMIT 1)", table, table, seed+1)
	switch rng.IntN(9) {
	case 0, 1:
		return "rows of " + table + " deleted " + rows, []string{"DELETE FROM vademecum." + table + " WHERE ctid IN " + chosen}
	case 2:
		return column + " of " + table + " with another's value " + rows, []string{
			"UPDATE vademecum." + table + " SET " + column + " = " + fmt.Sprintf(other, column) + " WHERE ctid IN " + chosen}
	case 3:
		return column + " of " + table + " zeroed " + rows, []string{
			"UPDATE vademecum." + table + " SET " + column + " = pg_temp.zero(" + column + ") WHERE ctid IN " + chosen}
	case 4:
		return column + " of " + table + " cut " + rows, []string{
			"UPDATE vademecum." + table + " SET " + column + " = pg_temp.cut(" + column + ") WHERE ctid IN " + chosen}
	case 5:
		values := slices.DeleteFunc(slices.Clone(columns), func(c string) bool {
			return slices.Contains([]string{"library", "id", "document", "slot", "term", "segment", "number", "first", "key", "path_key", "word", "name", "text_key"}, c)
		})
		if table == "passages" {
			values = []string{"wording", "text_key", "chunk", "sketch"}
		}
		if len(values) == 0 {
			return h.damage(rng)
		}
		list := strings.Join(values, ", ")
		return "a row of " + table + " copied over others " + rows, []string{
			"UPDATE vademecum." + table + " SET (" + list + ") = " + fmt.Sprintf(other, list) + " WHERE ctid IN " + chosen}
	case 6:
		if rng.IntN(3) > 0 {
			return table + " truncated", []string{"TRUNCATE vademecum." + table + " CASCADE"}
		}
		return table + " dropped", []string{"DROP TABLE vademecum." + table + " CASCADE"}
	case 7:
		if rng.IntN(3) > 0 {
			return h.damage(rng)
		}
		index := []string{"passages_wording", "passages_key", "postings_segment"}[rng.IntN(3)]
		return "the index " + index + " dropped", []string{"DROP INDEX vademecum." + index}
	default:
		if table == "libraries" && rng.IntN(4) > 0 {
			return h.damage(rng)
		}
		list := strings.Join(columns, ", ")
		identities := "OVERRIDING SYSTEM VALUE"
		all := list
		if slices.Contains([]string{"libraries", "models"}, table) {
			all = "id, " + list
		} else if table == "requests" {
			all = "number, " + list
		} else if table == "vectors" {
			all = "row, " + list
		}
		return "an older copy of " + table + " restored", []string{
			"DELETE FROM vademecum." + table,
			"INSERT INTO vademecum." + table + " (" + all + ") " + identities + " SELECT " + all + " FROM older." + table}
	}
}

// tools change values of each type.
var tools = []string{
	"CREATE FUNCTION pg_temp.zero(bytea) RETURNS bytea LANGUAGE sql AS $$ SELECT decode(repeat('00', octet_length($1)), 'hex') $$",
	"CREATE FUNCTION pg_temp.zero(text) RETURNS text LANGUAGE sql AS $$ SELECT '' $$",
	"CREATE FUNCTION pg_temp.zero(bigint) RETURNS bigint LANGUAGE sql AS $$ SELECT 0::bigint $$",
	"CREATE FUNCTION pg_temp.zero(integer) RETURNS integer LANGUAGE sql AS $$ SELECT 0 $$",
	"CREATE FUNCTION pg_temp.zero(real[]) RETURNS real[] LANGUAGE sql AS $$ SELECT array_fill(0::real, ARRAY[cardinality($1)]) $$",
	"CREATE FUNCTION pg_temp.cut(bytea) RETURNS bytea LANGUAGE sql AS $$ SELECT substr($1, 1, octet_length($1) / 2) $$",
	"CREATE FUNCTION pg_temp.cut(text) RETURNS text LANGUAGE sql AS $$ SELECT left($1, length($1) / 2) $$",
	"CREATE FUNCTION pg_temp.cut(bigint) RETURNS bigint LANGUAGE sql AS $$ SELECT $1 & 255 $$",
	"CREATE FUNCTION pg_temp.cut(integer) RETURNS integer LANGUAGE sql AS $$ SELECT $1 & 15 $$",
	"CREATE FUNCTION pg_temp.cut(real[]) RETURNS real[] LANGUAGE sql AS $$ SELECT $1[1:cardinality($1) / 2] $$",
}

// harm does a damage, if it can be done: keys of the tables stand against some. It
// passes by what tells the program of changes.
func (h *harmed) harm(t testing.TB, database string, statements []string) (done bool) {
	t.Helper()
	h.on(t, database, "SELECT 1")
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, h.address(t, database))
	indextest.Must(t, err)
	defer conn.Close(ctx)
	for _, s := range append([]string{"SET session_replication_role = replica"}, tools...) {
		_, err := conn.Exec(ctx, s)
		indextest.Must(t, err)
	}
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		changed := int64(0)
		for _, s := range statements {
			tag, err := tx.Exec(ctx, s)
			if err != nil {
				return err
			}
			changed += tag.RowsAffected()
			if strings.HasPrefix(s, "DROP") || strings.HasPrefix(s, "TRUNCATE") {
				changed++
			}
		}
		if changed == 0 {
			return errors.New("there is nothing to damage")
		}
		return nil
	})
	return err == nil
}

// migrate makes tables again as vademecum store migrate does.
func (h *harmed) migrate(t testing.TB, database string) {
	t.Helper()
	at, err := db.ParseAddress(h.address(t, database))
	indextest.Must(t, err)
	_, err = schema.Migrate(t.Context(), at, "")
	indextest.Must(t, err)
}

// waits is how long questions have waited.
type waits struct {
	count  int
	first  time.Duration
	slow   int           // of those after the first, that waited longer than a second
	second time.Duration // the slowest after the first
}

func (w *waits) note(took time.Duration) {
	if w.count++; w.count == 1 {
		w.first = took
		return
	}
	w.second = max(w.second, took)
	if took > time.Second {
		w.slow++
	}
}

// answers asks for what is in the notes, and reads all of them, and returns what is said.
func (h *harmed) answers(ctx context.Context, ix *index.Index, w *waits) string {
	var all strings.Builder
	questions := []index.Query{{Text: "warfarin and insulin", TopK: 20}, {Text: "血压 糖尿病", TopK: 10}, {Text: "warfrin slepe", TopK: 10}, {Text: "zugzwang", TopK: 3}}
	for i := range notesHarmed {
		questions = append(questions, index.Query{Text: fmt.Sprintf("Note%d line%d sodium", i, i%9+1), TopK: 3})
	}
	for _, q := range questions {
		began := time.Now()
		err := ix.WaitFresh(ctx, index.WaitPurposeAnswer)
		var a index.Answer
		if err == nil {
			a, err = ix.Search(ctx, q)
		}
		w.note(time.Since(began))
		fmt.Fprintf(&all, "%s: %v\n", q.Text, err)
		for _, p := range a.Passages {
			fmt.Fprintf(&all, "\t%s %d-%d %.4f %q\n", p.Path, p.StartLine, p.EndLine, p.Score, p.Text)
		}
		for _, n := range a.Notes {
			fmt.Fprintf(&all, "\t%s\n", n)
		}
	}
	for i := range notesHarmed {
		read, err := ix.Read(ctx, index.ReadQuery{Ref: indextest.TextPath(i)})
		fmt.Fprintf(&all, "%d: %q %v\n", i, read.Text, err)
	}
	return all.String()
}

// told gathers what a server says that is worth a warning.
type told struct {
	slog.Handler
	mu    sync.Mutex
	lines []string
}

func newTold() *told {
	return &told{Handler: indextest.QuietLog.Handler()}
}

func (l *told) Enabled(context.Context, slog.Level) bool { return true }

func (l *told) Handle(_ context.Context, r slog.Record) error {
	if r.Level < slog.LevelWarn {
		return nil
	}
	line := r.Message
	r.Attrs(func(a slog.Attr) bool {
		line += " " + a.String()
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
	return nil
}

func (l *told) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.lines)
}

// fault is what store check finds in a database, "" when that is nothing.
func (h *harmed) fault(t testing.TB, database string) (fault string) {
	t.Helper()
	at, err := db.ParseAddress(h.address(t, database))
	indextest.Must(t, err)
	s, err := postgres.Open(t.Context(), at, time.Second)
	if err != nil {
		return err.Error()
	}
	defer s.Close()
	err = s.Check(t.Context(), func(c postgres.CheckResult) {
		if c.Library == "notes" { // under another name it is nobody's
			fault += c.Fault.String()
		}
	})
	return fault + errorText(err)
}

func errorText(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// healPatience is how long a library may take to be whole again by itself: all is read
// from time to time only, of which the pauses are longer on a busy machine.
const healPatience = 3 * time.Minute

// outcome is what came of one damage.
type outcome struct {
	waits waits
	took  time.Duration
	told  []string
	fault string // why it is not whole again
}

// heals damages a copy of the database, before servers are started or under them, and
// waits until all is as in one that was made at once.
func (h *harmed) heals(t testing.TB, servers int, running bool, statements []string) (o outcome, done bool) {
	t.Helper()
	database := h.newName(t)
	h.on(t, "postgres", "CREATE DATABASE "+database+" TEMPLATE "+h.template)
	if !running {
		done = h.harm(t, database, statements)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	var all []*index.Index
	var logs []*told
	for range servers {
		log := newTold()
		ix := h.open(t, database, slog.New(log))
		all, logs = append(all, ix), append(logs, log)
		group.Go(func() { _ = ix.Run(ctx) })
	}
	defer func() {
		cancel()
		group.Wait()
		for _, ix := range all {
			indextest.Must(t, ix.Close())
		}
	}()
	if running {
		for _, ix := range all {
			indextest.Eventually(t, 2*indextest.ShortTimeout, "a server is ready", func() bool { return h.answers(ctx, ix, new(waits)) == h.want })
		}
		done = h.harm(t, database, statements)
	}
	if !done {
		return o, false
	}
	each := make([]waits, servers)
	began, migrated := time.Now(), false
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		o.fault = h.fault(t, database)
		for i, ix := range all {
			if got := h.answers(ctx, ix, &each[i]); got != h.want {
				o.fault += fmt.Sprintf("; server %d: %s", i, firstDifference(got, h.want))
			}
		}
		o.took = time.Since(began)
		if !migrated && o.took > 10*time.Second && strings.Contains(o.fault, "vademecum store migrate recreates them") {
			h.migrate(t, database) // servers do not give up libraries that they have not compared with a folder
			migrated, each = true, make([]waits, servers)
		}
		if o.fault == "" || o.took > healPatience {
			break
		}
		time.Sleep(pause)
	}
	for i, w := range each {
		o.waits.first, o.waits.second, o.waits.slow = max(o.waits.first, w.first), max(o.waits.second, w.second), o.waits.slow+w.slow
		lines := logs[i].all()
		o.told = append(o.told, lines...)
		if unique := slices.Compact(slices.Sorted(slices.Values(lines))); len(unique) < len(lines) {
			o.fault += fmt.Sprintf("; server %d tells the same twice: %q", i, lines)
		}
	}
	return o, true
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("%.300s, want %.200s", a[i], b[i])
		}
	}
	return "there is more"
}

// TestDatabaseDamages damages libraries in a database at random: rows that are deleted,
// columns that are overwritten, zeroed and cut, rows copied over others, tables emptied,
// dropped and put back to what they were before. Without anybody's doing all notes are
// found after that, and answers are those of a library that was made at once.
func TestDatabaseDamages(t *testing.T) {
	h := newHarmed(t)
	count := 6
	if n, err := strconv.Atoi(os.Getenv(damagesVariable)); err == nil {
		count = n
	}
	first, _ := strconv.Atoi(os.Getenv(damagesVariable + "_FROM"))
	turns := make(chan struct{}, 6)
	var mu sync.Mutex
	var firsts, seconds, healed []time.Duration
	slow, silent, bad := 0, 0, 0
	t.Run("all", func(t *testing.T) {
		for _, running := range []bool{false, true} {
			for seed := first; seed < first+count; seed++ {
				t.Run(fmt.Sprintf("%v/%d", map[bool]string{false: "cold", true: "running"}[running], seed), func(t *testing.T) {
					t.Parallel()
					turns <- struct{}{}
					defer func() { <-turns }()
					rng := mathrand.New(mathrand.NewPCG(uint64(seed), map[bool]uint64{false: 1, true: 2}[running]))
					var o outcome
					what, done := "", false
					for !done {
						var statements []string
						what, statements = h.damage(rng)
						o, done = h.heals(t, map[bool]int{false: 1, true: 2}[running], running, statements)
					}
					mu.Lock()
					defer mu.Unlock()
					firsts, seconds, healed = append(firsts, o.waits.first), append(seconds, o.waits.second), append(healed, o.took)
					slow += o.waits.slow
					if len(o.told) == 0 {
						silent++
					}
					t.Logf("%s: whole after %.1f s, first answer after %.2f s, slowest of the others %.2f s; told: %q", what, o.took.Seconds(), o.waits.first.Seconds(), o.waits.second.Seconds(), o.told)
					if o.fault != "" {
						bad++
						t.Errorf("%s: %s", what, o.fault)
					}
				})
			}
		}
	})
	if len(healed) == 0 {
		return
	}
	for _, all := range [][]time.Duration{firsts, seconds, healed} {
		slices.Sort(all)
	}
	last := len(healed) - 1
	t.Logf("%d damages: %d not healed, %d of which nothing was told; whole after %.1f s in the median and %.1f s at most, first answers after %.2f and %.2f s, others after at most %.2f and %.2f s, %d of them after more than a second",
		len(healed), bad, silent, healed[last/2].Seconds(), healed[last].Seconds(), firsts[last/2].Seconds(), firsts[last].Seconds(), seconds[last/2].Seconds(), seconds[last].Seconds(), slow)
}
