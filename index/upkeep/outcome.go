package upkeep

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/compare"
)

// What status tells of earlier runs is kept in the catalogue.

// syncedKey is of the time when the folder was last scanned as a whole.
const syncedKey = "synced"

func syncedAt(ctx context.Context, c catalog.Catalog) (time.Time, error) {
	value, err := c.Values().Get(ctx, syncedKey)
	if err != nil || value == "" {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339Nano, value)
}

func setSynced(ctx context.Context, c catalog.Catalog, t time.Time) error {
	return c.Values().Set(ctx, syncedKey, t.UTC().Format(time.RFC3339Nano))
}

// Failures are kept in the catalogue, for status.
const (
	runFailure      = "failure of the last run"
	snapshotFailure = "failure of the last snapshot"
)

// keepFailure notes how something ended that has failed, or that may have failed
// before.
func keepFailure(ctx context.Context, c catalog.Catalog, what string, failed error) error {
	why := ""
	if failed != nil {
		why = failed.Error()
	}
	if had, err := c.Values().Get(ctx, what); err != nil || had == why {
		return err
	}
	return c.Values().Set(ctx, what, why)
}

// keepRunFailure notes for status how a run over areas ended.
func (k *Keeper) keepRunFailure(ctx context.Context, areas []compare.Area, failed error) {
	for i := range k.folders {
		c := k.store.Follower(i)
		isOf := slices.ContainsFunc(areas, func(a compare.Area) bool { return a.Folder == i })
		if !isOf || c == nil || failed == nil && c.RunSucceeded.Load() {
			continue
		}
		if err := keepFailure(ctx, c, runFailure, failed); err != nil {
			k.log.Debug("could not note how the run ended", "error", err)
			continue
		}
		c.RunSucceeded.Store(failed == nil)
	}
}

func (k *Keeper) setSynced(ctx context.Context) error {
	for i := range k.folders {
		if !k.peers.Leads(i) || k.fresh.IsMissing(i) {
			continue
		}
		c := k.store.Follower(i)
		if err := setSynced(ctx, c, time.Now()); err != nil {
			return fmt.Errorf("save the time of the scan of %s: %w", k.folders[i].Dir(), err)
		}
	}
	return nil
}
