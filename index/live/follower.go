package live

import (
	"context"
	"errors"
	"sync/atomic"

	"vademecum/index/store/catalog"
)

// Follower follows the catalogue of a folder, and records how far this process has got with its changes:
// which it has seen, which are in memory, and which are embedded. Other knowledge about the folder is in
// freshness.Folder.
type Follower struct {
	catalog.Catalog
	number uint64 // distinguishes its rows from those of other catalogues

	// order makes a commit and its addition to memory atomic, so that catchUp sees both or neither.
	// It guards the following fields.
	order  contextMutex
	seen   int64 // version of the catalogue at the last poll
	again  bool  // whether to follow even if the version is unchanged
	vector int64 // row of the last vector read; NoVectorRow if none was

	followed atomic.Int64 // last change of the catalogue that is in memory, as are all vectors saved before it; set with order held

	retired atomic.Bool           // another catalogue is replacing this one; set with order held
	damage  atomic.Pointer[error] // damage found by others than the catalogue itself; nil if none was

	skipped atomic.Int64 // how often the catalogue had skipped damaged data at the last call of SkippedDamageSinceLastCall

	foreign atomic.Bool // whether another process has changed documents
	lost    lostTexts   // texts that were missing or damaged in the catalogue

	EmbeddedThroughChange atomic.Int64 // last change of the catalogue up to which this process has embedded all documents
}

// followers is the number of the last Follower; they are numbered from 1.
var followers atomic.Uint64

// CatalogID returns the number of the catalogue for search.InternedFields.CatalogID; 0 for a nil Follower, which
// stands for texts in NoFolder.
func (f *Follower) CatalogID() uint64 {
	if f == nil {
		return 0
	}
	return f.number
}

// RequestMailbox returns the mailbox of the processes that have the catalogue open.
func (f *Follower) RequestMailbox() catalog.RequestMailbox {
	return catalog.NewRequestMailbox(f)
}

// newFollower returns a Follower of a catalogue of which nothing is in memory.
func newFollower(c catalog.Catalog) *Follower {
	return &Follower{Catalog: c, number: followers.Add(1), order: make(contextMutex, 1), vector: NoVectorRow}
}

// LockFollowing waits until no goroutine follows the catalogue or writes to it, and prevents that
// until release is called. The caller is then said to hold the Follower.
func (f *Follower) LockFollowing() (release func()) {
	f.order.Lock()
	return f.order.Unlock
}

// ForeignChangeSinceLastCall reports whether another process has changed documents since the last call.
func (f *Follower) ForeignChangeSinceLastCall() bool { return f.foreign.Swap(false) }

// NoVectorRow is what LastVectorRow returns until vectors were read. It is before all rows.
const NoVectorRow = -1

// LastVectorRow returns the row of the last vector read from the catalogue. The caller must hold the
// Follower.
func (f *Follower) LastVectorRow() int64 { return f.vector }

// SetLastVectorRow records that the vectors of the catalogue were read up to a row. The caller must hold the
// Follower.
func (f *Follower) SetLastVectorRow(row int64) { f.vector = row }

// contextMutex is a mutex whose locking can be cancelled.
type contextMutex chan struct{}

func (t contextMutex) Lock()   { t <- struct{}{} }
func (t contextMutex) Unlock() { <-t }

// lockContext locks the mutex, or returns the error of ctx if that ends first.
func (t contextMutex) lockContext(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// LastSeenForeignVersion returns the version of the catalogue at the last poll: a number that changes when Follow
// finds that another process has committed.
func (f *Follower) LastSeenForeignVersion() int64 {
	defer f.LockFollowing()()
	return f.seen
}

// LastFollowedChange returns the number of the last change of the catalogue that is in memory. It does not
// wait for commits in progress.
func (f *Follower) LastFollowedChange() int64 { return f.followed.Load() }

// advance records a commit of this process that is in memory. It counts as followed unless earlier
// changes are missing. The caller must hold the Follower.
func (f *Follower) advance(w catalog.CommitResult) {
	if w.FirstChange == f.followed.Load()+1 {
		f.followed.Store(w.LastChange)
	}
}

// SetBeingReplaced records whether another catalogue is replacing this one. Nothing is loaded from
// such a catalogue.
func (f *Follower) SetBeingReplaced(isBeingReplaced bool) {
	defer f.LockFollowing()()
	f.setBeingReplaced(isBeingReplaced)
}

// setBeingReplaced records whether another catalogue is replacing this one. The caller has locked
// following.
func (f *Follower) setBeingReplaced(isBeingReplaced bool) {
	f.retired.Store(isBeingReplaced)
}

// IsBeingReplaced reports whether another catalogue is replacing this one.
func (f *Follower) IsBeingReplaced() bool { return f.retired.Load() }

// UnlessBeingReplaced calls do unless another catalogue is replacing this one, and delays replacements until do
// returns.
func (f *Follower) UnlessBeingReplaced(do func()) {
	defer f.LockFollowing()()
	if !f.IsBeingReplaced() {
		do()
	}
}

// SkippedDamageSinceLastCall reports whether damaged data was found, and left out of a result, since the
// last call.
func (f *Follower) SkippedDamageSinceLastCall() bool {
	now := f.Condition().SkippedDamageCount
	return f.skipped.Swap(now) != now
}

// RecordDamage records err if it reports damage, which the catalogue itself may not have noticed, and
// returns it. While another catalogue is replacing this one, apparent damage is ignored.
func (f *Follower) RecordDamage(err error) error {
	if errors.Is(err, catalog.ErrDamaged) && !f.IsBeingReplaced() {
		f.damage.Store(&err)
	}
	return err
}

// Condition returns what is wrong with the catalogue, including recorded damage.
func (f *Follower) Condition() catalog.Condition {
	now := f.Catalog.Condition()
	if damage := f.damage.Load(); damage != nil {
		now = now.WithDamage(*damage)
	}
	return now
}
