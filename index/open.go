package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// openCatalogue opens or creates the file for the embedding model named; with
// no name it keeps the one used last. A damaged file is begun again: the folder
// is the truth. A file that is not ours is left alone.
func openCatalogue(ctx context.Context, at place, model string) (*catalogue, error) {
	if at.none != nil {
		return nil, at.none
	}
	if err := prepareFile(ctx, at); err != nil {
		return nil, fmt.Errorf("index file %s: %w", at.file, err)
	}
	found, err := os.Stat(at.file)
	if err != nil {
		return nil, fmt.Errorf("index file %s: %w", at.file, reasonOnly(err))
	}
	c, err := connectPatiently(ctx, at, model)
	if !isDamaged(err) {
		return c, err
	}
	return renew(ctx, at, model, found)
}

// renew begins a damaged catalogue again, with the vectors that can still be
// read, unless another process has done so already.
func renew(ctx context.Context, at place, model string, damaged os.FileInfo) (*catalogue, error) {
	leave, err := displaceFile(ctx, at.file)
	if err != nil {
		return nil, fmt.Errorf("open index %s: %w", at.file, err)
	}
	defer leave()
	if err := setAside(ctx, at.file, damaged); err != nil {
		return nil, err
	}
	if err := prepareFile(ctx, at); err != nil {
		return nil, fmt.Errorf("index file %s: %w", at.file, err)
	}
	c, err := connectPatiently(ctx, at, model)
	if err == nil {
		c.rebuilt = "the index file was damaged"
	}
	return c, err
}

// busyLimit is how long another process may take to make the file: the switch
// to a write-ahead log does not wait for a lock.
const busyLimit = 10 * time.Second

// openLimit is how long a file may take to be opened.
const openLimit = 30 * time.Second

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

// connect opens the file, and takes over the vectors of a damaged one that was
// set aside.
func connect(ctx context.Context, at place, model string) (*catalogue, error) {
	c := &catalogue{file: at.file, patience: busyLimit}
	err := c.openFile(ctx)
	if err == nil {
		err = c.prepare(ctx, at, model)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open index %s: %w", at.file, err), c.close())
	}
	return c, nil
}

// immediate has each transaction of a connection wait for its turn at once.
const immediate = "&_txlock=immediate"

// openFile opens the connections.
func (c *catalogue) openFile(ctx context.Context) (err error) {
	// A commit survives a kill of the process; with NORMAL in WAL mode a power
	// cut may undo the last ones, unless flush was called.
	// Writers ask again and again for their turn, see begin.
	pragmas := []string{"trusted_schema(0)", "journal_mode(WAL)", "synchronous(NORMAL)", "cache_size(-8000)"}
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
	defer passGate(ctx, c.file, (*flock.Flock).TryRLock)()
	ctx, cancel := context.WithTimeout(ctx, openLimit)
	defer cancel()
	if err := c.write.PingContext(ctx); err != nil {
		return err
	}
	if err := checkSchema(ctx, c.write); err != nil {
		return err
	}
	c.info, err = os.Stat(c.file)
	return err
}

// prepare makes the tables, claims the file for its folder and finds the model.
func (c *catalogue) prepare(ctx context.Context, at place, model string) (err error) {
	if err := c.migrate(ctx); err != nil {
		return err
	}
	if err := c.claim(ctx, at); err != nil {
		return err
	}
	if c.model, err = c.modelRow(ctx, model); err != nil {
		return err
	}
	if err := c.rescueAside(ctx); err != nil {
		return err
	}
	if at.own && !c.unsaved {
		return c.rescueFormats(ctx)
	}
	return nil
}

// openInMemory makes a catalogue that is not saved, with the vectors of the
// file if they can be read: to make them again may cost money.
func openInMemory(ctx context.Context, at place, model string) (*catalogue, error) {
	c, err := newInMemory(at.file)
	if err != nil {
		return nil, err
	}
	if err = c.prepare(ctx, at, model); err != nil {
		return nil, errors.Join(fmt.Errorf("keep the index in memory: %w", err), c.close())
	}
	return c, nil
}

// newInMemory makes a catalogue without tables, in the place of a file.
func newInMemory(file string) (*catalogue, error) {
	db, err := sql.Open("sqlite", ":memory:?_txlock=immediate")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	db.SetConnMaxIdleTime(0)
	db.SetConnMaxLifetime(0)
	return &catalogue{file: file, unsaved: true, read: db, write: db}, nil // a second connection would have a memory of its own
}

// The errors that are mistakes of the user, not of the disk.
var (
	errForeign = errors.New("it is not an index of vademecum: name another file, or delete it if it is a damaged index")
	errClaimed = errors.New("it is the index of")
)

// open opens the catalogue of a folder. Where the disk takes none, it is kept
// in memory.
func (ix *Index) open(ctx context.Context, folder int) (*catalogue, error) {
	c, err := ix.openSaved(ctx, folder)
	if err == nil || errors.Is(err, errForeign) || errors.Is(err, errClaimed) {
		return c, err
	}
	return ix.inMemory(ctx, folder, err)
}

func (ix *Index) openSaved(ctx context.Context, folder int) (*catalogue, error) {
	c, err := openCatalogue(ctx, ix.folders[folder].index, ix.embedder.Model())
	return ix.entitle(folder, c), err
}

// entitle has a catalogue change no documents when another process has become
// the indexer meanwhile, and wait for other writers no longer than this process would.
func (ix *Index) entitle(folder int, c *catalogue) *catalogue {
	if c == nil {
		return nil
	}
	c.overtaken = ix.folders[folder].indexing.isLost
	if ix.patience > 0 {
		c.patience = min(c.patience, ix.patience)
	}
	return c
}

// renew opens a new catalogue in the place of a damaged one that is closed.
func (ix *Index) renew(ctx context.Context, folder int, damaged os.FileInfo) (*catalogue, error) {
	c, err := renew(ctx, ix.folders[folder].index, ix.embedder.Model(), damaged)
	if err == nil {
		return ix.entitle(folder, c), nil
	}
	return ix.inMemory(ctx, folder, err)
}

// inMemory opens a catalogue that is not saved, and says why.
func (ix *Index) inMemory(ctx context.Context, folder int, why error) (*catalogue, error) {
	if ctx.Err() != nil {
		return nil, why
	}
	f := ix.folders[folder]
	if err := errors.Join(f.indexing.release(), f.embedding.release()); err != nil { // others may have the file
		return nil, errors.Join(why, err)
	}
	c, err := openInMemory(ctx, f.index, ix.embedder.Model())
	if err != nil {
		return nil, errors.Join(why, err)
	}
	c.why = why
	ix.log.Warn("the index is kept in memory and is lost at the end: name a place for it with --index", "folder", f.Dir(), "reason", why)
	return c, nil
}
