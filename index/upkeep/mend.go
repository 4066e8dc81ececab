package upkeep

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/compare"
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
		if f.Home.IsShared() {
			if err := k.readAgain(ctx, i, c, pause); err != nil {
				return err
			}
			continue
		}
		if c == nil {
			continue
		}
		switch state := c.Health().Condition().State; {
		case state == catalog.Well, k.isGoneWithFolder(i, state):
		case state != catalog.Refused && isRecent(&c.Tried, pause):
		default:
			if err := k.reopen(ctx, i, c); err != nil {
				return fmt.Errorf("open the index of %s again: %w", f.Dir(), err)
			}
		}
	}
	return nil
}

// isGoneWithFolder tells whether the file of a catalogue lies in its folder and that is
// not there, or does not answer: the file comes back with it.
func (k *Keeper) isGoneWithFolder(folder int, state catalog.State) bool {
	f := k.folders[folder]
	switch {
	case state == catalog.Unsaved || !f.Holds(f.Home.File()):
		return false
	case k.fresh.IsMissing(folder):
		return true
	case state != catalog.Gone:
		return false
	}
	return !f.Answers() || k.fresh.IsMissing(folder)
}

// checkTexts fails when the index of one of the folders of areas has lost texts.
func (k *Keeper) checkTexts(ctx context.Context, areas []compare.Area) error {
	checked := make(map[int]bool)
	for _, a := range areas {
		if checked[a.Folder] {
			continue
		}
		checked[a.Folder] = true
		if err := k.store.CheckTexts(ctx, a.Folder); err != nil {
			return fmt.Errorf("check the index of %s: %w", k.folders[a.Folder].Dir(), err)
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
	areas := make([]compare.Area, len(lost))
	for i, d := range lost {
		areas[i] = compare.Area{Folder: folder, Base: d.Path}
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

// reopen is repair for who does not hold the token.
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
	return k.repair(ctx, folder, old)
}

// repair has another catalogue take the place of one that is not well. The caller holds
// the token of k.syncing.
func (k *Keeper) repair(ctx context.Context, folder int, old *live.Follower) error {
	old.Tried.Store(time.Now().UnixNano())
	r, same, err := k.successor(ctx, folder, old)
	if err != nil || r.Catalog == nil {
		return err
	}
	if !same {
		k.fresh.Restart(folder)
		err = k.store.Exchange(ctx, folder, r.Catalog)
	}
	if err != nil {
		return errors.Join(err, old.Close())
	}
	_ = old.Close()             // it may be damaged, and cannot tidy up where nothing can be written
	if r.Health().IsUnsaved() { // others find out by themselves what the disk takes of them
		err = k.folders[folder].ReleaseDuties()
	}
	k.Embedding.Wake()
	return err
}

// successor opens the catalogue that follows one, with the vectors of that, and tells
// whether it is followed already, as it has the same rows. It has no Catalog where that is
// still to come.
func (k *Keeper) successor(ctx context.Context, folder int, old *live.Follower) (r roots.Repaired, same bool, err error) {
	home, is, isUnsaved := k.folders[folder].Home, old.Health().Condition(), old.Health().IsUnsaved()
	repair := func(ctx context.Context) (catalog.Catalog, int64, error) {
		var err error
		r, err = home.Repair(ctx, k.store.Embedder.Model(), old.Catalog, k.comparer.HasFilesOf(ctx, folder))
		if err == nil && r.Catalog != nil {
			err = r.Vectors().Keep(ctx, k.store.Embedder.Model(), k.store.HeldVectors(folder))
		}
		return r.Catalog, r.Followed, err
	}
	if is.State == catalog.Refused {
		failure := fmt.Errorf("the disk took no more of the index, which was kept in memory: %w", is.Why)
		if err := keepFailure(ctx, old.Catalog, runFailure, failure); err != nil { // it may be too full for that too
			k.log.Debug("could not note why the index is kept in memory", "error", err)
		}
		if same, err = k.store.GoOver(ctx, folder, old, repair); err != nil && r.Catalog != nil {
			k.log.Debug("could not follow the index to memory, it is loaded from there", "error", err)
			err = nil
		}
		old.Retire(err == nil)
	} else {
		if !isUnsaved {
			k.fresh.Restart(folder)
		}
		old.Retire(true)
		_, _, err = repair(ctx)
	}
	if err != nil || r.Catalog == nil {
		old.Retire(false)
		if err != nil && r.Catalog != nil {
			err = errors.Join(err, r.Close())
		}
		if isUnsaved && ctx.Err() == nil { // the disk is full again
			err = nil
		}
		return roots.Repaired{}, false, err
	}
	if !same {
		k.fresh.Lose()
		k.folders[folder].Remember("") // the new one is to know it, too
	}
	k.tellUnsaved(folder, r.Opened)
	k.log.Warn(r.Done, "folder", k.folders[folder].Dir(), "reason", r.Why)
	return r, same, nil
}
