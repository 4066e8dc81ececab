package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"vademecum/index/lexical"
)

// checkLists reads what questions are answered from, all passages and the lists of their
// terms, as they are at one moment, and compares them with each other.
func (c *Catalog) checkLists(ctx context.Context, done *Checked) error {
	return c.store.retry(ctx, c.store.patience, mergeLimit, func(ctx context.Context) error {
		done.Passages = 0
		return c.store.moment(ctx, quickLimit, mergeLimit, func(ctx context.Context, m *Moment) error {
			whole, _, err := m.Whole(ctx, c)
			if err != nil {
				return err
			}
			check := lexical.NewCheck(whole)
			if err := c.checkPostings(ctx, m.tx, check); err != nil {
				return err
			}
			if err := c.checkPassages(ctx, m.tx, check, done); err != nil {
				return err
			}
			return check.End()
		})
	})
}

// checkPostings reads all lists, each with the slots of its segment.
func (c *Catalog) checkPostings(ctx context.Context, tx pgx.Tx, check *lexical.Check) error {
	rows, err := tx.Query(ctx, `SELECT p.term, p.count, p.list, coalesce(s.first, 0), coalesce(s.slots, 0) FROM vademecum.postings p
		LEFT JOIN vademecum.segments s ON s.library = p.library AND s.number = p.segment WHERE p.library = $1`, c.library)
	if err != nil {
		return err
	}
	var term, list pgtype.DriverBytes
	var count int
	var in lexical.Run
	_, err = pgx.ForEachRow(rows, []any{&term, &count, &list, &in.First, &in.Count}, func() error {
		return check.List(string(term), lexical.StoredList{Count: count, Bytes: list}, in)
	})
	return err
}

// checkPassages reads all passages.
func (c *Catalog) checkPassages(ctx context.Context, tx pgx.Tx, check *lexical.Check, done *Checked) error {
	rows, err := tx.Query(ctx, "SELECT slot, chunk FROM vademecum.passages WHERE library = $1", c.library)
	if err != nil {
		return err
	}
	var slot uint32
	var chunk pgtype.DriverBytes
	_, err = pgx.ForEachRow(rows, []any{&slot, &chunk}, func() error {
		if _, err := parsePassage(chunk); err != nil {
			return err
		}
		done.Passages++
		return check.Chunk(slot)
	})
	return err
}
