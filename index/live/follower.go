package live

import (
	"context"
	"sync/atomic"

	"vademecum/index/catalog"
)

// Follower follows the catalogue of a folder, and records how far it is.
type Follower struct {
	catalog.Catalog
	number uint64 // distinguishes rows of one catalogue from those of another

	// order makes a commit and its addition to memory one step, so that catchUp sees both or
	// neither. It guards the following fields.
	order   contextMutex
	seen    int64 // version of the catalogue at the last poll
	again   bool  // poll again even if the version is the same
	vector  int64 // row of the last vector that was read
	retired bool  // see SetRetired

	followed atomic.Int64 // last change in memory whose vectors are known; set under order

	foreign atomic.Bool // another process has changed documents
	lost    lostTexts   // texts found missing in the catalogue

	Through atomic.Int64 // last change up to which this process has embedded everything
	Tried   atomic.Int64 // nanoseconds since 1970: when a replacement was last attempted

	RunSucceeded atomic.Bool // the last run of this process succeeded, and status says so
}

// followers counts them, to give each a number.
var followers atomic.Uint64

// ID returns the Source of the documents of a follower, 0 for those in NoFolder.
func (f *Follower) ID() uint64 {
	if f == nil {
		return 0
	}
	return f.number
}

// newFollower follows a catalogue that is not in memory yet and was not polled.
func newFollower(c catalog.Catalog) *Follower {
	return &Follower{Catalog: c, number: followers.Add(1), order: make(contextMutex, 1)}
}

// LockFollowing waits until no goroutine follows the catalogue or writes to it, and prevents that
// until release is called.
func (f *Follower) LockFollowing() (release func()) {
	f.order.Lock()
	return f.order.Unlock
}

// TakeForeignChange reports whether another process has changed documents since the last call.
func (f *Follower) TakeForeignChange() bool { return f.foreign.Swap(false) }

// LastVector returns the row of the last vector of the catalogue that was read. The caller holds
// the Follower.
func (f *Follower) LastVector() int64 { return f.vector }

// SetLastVector sets the row that LastVector returns.
func (f *Follower) SetLastVector(row int64) { f.vector = row }

// contextMutex is a mutex whose Lock can be cancelled.
type contextMutex chan struct{}

func (t contextMutex) Lock()   { t <- struct{}{} }
func (t contextMutex) Unlock() { <-t }

// LockContext locks it, or returns the error of the context that ends first.
func (t contextMutex) LockContext(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// LastSeen returns a number that changes whenever another process has committed and Follow was
// called.
func (f *Follower) LastSeen() int64 {
	defer f.LockFollowing()()
	return f.seen
}

// LastFollowed returns the last change in memory. It does not wait for commits under way.
func (f *Follower) LastFollowed() int64 { return f.followed.Load() }

// advance records a commit of this process that is in memory. It counts as followed, unless
// earlier changes are missing. The caller holds the Follower.
func (f *Follower) advance(w catalog.CommitResult) {
	if w.First == f.followed.Load()+1 {
		f.followed.Store(w.Last)
	}
}

// SetRetired records whether another catalogue is replacing this one: nothing is loaded from it
// then.
func (f *Follower) SetRetired(retired bool) {
	defer f.LockFollowing()()
	f.retired = retired
	f.Health().SetRetired(retired)
}

// UnlessRetired calls note, unless another catalogue is replacing this one; no replacement begins
// meanwhile.
func (f *Follower) UnlessRetired(note func()) {
	defer f.LockFollowing()()
	if !f.retired {
		note()
	}
}
