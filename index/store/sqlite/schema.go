package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"

	"vademecum/docs"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// schema defines the tables. A document has one row in each of documents, texts and chunks (ranges
// and term counts, see package packed). Vectors are stored by model and text, so that renamed,
// moved and restored documents find theirs again. Rows have checksums, because SQLite has none:
// damaged data must not be returned as a text. The rows of documents that were written or removed are listed in
// changes, for processes that follow.
const schema = `
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS models (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS vectors (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	model INTEGER NOT NULL,
	text_key BLOB NOT NULL,
	vector BLOB NOT NULL,
	spare_since INTEGER NOT NULL DEFAULT 0,
	UNIQUE (model, text_key));
CREATE TABLE IF NOT EXISTS documents (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	path TEXT NOT NULL UNIQUE,
	size INTEGER NOT NULL,
	modified INTEGER NOT NULL,
	changed INTEGER NOT NULL,
	read_at INTEGER NOT NULL,
	hash BLOB NOT NULL,
	text_hash BLOB NOT NULL,
	title TEXT NOT NULL,
	mime TEXT NOT NULL,
	text_mime TEXT NOT NULL,
	encoding TEXT NOT NULL,
	note TEXT NOT NULL,
	skip TEXT NOT NULL,
	meta BLOB NOT NULL,
	checksum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS texts (document INTEGER PRIMARY KEY, text BLOB NOT NULL, parts BLOB NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS chunks (document INTEGER PRIMARY KEY, count INTEGER NOT NULL, chunks BLOB NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS changes (number INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL);
`

// migrate creates the tables, or empties those of an older format.
func (c *Catalog) migrate(ctx context.Context) error {
	have, err := c.Value(ctx, "format")
	if err != nil || have == strconv.Itoa(catalog.FormatVersion) {
		return err
	}
	if have != "" {
		leave, err := c.blockOlderFormats(ctx)
		if err != nil {
			return err
		}
		defer leave()
	}
	if err := c.transact(ctx, func(tx *sql.Tx) error { return c.migrateIn(ctx, tx) }); err != nil {
		return err
	}
	// The application ID must be in the file itself, where programs that identify files look for
	// it. If another process prevents the checkpoint now, it happens later.
	_, _ = c.write.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	return nil
}

// migrateIn checks again, within the transaction, whether the tables must be migrated: another
// process may have done so.
func (c *Catalog) migrateIn(ctx context.Context, tx *sql.Tx) error {
	want := strconv.Itoa(catalog.FormatVersion)
	have, err := getMeta(ctx, tx, "format")
	if err != nil || have == want {
		return err
	}
	if n, err := strconv.Atoi(have); err == nil && n > catalog.FormatVersion {
		return errNewer
	}
	statements := fmt.Sprintf("PRAGMA application_id = %d;", docs.SQLiteApplicationID) + schema
	if have != "" {
		c.RebuildReason = message.New("the index was written by another version (format %s, now %s)", have, want)
		statements = "DROP TABLE IF EXISTS documents; DROP TABLE IF EXISTS texts; DROP TABLE IF EXISTS chunks;" +
			"DROP TABLE IF EXISTS refusals;" + // these are values since format 25
			"DELETE FROM meta WHERE key = 'snapshot';" + // belongs to the dropped tables
			// they were saved up to format 10
			statements + "DELETE FROM vectors WHERE model IN (SELECT id FROM models WHERE name LIKE 'builtin/%');"
	}
	if _, err := tx.ExecContext(ctx, statements); err != nil {
		return err
	}
	return setMeta(ctx, tx, "format", want)
}
