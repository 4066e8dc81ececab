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
)

// Open opens or creates the file for the embedding model named; with
// no name it keeps the one used last. A damaged file is begun again: the folder
// is the truth. A file that is not ours is left alone.
func Open(ctx context.Context, at Location, model string) (*Catalog, error) {
	if at.None != nil {
		return nil, at.None
	}
	at.removeIrregular(ctx)
	found, err := prepareFileInfo(ctx, at)
	if err != nil {
		return nil, fmt.Errorf("index file %s: %w", at.File, withoutPath(err))
	}
	c, err := connectRetrying(ctx, at, model)
	if !isDamaged(err) {
		return c, err
	}
	return replaceDamaged(ctx, at, model, found)
}

// ReplaceDamaged begins a damaged catalogue, which is closed, again, with the vectors
// that can still be read, unless another process has done so already.
func ReplaceDamaged(ctx context.Context, at Location, model string, damaged *Catalog) (*Catalog, error) {
	return replaceDamaged(ctx, at, model, damaged.info)
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
		return nil, fmt.Errorf("index file %s: %w", at.File, err)
	}
	c, err := connectRetrying(ctx, at, model)
	if err == nil {
		c.Rebuilt = "the index file was damaged"
	}
	return c, err
}

// prepareFileInfo makes the file where there is none. Another process may set it aside
// at this moment, as it found it damaged: then it is made again.
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

// busyLimit is how long another process may take to make the file, or to make the
// index of the log whole again: the switch to a write-ahead log does not wait for a lock.
const busyLimit = 10 * time.Second

// openLimit is how long a file may take to be opened.
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

// connect opens the file, and takes over the vectors of a damaged one that was
// set aside.
func connect(ctx context.Context, at Location, model string) (*Catalog, error) {
	c := &Catalog{file: at.File, patience: min(cmp.Or(at.Patience, busyLimit), busyLimit), overtaken: at.Overtaken}
	err := c.openFile(ctx)
	if err == nil {
		err = c.prepareTables(ctx, at, model)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open index %s: %w", at.File, classify(err)), c.Close())
	}
	return c, nil
}

// immediate has each transaction of a connection wait for its turn at once.
const immediate = "&_txlock=immediate"

// cacheSize is how much of the file a connection keeps in memory, in KiB.
const cacheSize = "cache_size(-8000)"

// openFile opens the connections.
func (c *Catalog) openFile(ctx context.Context) (err error) {
	// A commit survives a kill of the process; with NORMAL in WAL mode a power
	// cut may undo the last ones, unless flush was called.
	// Writers ask again and again for their turn, see beginTransaction.
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

// prepareTables makes the tables, claims the file for its folder and finds the model.
func (c *Catalog) prepareTables(ctx context.Context, at Location, model string) (err error) {
	if err := c.migrate(ctx); err != nil {
		return err
	}
	if err := c.claimForFolder(ctx, at); err != nil {
		return err
	}
	if c.model, err = c.modelRow(ctx, model); err != nil {
		return err
	}
	if err := c.rescueAside(ctx); err != nil {
		return err
	}
	if at.Own {
		return c.rescueOthers(ctx)
	}
	return nil
}

// The errors that are mistakes of the user, not of the disk.
var (
	ErrForeign = errors.New("it is not an index of vademecum: name another file, or delete it if it is a damaged index")
	ErrClaimed = errors.New("it is the index of")
)
