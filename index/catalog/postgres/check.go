package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"vademecum/index/catalog"
)

// Checked is how much of a library was read by Check, and what was wrong.
type Checked struct {
	Library   string `json:"library"`
	Documents int    `json:"documents"`
	Passages  int    `json:"passages"`
	Vectors   int    `json:"vectors"`         // of all models
	Fault     string `json:"fault,omitempty"` // the first thing that is wrong, "" when nothing is
}

// Check reads all of the libraries that this program serves, compares each row with its
// checksum, and lists with passages, and tells what came of each. Nothing is changed.
func (s *Store) Check(ctx context.Context, tell func(Checked)) error {
	rows, err := s.pool.Query(ctx, "SELECT name FROM vademecum.libraries WHERE format = $1 ORDER BY name", catalog.Format)
	if err != nil {
		return mark(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return mark(err)
	}
	for _, name := range names {
		c, err := s.Look(ctx, unescape(name))
		if err != nil {
			return err
		}
		if c == nil { // nobody has put anything there yet
			continue
		}
		done := Checked{Library: unescape(name)}
		for _, check := range []func(context.Context, *Checked) error{c.checkDocuments, c.checkLists, c.checkModels} {
			if err = check(ctx, &done); err != nil {
				break
			}
		}
		if err != nil && !errors.Is(err, catalog.ErrDamaged) {
			return fmt.Errorf("check library %q: %w", done.Library, err)
		}
		if err != nil {
			done.Fault = err.Error()
		}
		tell(done)
	}
	return nil
}

// checkDocuments reads all documents with their texts. What is written meanwhile is no
// fault.
func (c *Catalog) checkDocuments(ctx context.Context, done *Checked) error {
	for after := int64(0); ; {
		page, err := c.Records(ctx, after)
		if err != nil || len(page) == 0 {
			return err
		}
		hashes := make(map[int64][32]byte, len(page))
		for _, r := range page {
			if r.Skip == "" {
				hashes[r.ID] = r.TextHash
			}
		}
		texts, err := c.Bodies(ctx, hashes)
		if err != nil {
			return err
		}
		for _, r := range page {
			if _, there := texts[r.ID]; r.Skip != "" || there {
				continue
			}
			if now, err := c.Record(ctx, r.ID); err != nil || now.ID != 0 {
				return errors.Join(err, fmt.Errorf("%s has no text: %w", r.Path, catalog.ErrDamaged))
			}
		}
		done.Documents += len(page)
		after = page[len(page)-1].ID
	}
}

// checkModels reads all vectors of each model, whichever is in use.
func (c *Catalog) checkModels(ctx context.Context, done *Checked) error {
	var models []int64
	var one int64
	err := c.rows(ctx, "SELECT id FROM vademecum.models WHERE library = $1 ORDER BY id", []any{escape(c.name)},
		func() { models = models[:0] }, func() error { models = append(models, one); return nil }, &one)
	if err != nil {
		return err
	}
	for _, id := range models {
		of := &Catalog{store: c.store, name: c.name, library: c.library, model: id}
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

// vectorsAtOnce is how many vectors are looked at together, for the sake of memory.
const vectorsAtOnce = 5000

// checkVectors reads all vectors of a model.
func (c *Catalog) checkVectors(ctx context.Context, done *Checked) error {
	for after := int64(0); ; {
		var until int64
		err := c.row(ctx, "SELECT coalesce(max(row), 0) FROM (SELECT row FROM vademecum.vectors WHERE model = $1 AND row > $2 ORDER BY row LIMIT $3) part",
			[]any{c.model, after, vectorsAtOnce}, &until)
		if err != nil || until == 0 {
			return err
		}
		some, err := c.vectors(ctx, "row > $2 AND row <= $3", after, until)
		if err != nil {
			return err
		}
		done.Vectors += len(some)
		after = until
	}
}

// checkIndex looks whether the index of the vectors of a model was made to its
// end: one that was not is passed over, and all vectors are compared.
func (c *Catalog) checkIndex(ctx context.Context) error {
	var broken int
	err := c.row(ctx, `SELECT count(*) FROM pg_class n JOIN pg_index i ON i.indexrelid = n.oid AND NOT i.indisvalid
		WHERE n.relnamespace = 'vademecum'::regnamespace AND n.relname LIKE 'vectors\_near\_' || $1::bigint || '\_%'
			AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index made WHERE made.index_relid = n.oid) AND NOT `+isIndexing, []any{c.model}, &broken)
	if err == nil && broken > 0 {
		err = fmt.Errorf("the index of the vectors is not whole, vademecum store vacuum makes it again: %w", catalog.ErrDamaged)
	}
	return err
}
