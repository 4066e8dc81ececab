package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// indexedFrom is how many vectors a model has at least for which there is an index: to
// compare all of fewer takes a few milliseconds, and finds all of the nearest. An index
// of so many is made in a second, in which nobody saves vectors.
const indexedFrom = 2000

// indexEvery is after how many saved vectors a process looks whether an index is due.
const indexEvery = 1000

// indexable is how many dimensions an index takes at most. Longer vectors are compared
// one by one.
const indexable = 4000

// indexSoon has the index of a model made when it has become worth it. What fails here
// is not what was asked for, and all vectors are compared until another process
// succeeds or "store vacuum" is run.
func (c *Catalog) indexSoon(ctx context.Context, of nearIndex, saved int) {
	if c.unlooked.Add(int64(saved)) < indexEvery || of.length > indexable {
		return
	}
	c.unlooked.Store(0)
	var due bool
	err := c.row(ctx, "SELECT count(*) = $2 AND to_regclass($3) IS NULL FROM (SELECT FROM vademecum.vectors WHERE model = $1 LIMIT $2) part",
		[]any{of.model, indexedFrom, "vademecum." + of.name()}, &due)
	if err == nil && due {
		_ = c.index(ctx, of.model)
	}
}

// index has the index of a model made. The library is not locked for it: documents are
// written meanwhile.
func (c *Catalog) index(ctx context.Context, model int64) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeLimit)
	defer cancel()
	tx, err := c.store.pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: c.store.begin()})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }() // after an error; else it does nothing
	if _, err := tx.Exec(ctx, "SELECT vademecum.index_vectors($1)", model); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// nearIndex is the index of a model and of vectors that are so long, or one that is due.
type nearIndex struct {
	model  int64
	length int
}

// name is what it is called, also by the function index_vectors.
func (n nearIndex) name() string { return fmt.Sprintf("vectors_near_%d_%d", n.model, n.length) }

// indexVectors makes the indexes that are due and drops those of which there are no
// vectors any more, while others go on reading and writing. It leaves that to who is
// doing so already.
func indexVectors(ctx context.Context, conn *pgx.Conn) (err error) {
	in, err := extension(ctx, conn)
	if errors.Is(err, ErrNoComparing) {
		return nil
	}
	if err != nil {
		return err
	}
	var alone bool
	if err := conn.QueryRow(ctx, "select pg_try_advisory_lock("+indexingLock+")").Scan(&alone); err != nil || !alone {
		return err
	}
	defer func() {
		_, failed := conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock("+indexingLock+")")
		err = errors.Join(err, failed)
	}()
	due, unused, err := nearIndexes(ctx, conn)
	if err != nil {
		return err
	}
	for _, name := range unused {
		if _, err := conn.Exec(ctx, "DROP INDEX CONCURRENTLY IF EXISTS vademecum."+pgx.Identifier{name}.Sanitize()); err != nil {
			return fmt.Errorf("drop the index %s: %w", name, mark(err))
		}
	}
	for _, d := range due {
		_, err := conn.Exec(ctx, fmt.Sprintf(`CREATE INDEX CONCURRENTLY %[1]s ON vademecum.vectors USING hnsw ((vector::%[2]s.halfvec(%[3]d)) %[2]s.halfvec_cosine_ops)
			WHERE model = %[4]d AND array_length(vector, 1) = %[3]d`, d.name(), in, d.length, d.model))
		if err != nil {
			return fmt.Errorf("index the vectors of a model: %w", mark(err))
		}
	}
	return nil
}

// nearIndexes lists the indexes that are due, and the names of those that are of no
// use: what they are for is gone, or it was never finished to make them.
func nearIndexes(ctx context.Context, conn *pgx.Conn) (due []nearIndex, unused []string, err error) {
	there := make(map[string]bool) // whether it is whole
	rows, err := conn.Query(ctx, `SELECT c.relname, i.indisvalid FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
		WHERE c.relnamespace = 'vademecum'::regnamespace AND c.relname LIKE 'vectors\_near\_%'`)
	if err != nil {
		return nil, nil, err
	}
	var name string
	var isWhole bool
	if _, err = pgx.ForEachRow(rows, []any{&name, &isWhole}, func() error { there[name] = isWhole; return nil }); err != nil {
		return nil, nil, err
	}
	rows, err = conn.Query(ctx, `SELECT m.id, coalesce(v.length, 0), (SELECT count(*) FROM (SELECT FROM vademecum.vectors WHERE model = m.id LIMIT $1) part)
		FROM vademecum.models m CROSS JOIN LATERAL (SELECT array_length(vector, 1) AS length FROM vademecum.vectors WHERE model = m.id LIMIT 1) v`, indexedFrom)
	if err != nil {
		return nil, nil, err
	}
	used := make(map[string]bool)
	var n nearIndex
	var count int
	_, err = pgx.ForEachRow(rows, []any{&n.model, &n.length, &count}, func() error {
		name := n.name()
		if used[name] = there[name]; !there[name] && count >= indexedFrom && n.length > 0 && n.length <= indexable {
			due = append(due, n)
		}
		return nil
	})
	for name := range there {
		if !used[name] {
			unused = append(unused, name)
		}
	}
	return due, unused, err
}
