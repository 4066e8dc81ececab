package sync

import (
	"context"
	"errors"
	"time"

	"vademecum/index/catalog"
)

// answerWait is how long a query waits for an index that is being rebuilt or checked.
const answerWait = 3 * time.Second

// ReadRetrying calls read, and calls it again if the index turns out to be damaged and a server is
// running: then from the rebuilt index, as far as that has been built.
func ReadRetrying[T any](ctx context.Context, r *Syncer, read func() (T, error)) (T, error) {
	found, err := read()
	if errors.Is(err, catalog.ErrDamaged) && r.Fresh.IsServing() {
		if err := r.RepairCatalogs(ctx, RepairRetryInterval); err != nil {
			return found, err
		}
		waiting, cancel := context.WithTimeout(ctx, answerWait)
		defer cancel()
		_ = r.Fresh.WaitRun(waiting) // a note says if the answer is incomplete
		found, err = read()
	}
	return readAfterLoss(ctx, r, found, err, read)
}

// readAfterLoss calls read again if a database turns out to have lost data and a Run is in
// progress, after the check has repaired it. It requests a check for skipped damage too, but does
// not wait for that.
func readAfterLoss[T any](ctx context.Context, r *Syncer, found T, why error, read func() (T, error)) (T, error) {
	if !r.Fresh.IsServing() || !r.CanRepair() {
		return found, why
	}
	isLoss := errors.Is(why, catalog.ErrDamaged) || errors.Is(why, catalog.ErrSetupRequired)
	if !isLoss {
		if r.takeSkippedDamage() {
			r.RequestCheck()
		}
		return found, why
	}
	done := r.checks.request(false)
	if done == nil {
		return found, why
	}
	waiting, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	select {
	case <-done:
	case <-waiting.Done():
		return found, why
	}
	_ = r.Fresh.WaitRun(waiting) // a note says if the answer is incomplete
	return read()
}
