package upkeep

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/catalog/sqlite"
	"vademecum/index/live"
	"vademecum/index/roots"
)

// recovery is how long an answer waits for an index that is built again.
const recovery = 3 * time.Second

// DespiteDamage reads again when the index turns out to be damaged and a Run is
// under way: from the one that is built in its place, as far as it is then.
func DespiteDamage[T any](ctx context.Context, k *Keeper, read func() (T, error)) (T, error) {
	found, err := read()
	if errors.Is(err, catalog.ErrDamaged) && k.fresh.IsServing() {
		if err := k.mend(ctx, mendPause); err != nil {
			return found, err
		}
		waiting, cancel := context.WithTimeout(ctx, recovery)
		defer cancel()
		_ = k.fresh.WaitRun(waiting) // the answer says when it is not complete
		found, err = read()
	}
	return despiteLoss(ctx, k, found, err, read)
}

// mendPause is how long a Run leaves alone what could not be mended.
const mendPause = 5 * time.Second

// mend opens catalogues again that are damaged, cannot be read any more, or have lost
// their file, and tries to save those that are in memory only. What a database has lost
// is read again, and memory is loaded again after a panic. What was tried within the
// pause is left alone.
func (k *Keeper) mend(ctx context.Context, pause time.Duration) error {
	if k.store.IsTorn() && !isRecent(&k.reloaded, pause) {
		if err := k.reloadInTurn(ctx); err != nil {
			return err
		}
	}
	for i, f := range k.folders {
		c := k.store.Follower(i)
		disk := onDisk(c)
		if disk == nil {
			if err := k.readAgain(ctx, i, c, pause); err != nil {
				return err
			}
			continue
		}
		if k.isGoneWithFolder(i, disk) {
			continue
		}
		if disk.IsStranded() {
			if _, err := k.salvageInTurn(ctx); err != nil {
				return err
			}
			continue
		}
		if disk.HasLostLog() {
			_ = disk.Health().Note(fmt.Errorf("the log: %w", catalog.ErrDamaged))
		}
		if !disk.IsUnsaved() && !disk.IsSuspect() && !disk.IsCut() && !disk.IsDisplaced() && !disk.IsReplaced() {
			continue
		}
		if isRecent(&c.Tried, pause) {
			continue
		}
		if err := k.reopen(ctx, i, c); err != nil {
			return fmt.Errorf("open the index of %s again: %w", f.Dir(), err)
		}
	}
	return nil
}

// isGoneWithFolder tells whether the file of a catalogue lies in its folder and that is
// not there, or does not answer: the file comes back with it.
func (k *Keeper) isGoneWithFolder(folder int, disk *sqlite.Catalog) bool {
	f := k.folders[folder]
	switch {
	case disk.IsUnsaved() || !f.Holds(f.Home.File()):
		return false
	case k.fresh.IsMissing(folder):
		return true
	case !disk.IsReplaced():
		return false
	}
	return !f.Answers() || k.fresh.IsMissing(folder)
}

// checkTexts fails when the index of one of the folders of areas has lost texts.
func (k *Keeper) checkTexts(ctx context.Context, areas []area) error {
	checked := make(map[int]bool)
	for _, a := range areas {
		if checked[a.folder] {
			continue
		}
		checked[a.folder] = true
		if err := k.store.CheckTexts(ctx, a.folder); err != nil {
			return fmt.Errorf("check the index of %s: %w", k.folders[a.folder].Dir(), err)
		}
	}
	return nil
}

// readAgain has the documents read again whose texts a database has lost. The others are
// not in doubt there, as they are in a file. It waits no longer for another process than
// an answer does.
func (k *Keeper) readAgain(ctx context.Context, folder int, c *live.Follower, pause time.Duration) error {
	if c == nil || isRecent(&c.Tried, pause) { // first: to list what is lost takes time
		return nil
	}
	lost := k.store.Lost(folder)
	if len(lost) == 0 {
		return nil
	}
	c.Tried.Store(time.Now().UnixNano())
	areas := make([]area, len(lost))
	for i, d := range lost {
		areas[i] = area{folder: folder, base: d.Path}
	}
	k.log.Warn("the index has lost texts of documents, these are read again", "folder", k.folders[folder].Dir(), "documents", len(lost), "first", lost[0].Path)
	ctx, cancel := context.WithTimeout(ctx, recovery)
	defer cancel()
	_, err := k.askAgain(ctx, wish{folder: folder, areas: areas, force: true})
	if catalog.IsOfDatabase(err) || errors.Is(err, catalog.ErrLostRequest) { // all of it is read again, or will be
		return nil
	}
	if err != nil {
		return fmt.Errorf("read again what the index of %s has lost: %w", k.folders[folder].Dir(), err)
	}
	return nil
}

// isRecent tells whether a time, in nanoseconds since 1970, is within the pause.
func isRecent(t *atomic.Int64, pause time.Duration) bool {
	since := time.Since(time.Unix(0, t.Load()))
	return since >= 0 && since < pause
}

func (k *Keeper) reloadInTurn(ctx context.Context) error {
	select {
	case k.syncing <- struct{}{}:
		defer func() { <-k.syncing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return k.reload(ctx)
}

// reopen takes a new catalogue in the place of one that is damaged, gone or in
// memory only.
func (k *Keeper) reopen(ctx context.Context, folder int, old *live.Follower) error {
	select {
	case k.syncing <- struct{}{}:
		defer func() { <-k.syncing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if k.store.Follower(folder) != old { // another call was faster
		return nil
	}
	old.Tried.Store(time.Now().UnixNano())
	if !old.Health().IsUnsaved() {
		k.progress.Restart(folder)
	}
	c, err := k.successor(ctx, folder, old)
	if err != nil || c.Catalog == nil {
		return err
	}
	k.progress.Restart(folder)
	k.progress.Lose()
	if err := k.store.Exchange(ctx, folder, c.Catalog); err != nil {
		return errors.Join(err, old.Close())
	}
	k.folders[folder].Remember("") // the new one is to know it, too
	k.Embedding.Wake()
	_ = old.Close() // it may be damaged
	return nil
}

// onDisk is the catalogue of a folder as a file, which can be lost: nil where there
// is none, or where it is kept otherwise.
func onDisk(f *live.Follower) *sqlite.Catalog {
	if f == nil {
		return nil
	}
	return asFile(f.Catalog)
}

// asFile is a catalogue as a file, nil where it is none.
func asFile(c catalog.Catalog) *sqlite.Catalog {
	file, _ := c.(*sqlite.Catalog)
	return file
}

// successor opens the catalogue that follows one, with the vectors of that. It
// has no Catalog when the disk still takes none.
func (k *Keeper) successor(ctx context.Context, folder int, old *live.Follower) (c roots.Opened, err error) {
	nothing := roots.Opened{}
	what, why := "the index is built again", "its file was deleted or replaced"
	disk := onDisk(old)
	old.Retire(true)
	switch {
	case old.Health().IsUnsaved() && !disk.IsSuspect():
		c, err = k.openSaved(ctx, folder)
		if err == nil {
			if err = asFile(c.Catalog).TakeBack(ctx, disk, k.folders[folder].Home.Indexing().Held()); err != nil {
				_ = c.Close() // where nothing can be written
			}
		}
		if err != nil {
			_ = k.folders[folder].Home.Indexing().Release() // it is a lock, which is gone in any case
			old.Retire(false)
			return nothing, nil // known, and told
		}
		why = "the disk takes it now"
	case disk.IsDisplaced():
		c, err = k.inMemory(ctx, folder, catalog.ErrOtherFormat)
		why = catalog.ErrOtherFormat.Error()
	case disk.IsCut() && !disk.IsSuspect():
		_ = old.Close() // as long as it is open nothing else can be read
		c, err = k.open(ctx, folder)
		what, why = "the index is opened again", "the file beside it that is mapped into memory became shorter"
	case disk.IsReplaced() || old.Health().IsUnsaved():
		c, err = k.open(ctx, folder)
		if errors.Is(err, sqlite.ErrForeign) || errors.Is(err, sqlite.ErrClaimed) {
			c, err = k.inMemory(ctx, folder, err)
		}
	default:
		_ = old.Close() // no system renames an open file but ours
		c, err = k.renew(ctx, folder, roots.Opened{Catalog: disk})
		why = "its file was damaged"
	}
	if err == nil {
		err = k.bequeath(ctx, folder, old, c.Catalog)
	}
	if err != nil {
		old.Retire(false)
		if c.Catalog != nil {
			err = errors.Join(err, c.Close())
		}
		if old.Health().IsUnsaved() && ctx.Err() == nil {
			return nothing, nil // the disk is full again
		}
		return nothing, err
	}
	k.log.Warn(what, "folder", k.folders[folder].Dir(), "reason", why)
	return c, nil
}

// bequeath saves the vectors that are in memory, and in the old catalogue, to
// the new one.
func (k *Keeper) bequeath(ctx context.Context, folder int, old *live.Follower, c catalog.Catalog) error {
	if err := c.Vectors().Keep(ctx, k.store.Embedder.Model(), k.store.HeldVectors(folder)); err != nil {
		return err
	}
	return asFile(c).TakeVectors(ctx, onDisk(old))
}
