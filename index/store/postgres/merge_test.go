package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"vademecum/docs/text"
	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
)

// TestDue: segments are merged when many of about one size follow each other, or when
// much of one is gone, and never without end.
func TestDue(t *testing.T) {
	segments := func(sizes ...uint32) (all []segment) {
		first := uint32(7)
		for i, n := range sizes {
			all = append(all, segment{number: int64(len(sizes) - i), run: lexical.SlotRange{First: first, Count: n}})
			first += n + 3 // between them were chunks of which nothing is left
		}
		return all
	}
	for name, c := range map[string]struct {
		all  []segment
		want int
	}{
		"few":               {segments(9000, 60, 60, 60), 0},
		"many small ones":   {segments(40_000, 64, 64, 1, 1, 1, 1, 1, 1), 8},
		"larger ones":       {segments(9000, 4000, 3000, 2000, 1500, 1000, 900, 800, 700, 60, 60), 10},
		"not the larger":    {segments(4000, 3000, 60, 60, 60, 60, 60, 60), 0},
		"none too large":    {segments(200_000, 150_000, 150_000, 140_000, 140_000, 140_000, 140_000, 140_000, 140_000), 0},
		"nothing is merged": {nil, 0},
	} {
		if got := segmentsToMerge(slices.Clone(c.all)); len(got) != c.want {
			t.Errorf("%s: %d of %v are merged, want %d", name, len(got), c.all, c.want)
		}
	}
	gone := segments(9000, 100, 5000)
	gone[2].gone = 1251
	if got := segmentsToMerge(slices.Clone(gone)); len(got) != 1 || got[0].run != gone[2].run {
		t.Errorf("merged are %v", got)
	}
	all, written := segments(), uint64(0)
	for i := range uint32(20_000) { // as a folder is indexed
		all = append(all, segment{number: int64(i), run: lexical.SlotRange{First: 64 * i, Count: 64}})
		for some := segmentsToMerge(all); len(some) > 0; some = segmentsToMerge(all) {
			one := segment{number: int64(i), run: lexical.SlotRange{First: some[0].run.First, Count: some[len(some)-1].run.First + 64 - some[0].run.First}}
			one.run.Count = some[len(some)-1].run.First + some[len(some)-1].run.Count - some[0].run.First
			written += uint64(one.run.Count)
			all = append(all[:len(all)-len(some)], one)
		}
	}
	if most := uint64(6 * 64 * 20_000); len(all) > 40 || written > most {
		t.Errorf("%d segments are left, and %d passages were written anew, of at most %d", len(all), written, most)
	}
}

// contents are the slots that each term of a library has, without those that are gone,
// and how many there are in all.
func contents(t *testing.T, c *Catalog, terms ...string) (found map[string]string, whole *lexical.CorpusStats) {
	t.Helper()
	found = make(map[string]string)
	must(t, c.DB.WithSnapshot(t.Context(), func(ctx context.Context, m *db.Snapshot) (err error) {
		if whole, _, err = c.CorpusStats(ctx, m); err != nil {
			return err
		}
		for _, term := range terms {
			var slots []uint32
			err := c.EachPostingsList(ctx, m, []string{term}, func(term string, l lexical.StoredList) error {
				return l.Each(func(slot uint32, _, _ int) {
					isIn := func(r lexical.SlotRange) bool { return r.First <= slot && slot < r.First+r.Count }
					if !slices.ContainsFunc(whole.DeletedSlots, isIn) {
						slots = append(slots, slot)
					}
				})
			})
			if err != nil {
				return err
			}
			found[term] = fmt.Sprint(slots)
		}
		return nil
	}))
	return found, whole
}

// TestMerging: lists hold the same chunks before they are merged and after, and what is
// gone is left out of them in the end.
func TestMerging(t *testing.T) {
	c := named(t, serving(t), anyName())
	document := func(i int, words string) catalog.RecordWithBody {
		e := catalog.RecordWithBody{Record: catalog.Record{Path: fmt.Sprintf("%d.md", i), TextHash: [32]byte{byte(i)}}, Body: text.Body{Text: words}}
		e.Chunks = []catalog.Chunk{{Span: text.Span{EndByte: len(words), StartLine: 1, EndLine: 1}, Key: catalog.EmbeddingKey{byte(i)}, Terms: analysis.CountTerms(analysis.ChunkNames{}, words)}}
		return e
	}
	var slots, odd []uint32
	for i := range 60 {
		words := "everything"
		if i%2 == 1 {
			words += " odd"
		}
		w, err := c.Put(t.Context(), document(i, words))
		must(t, err)
		must(t, c.MergeSegments(t.Context()))
		slots = append(slots, w.SlotRanges[0].First)
		if i%2 == 1 {
			odd = append(odd, w.SlotRanges[0].First)
		}
	}
	check := func(when string, chunks int, all, odd []uint32) {
		t.Helper()
		found, whole := contents(t, c, "everyth", "odd", "none")
		if want := (map[string]string{"everyth": fmt.Sprint(all), "odd": fmt.Sprint(odd), "none": "[]"}); fmt.Sprint(found) != fmt.Sprint(want) || whole.Chunks != chunks || whole.Terms != uint64(len(all)+len(odd)) {
			t.Errorf("%s: %d chunks with %d terms, %v\nwant %v", when, whole.Chunks, whole.Terms, found, want)
		}
	}
	check("all", 60, slots, odd)
	segments, err := c.segments(t.Context(), c.DB.Pool)
	must(t, err)
	if len(segments) >= mergeWidth {
		t.Errorf("there are %d segments", len(segments))
	}
	for i := range 40 {
		_, err := c.Remove(t.Context(), fmt.Sprintf("%d.md", i))
		must(t, err)
	}
	check("less", 20, slots[40:], odd[20:])
	must(t, c.MergeSegments(t.Context()))
	check("tidied", 20, slots[40:], odd[20:])
	if _, whole := contents(t, c); len(whole.DeletedSlots) > 20/goneAtMost {
		t.Errorf("%d runs of slots are gone and still there", len(whole.DeletedSlots))
	}
	var rows int
	must(t, c.QueryRow(t.Context(), "SELECT (SELECT count(*) FROM vademecum.passages WHERE library = $1) - 20", []any{c.ID}, &rows))
	if rows != 0 {
		t.Errorf("there are %d passages too many", rows)
	}
}

// TestPlanForNewLibrary: the lists of a library that is new to a database are found by
// their terms, and not among all that the library has: who writes it has the statistics
// know of it.
func TestPlanForNewLibrary(t *testing.T) {
	at := emptyDatabase(t)
	must(t, migrate(t.Context(), at, ""))
	c := named(t, opened(t, at, patience), "new")
	conn, err := pgx.ConnectConfig(t.Context(), at.Config.ConnConfig.Copy())
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	const before, many = -1, 3 * describedFrom // number of the other library, passages
	run := func(statement string, args ...any) {
		t.Helper()
		_, err := conn.Exec(t.Context(), statement, args...)
		must(t, err)
	}
	write := func(library int64) {
		t.Helper()
		run(`INSERT INTO vademecum.postings (library, segment, term, count, list)
			SELECT $1::bigint, $1::bigint, convert_to('term' || n, 'UTF8'), 1, 'list' FROM generate_series(1, 30000) n`, library)
		run(`INSERT INTO vademecum.passages (library, slot, wording, text_key, chunk, sketch)
			SELECT $1::bigint, n, '', '', '', '' FROM generate_series(1, $2) n`, library, many)
	}
	write(before)
	run("ANALYZE vademecum.postings, vademecum.passages")
	write(c.ID)
	run("INSERT INTO vademecum.segments (library, number, first, slots) VALUES ($1, $1, 0, $2)", c.ID, many)
	run("UPDATE vademecum.libraries SET passages = $2, next_slot = $2 WHERE id = $1", c.ID, many)
	plan := func(statement string) string {
		t.Helper()
		rows, err := conn.Query(t.Context(), "EXPLAIN "+statement, c.ID, [][]byte{[]byte("term7")})
		must(t, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		must(t, err)
		return strings.Join(lines, "\n")
	}
	isByTerm := func() bool { t.Helper(); return strings.Contains(plan(selectLists), "postings_pkey") }
	if got := plan(insertWords); !strings.Contains(got, "Sort Key: w.word") {
		t.Errorf("words are put in while others are looked up:\n%s", got)
	}
	if isByTerm() {
		t.Error("before the statistics know of the library, too")
	}
	must(t, c.MergeSegments(t.Context()))
	if !isByTerm() {
		t.Error("all lists of the library are read for each term")
	}
}
