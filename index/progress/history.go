package progress

import (
	"context"
	"time"

	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// The catalogue of a folder stores what the command status reports about earlier runs.

// syncedKey is the key of the time when the whole folder was last scanned.
const syncedKey = "synced"

// SyncedAt returns when the whole folder of a catalogue was last scanned; zero if never.
func SyncedAt(ctx context.Context, c catalog.Catalog) (time.Time, error) {
	value, err := c.Value(ctx, syncedKey)
	if err != nil || value == "" {
		return time.Time{}, err
	}
	t, err := time.Parse(time.RFC3339Nano, value)
	return t.Local(), err
}

// SetSynced stores the time of the last scan of the whole folder.
func SetSynced(ctx context.Context, c catalog.Catalog, t time.Time) error {
	return c.SetValue(ctx, syncedKey, t.UTC().Format(time.RFC3339Nano))
}

// Keys under which a catalogue stores the last failures, which the command status shows.
const (
	RunFailureKey      = "failure of the last run"
	SnapshotFailureKey = "failure of the last snapshot"
)

// SaveFailure stores the failure of an operation under a key, such as RunFailureKey. If failure is nil, it
// removes the stored one.
func SaveFailure(ctx context.Context, c catalog.Catalog, key string, failure error) error {
	why := string(message.FromError(failure))
	if had, err := c.Value(ctx, key); err != nil || had == why {
		return err
	}
	return c.SetValue(ctx, key, why)
}
