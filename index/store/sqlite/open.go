package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"

	"vademecum/internal/base/message"
)

// Open opens or creates the file for an embedding model. If model is "", it keeps the model used
// last. It replaces a damaged file by an empty one, into which the folder is indexed again. It
// returns an error for a file that this program did not create, and does not touch that.
func Open(ctx context.Context, location Location, model string) (*Catalog, error) {
	if location.NoFileReason != nil {
		return nil, location.NoFileReason
	}
	location.removeIrregular(ctx)
	found, err := prepareFileInfo(ctx, location)
	if err != nil {
		return nil, message.Errorf("index file %s: %v", location.File, withoutPath(err))
	}
	c, err := connectRetrying(ctx, location, model)
	if !isDamaged(err) {
		return c, err
	}
	return replaceDamaged(ctx, location, model, found)
}

// ReplaceDamaged closes a damaged catalogue and replaces its file by a new one, with the vectors
// that can still be read, unless another process has already done so.
func ReplaceDamaged(ctx context.Context, location Location, model string, damaged *Catalog) (*Catalog, error) {
	return replaceDamaged(ctx, location, model, damaged.info)
}

func replaceDamaged(ctx context.Context, at Location, model string, damaged os.FileInfo) (*Catalog, error) {
	leave, err := blockOlderFormatsOf(ctx, at.File)
	if err != nil {
		return nil, fmt.Errorf("open index %s: %w", at.File, err)
	}
	defer leave()
	at.removeIrregular(ctx)
	if err := setAside(ctx, at.File, damaged); err != nil {
		return nil, err
	}
	if err := prepareFile(ctx, at); err != nil {
		return nil, message.Errorf("index file %s: %v", at.File, err)
	}
	c, err := connectRetrying(ctx, at, model)
	if err == nil {
		c.RebuildReason = message.New("the index file was damaged")
	}
	return c, err
}

// prepareFileInfo creates the file if there is none. It tries again if another process renames the
// file at the same time because it found it damaged.
func prepareFileInfo(ctx context.Context, at Location) (info os.FileInfo, err error) {
	for range 10 {
		if err := prepareFile(ctx, at); err != nil {
			return nil, err
		}
		if info, err = os.Stat(at.File); !errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	return info, err
}

// busyLimit is how long to wait for another process that creates the file or recovers the index of
// the log, because switching to a write-ahead log does not wait for a lock.
const busyLimit = 10 * time.Second

// openLimit is the time limit for opening the file.
const openLimit = 30 * time.Second

func connectRetrying(ctx context.Context, at Location, model string) (*Catalog, error) {
	for deadline := time.Now().Add(busyLimit); ; {
		c, err := connect(ctx, at, model)
		if !isBusy(err) && !isMappingCut(err) || time.Now().After(deadline) {
			return c, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// connect opens the file, and recovers the vectors of a damaged file that was renamed.
func connect(ctx context.Context, at Location, model string) (*Catalog, error) {
	c := &Catalog{file: at.File, patience: min(cmp.Or(at.OtherProcessTimeout, busyLimit), busyLimit), overtaken: at.IsLeaseLost}
	err := c.openFile(ctx)
	if err == nil {
		err = c.prepareTables(ctx, at, model)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open index %s: %w", at.File, classify(err)), c.Close())
	}
	return c, nil
}

// immediate makes each transaction of a connection take the write lock when it begins.
const immediate = "&_txlock=immediate"

// cacheSize is the size of a connection's page cache in KiB.
const cacheSize = "cache_size(-8000)"

// openFile opens the connections.
func (c *Catalog) openFile(ctx context.Context) (err error) {
	// A commit survives a kill of the process. With NORMAL in WAL mode, a power failure may undo
	// the last commits, unless Flush was called. Writers retry to get their turn, see
	// beginTransaction.
	pragmas := []string{"trusted_schema(0)", "journal_mode(WAL)", "synchronous(NORMAL)", cacheSize}
	writing := append([]string{"busy_timeout(500)", "wal_autocheckpoint(4000)"}, pragmas...)
	reading := append([]string{"busy_timeout(10000)", "query_only(1)"}, pragmas...)
	if c.write, err = sql.Open("sqlite", dataSource(c.file, writing)+immediate); err != nil {
		return err
	}
	c.write.SetMaxOpenConns(1)
	c.write.SetConnMaxIdleTime(0)
	if c.read, err = sql.Open("sqlite", dataSource(c.file, reading)); err != nil {
		return err
	}
	defer lockOpening(ctx, c.file, (*flock.Flock).TryRLock)()
	ctx, cancel := context.WithTimeout(ctx, openLimit)
	defer cancel()
	if err := c.write.PingContext(ctx); err != nil {
		return err
	}
	if err := checkSchema(ctx, c.write); err != nil {
		return err
	}
	if c.log, err = os.Stat(c.file + "-wal"); err != nil {
		c.log = nil
	}
	c.info, err = os.Stat(c.file)
	return err
}

// prepareTables creates the tables, records the folder, finds the row of the model, and recovers
// vectors from files that were set aside.
func (c *Catalog) prepareTables(ctx context.Context, at Location, model string) (err error) {
	if err := c.migrate(ctx); err != nil {
		return err
	}
	if err := c.claimForFolder(ctx, at); err != nil {
		return err
	}
	if err := c.useModel(ctx, model); err != nil {
		return err
	}
	if err := c.rescueAside(ctx); err != nil {
		return err
	}
	if at.IsInCacheDir {
		return c.rescueOthers(ctx)
	}
	return nil
}

// Errors that are mistakes of the user rather than faults of the disk.
var (
	ErrNotAnIndex         = errors.New("it is not an index of vademecum: name another file, or delete it if it is a damaged index")
	ErrIndexOfOtherFolder = errors.New("it is the index of")
)
