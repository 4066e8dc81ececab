package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/library"
)

// writeDocuments runs f in a transaction that writes documents. It fails if another process holds
// the required lease, because what this process has read may be outdated.
func (c *Catalog) writeDocuments(ctx context.Context, f func(context.Context, *library.WriteTx) error) (catalog.CommitResult, error) {
	return c.Transact(ctx, func(ctx context.Context, w *library.WriteTx) error {
		if c.lease != nil {
			if err := c.lease.checkTerm(ctx, w); err != nil {
				return err
			}
		}
		return f(ctx, w)
	})
}

// recordChanged records that the rows of documents were written or removed.
func (c *Catalog) recordChanged(ctx context.Context, w *library.WriteTx, documents []int64) error {
	if len(documents) == 0 {
		return nil
	}
	type numbered struct{ number, document int64 }
	all := make([]numbered, len(documents))
	for i, d := range documents {
		all[i] = numbered{w.PreviousChange + int64(i) + 1, d}
	}
	w.FirstChange, w.LastChange = all[0].number, all[len(all)-1].number
	err := copyIn(ctx, w, "changes", []string{"library", "number", "document"}, all, func(n numbered) []any { return []any{c.ID, n.number, n.document} })
	if err != nil {
		return err
	}
	if _, err = w.Exec(ctx, "UPDATE vademecum.libraries SET last_change = $2 WHERE id = $1", c.ID, w.LastChange); err != nil {
		return err
	}
	return c.forgetChanges(ctx, w)
}

// forgottenAtOnce is the maximum number of changes deleted in one commit: earlier programs deleted
// none, and left as many as there ever were.
const forgottenAtOnce = 20 * catalog.ForgetEvery

// forgetChanges deletes the oldest changes, if w makes that due.
func (c *Catalog) forgetChanges(ctx context.Context, w *library.WriteTx) error {
	last := w.LastForgottenChange()
	if last == 0 {
		return nil
	}
	_, err := w.Exec(ctx, "DELETE FROM vademecum.changes WHERE library = $1 AND number <= (SELECT least($2, min(number) + $3) FROM vademecum.changes WHERE library = $1)", c.ID, last, forgottenAtOnce)
	return err
}

// changesPage is a page of changes, and the documents in it that still exist.
type changesPage struct {
	last    int64 // number of the last change of the library
	version int64 // version of the library
	listed  []catalog.Change
	there   map[int64]catalog.Record // by row
}

// Changes lists the changes after the given one, from a consistent snapshot. A document that is
// gone in one page may be replaced by a new one in a later page.
func (c *Catalog) Changes(ctx context.Context, after int64) (catalog.Delta, error) {
	var p changesPage
	err := c.DB.RetryRead(ctx, db.ReadTimeout, func(ctx context.Context) error {
		p = changesPage{}
		return c.DB.WithSnapshotOnce(ctx, db.QuickTimeout, db.ReadTimeout, func(ctx context.Context, m *db.Snapshot) error { return c.readPage(ctx, m.Tx, after, &p) })
	})
	if err != nil {
		return catalog.Delta{}, db.ClassifyError(err)
	}
	c.RecordSeenVersion(p.version)
	return catalog.NewDelta(after, p.last, p.listed, func(row int64) (catalog.Record, error) { return p.there[row], nil })
}

const pageOfChanges = "FROM vademecum.changes WHERE library = $1 AND number > $2 ORDER BY number LIMIT $3"

func (c *Catalog) readPage(ctx context.Context, tx pgx.Tx, after int64, p *changesPage) error {
	var batch pgx.Batch
	batch.Queue("SELECT last_change, version FROM vademecum.libraries WHERE "+library.RowCondition, c.ID, c.TableIdentity).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&p.last, &p.version)
		if errors.Is(err, pgx.ErrNoRows) {
			return db.ErrLibraryRemoved
		}
		return err
	})
	if after == catalog.NoKnownChange {
		return tx.SendBatch(ctx, &batch).Close()
	}
	batch.Queue("SELECT number, document "+pageOfChanges, c.ID, after, catalog.PageRows).Query(func(rows pgx.Rows) error {
		var c catalog.Change
		_, err := pgx.ForEachRow(rows, []any{&c.Number, &c.Row}, func() error { p.listed = append(p.listed, c); return nil })
		return err
	})
	batch.Queue(c.selectStatement()+"d.id = ANY(ARRAY(SELECT document "+pageOfChanges+")) ORDER BY d.id", c.ID, after, catalog.PageRows).Query(func(rows pgx.Rows) error {
		found, err := readRecords(rows)
		p.there = make(map[int64]catalog.Record, len(found))
		for _, r := range found {
			p.there[r.ID] = r
		}
		return err
	})
	return tx.SendBatch(ctx, &batch).Close()
}
