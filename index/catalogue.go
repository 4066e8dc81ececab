package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"vademecum/docs"
)

// format is the version of the tables and of what is in them: raise it when the
// schema, the chunker or the analyser change. Files in our cache folder have it in
// their names. Another file of an older format is emptied, all but its vectors, and
// filled again from the folder, unless an older program has it in use. Tests
// run programs of several formats: nothing else sets it.
var format = 10

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
	checksum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS texts (document INTEGER PRIMARY KEY, text TEXT NOT NULL, parts BLOB NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS chunks (document INTEGER PRIMARY KEY, count INTEGER NOT NULL, chunks BLOB NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS changes (number INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS refusals (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	model INTEGER NOT NULL,
	text_key BLOB NOT NULL,
	reason TEXT NOT NULL,
	at INTEGER NOT NULL,
	UNIQUE (model, text_key));
CREATE TABLE IF NOT EXISTS requests (number INTEGER PRIMARY KEY AUTOINCREMENT, request TEXT NOT NULL, answer TEXT NOT NULL);
`

// catalogue is what one folder's index keeps on disk: a SQLite file that
// several processes may have open at once. Each document is one transaction.
type catalogue struct {
	file     string        // "" where there is no place for one
	info     os.FileInfo   // of the file, to see whether another is in its place
	patience time.Duration // with another process that is writing
	unsaved  bool          // it is in memory: the disk takes no file
	why      error         // in that case
	whole    bool          // of one in memory: it began with all that is on the disk
	read     *sql.DB
	write    *sql.DB // one connection: SQLite has one writer
	model    int64   // the row of the embedding model in use

	overtaken func() bool           // whether another process has become the indexer in place of this one; may be nil
	suspect   atomic.Bool           // it was found damaged
	displaced atomic.Bool           // a program of another format has taken its file
	retired   atomic.Bool           // another takes its place
	refused   atomic.Pointer[error] // why the disk takes no more of it

	rebuilt string // why documents are read again, "" if they are not
	before  string // the model of the last use, if that was another
}

// claim notes whose index this is. That of another folder is refused, unless
// that folder is gone: it may have been moved here. A file of our own is named
// after its folder: if it says otherwise, a link was set to another folder, by
// which this one was indexed once.
func (c *catalogue) claim(ctx context.Context, at place) error {
	owner, err := c.value(ctx, "folder")
	if err != nil || owner == at.folder {
		return err
	}
	if err := checkOwner(owner, at); err != nil {
		return err
	}
	return c.setValue(ctx, "folder", at.folder)
}

// checkOwner refuses the file of another folder, unless that is gone.
func checkOwner(owner string, at place) error {
	there, err := os.Stat(owner)
	if owner == "" || err != nil || at.own {
		return nil
	}
	if here, err := os.Stat(at.folder); err != nil || !os.SameFile(here, there) {
		return fmt.Errorf("%w %s: name another file", errClaimed, owner)
	}
	return nil
}

func dataSource(file string, pragmas []string) string {
	path := filepath.ToSlash(file)
	if filepath.VolumeName(file) != "" {
		path = "/" + path
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: url.Values{"_pragma": pragmas}.Encode()}
	return u.String()
}

func (c *catalogue) close() error {
	var errs []error
	if c.read != nil && c.read != c.write {
		errs = append(errs, c.read.Close())
	}
	if c.write != nil {
		errs = append(errs, c.write.Close())
	}
	return errors.Join(errs...)
}

// migrate makes the tables, or empties those of an older format.
func (c *catalogue) migrate(ctx context.Context) error {
	have, err := c.value(ctx, "format")
	if err != nil || have == strconv.Itoa(format) {
		return err
	}
	if have != "" {
		leave, err := c.displace(ctx)
		if err != nil {
			return err
		}
		defer leave()
	}
	if err := c.transact(ctx, func(tx *sql.Tx) error { return c.migrateIn(ctx, tx) }); err != nil || c.unsaved {
		return err
	}
	// The mark is to stand in the file itself, where those find it who look what
	// that is. Who keeps it from being put there does so later.
	_, _ = c.write.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	return nil
}

// migrateIn asks again whether it is to be done: another process may have been
// faster.
func (c *catalogue) migrateIn(ctx context.Context, tx *sql.Tx) error {
	want := strconv.Itoa(format)
	have, err := metaIn(ctx, tx, "format")
	if err != nil || have == want {
		return err
	}
	if n, err := strconv.Atoi(have); err == nil && n > format {
		return errNewer
	}
	statements := fmt.Sprintf("PRAGMA application_id = %d;", docs.ApplicationID) + schema
	if have != "" {
		c.rebuilt = fmt.Sprintf("the index was written by another version (format %s, now %s)", have, want)
		statements = "DROP TABLE IF EXISTS documents; DROP TABLE IF EXISTS texts; DROP TABLE IF EXISTS chunks;" +
			"DELETE FROM meta WHERE key = 'snapshot';" + statements // it is of what is dropped
	}
	if _, err := tx.ExecContext(ctx, statements); err != nil {
		return err
	}
	return setMeta(ctx, tx, "format", want)
}

// modelRow finds or makes the row of the model. When the last use was with
// another one, that is told in before.
func (c *catalogue) modelRow(ctx context.Context, model string) (id int64, err error) {
	last, err := c.value(ctx, "model")
	if err != nil {
		return 0, err
	}
	if model == "" {
		model = last
	}
	const find = "SELECT id FROM models WHERE name = ?"
	if last == model {
		err := c.write.QueryRowContext(ctx, find, model).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			err = fmt.Errorf("the row of the model: %w", errDamaged)
		}
		return id, err
	}
	c.before = last
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
	return name, c.note(err)
}

// value reads what was set under a key, "" when it never was.
func (c *catalogue) value(ctx context.Context, key string) (string, error) {
	value, err := metaIn(ctx, c.write, key)
	return value, c.note(err)
}

// setValue keeps a value under a key.
func (c *catalogue) setValue(ctx context.Context, key, value string) error {
	return c.transact(ctx, func(tx *sql.Tx) error { return setMeta(ctx, tx, key, value) })
}

func metaIn(ctx context.Context, from querier, key string) (value string, err error) {
	var tables int
	if err := from.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'meta'").Scan(&tables); err != nil || tables == 0 {
		return "", err
	}
	err = from.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

func setMeta(ctx context.Context, tx *sql.Tx, key, value string) error {
	_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value)
	return err
}

// isReplaced tells whether the file is gone, or another in its place.
func (c *catalogue) isReplaced() bool {
	if c.unsaved {
		return false
	}
	now, err := os.Stat(c.file)
	return errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(c.info, now)
}

// flush puts what was committed on the disk itself.
func (c *catalogue) flush() error {
	if c.unsaved {
		return nil
	}
	f, err := os.OpenFile(c.file+"-wal", os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return nil // nothing could be committed there since
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// transact runs f in one immediate transaction. Once it has begun it is brought
// to its end, as one that is broken off costs the connection.
func (c *catalogue) transact(ctx context.Context, f func(*sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	tx, err := c.begin(ctx)
	if err != nil {
		return c.note(err)
	}
	defer func() { _ = tx.Rollback() }() // after an error or a panic; SQLite may have rolled back itself
	if err := f(tx); err != nil {
		return c.note(err)
	}
	return c.note(tx.Commit())
}

// errHeld is about a process that does not come to the end of a transaction.
var errHeld = errors.New("another process is writing to the index and does not go on, it may be stopped")

// begin waits for the turn of this process, as long as the catalogue has
// patience.
func (c *catalogue) begin(ctx context.Context) (*sql.Tx, error) {
	for start := time.Now(); ; {
		tx, err := c.write.BeginTx(context.WithoutCancel(ctx), nil)
		switch {
		case !isBusy(err):
			return tx, err
		case ctx.Err() != nil:
			return nil, errors.Join(errHeld, ctx.Err())
		case time.Since(start) > c.patience:
			return nil, fmt.Errorf("%w (%w)", errHeld, err)
		}
	}
}

// version is a number that changes whenever another process has committed.
func (c *catalogue) version(ctx context.Context) (version int64, err error) {
	err = c.write.QueryRowContext(context.WithoutCancel(ctx), "PRAGMA data_version").Scan(&version)
	return version, c.note(err)
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

// note remembers that an error shows damage, or a disk that takes no more.
func (c *catalogue) note(err error) error {
	if errors.Is(err, errOtherFormat) {
		c.displaced.Store(true)
	}
	if isDamaged(err) && !c.retired.Load() {
		c.suspect.Store(true)
	}
	if isRefused(err) && !c.unsaved {
		c.refused.CompareAndSwap(nil, &err)
	}
	return err
}
