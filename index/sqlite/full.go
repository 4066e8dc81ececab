package sqlite

import (
	"context"
	"errors"
	"slices"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"vademecum/index/catalog"
	"vademecum/index/catalog/packed"
)

// isDiskFull tells whether an error is that of a disk which does not take what
// is written.
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

// proof is how many bytes a disk has to take before a catalogue on it is trusted
// to take more.
const proof = 1 << 20

// SaveFromMemory saves what a catalogue in memory holds that was in the place of the file, all
// or nothing, where this process is the one that writes: all that there is if whole says
// that it began with what is in the file. The error is that of a disk that does not take
// it.
func (c *Catalog) SaveFromMemory(ctx context.Context, from catalog.Catalog, leads, whole bool) error {
	if err := c.Values().Set(ctx, "proof", strings.Repeat("-", proof)); err != nil {
		return err
	}
	if err := c.Values().Set(ctx, "proof", ""); err != nil || !leads {
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
			if err == nil && whole && !held[path] {
				err = w.delete(ctx, path)
			}
		}
		return err
	})
	return err
}

// putChanged puts those of some documents of another catalogue that are not as they are
// in this one.
func (w *changeTx) putChanged(ctx context.Context, from catalog.Catalog, page []catalog.Record, have map[string]recordSummary) error {
	hashes := make(map[int64][32]byte)
	page = slices.DeleteFunc(page, func(r catalog.Record) bool { return have[r.Path] == summarise(r) })
	for _, r := range page {
		if r.Skip == "" {
			hashes[r.ID] = r.TextHash
		}
	}
	bodies, err := from.Bodies(ctx, hashes)
	for _, r := range page {
		if err == nil {
			err = w.put(ctx, &catalog.Entry{Record: r, Body: bodies[r.ID]})
		}
	}
	return err
}

// recordSummary tells whether two rows are of the same document.
type recordSummary struct {
	size, modified, checksum int64
	hash                     [32]byte
}

func summarise(r catalog.Record) recordSummary {
	return recordSummary{r.Size, catalog.Nanoseconds(r.Modified), int64(packed.RecordChecksum(&r, packed.PackMeta(r.Meta))), r.Hash}
}

// summaries lists the documents by their paths.
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
