package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"vademecum/docs/text"
)

const documentColumns = "d.id, d.path, d.size, d.modified, d.changed, d.read_at, d.hash, d.text_hash, d.title, d.mime, d.text_mime, d.encoding, d.note, d.skip, d.checksum, c.count, c.chunks, c.checksum"

// records yields every document, with its chunks and without its text, to f.
func (c *catalogue) records(ctx context.Context, f func(record) error) error {
	return queryRecords(ctx, c.read, f, "SELECT "+documentColumns+" FROM documents d LEFT JOIN chunks c ON c.document = d.id ORDER BY d.id")
}

// record reads one document by its row.
func (c *catalogue) record(ctx context.Context, id int64) (record, error) {
	return readRecord(ctx, c.read, id)
}

func readRecord(ctx context.Context, from querier, id int64) (r record, err error) {
	err = queryRecords(ctx, from, func(found record) error { r = found; return nil },
		"SELECT "+documentColumns+" FROM documents d LEFT JOIN chunks c ON c.document = d.id WHERE d.id = ?", id)
	return r, err
}

// querier is a database, or a moment of it.
type querier interface {
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, statement string, args ...any) *sql.Row
}

func queryRecords(ctx context.Context, from querier, f func(record) error, statement string, args ...any) error {
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

func scanRecord(rows *sql.Rows) (record, error) {
	var (
		r              record
		modified       int64
		changed        int64
		readAt         int64
		hash, textHash []byte
		blob           []byte
		count, sum     sql.NullInt64
		checksum       uint32
	)
	err := rows.Scan(&r.id, &r.path, &r.size, &modified, &changed, &readAt, &hash, &textHash, &r.title, &r.mime, &r.textMIME, &r.encoding, &r.note, &r.skip, &checksum, &count, &blob, &sum)
	if err != nil {
		return record{}, err
	}
	copy(r.hash[:], hash)
	copy(r.textHash[:], textHash)
	r.modified, r.changed, r.readAt = time.Unix(0, modified), time.Unix(0, changed), time.Unix(0, readAt)
	if r.checksum() != checksum || sum.Valid != (r.skip == "") || sum.Valid && checksumOf(r.textHash[:], blob) != uint32(sum.Int64) {
		return record{}, fmt.Errorf("row %d: %w", r.id, errDamaged)
	}
	if r.chunks, err = decodeChunks(blob, int(count.Int64)); err != nil {
		return record{}, fmt.Errorf("%s: %w", r.path, err)
	}
	return r, nil
}

// put replaces the document at r.path and returns its new row.
func (c *catalogue) put(ctx context.Context, r record, body text.Body) (id int64, err error) {
	err = c.change(ctx, func(w *changing) error {
		if err := w.delete(ctx, r.path); err != nil {
			return err
		}
		done, err := w.ExecContext(ctx,
			"INSERT INTO documents (path, size, modified, changed, read_at, hash, text_hash, title, mime, text_mime, encoding, note, skip, checksum) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
			r.path, r.size, nanoseconds(r.modified), nanoseconds(r.changed), nanoseconds(r.readAt), r.hash[:], r.textHash[:], r.title, r.mime, r.textMIME, r.encoding, r.note, r.skip, r.checksum())
		if err != nil {
			return err
		}
		if id, err = done.LastInsertId(); err != nil {
			return err
		}
		if r.skip == "" {
			if err := w.insertText(ctx, id, r, body); err != nil {
				return err
			}
		}
		return w.changed(ctx, id)
	})
	if err != nil {
		return 0, fmt.Errorf("save %s: %w", r.path, err)
	}
	return id, nil
}

// nanoseconds of a time since 1970; 0 for the zero time.
func nanoseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// putVectors keeps vectors of the model in use.
func (c *catalogue) putVectors(ctx context.Context, vectors map[textKey][]float32) error {
	return c.transact(ctx, func(tx *sql.Tx) error {
		insert, err := tx.PrepareContext(ctx, "INSERT OR IGNORE INTO vectors (model, text_key, vector) VALUES (?, ?, ?)")
		if err != nil {
			return err
		}
		defer insert.Close()
		for key, vec := range vectors {
			if _, err := insert.ExecContext(ctx, c.model, key[:], sealVector(key, vec)); err != nil {
				return err
			}
		}
		return nil
	})
}

// dropVectors forgets all vectors of the model in use.
func (c *catalogue) dropVectors(ctx context.Context) error {
	return c.transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM vectors WHERE model = ?", c.model)
		return err
	})
}

// insertText saves the text of a document and its chunks.
func (w *changing) insertText(ctx context.Context, id int64, r record, body text.Body) error {
	parts, chunks := encodeParts(body.Parts), encodeChunks(r.chunks)
	if _, err := w.ExecContext(ctx, "INSERT INTO texts VALUES (?, ?, ?, ?)", id, body.Text, parts, checksumOf(r.textHash[:], []byte(body.Text), parts)); err != nil {
		return err
	}
	_, err := w.ExecContext(ctx, "INSERT INTO chunks VALUES (?, ?, ?, ?)", id, len(r.chunks), chunks, checksumOf(r.textHash[:], chunks))
	return err
}

// delete removes the document at path, if there is one.
func (w *changing) delete(ctx context.Context, path string) error {
	var id int64
	err := w.QueryRowContext(ctx, "DELETE FROM documents WHERE path = ? RETURNING id", path).Scan(&id)
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
	return w.changed(ctx, id)
}

// remove forgets the document at path; its vectors stay until prune.
func (c *catalogue) remove(ctx context.Context, path string) error {
	err := c.change(ctx, func(w *changing) error { return w.delete(ctx, path) })
	if err != nil {
		return fmt.Errorf("remove %s: %w", path, err)
	}
	return nil
}

// touch notes that files were read and found as they were.
func (c *catalogue) touch(ctx context.Context, touched []record) error {
	return c.change(ctx, func(w *changing) error {
		for _, r := range touched {
			_, err := w.ExecContext(ctx, "UPDATE documents SET size = ?, modified = ?, changed = ?, read_at = ? WHERE id = ?",
				r.size, nanoseconds(r.modified), nanoseconds(r.changed), nanoseconds(r.readAt), r.id)
			if err != nil {
				return err
			}
			if err := w.changed(ctx, r.id); err != nil {
				return err
			}
		}
		return nil
	})
}

// body is the whole text of a document, of which the hash is known; ok is
// false when the row is gone.
func (c *catalogue) body(ctx context.Context, id int64, hash [32]byte) (body text.Body, ok bool, err error) {
	var parts []byte
	var checksum uint32
	err = c.read.QueryRowContext(ctx, "SELECT text, parts, checksum FROM texts WHERE document = ?", id).Scan(&body.Text, &parts, &checksum)
	if errors.Is(err, sql.ErrNoRows) {
		return text.Body{}, false, nil
	}
	if err != nil {
		return text.Body{}, false, err
	}
	if checksumOf(hash[:], []byte(body.Text), parts) != checksum {
		return text.Body{}, false, errDamaged
	}
	body.Parts, err = decodeParts(parts)
	return body, err == nil, err
}

// vectorsSince loads the vectors of the model in use that were saved after the
// row given.
func (c *catalogue) vectorsSince(ctx context.Context, row int64) (map[textKey][]float32, error) {
	return c.scanVectors(ctx, "SELECT text_key, vector FROM vectors WHERE model = ? AND id > ?", c.model, row)
}

// lastVector is the row of the vector that was saved last.
func (c *catalogue) lastVector(ctx context.Context) (row int64, err error) {
	err = c.read.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM vectors").Scan(&row)
	return row, err
}

// vectors finds those of the given texts that were embedded before.
func (c *catalogue) vectors(ctx context.Context, keys []textKey) (map[textKey][]float32, error) {
	found := make(map[textKey][]float32)
	const most = 500 // of bound values in one statement
	for len(keys) > 0 {
		n := min(len(keys), most)
		args := []any{c.model}
		for _, k := range keys[:n] {
			args = append(args, k[:])
		}
		part, err := c.scanVectors(ctx, "SELECT text_key, vector FROM vectors WHERE model = ? AND text_key IN (?"+strings.Repeat(",?", n-1)+")", args...)
		if err != nil {
			return nil, err
		}
		for k, v := range part {
			found[k] = v
		}
		keys = keys[n:]
	}
	return found, nil
}

func (c *catalogue) scanVectors(ctx context.Context, statement string, args ...any) (map[textKey][]float32, error) {
	rows, err := c.read.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := make(map[textKey][]float32)
	var key, blob sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&key, &blob); err != nil {
			return nil, err
		}
		vec, ok := unsealVector(key, blob)
		if !ok {
			return nil, fmt.Errorf("a vector: %w", errDamaged)
		}
		found[textKey(key)] = vec
	}
	return found, rows.Err()
}
