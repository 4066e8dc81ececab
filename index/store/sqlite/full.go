package sqlite

import (
	"context"
	"errors"
	"slices"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/packed"
)

// isDiskFull reports whether an error means that the disk does not accept writes.
func isDiskFull(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY:
		return true
	}
	switch e.Code() {
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC,
		sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_DELETE, sqlite3.SQLITE_IOERR_CLOSE,
		sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMMAP:
		return true
	}
	return false
}

// proof is how many bytes must be written successfully to a disk that was full before it counts as
// having space again.
const proof = 1 << 20

// SaveFromMemory saves the content of a catalogue in memory, which was used in place of the file,
// in one transaction. If this process is not the indexer, it only determines whether the disk
// accepts writes. beganComplete says that the catalogue in memory began with the content of the file,
// so that documents that it lacks are removed. The error is that of the disk.
func (c *Catalog) SaveFromMemory(ctx context.Context, from catalog.Catalog, isIndexer, beganComplete bool) error {
	if err := c.SetValue(ctx, "proof", strings.Repeat("-", proof)); err != nil {
		return err
	}
	if err := c.SetValue(ctx, "proof", ""); err != nil || !isIndexer {
		return err
	}
	_, err := c.writeDocuments(ctx, func(ctx context.Context, w *changeTx) error {
		have, err := summaries(ctx, w)
		if err != nil {
			return err
		}
		held := make(map[string]bool)
		err = from.EachPage(ctx, func(page []catalog.Record) error {
			for _, r := range page {
				held[r.Path] = true
			}
			return w.putChanged(ctx, from, page, have)
		})
		for path := range have {
			if err == nil && beganComplete && !held[path] {
				err = w.delete(ctx, path)
			}
		}
		return err
	})
	return err
}

// putChanged stores those documents of another catalogue that differ from the ones in this
// catalogue.
func (w *changeTx) putChanged(ctx context.Context, from catalog.Catalog, page []catalog.Record, have map[string]recordSummary) error {
	hashes := make(map[int64][32]byte)
	page = slices.DeleteFunc(page, func(r catalog.Record) bool { return have[r.Path] == summarise(r) })
	for _, r := range page {
		if r.SkipReason == "" {
			hashes[r.ID] = r.TextHash
		}
	}
	bodies, err := from.LoadBodies(ctx, hashes)
	for _, r := range page {
		if err == nil {
			err = w.put(ctx, &catalog.RecordWithBody{Record: r, Body: bodies[r.ID]})
		}
	}
	return err
}

// recordSummary is compared to determine whether two rows hold the same state of a document.
type recordSummary struct {
	size, modified, checksum int64
	hash                     [32]byte
}

func summarise(r catalog.Record) recordSummary {
	return recordSummary{r.Size, catalog.Nanoseconds(r.Modified), int64(packed.RecordChecksum(&r, packed.PackMeta(r.Meta))), r.Hash}
}

// summaries returns a recordSummary of each document by its path.
func summaries(ctx context.Context, from querier) (map[string]recordSummary, error) {
	rows, err := from.QueryContext(ctx, "SELECT path, size, modified, checksum, hash FROM documents")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := make(map[string]recordSummary)
	for rows.Next() {
		var s recordSummary
		var path string
		var hash []byte
		if err := rows.Scan(&path, &s.size, &s.modified, &s.checksum, &hash); err != nil {
			return nil, err
		}
		copy(s.hash[:], hash)
		all[path] = s
	}
	return all, rows.Err()
}
