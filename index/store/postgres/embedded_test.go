package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/docs/text"
	"vademecum/index/indextest"
	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
)

// marked is a library in which it is noted which passages have vectors.
type marked struct {
	*Catalog
	t *testing.T
}

// ofTexts is a document of a passage for each text, which has the number as its key.
func ofTexts(path string, numbers ...int) catalog.RecordWithBody {
	e := catalog.RecordWithBody{Record: catalog.Record{Path: path, TextHash: [32]byte{byte(len(path))}}, Body: text.Body{Text: "passage"}}
	for _, n := range numbers {
		e.Chunks = append(e.Chunks, catalog.Chunk{Span: text.Span{EndByte: 7, StartLine: 1, EndLine: 1}, Key: keyOfNumber(n), ContentHash: rank.ChunkTextHashOf(path), Terms: analysis.CountTerms(analysis.ChunkNames{}, "passage")})
	}
	return e
}

func (m marked) put(path string, numbers ...int) {
	m.t.Helper()
	_, err := m.Put(m.t.Context(), ofTexts(path, numbers...))
	must(m.t, err)
}

func (m marked) embed(numbers ...int) {
	m.t.Helper()
	vectors := make(map[catalog.EmbeddingKey][]float32)
	for _, n := range numbers {
		vectors[keyOfNumber(n)] = []float32{1, float32(n)}
	}
	must(m.t, m.SaveVectors(m.t.Context(), "", vectors))
}

func (m marked) refuse(number int) {
	m.t.Helper()
	must(m.t, m.RecordRefusals(m.t.Context(), map[catalog.EmbeddingKey]string{keyOfNumber(number): "it is odd"}))
}

func (m marked) run(statement string, args ...any) {
	m.t.Helper()
	_, err := m.DB.Pool.Exec(m.t.Context(), statement, args...)
	must(m.t, err)
}

// mark is the slot before which all is noted as embedded.
func (m marked) mark() (before int) {
	m.t.Helper()
	must(m.t, m.DB.Pool.QueryRow(m.t.Context(), selectEmbedded, m.ID, m.ModelID).Scan(&before))
	return before
}

// agrees compares what Unembedded says with what is there.
func (m marked) agrees(after string) {
	m.t.Helper()
	rows, err := m.DB.Pool.Query(m.t.Context(), `SELECT p.slot FROM vademecum.passages p WHERE p.library = $1 AND NOT p.text_key = ANY (SELECT text_key FROM vademecum.vectors WHERE model = $2) ORDER BY 1`, m.ID, m.ModelID)
	must(m.t, err)
	want, err := pgx.CollectRows(rows, pgx.RowTo[uint32])
	must(m.t, err)
	got, err := m.UnembeddedSlots(m.t.Context(), lexical.SlotRange{Count: 1000})
	if err != nil || !slices.Equal(got, want) {
		m.t.Errorf("%s: %v have no vector, it says %v, %v", after, want, got, err)
	}
	inner, err := m.UnembeddedSlots(m.t.Context(), lexical.SlotRange{First: 1, Count: 3})
	want = slices.DeleteFunc(want, func(s uint32) bool { return s < 1 || s > 3 })
	if err != nil || !slices.Equal(inner, want) {
		m.t.Errorf("%s: of a part %v have no vector, it says %v, %v", after, want, inner, err)
	}
}

// TestMarkEmbedded: what is noted as embedded is not looked at again, and is never
// believed of what has lost its vector since, whoever took it.
func TestMarkEmbedded(t *testing.T) {
	at := emptyDatabase(t)
	must(t, migrate(t.Context(), at, ""))
	s := opened(t, at, patience)
	for name, c := range map[string]struct {
		harm func(m marked)
		mark int // after it
	}{
		"nothing":                        {func(m marked) {}, 4},
		"new documents":                  {func(m marked) { m.put("new.md", 9, 1) }, 4},
		"a document written again":       {func(m marked) { m.put("a.md", 1, 9) }, 4},
		"a document gone and come back":  {func(m marked) { _, err := m.Remove(t.Context(), "a.md"); must(t, err); m.put("a.md", 1, 2) }, 4},
		"all vectors dropped":            {func(m marked) { must(t, m.DeleteVectors(t.Context())) }, 0},
		"dropped and others given":       {func(m marked) { must(t, m.DeleteVectors(t.Context())); m.embed(1) }, 0},
		"one deleted by another program": {func(m marked) { m.run("DELETE FROM vademecum.vectors WHERE model = $1 AND row % 2 = 0", m.ModelID) }, 0},
		"forgiven":                       {func(m marked) { must(t, m.ClearRefusals(t.Context())) }, 0},
		"what was refused is given":      {func(m marked) { m.embed(4) }, 4},
		"given after it was forgiven":    {func(m marked) { m.embed(4); must(t, m.ClearRefusals(t.Context())) }, 0},
		"another text is refused":        {func(m marked) { m.put("b.md", 8); m.refuse(8) }, 4},
		"a text of it twice":             {func(m marked) { m.put("b.md", 4, 4) }, 4},
		"a vector that nobody used": {func(m marked) {
			m.embed(77)
			m.run("DELETE FROM vademecum.vectors WHERE model = $1 AND text_key = $2", m.ModelID, keyBytes([]catalog.EmbeddingKey{keyOfNumber(77)})[0])
		}, 4},
		"pruned": {func(m marked) { must(t, m.PruneVectors(t.Context(), time.Now(), nil)) }, 4},
		"vectors of another model gone": {func(m marked) {
			other, err := s.OpenCatalog(t.Context(), m.Name, "other")
			must(t, err)
			must(t, other.SaveVectors(t.Context(), "", map[catalog.EmbeddingKey][]float32{keyOfNumber(1): {1, 2}}))
			must(t, other.DeleteVectors(t.Context()))
		}, 4},
		"all tables of vectors emptied": {func(m marked) { m.run("TRUNCATE vademecum.vectors") }, 0},
		"refusals emptied":              {func(m marked) { m.run("TRUNCATE vademecum.refusals") }, 0},
		"a backup without vectors": {func(m marked) {
			m.run("ALTER TABLE vademecum.vectors DISABLE TRIGGER doubt")
			m.run("DELETE FROM vademecum.vectors WHERE model = $1", m.ModelID)
			m.run("ALTER TABLE vademecum.vectors ENABLE TRIGGER doubt")
		}, 0},
		"noted of another format": {func(m marked) {
			m.run("UPDATE vademecum.models SET embedded_library = embedded_library + 1000 WHERE id = $1", m.ModelID)
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			m := marked{named(t, s, anyName()), t}
			m.put("a.md", 1, 2)
			m.put("bb.md", 3, 4)
			must(t, m.RecordFirstUnembeddedSlot(t.Context()))
			if m.agrees("at first"); m.mark() != 0 {
				t.Errorf("noted before anything is embedded: %d", m.mark())
			}
			m.embed(1, 2, 3)
			m.refuse(4)
			must(t, m.RecordFirstUnembeddedSlot(t.Context()))
			if m.agrees("embedded"); m.mark() != 4 {
				t.Fatalf("noted up to %d", m.mark())
			}
			c.harm(m)
			m.agrees(name)
			if m.mark() != c.mark {
				t.Errorf("it is noted up to %d, want %d", m.mark(), c.mark)
			}
			must(t, m.checkEmbedded(t.Context()))
			must(t, m.RecordFirstUnembeddedSlot(t.Context()))
			m.agrees("noted again")
		})
	}
}

// newMarked makes a library in a database of its own, with a document of two chunks that
// have vectors.
func newMarked(t *testing.T) (marked, *Store, db.Address) {
	t.Helper()
	at := emptyDatabase(t)
	must(t, migrate(t.Context(), at, ""))
	s := opened(t, at, patience)
	m := marked{named(t, s, "l"), t}
	m.put("a.md", 1, 2)
	m.embed(1, 2)
	return m, s, at
}

// TestMarkNothingTwice: only what is new is looked at, and a library that comes after one
// of the same name has nothing noted of that.
func TestMarkNothingTwice(t *testing.T) {
	m, s, at := newMarked(t)
	must(t, m.RecordFirstUnembeddedSlot(t.Context()))
	var before, after int64
	version := func(into *int64) {
		t.Helper()
		must(t, s.Pool.QueryRow(t.Context(), "SELECT version FROM vademecum.libraries WHERE id = $1", m.ID).Scan(into))
	}
	version(&before)
	must(t, m.RecordFirstUnembeddedSlot(t.Context()))
	if version(&after); after != before {
		t.Error("it was written again")
	}
	// What lies before the mark is believed, which is how we see that nobody looks.
	m.run("ALTER TABLE vademecum.vectors DISABLE TRIGGER doubt")
	m.run("DELETE FROM vademecum.vectors WHERE text_key = $1", keyBytes([]catalog.EmbeddingKey{keyOfNumber(1)})[0])
	m.run("ALTER TABLE vademecum.vectors ENABLE TRIGGER doubt")
	if got, err := m.UnembeddedSlots(t.Context(), lexical.SlotRange{Count: 10}); err != nil || len(got) > 0 {
		t.Errorf("it looked: %v, %v", got, err)
	}
	if err := m.checkEmbedded(t.Context()); !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("the check says %v", err)
	}
	_, err := RemoveLibrary(t.Context(), at, "l")
	must(t, err)
	again := marked{named(t, s, "l"), t}
	again.put("a.md", 1, 2)
	again.agrees("in its place")
}

// TestMarkWhileVectorsGo: of a vector that another process is taking away nobody notes
// that it is there, whichever of the two comes first.
func TestMarkWhileVectorsGo(t *testing.T) {
	m, s, _ := newMarked(t)

	// One vector stays: where there is none at all the note is not believed in any case.
	const take = "DELETE FROM vademecum.vectors WHERE model = $1 AND text_key = $2"
	taken := []any{m.ModelID, keyBytes([]catalog.EmbeddingKey{keyOfNumber(1)})[0]}
	begin := func() pgx.Tx {
		t.Helper()
		tx, err := s.Pool.Begin(t.Context())
		must(t, err)
		t.Cleanup(func() { _ = tx.Rollback(context.Background()) }) // after a fault
		return tx
	}

	going := begin()
	_, err := going.Exec(t.Context(), take, taken...)
	must(t, err)
	noted := make(chan error, 1)
	go func() { noted <- m.RecordFirstUnembeddedSlot(t.Context()) }()
	waits(t, s, noted)
	must(t, going.Commit(t.Context()))
	must(t, <-noted)
	if m.agrees("taken away first"); m.mark() != 0 {
		t.Errorf("noted up to %d", m.mark())
	}

	m.embed(1)
	noting := begin()
	_, err = noting.Exec(t.Context(), lockModel, m.ModelID)
	must(t, err)
	gone := make(chan error, 1)
	go func() {
		_, err := s.Pool.Exec(t.Context(), take, taken...)
		gone <- err
	}()
	waits(t, s, gone)
	_, err = noting.Exec(t.Context(), "UPDATE vademecum.models SET embedded_library = $1, embedded_before = 2 WHERE id = $2", m.ID, m.ModelID)
	must(t, err)
	must(t, noting.Commit(t.Context()))
	must(t, <-gone)
	if m.agrees("noted first"); m.mark() != 0 {
		t.Errorf("noted up to %d", m.mark())
	}
}

// meanwhile does something once, before the first statement with a text is sent.
type meanwhile struct {
	before string
	do     func()
}

func (m *meanwhile) TraceQueryStart(ctx context.Context, _ *pgx.Conn, start pgx.TraceQueryStartData) context.Context {
	if do := m.do; do != nil && strings.Contains(start.SQL, m.before) {
		m.do = nil
		do()
	}
	return ctx
}

func (*meanwhile) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TestCheckWhileVectorsGo: vectors that are dropped while a check is under way are no
// damage.
func TestCheckWhileVectorsGo(t *testing.T) {
	at := emptyDatabase(t)
	must(t, migrate(t.Context(), at, ""))
	m := marked{named(t, opened(t, at, patience), "l"), t}
	m.put("a.md", 1, 2)
	m.embed(1)
	m.refuse(2)
	must(t, m.RecordFirstUnembeddedSlot(t.Context()))
	between := &meanwhile{firstOwed, func() { must(t, m.ClearRefusals(t.Context())) }}
	at.Config.ConnConfig.Tracer = between
	checking := named(t, opened(t, at, patience), "l")
	if err := checking.checkEmbedded(t.Context()); err != nil || between.do != nil {
		t.Errorf("it says %v, and what was to happen meanwhile did: %t", err, between.do == nil)
	}
}

// TestVectorsGoWhileIndexed: whoever deletes vectors waits for whoever makes an index of them
// before that one is held up in its turn.
func TestVectorsGoWhileIndexed(t *testing.T) {
	at := emptyDatabase(t)
	must(t, migrate(t.Context(), at, ""))
	s := opened(t, at, patience)
	now := time.Now()
	for name, remove := range map[string]func(m, other marked) error{
		"dropped":                         func(m, _ marked) error { return m.DeleteVectors(t.Context()) },
		"pruned":                          func(m, _ marked) error { return m.PruneVectors(t.Context(), now, nil) },
		"of a model that nobody has used": func(_, other marked) error { return other.finishPrune(t.Context(), now) },
	} {
		t.Run(name, func(t *testing.T) {
			m := marked{named(t, s, anyName()), t}
			other, err := s.OpenCatalog(t.Context(), m.Name, "other")
			must(t, err)
			m.embed(1, 2)
			m.run("UPDATE vademecum.vectors SET spare_since = 1 WHERE model = $1", m.ModelID)
			m.run("UPDATE vademecum.models SET pruned = 1 WHERE id = $1", m.ModelID)

			indexing, err := s.Pool.Begin(t.Context())
			must(t, err)
			defer func() { _ = indexing.Rollback(context.WithoutCancel(t.Context())) }() // after a fault
			_, err = indexing.Exec(t.Context(), lockModel, m.ModelID)
			must(t, err)
			removed := make(chan error, 1)
			go func() { removed <- remove(m, marked{other, t}) }()
			waits(t, s, removed)
			if _, err := indexing.Exec(t.Context(), "LOCK vademecum.vectors IN SHARE MODE NOWAIT"); err != nil {
				t.Errorf("each waits for the other: %v", err)
			}
			must(t, indexing.Rollback(t.Context()))
			must(t, <-removed)
			var left bool
			if must(t, s.Pool.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM vademecum.vectors WHERE model = $1)", m.ModelID).Scan(&left)); left {
				t.Error("the vectors are there")
			}
		})
	}
}

// waits returns when what is under way waits for a lock, or has come to its end.
func waits(t *testing.T, s *Store, end chan error) {
	t.Helper()
	indextest.Eventually(t, patience, "it waits or ends", func() bool {
		var waiting bool
		must(t, s.Pool.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')").Scan(&waiting))
		return waiting || len(end) > 0
	})
}
