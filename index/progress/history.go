package progress

import (
	"context"
	"time"

	"vademecum/index/catalog"
	"vademecum/internal/base/message"
)

// What status reports earlier runs is kept in the catalogue.

// syncedKey is of the time when the folder was last scanned as a whole.
const syncedKey = "synced"

// SyncedAt is when the folder of a catalogue was last scanned as a whole; zero: never.
func SyncedAt(ctx context.Context, c catalog.Catalog) (time.Time, error) {
	value, err := c.Values().Get(ctx, syncedKey)
	if err != nil || value == "" {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339Nano, value)
}

// SetSynced notes that time.
func SetSynced(ctx context.Context, c catalog.Catalog, t time.Time) error {
	return c.Values().Set(ctx, syncedKey, t.UTC().Format(time.RFC3339Nano))
}

// Failures are kept in the catalogue, for status.
const (
	RunFailure      = "failure of the last run"
	SnapshotFailure = "failure of the last snapshot"
)

// SaveFailure notes how something ended that has failed, or that may have failed
// before.
func SaveFailure(ctx context.Context, c catalog.Catalog, what string, failed error) error {
	why := string(message.OfError(failed))
	if had, err := c.Values().Get(ctx, what); err != nil || had == why {
		return err
	}
	return c.Values().Set(ctx, what, why)
}
