package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"vademecum/docs/text"
)

const documentColumns = "d.id, d.path, d.size, d.modified, d.changed, d.read_at, d.hash, d.text_hash, d.title, d.mime, d.text_mime, d.encoding, d.note, d.skip, d.checksum, c.count, c.chunks, c.checksum"

// records lists some documents, with their chunks and without their texts, in the
// order of their rows: those that follow a row. It is empty when there are none.
func (c *catalogue) records(ctx context.Context, after int64) (page []record, err error) {
	err = queryRecords(ctx, c.read, func(r record) error { page = append(page, r); return nil },
		"SELECT "+documentColumns+" FROM documents d LEFT JOIN chunks c ON c.document = d.id WHERE d.id > ? ORDER BY d.id LIMIT ?", after, pageRows)
	return page, c.note(err)
}

// record reads one document by its row.
func (c *catalogue) record(ctx context.Context, id int64) (record, error) {
	r, err := readRecord(ctx, c.read, id)
	return r, c.note(err)
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

// put replaces the document at r.path.
func (c *catalogue) put(ctx context.Context, r record, body text.Body) (written, error) {
	done, err := c.change(ctx, func(w *changing) error {
		if err := w.delete(ctx, r.path); err != nil {
			return err
		}
		done, err := w.ExecContext(ctx,
			"INSERT INTO documents (path, size, modified, changed, read_at, hash, text_hash, title, mime, text_mime, encoding, note, skip, checksum) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
			r.path, r.size, nanoseconds(r.modified), nanoseconds(r.changed), nanoseconds(r.readAt), r.hash[:], r.textHash[:], r.title, r.mime, r.textMIME, r.encoding, r.note, r.skip, r.checksum())
		if err != nil {
			return err
		}
		if w.id, err = done.LastInsertId(); err != nil {
			return err
		}
		if r.skip == "" {
			if err := w.insertText(ctx, w.id, r, body); err != nil {
				return err
			}
		}
		return w.changed(ctx, w.id)
	})
	if err != nil {
		return done, fmt.Errorf("save %s: %w", r.path, c.note(err))
	}
	return done, nil
}

// nanoseconds of a time since 1970; 0 for the zero time.
func nanoseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
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
func (c *catalogue) remove(ctx context.Context, path string) (written, error) {
	done, err := c.change(ctx, func(w *changing) error { return w.delete(ctx, path) })
	if err != nil {
		return done, fmt.Errorf("remove %s: %w", path, c.note(err))
	}
	return done, nil
}

// touch notes that files were read and found as they were.
func (c *catalogue) touch(ctx context.Context, touched []record) (written, error) {
	done, err := c.change(ctx, func(w *changing) error {
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
	if err != nil {
		return done, fmt.Errorf("save times of files: %w", c.note(err))
	}
	return done, nil
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
		return text.Body{}, false, c.note(err)
	}
	if checksumOf(hash[:], []byte(body.Text), parts) != checksum {
		return text.Body{}, false, c.note(errDamaged)
	}
	body.Parts, err = decodeParts(parts)
	return body, err == nil, c.note(err)
}
