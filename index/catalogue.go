package index

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// applicationID marks our SQLite files in their header ("VdMc").
const applicationID = 0x56644d63

// format is the version of the tables and of what is in them. A file of
// another format is emptied, all but its vectors, and filled again from
// the folder: raise it when the schema, the chunker or the analyser change.
const format = 7

// schema: a document is one row, its text one, its chunks one (ranges and
// term counts, see record.go). Vectors are kept by model and text, so that
// renamed, moved and restored documents find theirs again. Each row has a
// checksum, as SQLite has none: noise must not pass for a text. The rows of
// documents that were written or removed are listed in changes, for those who
// follow.
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
	read_at INTEGER NOT NULL,
	hash BLOB NOT NULL,
	text_hash BLOB NOT NULL,
	title TEXT NOT NULL,
	mime TEXT NOT NULL,
	text_mime TEXT NOT NULL,
	encoding TEXT NOT NULL,
	note TEXT NOT NULL,
	skip TEXT NOT NULL,
	checksum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS texts (document INTEGER PRIMARY KEY, text TEXT NOT NULL, parts BLOB NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS chunks (document INTEGER PRIMARY KEY, count INTEGER NOT NULL, chunks BLOB NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS changes (number INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL);
`

// catalogue is what one folder's index keeps on disk: a SQLite file that
// several processes may have open at once. Each document is one transaction.
type catalogue struct {
	file  string
	read  *sql.DB
	write *sql.DB // one connection: SQLite has one writer
	model int64   // the row of the embedding model in use
	seen  int64   // data_version at the last look

	// order makes a commit and its place in memory one step, so that follow
	// sees both or neither. It guards what follows.
	order          sync.Mutex
	followed       int64 // the last change that is in memory
	followedVector int64 // the row of the last vector looked at
	pictured       pictured

	rebuilt string // why documents are read or embedded again, "" if they are not
}

// openCatalogue opens or creates the file for the embedding model named; with
// no name it keeps the one used last. A damaged file is moved aside and begun
// again: the folder is the truth. A file that is not an index is left alone.
func openCatalogue(ctx context.Context, at place, model string) (*catalogue, error) {
	if err := prepareFile(ctx, at); err != nil {
		return nil, fmt.Errorf("index file %s: %w", at.file, err)
	}
	c, err := connectPatiently(ctx, at, model)
	if !isDamaged(err) {
		return c, err
	}
	aside, err := setAside(at.file)
	if err != nil {
		return nil, err
	}
	if c, err = connect(ctx, at, model); err == nil {
		c.rebuilt = "the index file was damaged; it was moved to " + aside
	}
	return c, err
}

// busyLimit is how long another process may take to make the file: the switch
// to a write-ahead log does not wait for a lock.
const busyLimit = 10 * time.Second

func connectPatiently(ctx context.Context, at place, model string) (*catalogue, error) {
	for deadline := time.Now().Add(busyLimit); ; {
		c, err := connect(ctx, at, model)
		if !isBusy(err) || time.Now().After(deadline) {
			return c, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func connect(ctx context.Context, at place, model string) (*catalogue, error) {
	c := &catalogue{file: at.file}
	err := c.connect(ctx, model)
	if err == nil {
		err = c.claim(ctx, at.folder)
	}
	if err != nil {
		c.close()
		return nil, fmt.Errorf("open index %s: %w", at.file, err)
	}
	return c, nil
}

// claim notes whose index this is. That of another folder is refused, unless
// that folder is gone: it may have been moved here.
func (c *catalogue) claim(ctx context.Context, folder string) error {
	owner, err := c.meta(ctx, "folder")
	if err != nil || owner == folder {
		return err
	}
	if _, err := os.Stat(owner); owner != "" && err == nil {
		return fmt.Errorf("it is the index of %s: name another file", owner)
	}
	return c.transact(ctx, func(tx *sql.Tx) error { return setMeta(ctx, tx, "folder", folder) })
}

func (c *catalogue) connect(ctx context.Context, model string) (err error) {
	// A commit survives a kill of the process; with NORMAL in WAL mode a power
	// cut may undo the last ones, and the next scan makes them again.
	pragmas := []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "cache_size(-8000)"}
	if c.write, err = sql.Open("sqlite", dataSource(c.file, append(pragmas, "wal_autocheckpoint(4000)"))); err != nil {
		return err
	}
	c.write.SetMaxOpenConns(1)
	c.write.SetConnMaxIdleTime(0)
	if c.read, err = sql.Open("sqlite", dataSource(c.file, append(pragmas, "query_only(1)"))); err != nil {
		return err
	}
	if err := c.migrate(ctx); err != nil {
		return err
	}
	if c.model, err = c.modelRow(ctx, model); err != nil {
		return err
	}
	_, err = c.changed(ctx)
	return err
}

func dataSource(file string, pragmas []string) string {
	path := filepath.ToSlash(file)
	if filepath.VolumeName(file) != "" {
		path = "/" + path
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: url.Values{"_pragma": pragmas, "_txlock": {"immediate"}}.Encode()}
	return u.String()
}

func (c *catalogue) close() error {
	var errs []error
	for _, db := range []*sql.DB{c.read, c.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// migrate makes the tables, or empties those of another format.
func (c *catalogue) migrate(ctx context.Context) error {
	want := strconv.Itoa(format)
	have, err := c.meta(ctx, "format")
	if err != nil || have == want {
		return err
	}
	return c.transact(ctx, func(tx *sql.Tx) error {
		statements := fmt.Sprintf("PRAGMA application_id = %d;", applicationID) + schema
		if have != "" {
			c.rebuilt = fmt.Sprintf("the index was written by another version (format %s, now %s)", have, want)
			statements = "DROP TABLE IF EXISTS documents; DROP TABLE IF EXISTS texts; DROP TABLE IF EXISTS chunks;" + statements
		}
		if _, err := tx.ExecContext(ctx, statements); err != nil {
			return err
		}
		if err := setMeta(ctx, tx, "id", rand.Text()); err != nil {
			return err
		}
		return setMeta(ctx, tx, "format", want)
	})
}

// modelRow finds or makes the row of the model. When the last use was with
// another one, that is told in rebuilt.
func (c *catalogue) modelRow(ctx context.Context, model string) (id int64, err error) {
	last, err := c.meta(ctx, "model")
	if err != nil {
		return 0, err
	}
	if model == "" {
		model = last
	}
	const find = "SELECT id FROM models WHERE name = ?"
	if last == model {
		err := c.write.QueryRowContext(ctx, find, model).Scan(&id)
		return id, err
	}
	if last != "" {
		c.rebuilt = fmt.Sprintf("the embedding model changed from %s to %s", last, model)
	}
	err = c.transact(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO models (name) VALUES (?)", model); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, find, model).Scan(&id); err != nil {
			return err
		}
		return setMeta(ctx, tx, "model", model)
	})
	return id, err
}

// modelName is the name of the model in use.
func (c *catalogue) modelName(ctx context.Context) (name string, err error) {
	err = c.read.QueryRowContext(ctx, "SELECT name FROM models WHERE id = ?", c.model).Scan(&name)
	return name, err
}

// meta reads one value of the header, "" when it was never set.
func (c *catalogue) meta(ctx context.Context, key string) (value string, err error) {
	var tables int
	if err := c.write.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'meta'").Scan(&tables); err != nil || tables == 0 {
		return "", err
	}
	err = c.write.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

func setMeta(ctx context.Context, tx *sql.Tx, key, value string) error {
	_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value)
	return err
}

// synced is when the folder was last scanned as a whole.
func (c *catalogue) synced(ctx context.Context) (time.Time, error) {
	value, err := c.meta(ctx, "synced")
	if err != nil || value == "" {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339Nano, value)
}

func (c *catalogue) setSynced(ctx context.Context, t time.Time) error {
	return c.transact(ctx, func(tx *sql.Tx) error { return setMeta(ctx, tx, "synced", t.UTC().Format(time.RFC3339Nano)) })
}

// transact runs f in one immediate transaction.
func (c *catalogue) transact(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := c.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // what failed is told; SQLite may have rolled back itself
		return err
	}
	return tx.Commit()
}

// changed tells whether another process has committed since the last call.
func (c *catalogue) changed(ctx context.Context) (bool, error) {
	var version int64
	if err := c.write.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version); err != nil {
		return false, err
	}
	changed := c.seen != version
	c.seen = version
	return changed, nil
}

// size is the bytes that the index takes on disk.
func (c *catalogue) size() int64 {
	var total int64
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(c.file + suffix); err == nil {
			total += info.Size()
		}
	}
	return total
}
