// Package sqlite keeps the catalogue of a folder in a SQLite file, which several
// processes may have open at once. It finds
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
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"vademecum/index/catalog"
)

// Catalog is what one folder's index keeps on disk: a SQLite file that several
// processes may have open at once. What is put at once is one transaction.
type Catalog struct {
	file     string
	info     os.FileInfo   // of the file, to see whether another is in its place
	log      os.FileInfo   // of its log, likewise; nil where there was none
	patience time.Duration // with another process that is writing
	read     *sql.DB
	write    *sql.DB                  // one connection: SQLite has one writer
	texts    atomic.Pointer[sql.Stmt] // see textsStatement; nil until it is needed
	model    int64                    // the row of the embedding model in use

	overtaken func() bool           // whether another process has become the indexer in place of this one; may be nil
	suspect   atomic.Bool           // it was found damaged
	cut       atomic.Bool           // what is open of it cannot be read, the file may be whole
	displaced atomic.Bool           // a program of another format has taken its file
	retired   atomic.Bool           // another takes its place
	refused   atomic.Pointer[error] // why the disk takes no more of it

	Rebuilt string // why documents are read again, "" if they are not
	Before  string // the model of the last use, if that was another
}

// claimForFolder notes whose index this is. That of another folder is refused, unless
// that folder is gone: it may have been moved here. A file of our own is named
// after its folder: if it says otherwise, a link was set to another folder, by
// which this one was indexed once.
func (c *Catalog) claimForFolder(ctx context.Context, at Location) error {
	owner, err := c.Values().Get(ctx, "folder")
	if err != nil || owner == at.Folder {
		return err
	}
	if err := checkOwner(owner, at); err != nil {
		return err
	}
	return c.Values().Set(ctx, "folder", at.Folder)
}

// checkOwner refuses the file of another folder, unless that is gone.
func checkOwner(owner string, at Location) error {
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

// Close closes the connections, and waits a little for those that are in use. Who closes
// the last one removes the log by its name, which must not be that of another file by
// then.
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

// closeLimit is how long questions that are under way may have connections open.
const closeLimit = time.Second

// isOpen tells whether there is a connection. All of a process have one memory, into
// which the log's index is mapped: it stays as it is as long as there is one.
func (c *Catalog) isOpen() bool {
	isOpen := func(db *sql.DB) bool { return db != nil && db.Stats().OpenConnections > 0 }
	return isOpen(c.read) || isOpen(c.write)
}

// modelRow finds or makes the row of the model. When the last use was with
// another one, that is told in before.
func (c *Catalog) modelRow(ctx context.Context, model string) (id int64, err error) {
	last, err := c.Values().Get(ctx, "model")
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

// vectors, values are the parts of a catalogue of those names.
type (
	vectors struct{ *Catalog }
	values  struct{ *Catalog }
)

// Vectors are those that are kept in it.
func (c *Catalog) Vectors() catalog.Vectors { return vectors{c} }

// Values are those that are kept in it.
func (c *Catalog) Values() catalog.Values { return values{c} }

// Mailbox returns the mailbox of the processes on the file.
func (c *Catalog) Mailbox() catalog.Mailbox { return c }

// Health is how the file is.
func (c *Catalog) Health() catalog.Health { return c }

// File is the path of the file.
func (c *Catalog) File() string { return c.file }

// Writer is the connection that writes, for tests that look into the tables or harm
// them.
func (c *Catalog) Writer() *sql.DB { return c.write }

// ModelKey is the key of a value that is about the model in use.
func (c values) ModelKey(of string) string { return fmt.Sprintf("%s of model %d", of, c.model) }

// IsUnsaved is false: it is in a file.
func (c *Catalog) IsUnsaved() bool { return false }

// IsSuspect tells whether it was found damaged.
func (c *Catalog) IsSuspect() bool { return c.suspect.Load() }

// SetRetired notes whether another catalogue takes the place of this one: what seems
// to be damage then is none.
func (c *Catalog) SetRetired(yes bool) { c.retired.Store(yes) }

// IsRetired tells whether another takes its place.
func (c *Catalog) IsRetired() bool { return c.retired.Load() }

// Model is the name of the model in use.
func (c vectors) Model(ctx context.Context) (name string, err error) {
	err = c.read.QueryRowContext(ctx, "SELECT name FROM models WHERE id = ?", c.model).Scan(&name)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("the row of the model: %w", catalog.ErrDamaged)
	}
	return name, c.NoteError(err)
}

// Get reads what was set under a key, "" when it never was.
func (c values) Get(ctx context.Context, key string) (string, error) {
	value, err := getMeta(ctx, c.write, key)
	return value, c.NoteError(err)
}

// Set keeps a value under a key.
func (c values) Set(ctx context.Context, key, value string) error {
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
	_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value)
	return err
}

// IsReplaced tells whether the file is gone, or another in its place.
func (c *Catalog) IsReplaced() bool { return isOtherFile(c.file, c.info) }

// HasLostLog tells whether the log is gone that this process writes to, or another in
// its place: what is written there reaches nobody, and what others write not this one.
// Where the file itself is gone it is not the log that is to be mended.
func (c *Catalog) HasLostLog() bool {
	return c.log != nil && isOtherFile(c.file+"-wal", c.log) && !isOtherFile(c.file, c.info)
}

// isOtherFile tells whether a file is not the one that was there before.
func isOtherFile(file string, before os.FileInfo) bool {
	now, err := os.Stat(file)
	for _, gone := range []error{os.ErrNotExist, syscall.ELOOP, syscall.ENOTDIR} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return err == nil && !os.SameFile(before, now)
}

// Flush puts what was committed on the disk itself.
func (c *Catalog) Flush() error {
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
	tx, err := c.beginTransaction(ctx)
	if err != nil {
		return c.NoteError(err)
	}
	defer func() { _ = tx.Rollback() }() // after an error or a panic; SQLite may have rolled back itself
	if err := f(tx); err != nil {
		return c.NoteError(err)
	}
	return c.NoteError(tx.Commit())
}

// beginTransaction waits for the turn of this process, as long as the catalogue has
// patience.
func (c *Catalog) beginTransaction(ctx context.Context) (*sql.Tx, error) {
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
	return version, c.NoteError(err)
}

// Size is the bytes that the index takes on disk.
func (c *Catalog) Size() int64 { return SizeOf(c.file) }

// SizeOf is the bytes that the index in a file takes, with what was written and is yet
// to be put in its place there; 0 where there is none.
func SizeOf(file string) int64 {
	var total int64
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(file + suffix); file != "" && err == nil {
			total += info.Size()
		}
	}
	return total
}

// NoteError remembers that an error shows damage, or a disk that takes no more.
func (c *Catalog) NoteError(err error) error {
	if errors.Is(err, catalog.ErrOtherFormat) {
		c.displaced.Store(true)
	}
	switch {
	case c.retired.Load():
	case isMappingCut(err):
		c.cut.Store(true)
	case isDamaged(err):
		c.suspect.Store(true)
	}
	if isDiskFull(err) {
		c.refused.CompareAndSwap(nil, &err)
	}
	if isCannotOpen(err) && c.IsReplaced() { // a connection more, after the file was deleted
		return classifiedError{err, catalog.ErrDamaged}
	}
	return classify(err)
}

// classifiedError is an error of SQLite that matches one of a catalogue.
type classifiedError struct {
	error
	as error
}

func (m classifiedError) Unwrap() []error { return []error{m.error, m.as} }

// classify has an error match what it comes to.
func classify(err error) error {
	switch {
	case errors.Is(err, catalog.ErrDamaged), errors.Is(err, catalog.ErrRefused):
	case isDamaged(err), isMappingCut(err):
		return classifiedError{err, catalog.ErrDamaged}
	case isDiskFull(err):
		return classifiedError{err, catalog.ErrRefused}
	}
	return err
}
