package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"vademecum/docs/text"
	"vademecum/index/blob"
	"vademecum/index/catalog"
	"vademecum/index/catalog/packed"
)

// selectRecords begins a statement that reads documents with their chunks and without
// their texts; $1 is the library. Of a library that is new to its statistics the
// database thinks that it has one document, and would look through all chunks for each:
// so chunks are looked up, and rows that are wanted are given as arrays.
const selectRecords = `SELECT d.id, d.path, d.size, d.modified, d.changed, d.read_at, d.hash, d.text_hash, d.title, d.mime, d.text_mime, d.encoding, d.note, d.skip, d.meta, d.checksum,
	c.document IS NOT NULL, coalesce(c.count, 0), coalesce(c.chunks, ''), coalesce(c.checksum, 0), d.slot, d.passages
	FROM vademecum.documents d LEFT JOIN LATERAL
		(SELECT * FROM vademecum.chunks WHERE library = d.library AND document = d.id OFFSET 0) c ON true
	WHERE d.library = $1 AND `

// selectHeads is selectRecords without the chunks.
const selectHeads = `SELECT d.id, d.path, d.size, d.modified, d.changed, d.read_at, d.hash, d.text_hash, d.title, d.mime, d.text_mime, d.encoding, d.note, d.skip, d.meta, d.checksum,
	d.skip = '', 0, ''::bytea, -1::bigint, d.slot, d.passages FROM vademecum.documents d WHERE d.library = $1 AND `

// WithoutChunks has documents listed without their chunks from now on: who searches in
// the database asks it for those that are found.
func (c *Catalog) WithoutChunks() { c.heads = true }

// selects begins a statement that reads documents.
func (c *Catalog) selects() string {
	if c.heads {
		return selectHeads
	}
	return selectRecords
}

// Records lists some documents, with their chunks and without their texts, in the
// order of their rows: those that follow a row. It is empty when there are none.
func (c *Catalog) Records(ctx context.Context, after int64) ([]catalog.Record, error) {
	return c.records(ctx, "d.id > $2 ORDER BY d.id LIMIT $3", after, catalog.PageRows)
}

// Record reads one document by its row.
func (c *Catalog) Record(ctx context.Context, id int64) (catalog.Record, error) {
	found, err := c.records(ctx, "d.id = $2", id)
	if err != nil || len(found) == 0 {
		return catalog.Record{}, err
	}
	return found[0], nil
}

func (c *Catalog) records(ctx context.Context, which string, args ...any) (found []catalog.Record, err error) {
	err = c.query(ctx, c.selects()+which, append([]any{c.library}, args...), func(rows pgx.Rows) (err error) {
		found, err = scanRecords(rows)
		return err
	})
	return found, err
}

// scanRecords reads what selectRecords selects.
func scanRecords(rows pgx.Rows) ([]catalog.Record, error) {
	// A page is as long as this from the start: records are large to be moved.
	return pgx.AppendRows(make([]catalog.Record, 0, catalog.PageRows), rows, func(row pgx.CollectableRow) (catalog.Record, error) {
		var (
			r                         catalog.Record
			modified, changed, readAt int64
			hash, textHash            pgtype.DriverBytes // of no use after the row, as what is said
			checksum, chunksChecksum  int64
			p                         packed.Row
		)
		err := row.Scan(&r.ID, &r.Path, &r.Size, &modified, &changed, &readAt, &hash, &textHash, &r.Title, &r.MIME, &r.TextMIME, &r.Encoding, &r.Note, &r.Skip, (*pgtype.DriverBytes)(&p.Meta), &checksum,
			&p.HasChunks, &p.Count, &p.Chunks, &chunksChecksum, &r.Run.First, &r.Run.Count)
		if err != nil {
			return r, err
		}
		for _, s := range []*string{&r.Path, &r.Title, &r.MIME, &r.TextMIME, &r.Encoding, &r.Note, &r.Skip} {
			*s = unescape(*s)
		}
		copy(r.Hash[:], hash)
		copy(r.TextHash[:], textHash)
		r.Modified, r.Changed, r.ReadAt = time.Unix(0, modified), time.Unix(0, changed), time.Unix(0, readAt)
		p.Checksum, p.ChunksChecksum = uint32(checksum), uint32(chunksChecksum)
		if chunksChecksum < 0 { // they were not asked for
			p.ChunksChecksum = blob.Checksum(r.TextHash[:], nil)
		}
		if err := p.Unpack(&r); err != nil {
			return r, fmt.Errorf("row %d: %w", r.ID, err)
		}
		return r, nil
	})
}

// Bodies are the whole texts of documents by their rows, for each of which the hash
// is known. A replica does where it has all of them.
func (c *Catalog) Bodies(ctx context.Context, hashes map[int64][32]byte) (found map[int64]text.Body, err error) {
	if len(hashes) == 0 {
		return found, nil
	}
	read := func(ctx context.Context, m *Moment) (err error) {
		found, err = m.bodies(ctx, c, hashes)
		return err
	}
	if r := c.store.replica; r != nil {
		if answered, err := r.ask(ctx, read); answered && (err != nil || len(found) == len(hashes)) {
			return found, mark(err)
		}
	}
	err = c.store.read(ctx, readLimit, func(ctx context.Context) error { return c.store.moment(ctx, quickLimit, readLimit, read) })
	return found, mark(err)
}

func (m *Moment) bodies(ctx context.Context, c *Catalog, hashes map[int64][32]byte) (map[int64]text.Body, error) {
	found := make(map[int64]text.Body, len(hashes))
	rows, err := m.tx.Query(ctx, "SELECT document, text, parts, checksum FROM vademecum.texts WHERE library = $1 AND document = ANY($2)",
		c.library, slices.Collect(maps.Keys(hashes)))
	if err != nil {
		return nil, err
	}
	var id, checksum int64
	var words, parts []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &words, &parts, &checksum}, func() (err error) {
		body := text.Body{Text: string(words)}
		if int64(packed.TextChecksum(hashes[id], body.Text, parts)) != checksum {
			return fmt.Errorf("the text of row %d: %w", id, catalog.ErrDamaged)
		}
		body.Parts, err = packed.ParseParts(parts)
		found[id] = body
		return err
	})
	return found, err
}
