package postgres

import (
	"context"
	"time"

	"vademecum/index/postgres/db"
)

// Await waits until the version is another than the one given, and returns it.
func (c *Catalog) Await(ctx context.Context, version int64) (int64, error) {
	for {
		told := c.store.Changed(c.library) // before the look, so that nothing is missed
		now, err := c.Version(ctx)
		if err != nil || now != version {
			return now, err
		}
		select {
		case <-ctx.Done():
			return now, ctx.Err()
		case <-told:
		case <-time.After(db.LookEvery):
		}
	}
}
