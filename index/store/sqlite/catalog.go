// Package sqlite stores the catalogue of a folder in a SQLite file, which several processes may
// have open at once. It detects if the file is damaged, replaced, on a full disk or of another
// format version, and recovers what it can, above all vectors. It does not read the folder: it
// stores the documents that its callers put.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/gofrs/flock"

	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// Catalog implements catalog.Catalog for one folder in a SQLite file, which several processes may
// have open at once. Its methods are safe for concurrent use. Each call that writes is one
// transaction, which waits for other writers for up to patience.
type Catalog struct {
	file      string
	info      os.FileInfo   // metadata of the file when it was opened, to detect that another file has replaced it
	log       os.FileInfo   // metadata of the write-ahead log when the file was opened; nil if there was no log
	patience  time.Duration // how long to wait for another process that is writing
	read      *sql.DB
	write     *sql.DB                  // one connection, because SQLite permits one writer
	texts     atomic.Pointer[sql.Stmt] // prepared statement that reads texts; nil until needed
	model     int64                    // row of the embedding model in use
	modelName string

	// reports whether another process has become the indexer in place of this one; may be nil
	overtaken func() bool
	suspect   atomic.Bool // the file was found damaged
	// whether the open file cannot be read although the file on disk may be intact
	cut       atomic.Bool
	displaced atomic.Bool           // whether a program with another format has taken over the file
	refused   atomic.Pointer[error] // why the disk rejects writes; nil if it accepts them

	RebuildReason message.Message // why documents are read again; "" if they are not
	PreviousModel string          // model of the last use, if it differs
}

// claimForFolder records which folder the index belongs to. It returns an error if the index
// belongs to another folder, unless that is gone, because the folder may have been moved here. A
// file in our own cache is named after its folder: if it records another one, a symbolic link by
// which the folder was indexed has been changed to lead elsewhere.
func (c *Catalog) claimForFolder(ctx context.Context, at Location) error {
	owner, err := c.Value(ctx, "folder")
	if err != nil || owner == at.Folder {
		return err
	}
	if err := checkOwner(owner, at); err != nil {
		return err
	}
	return c.SetValue(ctx, "folder", at.Folder)
}

// checkOwner returns an error if the file belongs to another folder that still exists.
func checkOwner(owner string, at Location) error {
	there, err := os.Stat(owner)
	if owner == "" || err != nil || at.IsInCacheDir {
		return nil
	}
	if here, err := os.Stat(at.Folder); err != nil || !os.SameFile(here, there) {
		return fmt.Errorf("%w %s: name another file", ErrIndexOfOtherFolder, owner)
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

// Close closes the connections. It waits up to closeLimit for those in use. SQLite removes the
// write-ahead log by name when the last connection is closed, so no other file may have that name
// by then.
func (c *Catalog) Close() error {
	defer lockOpening(context.Background(), c.file, (*flock.Flock).TryRLock)()
	var errs []error
	for _, db := range []*sql.DB{c.read, c.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	for start := time.Now(); c.isOpen() && time.Since(start) < closeLimit; {
		time.Sleep(time.Millisecond)
	}
	return errors.Join(errs...)
}

// closeLimit is how long Close waits for queries in progress.
const closeLimit = time.Second

// isOpen reports whether a connection is open. The connections of a process share the mapping of
// the log's index (-shm), which is kept as long as one is open.
func (c *Catalog) isOpen() bool {
	isOpen := func(db *sql.DB) bool { return db != nil && db.Stats().OpenConnections > 0 }
	return isOpen(c.read) || isOpen(c.write)
}

// useModel finds the row of the model, or of the model used last if model is "". If the model
// differs from the one used last, it records that in PreviousModel, and inserts the row if there is
// none.
func (c *Catalog) useModel(ctx context.Context, model string) error {
	last, err := c.Value(ctx, "model")
	if err != nil {
		return err
	}
	c.modelName = cmp.Or(model, last)
	c.model, err = c.modelRow(ctx, c.modelName, last)
	return err
}

func (c *Catalog) modelRow(ctx context.Context, model, last string) (id int64, err error) {
	const find = "SELECT id FROM models WHERE name = ?"
	if last == model {
		err := c.write.QueryRowContext(ctx, find, model).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			err = fmt.Errorf("the row of the model: %w", catalog.ErrDamaged)
		}
		return id, err
	}
	c.PreviousModel = last
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

// Describe returns the path of the file and the model.
func (c *Catalog) Describe() catalog.Description {
	return catalog.Description{Model: c.modelName, File: c.file}
}

// Writer returns the connection that writes, for tests that inspect or damage the tables.
func (c *Catalog) Writer() *sql.DB { return c.write }

// Value returns the value of a key; "" if none was set. It does not wait for writers: processes that
// wait for an answer call it often. While the file is being opened, only the writer may be there.
func (c *Catalog) Value(ctx context.Context, key string) (string, error) {
	value, err := getMeta(ctx, cmp.Or(c.read, c.write), key)
	return value, c.recordError(err)
}

// Values returns the values of the keys that begin with prefix.
func (c *Catalog) Values(ctx context.Context, prefix string) (map[string]string, error) {
	all := make(map[string]string)
	err := c.eachValue(ctx, func(key, value string) error { all[key] = value; return nil },
		"SELECT key, value FROM meta WHERE key >= ?1 AND key < ?1 || ?2", prefix, string(utf8.MaxRune))
	return all, err
}

// SetValue stores a value under a key, or removes it if value is "".
func (c *Catalog) SetValue(ctx context.Context, key, value string) error {
	return c.transact(ctx, func(tx *sql.Tx) error { return setMeta(ctx, tx, key, value) })
}

func getMeta(ctx context.Context, from querier, key string) (value string, err error) {
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
	if value == "" {
		_, err := tx.ExecContext(ctx, "DELETE FROM meta WHERE key = ?", key)
		return err
	}
	_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value)
	return err
}

// isFileReplaced reports whether the file was deleted, or replaced by another.
func (c *Catalog) isFileReplaced() bool { return isOtherFile(c.file, c.info) }

// HasLostWAL reports whether the write-ahead log that this process has open was deleted or
// replaced, so that other processes do not see its commits, nor does it see theirs. It returns
// false if the database file itself is gone, because then that must be repaired.
func (c *Catalog) HasLostWAL() bool {
	return c.log != nil && isOtherFile(c.file+"-wal", c.log) && !isOtherFile(c.file, c.info)
}

// isOtherFile reports whether the file at a path differs from an earlier one.
func isOtherFile(file string, before os.FileInfo) bool {
	now, err := os.Stat(file)
	for _, gone := range []error{os.ErrNotExist, syscall.ELOOP, syscall.ENOTDIR} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return err == nil && !os.SameFile(before, now)
}

// Flush makes the operating system write everything committed to the disk (fsync). It blocks until
// that is done.
func (c *Catalog) Flush() error {
	f, err := os.OpenFile(c.file+"-wal", os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return nil // nothing can have been committed there since
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// transact runs f in one immediate transaction. It ignores cancellation once the transaction has
// begun, because SQLite drops the connection of a cancelled transaction.
func (c *Catalog) transact(ctx context.Context, f func(*sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	tx, err := c.beginTransaction(ctx)
	if err != nil {
		return c.recordError(err)
	}
	// after an error or a panic; SQLite may have rolled back already
	defer func() { _ = tx.Rollback() }()
	if err := f(tx); err != nil {
		return c.recordError(err)
	}
	return c.recordError(tx.Commit())
}

// beginTransaction begins a transaction. It waits for other writers for up to the catalogue's
// patience.
func (c *Catalog) beginTransaction(ctx context.Context) (*sql.Tx, error) {
	for start := time.Now(); ; {
		tx, err := c.write.BeginTx(context.WithoutCancel(ctx), nil)
		switch {
		case !isBusy(err):
			return tx, err
		case ctx.Err() != nil:
			return nil, errors.Join(catalog.ErrLocked, ctx.Err())
		case time.Since(start) > c.patience:
			return nil, fmt.Errorf("%w (%w)", catalog.ErrLocked, err)
		}
	}
}

// ForeignVersion returns a number that changes whenever another process has committed.
func (c *Catalog) ForeignVersion(ctx context.Context) (version int64, err error) {
	err = c.write.QueryRowContext(context.WithoutCancel(ctx), "PRAGMA data_version").Scan(&version)
	return version, c.recordError(err)
}

// Size returns how many bytes the index takes on disk.
func (c *Catalog) Size() int64 { return SizeOf(c.file) }

// SizeOf returns how many bytes the index in a file takes on disk, including its write-ahead log; 0
// if there is none.
func SizeOf(file string) int64 {
	var total int64
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(file + suffix); file != "" && err == nil {
			total += info.Size()
		}
	}
	return total
}

// recordError records an error if it shows damage or a full disk, and returns it in a form that
// matches the catalogue's errors.
func (c *Catalog) recordError(err error) error {
	if errors.Is(err, catalog.ErrOtherFormat) {
		c.displaced.Store(true)
	}
	switch {
	case isMappingCut(err):
		c.cut.Store(true)
	case isDamaged(err):
		c.suspect.Store(true)
	}
	if isDiskFull(err) {
		c.refused.CompareAndSwap(nil, &err)
	}
	if isCannotOpen(err) && (c.isFileReplaced() || c.HasLostWAL()) { // a new connection, after the file or its log was deleted
		return classifiedError{err, catalog.ErrDamaged}
	}
	return classify(err)
}

// classifiedError is a SQLite error that also matches an error of package catalog.
type classifiedError struct {
	error
	as error
}

func (m classifiedError) Unwrap() []error { return []error{m.error, m.as} }

// classify returns an error that also matches the error of package catalog for its cause, such as
// catalog.ErrDamaged.
func classify(err error) error {
	switch {
	case errors.Is(err, catalog.ErrDamaged), errors.Is(err, catalog.ErrWriteRejected):
	case isDamaged(err), isMappingCut(err):
		return classifiedError{err, catalog.ErrDamaged}
	case isDiskFull(err):
		return classifiedError{err, catalog.ErrWriteRejected}
	}
	return err
}
