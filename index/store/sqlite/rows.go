package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"vademecum/docs/text"
	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/packed"
)

const documentColumns = "d.id, d.path, d.size, d.modified, d.changed, d.read_at, d.hash, d.text_hash, d.title, d.mime, d.text_mime, d.encoding, d.note, d.skip, d.meta, d.checksum, c.count, c.chunks, c.checksum"

// EachPage calls f with all documents, a page at a time. Each page is read in one transaction: a
// document that another process replaces in the meantime may appear again in a later page.
func (c *Catalog) EachPage(ctx context.Context, f func(page []catalog.Record) error) error {
	for after := int64(0); ; {
		page, err := c.pageAfter(ctx, after)
		if err != nil || len(page) == 0 {
			return err
		}
		if err := f(page); err != nil {
			return err
		}
		after = page[len(page)-1].ID
	}
}

// pageAfter returns the page of documents after a row; empty at the end.
func (c *Catalog) pageAfter(ctx context.Context, after int64) (page []catalog.Record, err error) {
	err = queryRecords(ctx, c.read, func(r catalog.Record) error { page = append(page, r); return nil },
		"SELECT "+documentColumns+" FROM documents d LEFT JOIN chunks c ON c.document = d.id WHERE d.id > ? ORDER BY d.id LIMIT ?", after, catalog.PageRows)
	return page, c.recordError(err)
}

// Record reads the document with the given row.
func (c *Catalog) Record(ctx context.Context, id int64) (catalog.Record, error) {
	r, err := readRecord(ctx, c.read, id)
	return r, c.recordError(err)
}

func readRecord(ctx context.Context, from querier, id int64) (r catalog.Record, err error) {
	err = queryRecords(ctx, from, func(found catalog.Record) error { r = found; return nil },
		"SELECT "+documentColumns+" FROM documents d LEFT JOIN chunks c ON c.document = d.id WHERE d.id = ?", id)
	return r, err
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, statement string, args ...any) *sql.Row
}

func queryRecords(ctx context.Context, from querier, f func(catalog.Record) error, statement string, args ...any) error {
	rows, err := from.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scanRecord(rows)
		if err != nil {
			return err
		}
		if err := f(r); err != nil {
			return err
		}
	}
	return rows.Err()
}

func scanRecord(rows *sql.Rows) (catalog.Record, error) {
	var (
		r              catalog.Record
		modified       int64
		changed        int64
		readAt         int64
		hash, textHash []byte
		row            packed.Row
		count, sum     sql.NullInt64
	)
	err := rows.Scan(&r.ID, &r.Path, &r.Size, &modified, &changed, &readAt, &hash, &textHash, &r.Title, &r.MIME, &r.TextMIME, &r.Encoding, &r.ExtractionNote, &r.SkipReason, &row.Meta, &row.RecordChecksum, &count, &row.Chunks, &sum)
	if err != nil {
		return catalog.Record{}, err
	}
	copy(r.Hash[:], hash)
	copy(r.TextHash[:], textHash)
	r.Modified, r.ChangeTime, r.ReadAt = time.Unix(0, modified), time.Unix(0, changed), time.Unix(0, readAt)
	row.HasChunks, row.ChunkCount, row.ChunksChecksum = sum.Valid, int(count.Int64), uint32(sum.Int64)
	if err := row.Unpack(&r); err != nil {
		return catalog.Record{}, fmt.Errorf("row %d: %w", r.ID, err)
	}
	return r, nil
}

// Put replaces the documents at the paths of entries.
func (c *Catalog) Put(ctx context.Context, entries ...catalog.RecordWithBody) (catalog.CommitResult, error) {
	at := "documents"
	done, err := c.writeDocuments(ctx, func(ctx context.Context, w *changeTx) error {
		for i := range entries {
			if err := w.put(ctx, &entries[i]); err != nil {
				at = entries[i].Path
				return err
			}
		}
		return nil
	})
	if err != nil {
		return done, fmt.Errorf("save %s: %w", at, c.recordError(err))
	}
	return done, nil
}

func (w *changeTx) put(ctx context.Context, e *catalog.RecordWithBody) error {
	if err := w.delete(ctx, e.Path); err != nil {
		return err
	}
	r, d := &e.Record, packed.Pack(0, e)
	done, err := w.ExecContext(ctx,
		"INSERT INTO documents (path, size, modified, changed, read_at, hash, text_hash, title, mime, text_mime, encoding, note, skip, meta, checksum) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
		r.Path, r.Size, catalog.Nanoseconds(r.Modified), catalog.Nanoseconds(r.ChangeTime), catalog.Nanoseconds(r.ReadAt), r.Hash[:], r.TextHash[:], r.Title, r.MIME, r.TextMIME, r.Encoding, r.ExtractionNote, r.SkipReason, d.Row.Meta, d.Row.RecordChecksum)
	if err != nil {
		return err
	}
	id, err := done.LastInsertId()
	if err != nil {
		return err
	}
	w.IDs = append(w.IDs, id)
	if r.SkipReason == "" {
		if err := w.insertText(ctx, id, &d); err != nil {
			return err
		}
	}
	return w.recordChanged(ctx, id)
}

// insertText saves the text of a document and its chunks.
func (w *changeTx) insertText(ctx context.Context, id int64, d *packed.Document) error {
	if _, err := w.ExecContext(ctx, "INSERT INTO texts VALUES (?, ?, ?, ?)", id, d.Text, d.Parts, d.TextChecksum); err != nil {
		return err
	}
	_, err := w.ExecContext(ctx, "INSERT INTO chunks VALUES (?, ?, ?, ?)", id, d.Row.ChunkCount, d.Row.Chunks, d.Row.ChunksChecksum)
	return err
}

// delete removes the document at path, if there is one.
func (w *changeTx) delete(ctx context.Context, path string) error {
	s, err := w.prepare(ctx, "DELETE FROM documents WHERE path = ? RETURNING id")
	if err != nil {
		return err
	}
	var id int64
	err = s.QueryRowContext(ctx, path).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, statement := range []string{"DELETE FROM texts WHERE document = ?", "DELETE FROM chunks WHERE document = ?"} {
		if _, err := w.ExecContext(ctx, statement, id); err != nil {
			return err
		}
	}
	return w.recordChanged(ctx, id)
}

// Remove deletes the documents at the given paths. Their vectors remain until PruneVectors deletes them.
func (c *Catalog) Remove(ctx context.Context, paths ...string) (catalog.CommitResult, error) {
	at := "documents"
	done, err := c.writeDocuments(ctx, func(ctx context.Context, w *changeTx) error {
		for _, path := range paths {
			if err := w.delete(ctx, path); err != nil {
				at = path
				return err
			}
		}
		return nil
	})
	if err != nil {
		return done, fmt.Errorf("remove %s: %w", at, c.recordError(err))
	}
	return done, nil
}

// Touch records new modification times of files whose contents have not changed.
func (c *Catalog) Touch(ctx context.Context, touched []catalog.Record) (catalog.CommitResult, error) {
	done, err := c.writeDocuments(ctx, func(ctx context.Context, w *changeTx) error {
		for _, r := range touched {
			_, err := w.ExecContext(ctx, "UPDATE documents SET size = ?, modified = ?, changed = ?, read_at = ? WHERE id = ?",
				r.Size, catalog.Nanoseconds(r.Modified), catalog.Nanoseconds(r.ChangeTime), catalog.Nanoseconds(r.ReadAt), r.ID)
			if err != nil {
				return err
			}
			if err := w.recordChanged(ctx, r.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return done, fmt.Errorf("save times of files: %w", c.recordError(err))
	}
	return done, nil
}

// LoadBodies returns the texts of documents by row, given the hash of each. Most queries need several:
// one statement for 20 takes a third of the time of one for each.
func (c *Catalog) LoadBodies(ctx context.Context, hashes map[int64][32]byte) (map[int64]text.Body, error) {
	found := make(map[int64]text.Body, len(hashes))
	if err := c.scanBodies(ctx, hashes, found); err != nil {
		return nil, c.recordError(err)
	}
	return found, nil
}

// RowsWithText lists the rows of the documents that have a text. It reads most of the file, but
// each page only once, because all three tables are read in the order of rows: caching the pages
// would take more time and memory than reading them.
func (c *Catalog) RowsWithText(ctx context.Context) (all []int64, err error) {
	conn, err := c.read.Conn(ctx)
	if err != nil {
		return nil, c.recordError(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "PRAGMA cache_size(-200)"); err != nil {
		return nil, c.recordError(err)
	}
	defer func() {
		_, restoring := conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA "+cacheSize)
		err = cmp.Or(err, c.recordError(restoring))
	}()
	all, err = rowNumbers(ctx, conn, `SELECT d.id FROM texts t
		CROSS JOIN chunks c ON c.document = t.document CROSS JOIN documents d ON d.id = t.document`)
	return all, c.recordError(err)
}

// textsStatement returns the statement that reads the texts of the rows in a JSON array. It is
// prepared only once, because preparing takes longer than running it.
func (c *Catalog) textsStatement(ctx context.Context) (*sql.Stmt, error) {
	if s := c.texts.Load(); s != nil {
		return s, nil
	}
	s, err := c.read.PrepareContext(ctx, "SELECT document, text, parts, checksum FROM texts WHERE document IN (SELECT value FROM json_each(?))")
	if err != nil {
		return nil, err
	}
	if !c.texts.CompareAndSwap(nil, s) { // another query was faster
		return c.texts.Load(), s.Close()
	}
	return s, nil
}

func (c *Catalog) scanBodies(ctx context.Context, hashes map[int64][32]byte, found map[int64]text.Body) error {
	statement, err := c.textsStatement(ctx)
	if err != nil {
		return err
	}
	ids, err := json.Marshal(slices.Collect(maps.Keys(hashes)))
	if err != nil {
		return err
	}
	rows, err := statement.QueryContext(ctx, string(ids))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var stored, parts sql.RawBytes
		var checksum uint32
		if err := rows.Scan(&id, &stored, &parts, &checksum); err != nil {
			return err
		}
		if packed.TextChecksum(hashes[id], stored, parts) != checksum {
			return fmt.Errorf("the text of row %d: %w", id, catalog.ErrDamaged)
		}
		if found[id], err = packed.ParseBody(stored, parts); err != nil {
			return err
		}
	}
	return rows.Err()
}
