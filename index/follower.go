package index

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"vademecum/index/catalog/sqlite"

	"vademecum/index/catalog"
)

// follower is the catalogue of a folder, and how far this process is with it.
type follower struct {
	*sqlite.Catalog

	// order makes a commit and its place in memory one step, so that follow
	// sees both or neither. It guards what follows.
	order          sync.Mutex
	seen           int64 // version of the catalogue at the last look
	followed       int64 // the last change that is in memory
	followedVector int64 // the row of the last vector looked at
	pictured       pictured

	foreign atomic.Bool  // another process has changed documents
	through atomic.Int64 // the last change of which this process has embedded all
	tried   atomic.Int64 // nanoseconds since 1970: when another was to take its place last

	runSucceeded atomic.Bool // the last run of this process did, and status says so
}

// newFollower follows a catalogue of which nothing is in memory yet.
func newFollower(ctx context.Context, c *sqlite.Catalog) (*follower, error) {
	seen, err := c.Version(ctx)
	return &follower{Catalog: c, seen: seen}, err
}

// lastSeen changes whenever another process has committed and follow was called.
func (f *follower) lastSeen() int64 {
	f.order.Lock()
	defer f.order.Unlock()
	return f.seen
}

// lastFollowed is the last change that is in memory.
func (f *follower) lastFollowed() int64 {
	f.order.Lock()
	defer f.order.Unlock()
	return f.followed
}

// advance notes what this process has committed, which is in memory with that. It
// counts as followed, unless some changes before are not. The caller holds order.
func (f *follower) advance(w catalog.Written) {
	if w.First == f.followed+1 {
		f.followed = w.Last
	}
}

// retire notes whether another catalogue takes the place of this one: nothing is
// taken over from it then.
func (f *follower) retire(yes bool) {
	f.order.Lock()
	defer f.order.Unlock()
	f.Catalog.Retire(yes)
}

// syncedKey is of the time when the folder was last scanned as a whole.
const syncedKey = "synced"

func (f *follower) synced(ctx context.Context) (time.Time, error) {
	value, err := f.Value(ctx, syncedKey)
	if err != nil || value == "" {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339Nano, value)
}

func (f *follower) setSynced(ctx context.Context, t time.Time) error {
	return f.SetValue(ctx, syncedKey, t.UTC().Format(time.RFC3339Nano))
}

// Failures are kept in the catalogue, for status.
const (
	runFailure      = "failure of the last run"
	snapshotFailure = "failure of the last snapshot"
)

// keepFailure notes how something ended that has failed, or that may have failed
// before.
func (f *follower) keepFailure(ctx context.Context, what string, failed error) error {
	why := ""
	if failed != nil {
		why = failed.Error()
	}
	if had, err := f.Value(ctx, what); err != nil || had == why {
		return err
	}
	return f.SetValue(ctx, what, why)
}
