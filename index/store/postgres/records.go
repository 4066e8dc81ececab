package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"vademecum/docs/text"
	"vademecum/index/blob"
	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/packed"
	"vademecum/index/store/postgres/db"
	"vademecum/internal/base/message"
)

// selectRecords begins a statement that reads documents with their chunks, but without their texts;
// $1 is the library. For a library that has no statistics yet, the database assumes a single
// document, and would scan all chunks for each: so OFFSET 0 forces a look-up of chunks, and the
// rows wanted are given as arrays.
const selectRecords = `SELECT d.id, d.path, d.size, d.modified, d.changed, d.read_at, d.hash, d.text_hash, d.title, d.mime, d.text_mime, d.encoding, d.note, d.skip, d.meta, d.checksum,
	c.document IS NOT NULL, coalesce(c.count, 0), coalesce(c.chunks, ''), coalesce(c.checksum, 0), d.slot, d.passages
	FROM vademecum.documents d LEFT JOIN LATERAL
		(SELECT * FROM vademecum.chunks WHERE library = d.library AND document = d.id OFFSET 0) c ON true
	WHERE d.library = $1 AND `

// selectHeads begins a statement that reads documents without their chunks and texts; $1 is the
// library.
const selectHeads = `SELECT d.id, d.path, d.size, d.modified, d.changed, d.read_at, d.hash, d.text_hash, d.title, d.mime, d.text_mime, d.encoding, d.note, d.skip, d.meta, d.checksum,
	d.skip = '', 0, ''::bytea, -1::bigint, d.slot, d.passages FROM vademecum.documents d WHERE d.library = $1 AND `

// OmitChunksWhenListing makes the catalogue list documents without their chunks from now on: searches in the
// database query the chunks that they find.
func (c *Catalog) OmitChunksWhenListing() {
	c.heads = true
	c.RequirePgvector()
}

// selectStatement begins a statement that reads documents.
func (c *Catalog) selectStatement() string {
	if c.heads {
		return selectHeads
	}
	return selectRecords
}

// Record reads the document with the given row.
func (c *Catalog) Record(ctx context.Context, id int64) (catalog.Record, error) {
	found, err := c.queryRecords(ctx, "d.id = $2", id)
	if err != nil || len(found) == 0 {
		return catalog.Record{}, err
	}
	return found[0], nil
}

// rowsAtOnce is the maximum number of documents listed by one statement, which must not exceed the
// time limit for statements.
const rowsAtOnce = 20 * catalog.PageRows

// EachPage calls f with pages of all documents while the database sends them. If the connection
// breaks, it continues after the last page that f accepted.
func (c *Catalog) EachPage(ctx context.Context, f func(page []catalog.Record) error) error {
	after, listed := int64(0), 0
	page := make([]catalog.Record, 0, catalog.PageRows)
	take := func() (err error) {
		if len(page) == 0 {
			return nil
		}
		if err = f(page); err == nil {
			after, listed, page = page[len(page)-1].ID, listed+len(page), page[:0]
		}
		return err
	}
	for {
		listed = 0
		err := db.ClassifyError(c.DB.RetryRead(ctx, db.ReadTimeout, func(ctx context.Context) error {
			page = page[:0]
			return c.DB.WithSnapshotOnce(ctx, db.QuickTimeout, db.ReadTimeout, func(ctx context.Context, m *db.Snapshot) error {
				rows, err := m.Tx.Query(ctx, c.selectStatement()+"d.id > $2 ORDER BY d.id LIMIT $3", c.ID, after, rowsAtOnce-listed)
				if err != nil {
					return err
				}
				err = scanRecords(rows, func(r *catalog.Record) error {
					if page = append(page, *r); len(page) < cap(page) {
						return nil
					}
					return take()
				})
				if err != nil {
					return err
				}
				return take()
			})
		}))
		if err != nil || listed < rowsAtOnce {
			return err
		}
	}
}

func (c *Catalog) queryRecords(ctx context.Context, which string, args ...any) (found []catalog.Record, err error) {
	err = c.Query(ctx, c.selectStatement()+which, append([]any{c.ID}, args...), func(rows pgx.Rows) (err error) {
		found, err = readRecords(rows)
		return err
	})
	return found, err
}

// readRecords reads the rows of selectRecords.
func readRecords(rows pgx.Rows) ([]catalog.Record, error) {
	found := []catalog.Record{}
	err := scanRecords(rows, func(r *catalog.Record) error {
		found = append(found, *r)
		return nil
	})
	return found, err
}

// recordRow is a row of selectRecords as received. Its byte slices are invalid after the next row.
type recordRow struct {
	path, title, mime, textMIME, encoding, note, skip pgtype.DriverBytes
	hash, textHash, packedMeta, chunks                pgtype.DriverBytes
	modified, changed, readAt                         int64
	checksum, chunksChecksum                          int64

	record catalog.Record
	packed packed.Row

	common map[string]string // texts that many records share, stored once
	text   []byte
}

// scanRecords calls f with each row of selectRecords. Of a record, which is held as long as the
// document, only what is unique to it is allocated.
func scanRecords(rows pgx.Rows, f func(*catalog.Record) error) error {
	return scanRows(rows, func(r *catalog.Record, fault error) error {
		if fault != nil {
			return fault
		}
		return f(r)
	})
}

// scanRows calls f with each row of selectRecords or selectHeads. After a damaged row it continues:
// f receives the error with that row.
func scanRows(rows pgx.Rows, f func(*catalog.Record, error) error) error {
	to := recordRow{common: make(map[string]string)}
	r, p := &to.record, &to.packed
	_, err := pgx.ForEachRow(rows, []any{
		&r.ID, &to.path, &r.Size, &to.modified, &to.changed, &to.readAt, &to.hash, &to.textHash, &to.title, &to.mime, &to.textMIME, &to.encoding, &to.note, &to.skip, &to.packedMeta, &to.checksum,
		&p.HasChunks, &p.ChunkCount, &to.chunks, &to.chunksChecksum, &r.SlotRange.First, &r.SlotRange.Count,
	}, func() error {
		err := to.unpack()
		if err != nil {
			err = fmt.Errorf("row %d: %w", r.ID, err)
		}
		return f(r, err)
	})
	return err
}

// unpack converts the row to a record.
func (to *recordRow) unpack() error {
	r, p := &to.record, &to.packed
	r.Modified, r.ChangeTime, r.ReadAt = catalog.TimeOfNanoseconds(to.modified), catalog.TimeOfNanoseconds(to.changed), catalog.TimeOfNanoseconds(to.readAt)
	copy(r.Hash[:], to.hash)
	copy(r.TextHash[:], to.textHash)
	to.text = append(append(to.text[:0], to.path...), to.title...)
	own := string(to.text)
	r.Path, r.Title = db.UnescapeNUL(own[:len(to.path)]), db.UnescapeNUL(own[len(to.path):])
	r.MIME, r.TextMIME, r.Encoding = to.internText(to.mime), to.internText(to.textMIME), to.internText(to.encoding)
	r.ExtractionNote, r.SkipReason = message.Message(to.internText(to.note)), message.Message(to.internText(to.skip))
	p.Meta, p.RecordChecksum, p.Chunks, p.ChunksChecksum = to.packedMeta, uint32(to.checksum), slices.Clone(to.chunks), uint32(to.chunksChecksum)
	if to.chunksChecksum < 0 { // the chunks were not requested
		p.ChunksChecksum = blob.Checksum(r.TextHash[:], nil)
	}
	return p.Unpack(r)
}

// internText returns a text that other records may share.
func (to *recordRow) internText(b []byte) string {
	s, known := to.common[string(b)]
	if !known {
		s = db.UnescapeNUL(string(b))
		to.common[string(b)] = s
	}
	return s
}

// LoadBodies returns the whole texts of documents by row, given the hash of each. It uses a replica if
// that has all of them.
func (c *Catalog) LoadBodies(ctx context.Context, hashes map[int64][32]byte) (found map[int64]text.Body, err error) {
	if len(hashes) == 0 {
		return found, nil
	}
	read := func(ctx context.Context, m *db.Snapshot) (err error) {
		found, err = c.LoadBodiesInSnapshot(ctx, m, hashes)
		return err
	}
	if answered, err := c.DB.QueryReplica(ctx, read); answered && (err != nil || len(found) == len(hashes)) {
		return found, db.ClassifyError(err)
	}
	err = c.DB.RetryRead(ctx, db.ReadTimeout, func(ctx context.Context) error {
		return c.DB.WithSnapshotOnce(ctx, db.QuickTimeout, db.ReadTimeout, read)
	})
	return found, db.ClassifyError(err)
}

// RowsWithText lists the rows of the documents that have a text.
func (c *Catalog) RowsWithText(ctx context.Context) (all []int64, err error) {
	var one int64
	err = c.QueryRows(ctx, "SELECT d.id FROM vademecum.documents d JOIN vademecum.texts t ON t.library = d.library AND t.document = d.id WHERE d.library = $1",
		[]any{c.ID}, func() { all = all[:0] }, func() error { all = append(all, one); return nil }, &one)
	return all, err
}

// LoadBodiesInSnapshot returns the whole texts of documents by row, given the hash of each, as they
// are in a snapshot of the database.
func (c *Catalog) LoadBodiesInSnapshot(ctx context.Context, m *db.Snapshot, hashes map[int64][32]byte) (map[int64]text.Body, error) {
	found := make(map[int64]text.Body, len(hashes))
	rows, err := m.Tx.Query(ctx, "SELECT document, text, parts, checksum FROM vademecum.texts WHERE library = $1 AND document = ANY($2)",
		c.ID, slices.Collect(maps.Keys(hashes)))
	if err != nil {
		return nil, err
	}
	var id, checksum int64
	var words, parts []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &words, &parts, &checksum}, func() (err error) {
		body := text.Body{Text: string(words)}
		if int64(packed.TextChecksum(hashes[id], words, parts)) != checksum {
			return fmt.Errorf("the text of row %d: %w", id, catalog.ErrDamaged)
		}
		body.Parts, err = packed.ParseParts(parts)
		found[id] = body
		return err
	})
	return found, err
}
