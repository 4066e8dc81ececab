package upkeep

import (
	"context"

	"vademecum/index/catalog"
)

// A disk may take nothing from some moment on: it is full, read-only from then
// on, or fails. A catalogue on it goes over to memory with all that it holds,
// and back when the disk takes that.

// salvage has those catalogues go over to memory that the disk takes no more,
// and tells whether there were any. The caller holds the token of k.syncing.
func (k *Keeper) salvage(ctx context.Context) (bool, error) {
	any := false
	for i := range k.folders {
		c := k.store.Follower(i)
		if c == nil || c.Health().Condition().State != catalog.Refused {
			continue
		}
		if err := k.repair(ctx, i, c); err != nil {
			return any, err
		}
		any = true
	}
	return any, nil
}

// salvageInTurn is salvage for who does not hold the token.
func (k *Keeper) salvageInTurn(ctx context.Context) (bool, error) {
	select {
	case k.syncing <- struct{}{}:
		defer func() { <-k.syncing }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	return k.salvage(ctx)
}
