// Package sqlite keeps the catalogue of a folder in a SQLite file, which several
// processes may have open at once, or in memory while the disk takes none. It finds
// out when a file is damaged, replaced, full or of another version, and takes over
// what can be saved of it. It knows no folder but by its path, and no documents but
// as they are put.
package sqlite

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

	"vademecum/index/catalog"

	"vademecum/docs"
)

// Format is the version of the tables and of what is in them: raise it when the
// schema, the chunker or the analyser change. Files in our cache folder have it in
// their names. Another file of an older format is emptied, all but its vectors, and
// filled again from the folder, unless an older program has it in use. Tests
// run programs of several formats: nothing else sets it.
var Format = 10

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

// Catalog is what one folder's index keeps on disk: a SQLite file that
// several processes may have open at once. Each document is one transaction.
type Catalog struct {
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

	Rebuilt string // why documents are read again, "" if they are not
	Before  string // the model of the last use, if that was another
}

// claim notes whose index this is. That of another folder is refused, unless
// that folder is gone: it may have been moved here. A file of our own is named
// after its folder: if it says otherwise, a link was set to another folder, by
// which this one was indexed once.
func (c *Catalog) claim(ctx context.Context, at Place) error {
	owner, err := c.Value(ctx, "folder")
	if err != nil || owner == at.Folder {
		return err
	}
	if err := checkOwner(owner, at); err != nil {
		return err
	}
	return c.SetValue(ctx, "folder", at.Folder)
}

// checkOwner refuses the file of another folder, unless that is gone.
func checkOwner(owner string, at Place) error {
	there, err := os.Stat(owner)
	if owner == "" || err != nil || at.Own {
		return nil
	}
	if here, err := os.Stat(at.Folder); err != nil || !os.SameFile(here, there) {
		return fmt.Errorf("%w %s: name another file", ErrClaimed, owner)
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

func (c *Catalog) Close() error {
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
func (c *Catalog) migrate(ctx context.Context) error {
	have, err := c.Value(ctx, "format")
	if err != nil || have == strconv.Itoa(Format) {
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
func (c *Catalog) migrateIn(ctx context.Context, tx *sql.Tx) error {
	want := strconv.Itoa(Format)
	have, err := metaIn(ctx, tx, "format")
	if err != nil || have == want {
		return err
	}
	if n, err := strconv.Atoi(have); err == nil && n > Format {
		return errNewer
	}
	statements := fmt.Sprintf("PRAGMA application_id = %d;", docs.ApplicationID) + schema
	if have != "" {
		c.Rebuilt = fmt.Sprintf("the index was written by another version (format %s, now %s)", have, want)
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
func (c *Catalog) modelRow(ctx context.Context, model string) (id int64, err error) {
	last, err := c.Value(ctx, "model")
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
			err = fmt.Errorf("the row of the model: %w", catalog.ErrDamaged)
		}
		return id, err
	}
	c.Before = last
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

// File is where the catalogue is kept, "" where there is no place.
func (c *Catalog) File() string { return c.file }

// Writer is the connection that writes, for tests that look into the tables or harm
// them.
func (c *Catalog) Writer() *sql.DB { return c.write }

// ModelKey is the key of a value that is about the model in use.
func (c *Catalog) ModelKey(of string) string { return fmt.Sprintf("%s of model %d", of, c.model) }

// IsUnsaved tells whether the catalogue is in memory only.
func (c *Catalog) IsUnsaved() bool { return c.unsaved }

// Reason is why it is, in that case.
func (c *Catalog) Reason() error { return c.why }

// IsSuspect tells whether it was found damaged.
func (c *Catalog) IsSuspect() bool { return c.suspect.Load() }

// IsDisplaced tells whether a program of another format has taken its file.
func (c *Catalog) IsDisplaced() bool { return c.displaced.Load() }

// Retire notes whether another catalogue takes the place of this one: what seems
// to be damage then is none.
func (c *Catalog) Retire(yes bool) { c.retired.Store(yes) }

// IsRetired tells whether another takes its place.
func (c *Catalog) IsRetired() bool { return c.retired.Load() }

// Refusal is why the disk takes no more of it, nil while it does.
func (c *Catalog) Refusal() error {
	if err := c.refused.Load(); err != nil {
		return *err
	}
	return nil
}

// ModelName is the name of the model in use.
func (c *Catalog) ModelName(ctx context.Context) (name string, err error) {
	err = c.read.QueryRowContext(ctx, "SELECT name FROM models WHERE id = ?", c.model).Scan(&name)
	return name, c.Note(err)
}

// Value reads what was set under a key, "" when it never was.
func (c *Catalog) Value(ctx context.Context, key string) (string, error) {
	value, err := metaIn(ctx, c.write, key)
	return value, c.Note(err)
}

// SetValue keeps a value under a key.
func (c *Catalog) SetValue(ctx context.Context, key, value string) error {
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

// IsReplaced tells whether the file is gone, or another in its place.
func (c *Catalog) IsReplaced() bool {
	if c.unsaved {
		return false
	}
	now, err := os.Stat(c.file)
	return errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(c.info, now)
}

// Flush puts what was committed on the disk itself.
func (c *Catalog) Flush() error {
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
func (c *Catalog) transact(ctx context.Context, f func(*sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	tx, err := c.begin(ctx)
	if err != nil {
		return c.Note(err)
	}
	defer func() { _ = tx.Rollback() }() // after an error or a panic; SQLite may have rolled back itself
	if err := f(tx); err != nil {
		return c.Note(err)
	}
	return c.Note(tx.Commit())
}

// begin waits for the turn of this process, as long as the catalogue has
// patience.
func (c *Catalog) begin(ctx context.Context) (*sql.Tx, error) {
	for start := time.Now(); ; {
		tx, err := c.write.BeginTx(context.WithoutCancel(ctx), nil)
		switch {
		case !isBusy(err):
			return tx, err
		case ctx.Err() != nil:
			return nil, errors.Join(catalog.ErrHeld, ctx.Err())
		case time.Since(start) > c.patience:
			return nil, fmt.Errorf("%w (%w)", catalog.ErrHeld, err)
		}
	}
}

// Version is a number that changes whenever another process has committed.
func (c *Catalog) Version(ctx context.Context) (version int64, err error) {
	err = c.write.QueryRowContext(context.WithoutCancel(ctx), "PRAGMA data_version").Scan(&version)
	return version, c.Note(err)
}

// Size is the bytes that the index takes on disk.
func (c *Catalog) Size() int64 {
	var total int64
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(c.file + suffix); err == nil {
			total += info.Size()
		}
	}
	return total
}

// Note remembers that an error shows damage, or a disk that takes no more.
func (c *Catalog) Note(err error) error {
	if errors.Is(err, catalog.ErrOtherFormat) {
		c.displaced.Store(true)
	}
	if isDamaged(err) && !c.retired.Load() {
		c.suspect.Store(true)
	}
	if isRefused(err) && !c.unsaved {
		c.refused.CompareAndSwap(nil, &err)
	}
	return mark(err)
}

// marked is an error of SQLite that matches one of a catalogue.
type marked struct {
	error
	as error
}

func (m marked) Unwrap() []error { return []error{m.error, m.as} }

// mark has an error match what it comes to.
func mark(err error) error {
	switch {
	case errors.Is(err, catalog.ErrDamaged), errors.Is(err, catalog.ErrRefused):
	case isDamaged(err):
		return marked{err, catalog.ErrDamaged}
	case isRefused(err):
		return marked{err, catalog.ErrRefused}
	}
	return err
}
