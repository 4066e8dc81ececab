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
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/internal/cachedir"
)

// Location is where the catalogue of a folder is kept.
type Location struct {
	File   string
	None   error  // why there is no place, and so no file; else nil
	Own    bool   // in our own cache folder: whatever is there is ours
	Folder string // absolute path of the folder indexed, without links

	// Patience is how long to wait for another process that is writing; 0: as long
	// as such a process needs.
	Patience time.Duration
	// Overtaken tells whether another process has become the indexer in place of
	// this one, which changes no documents then; may be nil.
	Overtaken func() bool
}

// DefaultFile is <cache>/vademecum/<folder name>-<hash of its path>.v<format>.db,
// for a path without links. An index with what machines made has a file of its own:
// else two processes that were asked otherwise would each undo what the other did.
// The error says why the user has no cache folder, or how another user may have
// written what is there, or beside it.
func DefaultFile(dir string, generated bool, beside ...string) (string, error) {
	cache, err := cachedir.Path()
	if err != nil {
		return "", err
	}
	if err := cachedir.CheckOwner(cache); err != nil {
		return "", fmt.Errorf("the cache folder cannot be trusted: %w", err)
	}
	sum := sha256.Sum256([]byte(dir))
	name := shortName(dir) + "-" + hex.EncodeToString(sum[:6])
	if generated {
		name += withGenerated
	}
	file := filepath.Join(cache, name+formatSuffix())
	for _, suffix := range append([]string{"", "-wal", asideSuffix}, beside...) {
		if err := cachedir.CheckOwner(file + suffix); err != nil {
			return "", fmt.Errorf("the cache folder cannot be trusted: %w", err)
		}
	}
	return file, nil
}

// shortName is the folder's name, cut so that a file name can hold it.
func shortName(dir string) string {
	const most = 60 // bytes
	name := filepath.Base(dir)
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "")
	}
	return name
}

// removeIrregular removes what stands in the place of the files beside an index and is no file,
// and so of the index itself in our own cache folder. A folder stays when something is in
// it, and a link that leads somewhere. Behind the gate, each is looked at again before it
// is removed: another process may have done so, and made a file in its place.
func (at Location) removeIrregular(ctx context.Context) {
	inTheWay := func() (files []string) {
		for _, suffix := range []string{"-wal", "-shm"} {
			if info, err := os.Lstat(at.File + suffix); err == nil && !info.Mode().IsRegular() {
				files = append(files, at.File+suffix)
			}
		}
		info, err := os.Lstat(at.File)
		if err != nil || !at.Own || info.Mode().IsRegular() {
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

// prepareFile makes the file where there is none, readable by its owner alone:
// it holds the texts. It refuses what is not ours.
func prepareFile(ctx context.Context, at Location) error {
	if err := makeFolder(at); err != nil {
		return fmt.Errorf("create its folder: %w", withoutPath(err))
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
		return f.Chmod(0o600) // somebody else made it
	}
	if at.Own {
		return nil
	}
	if err != nil || !bytes.HasPrefix(header, []byte("SQLite format 3\x00")) {
		return ErrForeign
	}
	if docs.IsIndexHeader(header) {
		return nil
	}
	return checkNew(ctx, at.File)
}

// makeFolder makes the folder of the file, but never that of the documents: where this
// is missing its drive may be away, and an empty one would look as if all were deleted.
func makeFolder(at Location) error {
	dir := filepath.Dir(at.File)
	if rel, err := filepath.Rel(at.Folder, dir); err == nil && filepath.IsLocal(rel) {
		if _, err := os.Stat(at.Folder); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o700)
}

// checkNew looks into a SQLite file whose header does not name us: another
// process may be making it this moment, with the mark still in its log. The
// tables come together with the mark: whoever has seen them, sees that too.
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
	if id != docs.ApplicationID && tables > 0 {
		return ErrForeign
	}
	return nil
}

// computes finds in the definition of a table what computes something.
var computes = regexp.MustCompile(`(?i)\b(as|check|default)\s*\(|\bgenerated\b|--|/\*`)

// checkSchema refuses what we never make: views, triggers, and tables and indexes
// that compute something. A question to such a file may have no end.
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
		if !isTable && (kind != "index" || definition != "") { // those of keys have no definition
			return fmt.Errorf("its tables are not those of an index: %w", catalog.ErrDamaged)
		}
	}
	return rows.Err()
}

// withoutPath leaves out the path, which the caller names.
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

// isMappingCut tells whether an error is that of the index of the log, which is mapped into
// memory, or another file so: it became shorter.
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
		return strings.Contains(err.Error(), "sql: Scan error on column") // a value of another type
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	case sqlite3.SQLITE_CONSTRAINT: // what is in the way was deleted before, or its row is lost
		return true
	case sqlite3.SQLITE_ERROR: // all statements are ours: so the tables are not
		return strings.Contains(err.Error(), "no such ")
	}
	return e.Code() == sqlite3.SQLITE_IOERR_SHORT_READ
}
