package postgres

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/jackc/pgx/v5"

	"vademecum/index/blob"
	"vademecum/index/lexical"
	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/packed"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/library"
)

// Put replaces the documents at the paths of entries.
func (c *Catalog) Put(ctx context.Context, entries ...catalog.RecordWithBody) (catalog.CommitResult, error) {
	if len(entries) == 0 {
		return catalog.CommitResult{}, nil
	}
	done, err := c.writeDocuments(ctx, func(ctx context.Context, w *library.WriteTx) error {
		p, err := c.planPut(ctx, w, entries)
		if err != nil {
			return err
		}
		w.IDs = p.ids
		w.SlotRanges = make([]lexical.SlotRange, len(entries))
		if len(p.gone) > 0 {
			if _, err := c.deleteRows(ctx, w, "id = ANY($2)", p.gone); err != nil {
				return err
			}
		}
		if err := c.insertDocuments(ctx, w, p.fresh); err != nil {
			return err
		}
		for _, e := range p.fresh {
			w.SlotRanges[e.at] = e.run
		}
		return c.recordChanged(ctx, w, p.changed)
	})
	if err != nil {
		return done, fmt.Errorf("save %s: %w", describePaths(entries[0].Path, len(entries)), err)
	}
	return done, nil
}

// describePaths names documents for an error: the path of the first, and the number of others.
func describePaths(first string, all int) string {
	if all == 1 {
		return first
	}
	return fmt.Sprintf("%s and %d others", first, all-1)
}

// pathKey is the key by which a path is looked up.
type pathKey [16]byte

func pathKeyOf(path string) pathKey {
	sum := sha256.Sum256([]byte(path))
	return pathKey(sum[:])
}

func pathKeysOf(paths []string) [][]byte {
	keys := make([][]byte, len(paths))
	for i, path := range paths {
		key := pathKeyOf(path)
		keys[i] = key[:]
	}
	return keys
}

// entryRow is an entry and the row assigned to it.
type entryRow struct {
	*catalog.RecordWithBody
	id    int64
	at    int               // index among the entries put
	run   lexical.SlotRange // slots of its chunks
	terms int64             // number of terms in all of the chunks
}

// putPlan says which rows are added and removed when entries are put.
type putPlan struct {
	ids     []int64 // rows of the entries, in their order
	gone    []int64 // existing rows to remove
	fresh   []entryRow
	changed []int64 // all rows added or removed, in that order
}

// planPut assigns rows to entries, and queries which documents they replace.
func (c *Catalog) planPut(ctx context.Context, w *library.WriteTx, entries []catalog.RecordWithBody) (p putPlan, err error) {
	paths := make([]string, len(entries))
	for i := range entries {
		paths[i] = entries[i].Path
	}
	there := make(map[pathKey]int64)
	var batch pgx.Batch
	batch.Queue("SELECT nextval('vademecum.document_ids') FROM generate_series(1, $1)", len(entries)).Query(func(rows pgx.Rows) (err error) {
		p.ids, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		return err
	})
	batch.Queue("SELECT path_key, id FROM vademecum.documents WHERE library = $1 AND path_key = ANY($2)", c.ID, pathKeysOf(paths)).Query(func(rows pgx.Rows) error {
		var key []byte
		var id int64
		_, err := pgx.ForEachRow(rows, []any{&key, &id}, func() error { there[pathKey(key)] = id; return nil })
		return err
	})
	if err := w.SendBatch(ctx, &batch).Close(); err != nil {
		return p, err
	}
	p.resolve(entries, there)
	return p, nil
}

// resolve determines which rows are added and removed. If two entries have the same path, the first
// is listed as added and removed for followers, and is not written.
func (p *putPlan) resolve(entries []catalog.RecordWithBody, there map[pathKey]int64) {
	last := make(map[pathKey]int)
	for i := range entries {
		last[pathKeyOf(entries[i].Path)] = i
	}
	seen := make(map[pathKey]bool)
	for i := range entries {
		key := pathKeyOf(entries[i].Path)
		if id, ok := there[key]; ok {
			p.changed = append(p.changed, id)
			if !seen[key] {
				p.gone = append(p.gone, id)
			}
		}
		there[key], seen[key] = p.ids[i], true
		p.changed = append(p.changed, p.ids[i])
		if last[key] == i {
			p.fresh = append(p.fresh, entryRow{RecordWithBody: &entries[i], id: p.ids[i], at: i})
		}
	}
}

// deleteRows deletes the documents that meet a condition, in which arg is $2, and everything that
// belongs to them. It returns their rows.
func (c *Catalog) deleteRows(ctx context.Context, w *library.WriteTx, condition string, arg any) (ids []int64, err error) {
	rows, err := w.Query(ctx, "DELETE FROM vademecum.documents WHERE library = $1 AND "+condition+deleted, c.ID, arg)
	if err != nil {
		return nil, err
	}
	return c.recordDeletedChunks(ctx, w, rows)
}

// insertDocuments writes documents, their texts, their chunks and the postings of their terms.
func (c *Catalog) insertDocuments(ctx context.Context, w *library.WriteTx, fresh []entryRow) error {
	lists, by, err := c.assignSlots(ctx, w, fresh)
	if err != nil {
		return err
	}
	var indexed []entryRow // a skipped document has only one row
	for _, e := range fresh {
		if e.SkipReason == "" {
			indexed = append(indexed, e)
		}
	}
	err = copyIn(ctx, w, "documents", []string{"library", "id", "path_key", "path", "size", "modified", "changed", "read_at", "hash", "text_hash", "title", "mime", "text_mime", "encoding", "note", "skip", "meta", "checksum", "slot", "passages", "terms"}, fresh, c.documentRow)
	if err != nil || len(indexed) == 0 {
		return err
	}
	err = copyIn(ctx, w, "texts", []string{"library", "document", "text", "parts", "checksum"}, indexed, func(e entryRow) []any {
		text, parts := []byte(e.Body.Text), packed.PackParts(e.Body.Parts)
		return []any{c.ID, e.id, text, parts, int64(packed.TextChecksum(e.TextHash, text, parts))}
	})
	if err != nil {
		return err
	}
	err = copyIn(ctx, w, "chunks", []string{"library", "document", "count", "chunks", "checksum"}, indexed, func(e entryRow) []any {
		chunks := packed.PackChunks(e.Chunks)
		return []any{c.ID, e.id, len(e.Chunks), chunks, int64(blob.Checksum(e.TextHash[:], chunks))}
	})
	if err != nil {
		return err
	}
	return c.insertPassages(ctx, w, indexed, lists, by)
}

func (c *Catalog) documentRow(e entryRow) []any {
	r, key, said := &e.Record, pathKeyOf(e.Path), packed.PackMeta(e.Meta)
	return []any{
		c.ID, e.id, key[:], db.EscapeNUL(r.Path), r.Size, catalog.Nanoseconds(r.Modified), catalog.Nanoseconds(r.ChangeTime), catalog.Nanoseconds(r.ReadAt),
		r.Hash[:], r.TextHash[:], db.EscapeNUL(r.Title), db.EscapeNUL(r.MIME), db.EscapeNUL(r.TextMIME), db.EscapeNUL(r.Encoding), db.EscapeNUL(string(r.ExtractionNote)), db.EscapeNUL(string(r.SkipReason)), said, int64(packed.RecordChecksum(r, said)),
		int64(e.run.First), int(e.run.Count), e.terms,
	}
}

// copyIn inserts one row into a table for each element of all.
func copyIn[T any](ctx context.Context, tx pgx.Tx, table string, columns []string, all []T, row func(T) []any) error {
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"vademecum", table}, columns, pgx.CopyFromSlice(len(all), func(i int) ([]any, error) { return row(all[i]), nil }))
	return err
}

// Remove deletes the documents at the given paths. Their vectors remain until they are pruned.
func (c *Catalog) Remove(ctx context.Context, paths ...string) (catalog.CommitResult, error) {
	if len(paths) == 0 {
		return catalog.CommitResult{}, nil
	}
	keys := pathKeysOf(paths)
	done, err := c.writeDocuments(ctx, func(ctx context.Context, w *library.WriteTx) error {
		return c.deleteDocuments(ctx, w, "path_key = ANY($2)", keys)
	})
	if err != nil {
		return done, fmt.Errorf("remove %s: %w", describePaths(paths[0], len(paths)), err)
	}
	return done, nil
}

// deleteDocuments deletes the documents that meet a condition, in which arg is $2, with everything
// that belongs to them, and records that their rows have changed.
func (c *Catalog) deleteDocuments(ctx context.Context, w *library.WriteTx, condition string, arg any) error {
	ids, err := c.deleteRows(ctx, w, condition, arg)
	if err != nil {
		return err
	}
	return c.recordChanged(ctx, w, ids)
}

// Touch records that files were read and found unchanged.
func (c *Catalog) Touch(ctx context.Context, touched []catalog.Record) (catalog.CommitResult, error) {
	done, err := c.writeDocuments(ctx, func(ctx context.Context, w *library.WriteTx) error {
		var batch pgx.Batch
		ids := make([]int64, 0, len(touched))
		for _, r := range touched {
			ids = append(ids, r.ID)
			batch.Queue("UPDATE vademecum.documents SET size = $3, modified = $4, changed = $5, read_at = $6 WHERE library = $1 AND id = $2",
				c.ID, r.ID, r.Size, catalog.Nanoseconds(r.Modified), catalog.Nanoseconds(r.ChangeTime), catalog.Nanoseconds(r.ReadAt))
		}
		if err := w.SendBatch(ctx, &batch).Close(); err != nil {
			return err
		}
		return c.recordChanged(ctx, w, ids)
	})
	if err != nil {
		return done, fmt.Errorf("save times of files: %w", err)
	}
	return done, nil
}
