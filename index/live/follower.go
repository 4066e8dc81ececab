package live

import (
	"context"
	"sync/atomic"

	"vademecum/index/catalog"
)

// Follower is the catalogue of a folder, and how far this process is with it.
type Follower struct {
	catalog.Catalog
	number uint64 // tells rows of one catalogue from those of another

	// order makes a commit and its place in memory one step, so that follow
	// sees both or neither. It guards what follows.
	order   contextMutex
	seen    int64 // version of the catalogue at the last look
	again   bool  // that is to be looked at again although it is the same
	vector  int64 // the row of the last vector looked at
	retired bool  // see SetRetired

	followed atomic.Int64 // the last change that is in memory, and of whose vectors is known; it is set under order

	foreign atomic.Bool // another process has changed documents
	lost    lostTexts   // what was found missing in the catalogue

	Through atomic.Int64 // the last change of which this process has embedded all
	Tried   atomic.Int64 // nanoseconds since 1970: when another was to take its place last

	RunSucceeded atomic.Bool // the last run of this process did, and status says so
}

// followers counts them, so that each has a number.
var followers atomic.Uint64

// ID is the Source of the documents of a follower, nil of those in NoFolder.
func (f *Follower) ID() uint64 {
	if f == nil {
		return 0
	}
	return f.number
}

// newFollower follows a catalogue of which nothing is in memory yet, and that it has
// not looked at.
func newFollower(c catalog.Catalog) *Follower {
	return &Follower{Catalog: c, number: followers.Add(1), order: make(contextMutex, 1)}
}

// LockFollowing waits until nobody follows the catalogue or writes to it, and has nobody begin that
// until release is called.
func (f *Follower) LockFollowing() (release func()) {
	f.order.Lock()
	return f.order.Unlock
}

// TakeForeignChange reports whether another process has changed documents since it was asked last.
func (f *Follower) TakeForeignChange() bool { return f.foreign.Swap(false) }

// LastVector is the row of the last vector of the catalogue that was looked at, and SetLastVector
// notes it. The caller holds the Follower.
func (f *Follower) LastVector() int64 { return f.vector }

// SetLastVector sets the vector that Vector returns.
func (f *Follower) SetLastVector(row int64) { f.vector = row }

// contextMutex is a lock that can be waited for as long as a context allows.
type contextMutex chan struct{}

func (t contextMutex) Lock()   { t <- struct{}{} }
func (t contextMutex) Unlock() { <-t }

// LockContext is Lock, or the error of a context that ends first.
func (t contextMutex) LockContext(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// LastSeen changes whenever another process has committed and follow was called.
func (f *Follower) LastSeen() int64 {
	defer f.LockFollowing()()
	return f.seen
}

// LastFollowed is the last change that is in memory. It waits for no commit that is
// under way.
func (f *Follower) LastFollowed() int64 { return f.followed.Load() }

// advance notes what this process has committed and has in memory. It counts as
// followed, unless some changes before are not. The caller holds the Follower.
func (f *Follower) advance(w catalog.CommitResult) {
	if w.First == f.followed.Load()+1 {
		f.followed.Store(w.Last)
	}
}

// SetRetired notes whether another catalogue takes the place of this one: nothing is
// taken over from it then.
func (f *Follower) SetRetired(retired bool) {
	defer f.LockFollowing()()
	f.retired = retired
	f.Health().SetRetired(retired)
}

// UnlessRetired calls note, unless another catalogue takes the place of this one, which
// none begins to do meanwhile.
func (f *Follower) UnlessRetired(note func()) {
	defer f.LockFollowing()()
	if !f.retired {
		note()
	}
}
