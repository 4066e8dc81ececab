package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"vademecum/docs"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
	"vademecum/internal/base/system"
)

// Location states where the catalogue of a folder is stored.
type Location struct {
	File         string
	NoFileReason error  // why there is no place for a file; nil if there is one
	IsInCacheDir bool   // in our own cache directory: whatever is there is ours
	Folder       string // absolute path of the folder indexed, without symbolic links

	// OtherProcessTimeout is how long to wait for another process that is writing; 0 means as long as such a
	// process normally needs.
	OtherProcessTimeout time.Duration
	// IsLeaseLost reports whether another process has become the indexer in place of this one, which
	// then must not change documents; may be nil.
	IsLeaseLost func() bool
}

// DefaultIndexPath returns the path of the index of a folder, given its path without symbolic links:
// <cache>/vademecum/<folder name>-<hash of its path>.v<format>.db. The error says why the user has
// no cache directory, or that another user could have written to it, to the file, or to a file
// beside it with one of the suffixes.
func DefaultIndexPath(dir string, suffixesBeside ...string) (string, error) {
	cache, err := system.CacheDir()
	if err != nil {
		return "", err
	}
	if err := system.CheckOwner(cache); err != nil {
		return "", fmt.Errorf("the cache folder cannot be trusted: %w", err)
	}
	sum := sha256.Sum256([]byte(dir))
	name := shortName(dir) + "-" + hex.EncodeToString(sum[:6])
	file := filepath.Join(cache, name+formatSuffix())
	for _, suffix := range append([]string{"", "-wal", asideSuffix}, suffixesBeside...) {
		if err := system.CheckOwner(file + suffix); err != nil {
			return "", fmt.Errorf("the cache folder cannot be trusted: %w", err)
		}
	}
	return file, nil
}

// shortName returns the folder's name, truncated to fit into a file name.
func shortName(dir string) string {
	const most = 60 // bytes
	name := filepath.Base(dir)
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "")
	}
	return name
}

// removeIrregular removes empty folders and dangling symbolic links with the name of a file next to
// the index, or of the index itself if that is in our own cache directory. It holds the lock of
// lockOpening, and checks each again before removing it, because another process may have replaced
// it with a file.
func (at Location) removeIrregular(ctx context.Context) {
	inTheWay := func() (files []string) {
		for _, suffix := range []string{"-wal", "-shm"} {
			if info, err := os.Lstat(at.File + suffix); err == nil && !info.Mode().IsRegular() {
				files = append(files, at.File+suffix)
			}
		}
		info, err := os.Lstat(at.File)
		if err != nil || !at.IsInCacheDir || info.Mode().IsRegular() {
			return files
		}
		if _, err := os.Stat(at.File); info.Mode()&fs.ModeSymlink == 0 || errors.Is(err, syscall.ELOOP) {
			files = append(files, at.File)
		}
		return files
	}
	if len(inTheWay()) == 0 {
		return
	}
	defer lockOpening(ctx, at.File, (*flock.Flock).TryLock)()
	for _, file := range inTheWay() {
		_ = os.Remove(file)
	}
}

// prepareFile creates the file if there is none. Only its owner can read it, because it contains
// the texts of the documents. It returns an error for a file that this program did not create.
func prepareFile(ctx context.Context, at Location) error {
	if err := makeFolder(at); err != nil {
		return message.Errorf("create its folder: %v", withoutPath(err))
	}
	if info, err := os.Stat(at.File); err == nil && !info.Mode().IsRegular() {
		return errors.New("it is not a regular file")
	}
	f, err := os.OpenFile(at.File, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return withoutPath(err)
	}
	defer f.Close()
	header := make([]byte, 72)
	n, err := io.ReadFull(f, header)
	if n == 0 {
		return f.Chmod(0o600) // another process created it
	}
	if at.IsInCacheDir {
		return nil
	}
	if err != nil || !bytes.HasPrefix(header, []byte("SQLite format 3\x00")) {
		return ErrNotAnIndex
	}
	if docs.IsIndexHeader(header) {
		return nil
	}
	return checkNew(ctx, at.File)
}

// makeFolder creates the directory for the file, but never the folder of the documents: if that is
// missing, its drive may be disconnected, and an empty folder would look as if all documents were
// deleted.
func makeFolder(at Location) error {
	dir := filepath.Dir(at.File)
	if rel, err := filepath.Rel(at.Folder, dir); err == nil && filepath.IsLocal(rel) {
		if _, err := os.Stat(at.Folder); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o700)
}

// checkNew examines a SQLite file whose header lacks our application ID. Another process may be
// creating it, with the ID still in the write-ahead log. The tables are created in the same
// transaction as the ID: a reader that sees them also sees the ID.
func checkNew(ctx context.Context, file string) error {
	db, err := sql.Open("sqlite", dataSource(file, []string{"trusted_schema(0)", "query_only(1)", "busy_timeout(10000)"}))
	if err != nil {
		return err
	}
	defer db.Close()
	var id, tables int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id != docs.SQLiteApplicationID && tables > 0 {
		return ErrNotAnIndex
	}
	return nil
}

// computes matches expressions in the definition of a table.
var computes = lazyregexp.New(`(?i)\b(as|check|default)\s*\(|\bgenerated\b|--|/\*`)

// checkSchema returns an error for views, triggers, and tables or indexes with expressions, which
// this program never creates. A query on such a file might not terminate.
func checkSchema(ctx context.Context, from querier) error {
	rows, err := from.QueryContext(ctx, "SELECT type, coalesce(sql, '') FROM sqlite_schema")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var kind, definition string
		if err := rows.Scan(&kind, &definition); err != nil {
			return err
		}
		isTable := kind == "table" && strings.HasPrefix(definition, "CREATE TABLE ") && !computes.MatchString(definition)
		if !isTable && (kind != "index" || definition != "") { // indexes of keys have no definition
			return fmt.Errorf("its tables are not those of an index: %w", catalog.ErrDamaged)
		}
	}
	return rows.Err()
}

// withoutPath removes the path from an error, because the caller adds it.
func withoutPath(err error) error {
	if inner := new(fs.PathError); errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

func isBusy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

func isCannotOpen(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_CANTOPEN
}

// isMappingCut reports whether an error means that a file mapped into memory, such as the index of
// the log, was truncated.
func isMappingCut(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code() == sqlite3.SQLITE_IOERR_IN_PAGE
}

func isDamaged(err error) bool {
	if err == nil || errors.Is(err, catalog.ErrDamaged) {
		return err != nil
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		// a value of the wrong type
		return strings.Contains(err.Error(), "sql: Scan error on column")
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	case sqlite3.SQLITE_CONSTRAINT: // a conflicting row was deleted before, or should have been
		return true
	case sqlite3.SQLITE_ERROR: // the statements are all ours, so the tables must be wrong
		return strings.Contains(err.Error(), "no such ")
	}
	return e.Code() == sqlite3.SQLITE_IOERR_SHORT_READ
}
