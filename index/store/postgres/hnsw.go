package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/schema"
	"vademecum/internal/base/message"
)

// indexedFrom is the minimum number of vectors for a model to get an index: comparing fewer takes a
// few milliseconds, and finds all of the nearest. Building an index of that size takes a second,
// during which no vectors are saved.
const indexedFrom = 2000

// indexable is the maximum number of dimensions of an index. Longer vectors are compared one by
// one.
const indexable = 4000

// IndexVectors builds the index of the vectors of the model in use if it is worthwhile and missing.
// The role that owns the tables builds it concurrently with other work, and calls report from time
// to time with the number of vectors indexed. Other roles can build it through a function, while no
// vectors are saved, if there are not too many yet.
func (c *Catalog) IndexVectors(ctx context.Context, report func(done, total int)) error {
	due, err := c.IsVectorIndexDue(ctx)
	if err != nil || !due {
		return err
	}
	conn, err := c.DB.Connect(ctx)
	if err != nil {
		return db.ClassifyError(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // by then, everything is written
	var isOwner bool
	if err := conn.QueryRow(ctx, "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'vademecum.vectors'::regclass").Scan(&isOwner); err != nil {
		return db.ClassifyError(err)
	}
	isDirect, err := db.IsDirectConnection(ctx, conn)
	if err == nil && isOwner && isDirect {
		if err := indexVectors(ctx, conn, report); !errors.Is(err, ErrIndexingInProgress) {
			return err
		}
		return nil
	}
	if err == nil {
		err = c.callIndexFunction(ctx)
	}
	return db.ClassifyError(err)
}

// ErrIndexingInProgress means that another process is already building the indexes of vectors.
var ErrIndexingInProgress = message.Errorf("another process is already creating the vector indexes")

// isIndexing is an expression that reports whether any index of vectors is being built, so that an
// incomplete index may be in progress. Only the building role can see which one it is, but locks
// are visible to everyone.
const isIndexing = `EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
	AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid::bigint << 32 | objid::bigint = ` + schema.VectorIndexingLockKey + ")"

// IsVectorIndexDue reports whether the model in use has enough vectors for an index to be worthwhile, and
// no index that is complete or being built.
func (c *Catalog) IsVectorIndexDue(ctx context.Context) (due bool, err error) {
	length, err := c.VectorDimensions(ctx)
	if err != nil || length == 0 || length > indexable {
		return false, err
	}
	if _, err := c.DB.PgvectorSchema(ctx); err != nil {
		if errors.Is(err, db.ErrPgvectorUnavailable) { // reported in a more relevant place
			err = nil
		}
		return false, err
	}
	err = c.QueryRow(ctx, `SELECT count(*) = $2 AND NOT EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass($3) AND (indisvalid OR `+isIndexing+`))
		FROM (SELECT FROM vademecum.vectors WHERE model = $1 LIMIT $2) part`, []any{c.ModelID, indexedFrom, "vademecum." + vectorIndex{c.ModelID, length}.name()}, &due)
	return due, err
}

// callIndexFunction builds the index of the model in use by a database function that has the right
// to do so. The library is not locked meanwhile, so documents can be written.
func (c *Catalog) callIndexFunction(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), db.WriteTimeout)
	defer cancel()
	tx, err := c.DB.Pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: c.DB.BeginWriteStatement()})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }() // has no effect after the commit
	if _, err := tx.Exec(ctx, "SELECT vademecum.index_vectors($1)", c.ModelID); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	if due, err := c.IsVectorIndexDue(ctx); err != nil || !due {
		return err
	}
	return catalog.ErrMayNotIndexVectors
}

// vectorIndex identifies an index by model and length of the vectors. The index need not exist yet.
type vectorIndex struct {
	model  int64
	length int
}

// name returns the name of the index, which the database function index_vectors uses too.
func (n vectorIndex) name() string { return fmt.Sprintf("vectors_near_%d_%d", n.model, n.length) }

// IndexVectors builds all indexes of vectors that are due, and drops those without vectors. It
// calls report from time to time with the number of vectors of the current index that are done. It
// must run as the role that owns the tables, and does not work through a pooler. If another process
// is doing so, it returns ErrIndexingInProgress.
func IndexVectors(ctx context.Context, address db.Address, report func(done, total int)) error {
	conn, err := schema.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // by then, everything is written
	return indexVectors(ctx, conn, report)
}

// indexVectors builds the indexes that are due and drops those without vectors, concurrently with
// reads and writes. It calls report from time to time with the number of vectors of the current
// index that are done.
func indexVectors(ctx context.Context, conn *pgx.Conn, report func(done, total int)) (err error) {
	in, err := db.PgvectorSchema(ctx, conn)
	if errors.Is(err, db.ErrPgvectorUnavailable) {
		return nil
	}
	if err == nil {
		err = db.ClearTimeouts(ctx, conn)
	}
	if err != nil {
		return err
	}
	var alone bool
	if err := conn.QueryRow(ctx, "select pg_try_advisory_lock("+schema.VectorIndexingLockKey+")").Scan(&alone); err != nil {
		return err
	}
	if !alone {
		return ErrIndexingInProgress
	}
	defer func() {
		_, failed := conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock("+schema.VectorIndexingLockKey+")")
		err = errors.Join(err, failed)
	}()
	due, unused, err := vectorIndexes(ctx, conn)
	if err != nil {
		return err
	}
	for _, name := range unused {
		if _, err := conn.Exec(ctx, "DROP INDEX CONCURRENTLY IF EXISTS vademecum."+pgx.Identifier{name}.Sanitize()); err != nil {
			return fmt.Errorf("drop the index %s: %w", name, db.ClassifyError(err))
		}
	}
	for _, d := range due {
		if err := d.create(ctx, conn, in, report); err != nil {
			return fmt.Errorf("index the vectors of a model: %w", db.ClassifyError(err))
		}
	}
	return nil
}

// create builds the index; vectorSchema is the schema of pgvector. Parallel workers share memory,
// of which a container may have little: if that fails, a single process builds it.
func (n vectorIndex) create(ctx context.Context, conn *pgx.Conn, vectorSchema string, report func(done, total int)) error {
	count, err := n.raiseMemory(ctx, conn)
	if err != nil {
		return err
	}
	report(0, count)
	defer watchIndexing(ctx, conn, func(share float64) { report(int(share*float64(count)), count) })()
	statement := fmt.Sprintf(`CREATE INDEX CONCURRENTLY %[1]s ON vademecum.vectors USING hnsw ((vector::%[2]s.halfvec(%[3]d)) %[2]s.halfvec_cosine_ops)
		WHERE model = %[4]d AND array_length(vector, 1) = %[3]d`, n.name(), vectorSchema, n.length, n.model)
	_, err = conn.Exec(ctx, statement)
	if db.CodeOf(err) != db.CodeDiskFull {
		return err
	}
	for _, again := range []string{"DROP INDEX CONCURRENTLY IF EXISTS vademecum." + n.name(), "SET max_parallel_maintenance_workers = 0", statement} {
		if _, err = conn.Exec(ctx, again); err != nil {
			return err
		}
	}
	return nil
}

// graphBytes is the approximate memory per vector while an index is built, in addition to the
// vector itself.
const graphBytes = 750

// raiseMemory raises the memory limit of the session, which makes building an index many times
// faster. How much the server may use is unknown: its buffers are usually a quarter of a machine's
// memory, and a quarter of its configured cache is not much either. A value in the address of the
// database takes precedence.
func (n vectorIndex) raiseMemory(ctx context.Context, conn *pgx.Conn) (count int, err error) {
	if err := conn.QueryRow(ctx, "SELECT count(*) FROM vademecum.vectors WHERE model = $1", n.model).Scan(&count); err != nil {
		return 0, err
	}
	_, err = conn.Exec(ctx, `SELECT set_config('maintenance_work_mem', greatest(pg_size_bytes(current_setting('maintenance_work_mem')),
			least($1::bigint, greatest(pg_size_bytes('512MB'), pg_size_bytes(current_setting('shared_buffers')),
				(SELECT pg_size_bytes(current_setting(name)) / 4 FROM pg_settings WHERE name = 'effective_cache_size' AND source != 'default')))) / 1024 || 'kB', false)
		FROM pg_settings WHERE name = 'maintenance_work_mem' AND source != 'client'`, int64(count)*int64(2*n.length+graphBytes))
	return count, err
}

// watchEvery is how often the progress of an index is checked.
const watchEvery = time.Second

// watchIndexing reports what share of the vectors a connection has indexed, until it is stopped. If
// it cannot find out, the indexing continues.
func watchIndexing(ctx context.Context, of *pgx.Conn, report func(share float64)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := pgx.ConnectConfig(ctx, of.Config().Copy())
		if err != nil {
			return
		}
		defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // nothing was written
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			var share float64
			err := conn.QueryRow(ctx, "SELECT blocks_done::float8 / blocks_total FROM pg_stat_progress_create_index WHERE pid = $1 AND blocks_total > 0", of.PgConn().PID()).Scan(&share)
			if err == nil {
				report(share)
			} else if !errors.Is(err, pgx.ErrNoRows) { // otherwise it is waiting
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}

// vectorIndexes lists the indexes that are due, and the names of useless ones: their model is gone,
// or building them was never completed.
func vectorIndexes(ctx context.Context, conn *pgx.Conn) (due []vectorIndex, unused []string, err error) {
	there := make(map[string]bool) // by name: whether the index is complete
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
	var n vectorIndex
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
