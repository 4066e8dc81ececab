package postgres

import (
	"context"
	"fmt"
	"strings"

	"vademecum/index/lexical"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/schema"
)

// compareKey is the key of the stored rowCounts of the library when it was last verified.
const compareKey = "rows"

// rowCounts holds what can be counted of a library without reading the content of its rows.
type rowCounts struct {
	change   int64 // number of the last change
	segments int64 // sum of the segment numbers: segments are merged without a change
	rows     string
}

func (t rowCounts) String() string { return fmt.Sprintf("%d %d %s", t.change, t.segments, t.rows) }

// errUnread means that rows have not been read since they were written, so that another program may have
// changed some unnoticed.
var errUnread = fmt.Errorf("the library has changed since all of it was read: %w", catalog.ErrDamaged)

// wasChangedByOthers reports whether rows were written since an earlier count by another program:
// this one numbers each of its changes.
func (t rowCounts) wasChangedByOthers(before rowCounts) bool {
	return t.change < before.change || t.change == before.change && t.segments == before.segments && t.rows != before.rows
}

// verifyCounts counts the rows of the library, and compares the numbers with each other and with
// the earlier count. It does not read the content of the rows. The error matches catalog.ErrDamaged
// if something differs, or was never counted.
func (c *Catalog) verifyCounts(ctx context.Context) error {
	if err := schema.CheckVersion(ctx, c.DB); err != nil {
		return err
	}
	if err := c.checkName(ctx); err != nil {
		return err
	}
	if err := c.restoreModel(ctx); err != nil {
		return err
	}
	now, err := c.currentCounts(ctx)
	if err != nil {
		return err
	}
	last, err := c.Value(ctx, compareKey)
	if err != nil || last == now.String() {
		return err
	}
	var before rowCounts
	_, unknown := fmt.Sscan(last, &before.change, &before.segments, &before.rows)
	switch {
	case unknown == nil && now.wasChangedByOthers(before):
		return fmt.Errorf("somebody else has written rows of the library: %w", catalog.ErrDamaged)
	case unknown == nil || now.change > 0:
		return errUnread
	}
	return c.SetValue(ctx, compareKey, now.String())
}

// saveRowCounts records that the library is intact with its current rows.
func (c *Catalog) saveRowCounts(ctx context.Context) error {
	now, err := c.currentCounts(ctx)
	if err != nil {
		return err
	}
	return c.SetValue(ctx, compareKey, now.String())
}

func (c *Catalog) currentCounts(ctx context.Context) (t rowCounts, err error) {
	err = c.DB.RunLongRead(ctx, mergeLimit, func(ctx context.Context) error {
		return c.DB.WithSnapshotOnce(ctx, db.QuickTimeout, mergeLimit, func(ctx context.Context, m *db.Snapshot) (err error) {
			whole, change, err := c.CorpusStats(ctx, m)
			if err == nil {
				t, err = c.countRows(ctx, m, whole)
				t.change = change
			}
			return err
		})
	})
	return t, db.ClassifyError(err)
}

// counted lists the tables whose rows are written only along with a change of documents.
var counted = []string{"documents", "texts", "chunks", "passages", "segments", "postings", "gone", "vocabulary"}

// countRows counts the rows, and sums the numbers of the transactions that wrote them, which differ
// if a row was changed.
func (c *Catalog) countRows(ctx context.Context, m *db.Snapshot, whole *lexical.CorpusStats) (t rowCounts, err error) {
	pairs := make([][]int64, len(counted))
	var columns []string
	var into []any
	for i, table := range counted {
		columns = append(columns, fmt.Sprintf("(SELECT ARRAY[count(*), coalesce(sum(xmin::text::bigint), 0)::bigint] FROM vademecum.%s WHERE library = $1)", table))
		into = append(into, &pairs[i])
	}
	var read, indexed, terms, astray int64
	columns = append(columns, "(SELECT coalesce(sum(number), 0)::bigint FROM vademecum.segments WHERE library = $1)",
		"(SELECT count(*) FROM vademecum.documents WHERE library = $1 AND skip = '')",
		"(SELECT coalesce(sum(passages), 0)::bigint FROM vademecum.documents WHERE library = $1)",
		"(SELECT coalesce(sum(terms), 0)::bigint FROM vademecum.documents WHERE library = $1)",
		"(SELECT count(*) FROM vademecum.postings p WHERE library = $1 AND NOT EXISTS (SELECT FROM vademecum.segments s WHERE s.library = $1 AND s.number = p.segment))")
	into = append(into, &t.segments, &read, &indexed, &terms, &astray)
	if err := m.Tx.QueryRow(ctx, "SELECT "+strings.Join(columns, ", "), c.ID).Scan(into...); err != nil {
		return t, err
	}
	rows := make(map[string]int64, len(counted))
	for i, table := range counted {
		rows[table] = pairs[i][0]
	}
	t.rows = strings.Join(strings.Fields(fmt.Sprint(pairs)), ",")
	for _, n := range []struct {
		what      string
		have, due int64
	}{
		{"texts", rows["texts"], read},
		{"rows of chunks", rows["chunks"], read},
		{"passages", rows["passages"], int64(whole.Chunks)},
		{"passages of documents", indexed, int64(whole.Chunks)},
		{"terms of documents", terms, int64(whole.Terms)},
		{"lists of no segment", astray, 0},
		{"words", rows["vocabulary"], int64(whole.AssignedWordNumbers)},
	} {
		if n.have != n.due {
			return t, fmt.Errorf("there are %d %s of %d: %w", n.have, n.what, n.due, catalog.ErrDamaged)
		}
	}
	return t, nil
}
