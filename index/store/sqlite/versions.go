package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"vademecum/index/store/catalog"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/system"
)

// Programs of several versions may serve the same folder at the same time: hosts keep one running
// while it is upgraded. If their formats differ, each has a file of its own.

// formatSuffix returns the end of the name of an index file of this format in our own cache
// directory.
func formatSuffix() string { return fmt.Sprintf(".v%d.db", catalog.FormatVersion) }

// anyFormat matches the end of the name of an index file of any format. Up to format 9 it had no
// number. Versions that could also index generated files had these in an index of its own,
// "-generated".
var anyFormat = lazyregexp.New(`(-generated)?(\.v[0-9]+)?\.db$`)

// otherFormatFiles returns the other index files of the same folder in our own cache directory:
// those of other formats, and those that include generated files.
func otherFormatFiles(file string) []string {
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return nil
	}
	stem := anyFormat.ReplaceAllString(filepath.Base(file), "")
	var all []string
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), stem)
		if ours && e.Name() != filepath.Base(file) && anyFormat.FindString(rest) == rest && rest != "" {
			all = append(all, filepath.Join(filepath.Dir(file), e.Name()))
		}
	}
	return all
}

// rescueOthers copies the vectors of the other index files of the folder, once. It leaves the files
// to the programs of their formats.
func (c *Catalog) rescueOthers(ctx context.Context) error {
	const done = "vectors of other formats"
	had, err := c.Value(ctx, done)
	if err != nil || had != "" {
		return err
	}
	for _, file := range otherFormatFiles(c.file) {
		if err := rescueFile(ctx, file, c.SaveVectors); err != nil {
			return err
		}
	}
	return c.SetValue(ctx, done, "taken over")
}

// keepFormats is how long an unused file of another format is kept.
const keepFormats = 30 * 24 * time.Hour

// RemoveOldFormats deletes the files of other formats that no process has written to for
// keepFormats, and whose leases no process holds.
func RemoveOldFormats(file string, now time.Time) {
	for _, old := range otherFormatFiles(file) {
		if now.Sub(lastWritten(old)) < keepFormats {
			continue
		}
		lock := system.NewFileLock(old + ".lock")
		if free, err := lock.TryLock(); free && err == nil {
			_ = removeBeside(old) // what remains is tried again at the next start
		}
		_ = lock.Close()
	}
}

// lastWritten returns when a database file, its write-ahead log or its lock file was last changed.
func lastWritten(file string) (last time.Time) {
	for _, suffix := range []string{"", "-wal", ".lock"} {
		if info, err := os.Stat(file + suffix); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

// removeBeside deletes a file and all files whose names begin with its name.
func removeBeside(file string) error {
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return err
	}
	var files []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(file)) {
			files = append(files, filepath.Join(filepath.Dir(file), e.Name()))
		}
	}
	return removeAll(files...)
}

// Reasons to leave a file of another format alone.
var (
	errNewer = errors.New("it was written by a newer vademecum")
	errInUse = errors.New("an older vademecum has it in use")
)

// checkFormat returns an error if a program of another format has taken over the file.
func (c *Catalog) checkFormat(ctx context.Context, from querier) error {
	have, err := getMeta(ctx, from, "format")
	if _, notOne := strconv.Atoi(have); err != nil || have == strconv.Itoa(catalog.FormatVersion) || notOne != nil {
		return err
	}
	return catalog.ErrOtherFormat
}

// inUseLimit is how long to wait for another process of this format that empties the file.
const inUseLimit = time.Second

// blockOlderFormats takes the locks of older formats: it returns an error if a program of such a
// format uses the file, and prevents others from doing so until leave is called.
func (c *Catalog) blockOlderFormats(ctx context.Context) (leave func(), err error) {
	lock := system.NewFileLock(c.file + ".lock")
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		have, err := c.Value(ctx, "format")
		n, notOne := strconv.Atoi(have)
		switch {
		case err != nil:
			return nil, err
		case have == "" || notOne != nil || n == catalog.FormatVersion:
			return func() {}, nil
		case n > catalog.FormatVersion:
			return nil, errNewer
		}
		if free, err := lock.TryLock(); free || err != nil {
			// without file locks, no process has one
			return func() { _ = lock.Close() }, nil
		}
		if time.Since(start) > inUseLimit || ctx.Err() != nil {
			return nil, errInUse
		}
	}
}

// blockOlderFormatsOf returns an error if a program of an older format uses the file, and prevents
// that until leave is called. It does nothing for a file that is missing or damaged.
func blockOlderFormatsOf(ctx context.Context, file string) (leave func(), err error) {
	none := func() {}
	if _, err := os.Stat(file); err != nil {
		return none, nil
	}
	db, err := sql.Open("sqlite", dataSource(file, []string{"trusted_schema(0)", "query_only(1)"})+"&mode=ro")
	if err != nil {
		return none, nil
	}
	defer db.Close()
	if checkSchema(ctx, db) != nil {
		return none, nil // as damaged as a file whose format cannot be read, see below
	}
	leave, err = (&Catalog{file: file, write: db}).blockOlderFormats(ctx)
	if errors.Is(err, errNewer) || errors.Is(err, errInUse) {
		return nil, err
	}
	if err != nil {
		return none, nil // the format cannot be read, so the file is as damaged as reported
	}
	return leave, nil
}
