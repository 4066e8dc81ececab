package postgres

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/index/lexical"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
)

// segment is a set of postings that were written together.
type segment struct {
	number int64
	run    lexical.SlotRange
	gone   uint32 // number of deleted slots in it
}

// Segments are merged when mergeWidth consecutive ones have about the same size, or when many of
// their chunks are deleted, as long as they are not too large. (O'Neil, Cheng, Gawlick and O'Neil,
// "The Log-Structured Merge-Tree", 1996, and Lucene's handling of segments.)
const (
	mergeWidth  = 8
	smallest    = 512     // slots; all smaller segments count as the same size
	largest     = 1 << 18 // slots
	goneAtMost  = 4       // one in this many chunks
	mergeLimit  = 15 * time.Minute
	mergeCursor = "merged"
)

// segmentsToMerge chooses consecutive segments to merge; none if there is no need.
func segmentsToMerge(all []segment) []segment {
	slices.SortFunc(all, func(a, b segment) int { return int(int64(a.run.First) - int64(b.run.First)) })
	for size := uint32(smallest); size <= largest; size *= mergeWidth {
		first, total, same := len(all), uint32(0), 0
		for first > 0 && all[first-1].run.Count <= size && total+all[first-1].run.Count <= largest {
			first--
			total += all[first].run.Count
			if size == smallest || all[first].run.Count > size/mergeWidth {
				same++
			}
		}
		if same >= mergeWidth {
			return all[first:]
		}
	}
	for i, s := range all {
		if goneAtMost*s.gone > s.run.Count {
			return all[i : i+1]
		}
	}
	return nil
}

// MergeSegments merges segments if there are too many, unless another process is doing so. Searches
// and writers can proceed meanwhile.
func (c *Catalog) MergeSegments(ctx context.Context) error {
	for {
		merged := false
		err := c.DB.Retry(ctx, c.DB.RetryTimeout, mergeLimit, func(ctx context.Context) (err error) {
			merged, err = c.mergeDue(ctx)
			return err
		})
		if err != nil || !merged {
			return db.ClassifyError(err)
		}
	}
}

// describedFrom is the number of slots from which the database needs statistics on a library: in a
// smaller one, all rows may as well be read.
const describedFrom = 1000

// analyzeTables makes the database analyse its tables when the library has doubled in size, unless
// it is up to date: see migration 5.
func (c *Catalog) analyzeTables(ctx context.Context, all []segment) error {
	slots := int64(0)
	for _, s := range all {
		slots += int64(s.run.Count)
	}
	if slots < max(describedFrom, 2*c.described.Load()) {
		return nil
	}
	c.described.Store(slots)
	_, err := c.DB.Pool.Exec(ctx, "SELECT vademecum.describe_library($1)", c.ID)
	return err
}

func (c *Catalog) mergeDue(ctx context.Context) (merged bool, err error) {
	quick, cancel := context.WithTimeout(ctx, db.QuickTimeout)
	defer cancel()
	all, err := c.segments(quick, c.DB.Pool)
	if err == nil {
		err = c.analyzeTables(ctx, all)
	}
	if err != nil || len(segmentsToMerge(all)) == 0 { // the usual case
		return false, err
	}
	tx, err := c.DB.BeginTx(ctx, db.QuickTimeout, db.WithTimeouts("begin isolation level repeatable read", mergeLimit, c.DB.RetryTimeout, db.DefaultRetryTimeout))
	if err != nil {
		return false, err
	}
	err = c.DB.InTx(ctx, tx, func(ctx context.Context) (err error) {
		merged, err = c.mergeIn(ctx, tx)
		return err
	})
	return merged, err
}

// mergeIn merges the segments that are due, in a transaction.
func (c *Catalog) mergeIn(ctx context.Context, tx pgx.Tx) (merged bool, err error) {
	var mine bool
	if err := tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1, $2)", mergeLock, int32(c.ID)).Scan(&mine); err != nil || !mine {
		return false, err
	}
	all, err := c.segments(ctx, tx)
	if err != nil {
		return false, err
	}
	chosen := segmentsToMerge(all)
	if len(chosen) == 0 {
		return false, nil
	}
	if err := c.mergeSegments(ctx, tx, chosen); err != nil {
		return false, err
	}
	return true, tx.Commit(ctx)
}

// mergeLock is the first key of the advisory lock for merging, an arbitrary number; the second key
// is the library.
const mergeLock = int32(1952673)

func (c *Catalog) segments(ctx context.Context, from db.Querier) (all []segment, err error) {
	rows, err := from.Query(ctx, `SELECT s.number, s.first, s.slots, coalesce((SELECT sum(g.slots) FROM vademecum.gone g WHERE g.library = s.library AND g.first >= s.first AND g.first < s.first + s.slots), 0)::bigint
		FROM vademecum.segments s WHERE s.library = $1`, c.ID)
	if err != nil {
		return nil, err
	}
	all, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (s segment, err error) {
		return s, row.Scan(&s.number, &s.run.First, &s.run.Count, &s.gone)
	})
	if err != nil {
		return nil, err
	}
	return all, checkContiguous(all)
}

// checkContiguous sorts segments, and returns an error if one does not begin where the previous one
// ends: after a merge, missing postings could no longer be detected.
func checkContiguous(all []segment) error {
	slices.SortFunc(all, func(a, b segment) int { return int(int64(a.run.First) - int64(b.run.First)) })
	for i, s := range all[min(1, len(all)):] {
		if before := all[i].run; s.run.First-before.First != before.Count {
			return fmt.Errorf("the lists of terms end at passage %d: %w", before.First+before.Count, catalog.ErrDamaged)
		}
	}
	return nil
}

// mergeSegments writes consecutive segments as one, without deleted chunks.
func (c *Catalog) mergeSegments(ctx context.Context, tx pgx.Tx, all []segment) error {
	first, last := all[0].run, all[len(all)-1].run
	whole := lexical.SlotRange{First: first.First, Count: last.First + last.Count - first.First}
	gone, err := c.goneRuns(ctx, tx, whole)
	if err != nil {
		return err
	}
	numbers := make([]int64, len(all))
	order := make(map[int64]int, len(all))
	for i, s := range all {
		numbers[i], order[s.number] = s.number, i
	}
	number, err := c.newSegment(ctx, tx, whole)
	if err != nil {
		return err
	}
	m := merger{Catalog: c, order: order, gone: gone, number: number}
	if err := m.mergeLists(ctx, tx, numbers); err != nil {
		return err
	}
	firsts := make([]int64, len(gone))
	for i, g := range gone {
		firsts[i] = int64(g.First)
	}
	var batch pgx.Batch
	batch.Queue("DELETE FROM vademecum.postings WHERE library = $1 AND segment = ANY($2)", c.ID, numbers)
	batch.Queue("DELETE FROM vademecum.segments WHERE library = $1 AND number = ANY($2)", c.ID, numbers)
	batch.Queue("DELETE FROM vademecum.gone WHERE library = $1 AND first = ANY($2)", c.ID, firsts)
	return tx.SendBatch(ctx, &batch).Close()
}

// goneRuns lists the runs of deleted chunks, in the order of their slots.
func (c *Catalog) goneRuns(ctx context.Context, from db.Querier, in lexical.SlotRange) ([]lexical.SlotRange, error) {
	rows, err := from.Query(ctx, "SELECT first, slots FROM vademecum.gone WHERE library = $1 AND first >= $2 AND first < $3 ORDER BY first", c.ID, int64(in.First), int64(in.First)+int64(in.Count))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r lexical.SlotRange, err error) { return r, row.Scan(&r.First, &r.Count) })
}

// merger writes one segment from several, a page of postings at a time.
type merger struct {
	*Catalog
	order  map[int64]int // order of the segments, by number
	gone   []lexical.SlotRange
	number int64 // number of the new segment

	term  string
	lists []orderedList
	rows  [][]any
}

// orderedList is the postings of a term in a segment, and the position of that segment among the
// others.
type orderedList struct {
	lexical.StoredList
	at int
}

func (m *merger) mergeLists(ctx context.Context, tx pgx.Tx, numbers []int64) error {
	_, err := tx.Exec(ctx, "DECLARE "+mergeCursor+" NO SCROLL CURSOR FOR SELECT term, segment, count, list FROM vademecum.postings WHERE library = $1 AND segment = ANY($2) ORDER BY term", m.ID, numbers)
	if err != nil {
		return err
	}
	for {
		found, err := m.mergePage(ctx, tx)
		if err != nil {
			return err
		}
		if found == 0 {
			if err := m.writeMerged(); err != nil {
				return err
			}
		}
		if err := copyPostings(ctx, tx, m.rows); err != nil {
			return err
		}
		m.rows = m.rows[:0]
		if found == 0 {
			_, err := tx.Exec(ctx, "CLOSE "+mergeCursor)
			return err
		}
	}
}

// mergePage reads the next postings, and merges those of the terms that have been read completely.
// It returns how many rows it has read.
func (m *merger) mergePage(ctx context.Context, tx pgx.Tx) (found int, err error) {
	rows, err := tx.Query(ctx, "FETCH 4096 FROM "+mergeCursor)
	if err != nil {
		return 0, err
	}
	var term []byte
	var number int64
	var l lexical.StoredList
	_, err = pgx.ForEachRow(rows, []any{&term, &number, &l.PostingCount, &l.Bytes}, func() error {
		found++
		if string(term) != m.term {
			if err := m.writeMerged(); err != nil {
				return err
			}
			m.term = string(term)
		}
		m.lists = append(m.lists, orderedList{l, m.order[number]})
		l.Bytes = nil // so that each row gets its own slice
		return nil
	})
	return found, err
}

// writeMerged merges the postings of a term.
func (m *merger) writeMerged() error {
	if len(m.lists) == 0 {
		return nil
	}
	slices.SortFunc(m.lists, func(a, b orderedList) int { return a.at - b.at })
	all := make([]lexical.StoredList, len(m.lists))
	for i, l := range m.lists {
		all[i] = l.StoredList
	}
	one, err := lexical.MergeLists(m.term, all, m.gone)
	if err != nil {
		return err
	}
	if m.lists = m.lists[:0]; one.PostingCount > 0 {
		m.rows = append(m.rows, []any{m.ID, m.number, []byte(m.term), one.PostingCount, one.Bytes})
	}
	return nil
}
