package library

import (
	"context"
	"time"

	"vademecum/index/store/postgres/db"
)

// WaitVersionChange waits until the version differs from the given one, and returns it.
func (l *Library) WaitVersionChange(ctx context.Context, version int64) (int64, error) {
	for {
		told := l.DB.CommitSignal(l.ID) // requested before the check, so that no commit is missed
		now, err := l.ForeignVersion(ctx)
		if err != nil || now != version {
			return now, err
		}
		select {
		case <-ctx.Done():
			return now, ctx.Err()
		case <-told:
		case <-time.After(db.PollInterval):
		}
	}
}
