package postgres

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"vademecum/docs/text"
	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/pgtest"
	"vademecum/index/store/postgres/schema"
)

// manyVectors is a library with as many passages as have their vectors indexed.
type manyVectors struct {
	*Catalog
	vectors [][]float32 // by slot
}

const perDocument = 50

func keyOfNumber(n int) catalog.EmbeddingKey {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint32(nil, uint32(n)))
	return catalog.EmbeddingKey(sum[:])
}

// unit makes a vector of length 1 near to one of a few, as texts are about something.
func unit(r *rand.Rand, length, about int) []float32 {
	topic, vec, sum := rand.New(rand.NewPCG(uint64(about), 7)), make([]float32, length), 0.0
	for i := range vec {
		vec[i] = float32(topic.NormFloat64() + 0.7*r.NormFloat64())
		sum += float64(vec[i]) * float64(vec[i])
	}
	for i := range vec {
		vec[i] /= float32(math.Sqrt(sum))
	}
	return vec
}

// untold is for whoever does not want to know how far it is.
func untold(int, int) {}

// withVectors makes a library with so many passages, each with a vector.
func withVectors(t testing.TB, s *Store, count, length int) manyVectors {
	t.Helper()
	l := manyVectors{Catalog: named(t, s, anyName())}
	r := rand.New(rand.NewPCG(1, 2))
	var entries []catalog.RecordWithBody
	for first := 0; first < count; first += perDocument {
		e := catalog.RecordWithBody{Record: catalog.Record{Path: fmt.Sprintf("%05d.md", first)}, Body: text.Body{Text: "vectors"}}
		for n := first; n < first+perDocument; n++ {
			e.Chunks = append(e.Chunks, catalog.Chunk{Span: text.Span{EndByte: 7, StartLine: 1, EndLine: 1}, Key: keyOfNumber(n), ContentHash: rank.ChunkTextHashOf(fmt.Sprint(n)), Terms: analysis.CountTerms(analysis.ChunkNames{}, "vectors")})
			l.vectors = append(l.vectors, unit(r, length, n%40))
		}
		entries = append(entries, e)
	}
	_, err := l.Put(t.Context(), entries...)
	must(t, err)
	for first := 0; first < count; first += 1000 {
		some := make(map[catalog.EmbeddingKey][]float32)
		for n := first; n < min(first+1000, count); n++ {
			some[keyOfNumber(n)] = l.vectors[n]
		}
		must(t, l.SaveVectors(t.Context(), "", some))
	}
	must(t, l.IndexVectors(t.Context(), untold))
	return l
}

// nearest compares all vectors in runs.
func (l manyVectors) nearest(query []float32, most int, in []lexical.SlotRange) []uint32 {
	type hit struct {
		slot   uint32
		cosine float64
	}
	var all []hit
	for _, run := range in {
		for s := run.First; s < run.First+run.Count; s++ {
			h := hit{slot: s}
			for i, x := range l.vectors[s] {
				h.cosine += float64(x) * float64(query[i])
			}
			all = append(all, h)
		}
	}
	slices.SortFunc(all, func(a, b hit) int { return cmp.Compare(b.cosine, a.cosine) })
	var slots []uint32
	for _, h := range all[:min(most, len(all))] {
		slots = append(slots, h.slot)
	}
	return slots
}

// recall is how much of what is wanted was got.
func recall(got, wanted []uint32) float64 {
	n := 0
	for _, s := range wanted {
		if slices.Contains(got, s) {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}

// TestNearest: a model with many vectors gets an index from a role that may make none,
// and what that finds is what comparing all does, also of some passages.
func TestNearest(t *testing.T) {
	const count, length, most = indexedFrom + 1000, 24, 100
	s := serving(t)
	l := withVectors(t, s, count, length)
	withVectors(t, s, 2*perDocument, length) // of another library, and none of this one's matter
	all := []lexical.SlotRange{{Count: count}}
	var half []lexical.SlotRange
	for first := uint32(0); first < count; first += 2 * perDocument {
		half = append(half, lexical.SlotRange{First: first, Count: perDocument})
	}
	few := []lexical.SlotRange{{First: 70, Count: 60}, {First: 1000, Count: 80}}
	r := rand.New(rand.NewPCG(3, 4))
	for about := range 10 {
		query := unit(r, length, about)
		must(t, s.WithSnapshot(t.Context(), func(ctx context.Context, m *db.Snapshot) error {
			for name, c := range map[string]struct {
				ask   func(context.Context, *db.Snapshot, []float32, int, []lexical.SlotRange) ([]uint32, error)
				in    []lexical.SlotRange
				meant []lexical.SlotRange
				least float64
			}{"all": {l.NearestSlots, nil, all, 0.97}, "half": {l.NearestSlots, half, half, 0.97}, "few": {l.NearestSlotsExact, few, few, 1}} {
				got, err := c.ask(ctx, m, query, most, c.in)
				if want := l.nearest(query, most, c.meant); err != nil || len(got) != len(want) || recall(got, want) < c.least {
					t.Errorf("of %s %d were found, %.3f of the nearest, %v", name, len(got), recall(got, want), err)
				}
			}
			if got, err := l.NearestSlots(ctx, m, query[:length/2], most, nil); err != nil || len(got) > 0 {
				t.Errorf("with a vector of another length: %v, %v", got, err)
			}
			return nil
		}))
	}
	if plan := l.plan(t, s, unit(r, length, 1)); !strings.Contains(plan, vectorIndex{l.ModelID, length}.name()) {
		t.Errorf("the index is not used:\n%s", plan)
	}
}

// plan is how the database finds what is near.
func (l manyVectors) plan(t testing.TB, s *Store, query []float32) string {
	t.Helper()
	of, err := l.vectorsOf(t.Context(), len(query))
	must(t, err)
	var lines []string
	must(t, s.WithSnapshot(t.Context(), func(ctx context.Context, m *db.Snapshot) error {
		if _, err := m.Tx.Exec(ctx, "SET LOCAL enable_sort = off"); err != nil {
			return err
		}
		rows, err := m.Tx.Query(ctx, "EXPLAIN "+nearestStatement(of, ""), l.ID, query, 200, 100)
		if err != nil {
			return err
		}
		var line string
		for rows.Next() {
			if err := rows.Scan(&line); err != nil {
				return err
			}
			lines = append(lines, line)
		}
		return rows.Err()
	}))
	return strings.Join(lines, "\n")
}

// manyRows gives a model $1 so many vectors.
const manyRows = `INSERT INTO vademecum.vectors (model, text_key, vector, checksum) SELECT $1::bigint, decode(md5(n::text), 'hex'), ARRAY[1, n, n % 7], 0 FROM generate_series(1, $2::int) n ON CONFLICT DO NOTHING`

// TestIndexOfVectors: what is too much for a server to index while others wait is left
// to whoever owns the tables, who also takes away what is of no use. A role that serves can
// do no more than that one thing.
func TestIndexOfVectors(t *testing.T) {
	at, owner, c := tended(t)
	as := parsed(t, server.ServingAddress(t))
	as.Config.ConnConfig.Database = at.Config.ConnConfig.Database
	s := opened(t, as, patience)
	index := func() (made bool) {
		t.Helper()
		must(t, s.Pool.QueryRow(t.Context(), "SELECT vademecum.index_vectors($1)", c.ModelID).Scan(&made))
		return made
	}
	state := func() ModelStats {
		t.Helper()
		found, err := s.Stats(t.Context())
		must(t, err)
		return found.Models[0]
	}
	run := func(statement string, args ...any) {
		t.Helper()
		_, err := owner.Pool.Exec(t.Context(), statement, args...)
		must(t, err)
	}
	tend := func() {
		t.Helper()
		must(t, IndexVectors(t.Context(), at, untold))
	}
	run("DELETE FROM vademecum.vectors")
	run(manyRows, c.ModelID, indexedFrom-1)
	if tend(); state().IndexBytes > 0 || state().IsIndexDue {
		t.Errorf("with few vectors: %+v", state())
	}
	server := named(t, s, "l")
	must(t, server.IndexVectors(t.Context(), untold))
	if state().IndexBytes > 0 {
		t.Errorf("a server has few indexed: %+v", state())
	}
	run(manyRows, c.ModelID, 10_001)
	if index() || !state().IsIndexDue {
		t.Errorf("with very many vectors: %+v", state())
	}
	if err := server.IndexVectors(t.Context(), untold); !errors.Is(err, catalog.ErrMayNotIndexVectors) {
		t.Errorf("a server that may make no index says %v", err)
	}
	if tend(); state().IndexBytes == 0 || state().IsIndexDue || !index() {
		t.Errorf("when that is tended: %+v", state())
	}
	name := vectorIndex{c.ModelID, 3}.name()
	if _, err := s.Pool.Exec(t.Context(), "DROP INDEX vademecum."+name); db.CodeOf(err) != db.CodeInsufficientPrivilege {
		t.Errorf("dropped by the role that serves: %v", err)
	}
	run("UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass($1)", "vademecum."+name)
	if err := c.checkIndex(t.Context()); !errors.Is(err, catalog.ErrDamaged) || !state().IsIndexDue {
		t.Errorf("one that was not made to its end: %v, %+v", err, state())
	}
	tend()
	if err := c.checkIndex(t.Context()); err != nil || state().IndexBytes == 0 {
		t.Errorf("made again: %v, %+v", err, state())
	}
	must(t, server.IndexVectors(t.Context(), untold))
	run("DROP INDEX vademecum." + name)
	var told []int
	err := c.IndexVectors(t.Context(), func(_, total int) { told = append(told, total) })
	if err != nil || state().IndexBytes == 0 || len(told) == 0 || told[0] != 10_001 {
		t.Errorf("made by a server that may: %v, %+v, told of %v", err, state(), told)
	}
	run("DELETE FROM vademecum.vectors WHERE model = $1", c.ModelID)
	tend()
	var left bool
	must(t, owner.Pool.QueryRow(t.Context(), "SELECT to_regclass($1) IS NOT NULL", "vademecum."+name).Scan(&left))
	if left || index() {
		t.Error("the index of vectors that are gone is there")
	}
}

// TestIndexBeingMade: while the owner makes an index it is neither damaged nor due for
// the role that serves, and whoever would make it is told that somebody does.
func TestIndexBeingMade(t *testing.T) {
	at, owner, c := tended(t)
	as := parsed(t, server.ServingAddress(t))
	as.Config.ConnConfig.Database = at.Config.ConnConfig.Database
	server := named(t, opened(t, as, patience), "l")
	_, err := owner.Pool.Exec(t.Context(), manyRows, c.ModelID, 10_001)
	must(t, err)
	if due, err := server.IsVectorIndexDue(t.Context()); !due || err != nil {
		t.Errorf("before: due %t, %v", due, err)
	}

	writer, err := owner.Pool.Begin(t.Context())
	must(t, err)
	defer func() { _ = writer.Rollback(context.WithoutCancel(t.Context())) }() // after a fault
	_, err = writer.Exec(t.Context(), "SELECT pg_advisory_xact_lock("+schema.VectorIndexingLockKey+")")
	must(t, err)
	if due, err := server.IsVectorIndexDue(t.Context()); !due || err != nil {
		t.Errorf("while another one is made: due %t, %v", due, err)
	}
	must(t, c.IndexVectors(t.Context(), untold))
	must(t, writer.Rollback(t.Context()))

	writer, err = owner.Pool.Begin(t.Context()) // for whose end the index waits
	must(t, err)
	_, err = writer.Exec(t.Context(), "LOCK vademecum.vectors IN ROW EXCLUSIVE MODE")
	must(t, err)
	made := make(chan error, 1)
	go func() { made <- IndexVectors(t.Context(), at, untold) }()
	waits(t, owner, made)
	if due, err := server.IsVectorIndexDue(t.Context()); due || err != nil {
		t.Errorf("meanwhile: due %t, %v", due, err)
	}
	must(t, server.checkIndex(t.Context()))
	must(t, server.IndexVectors(t.Context(), untold))
	if err := IndexVectors(t.Context(), at, untold); !errors.Is(err, ErrIndexingInProgress) {
		t.Errorf("who would make it, too, is told %v", err)
	}
	must(t, writer.Rollback(t.Context()))
	must(t, <-made)
	if due, err := server.IsVectorIndexDue(t.Context()); due || err != nil {
		t.Errorf("afterwards: due %t, %v", due, err)
	}
	must(t, server.checkIndex(t.Context()))
}

// TestTimeForIndex: a limit that the role has by itself does not hold for an index.
func TestTimeForIndex(t *testing.T) {
	at, _, _ := tended(t)
	limited, err := schema.Connect(t.Context(), at)
	must(t, err)
	defer limited.Close(t.Context())
	_, err = limited.Exec(t.Context(), "SET statement_timeout = '2min'; SET lock_timeout = '1min'")
	must(t, err)
	must(t, indexVectors(t.Context(), limited, untold))
	var statement, lock string
	must(t, limited.QueryRow(t.Context(), "SELECT current_setting('statement_timeout'), current_setting('lock_timeout')").Scan(&statement, &lock))
	if statement != "0" || lock != "0" {
		t.Errorf("a statement may take %s and wait %s for a lock", statement, lock)
	}
}

// TestRoomForIndex: the memory for an index is what it takes, within what the server
// seems to have, and what the address asks for stands.
func TestRoomForIndex(t *testing.T) {
	s := serving(t)
	l := withVectors(t, s, 200, 3)
	of := vectorIndex{l.ModelID, 3}
	room := func(settings ...string) (kilobytes int) {
		t.Helper()
		conn, err := s.Connect(t.Context())
		must(t, err)
		defer conn.Close(t.Context())
		for _, set := range settings {
			_, err := conn.Exec(t.Context(), set)
			must(t, err)
		}
		_, err = of.raiseMemory(t.Context(), conn)
		must(t, err)
		must(t, conn.QueryRow(t.Context(), "SELECT setting::int FROM pg_settings WHERE name = 'maintenance_work_mem'").Scan(&kilobytes))
		return kilobytes
	}
	usual := room()
	of.length = indexable // as if they were longer
	if got := room("SET maintenance_work_mem = '1MB'", "SET effective_cache_size = '8GB'"); got != 200*(2*indexable+graphBytes)/1024 {
		t.Errorf("it has %d kB", got)
	}
	if got := room(); got != usual {
		t.Errorf("it has less than is usual: %d kB", got)
	}
	s.Address.Config.ConnConfig.RuntimeParams["options"] = "-c maintenance_work_mem=1MB"
	if got := room(); got != 1024 {
		t.Errorf("it has %d kB where 1 MB was asked for", got)
	}
}

// TestNoComparing: a database without pgvector serves all who have no model, and says
// what is missing to those who have one. A superuser may add it afterwards, and in a
// schema of which nobody thinks.
func TestNoComparing(t *testing.T) {
	at := emptyDatabase(t)
	name := at.Config.ConnConfig.Database
	pgtest.ExecOnServer(t, "ALTER DATABASE "+name+" OWNER TO "+server.Role())
	u, err := url.Parse(os.Getenv(pgtest.ServerVariable))
	must(t, err)
	u.Path = name
	superuser := u.String()
	u.User = url.UserPassword(server.Role(), server.Password())
	owned, err := db.ParseAddress(u.String())
	must(t, err)
	must(t, migrate(t.Context(), owned, ""))
	s := opened(t, owned, patience)
	if err := s.CheckPgvector(t.Context()); !errors.Is(err, db.ErrPgvectorUnavailable) {
		t.Errorf("it says %v", err)
	}
	conn, err := pgx.Connect(t.Context(), superuser)
	must(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), `CREATE SCHEMA "odd place"; GRANT USAGE ON SCHEMA "odd place" TO PUBLIC; CREATE EXTENSION vector SCHEMA "odd place"`)
	must(t, err)
	must(t, s.CheckPgvector(t.Context()))
	l := withVectors(t, s, indexedFrom, 3)
	if plan := l.plan(t, s, l.vectors[0]); !strings.Contains(plan, vectorIndex{l.ModelID, 3}.name()) {
		t.Errorf("the index is not used:\n%s", plan)
	}
	must(t, migrate(t.Context(), owned, ""))
}
