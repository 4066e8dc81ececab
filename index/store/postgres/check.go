package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/internal/base/message"
)

// CheckResult says how many rows of a library Check has read, and what is wrong with them.
type CheckResult struct {
	Library   string          `json:"library"`
	Documents int             `json:"documents"`
	Passages  int             `json:"passages"`
	Vectors   int             `json:"vectors"`         // number of vectors of all models
	Fault     message.Message `json:"fault,omitempty"` // the first fault found; "" if there is none
}

// Check reads all libraries in the format of this program, compares each row with its checksum and
// the postings with the passages, and calls report with the result for each library. It changes
// nothing.
func (s *Store) Check(ctx context.Context, report func(CheckResult)) error {
	rows, err := s.Pool.Query(ctx, "SELECT name FROM vademecum.libraries WHERE format = $1 ORDER BY name", catalog.FormatVersion)
	if err != nil {
		return db.ClassifyError(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return db.ClassifyError(err)
	}
	for _, name := range names {
		done := CheckResult{Library: db.UnescapeNUL(name)}
		if err := s.checkLibrary(ctx, &done); errors.Is(err, catalog.ErrDamaged) {
			done.Fault = message.FromError(err)
		} else if err != nil {
			return fmt.Errorf("check library %q: %w", done.Library, err)
		}
		report(done)
	}
	return nil
}

// errNoModel means that it is unknown which vectors belong to the library.
var errNoModel = fmt.Errorf("it is not known by which model it is embedded: %w", catalog.ErrDamaged)

func (s *Store) checkLibrary(ctx context.Context, done *CheckResult) error {
	c, err := s.OpenReadOnly(ctx, done.Library)
	if err != nil {
		return err
	}
	if c == nil { // nothing has been stored there yet
		var used bool
		err := s.QueryRow(ctx, "SELECT EXISTS (SELECT FROM vademecum.libraries WHERE name = $1 AND format = $2 AND last_change > 0)", []any{db.EscapeNUL(done.Library), catalog.FormatVersion}, &used)
		if err == nil && used {
			err = errNoModel
		}
		return err
	}
	found, err := c.verifyRows(ctx, done)
	if err == nil {
		err = found.error()
	}
	if err != nil {
		return err
	}
	return c.checkModels(ctx, done)
}

// checkModels reads all vectors of every model, not only of the one in use.
func (c *Catalog) checkModels(ctx context.Context, done *CheckResult) error {
	var models []int64
	var one int64
	err := c.QueryRows(ctx, "SELECT id FROM vademecum.models WHERE library = $1 ORDER BY id", []any{db.EscapeNUL(c.Name)},
		func() { models = models[:0] }, func() error { models = append(models, one); return nil }, &one)
	if err != nil {
		return err
	}
	for _, id := range models {
		of := &Catalog{Library: c.WithModel(id)}
		if err := of.checkVectors(ctx, done); err != nil {
			return err
		}
		if err := of.checkEmbedded(ctx); err != nil {
			return err
		}
		if err := of.checkIndex(ctx); err != nil {
			return err
		}
	}
	return nil
}

// vectorsAtOnce is the number of vectors read in a batch, to limit memory.
const vectorsAtOnce = 5000

// checkVectors reads all vectors of a model.
func (c *Catalog) checkVectors(ctx context.Context, done *CheckResult) error {
	return c.eachVectorBatch(ctx, func(some map[catalog.EmbeddingKey][]float32, damaged []int64) error {
		if done.Vectors += len(some); len(damaged) > 0 {
			return fmt.Errorf("a vector: %w", catalog.ErrDamaged)
		}
		return nil
	})
}

// eachVectorBatch calls f with batches of the vectors of the model in use, and the rows of the
// damaged ones.
func (c *Catalog) eachVectorBatch(ctx context.Context, f func(some map[catalog.EmbeddingKey][]float32, damaged []int64) error) error {
	for after := int64(0); ; {
		var until int64
		err := c.QueryRow(ctx, "SELECT coalesce(max(row), 0) FROM (SELECT row FROM vademecum.vectors WHERE model = $1 AND row > $2 ORDER BY row LIMIT $3) part",
			[]any{c.ModelID, after, vectorsAtOnce}, &until)
		if err != nil || until == 0 {
			return err
		}
		found, err := c.queryVectors(ctx, "row > $2 AND row <= $3", after, until)
		if err == nil {
			err = f(found.vectors, found.damaged)
		}
		if err != nil {
			return err
		}
		after = until
	}
}

// checkIndex returns an error if the index of the vectors of a model was not built to the end: such
// an index is ignored, and queries are compared with all vectors.
func (c *Catalog) checkIndex(ctx context.Context) error {
	var broken int
	err := c.QueryRow(ctx, `SELECT count(*) FROM pg_class n JOIN pg_index i ON i.indexrelid = n.oid AND NOT i.indisvalid
		WHERE n.relnamespace = 'vademecum'::regnamespace AND n.relname LIKE 'vectors\_near\_' || $1::bigint || '\_%'
			AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index made WHERE made.index_relid = n.oid) AND NOT `+isIndexing, []any{c.ModelID}, &broken)
	if err == nil && broken > 0 {
		err = message.Errorf("the vector index is incomplete; vademecum store vacuum rebuilds it: %v", catalog.ErrDamaged)
	}
	return err
}
