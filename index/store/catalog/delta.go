package catalog

import "slices"

// Delta is a list of changes: the changed documents in their current state, in row order, and the
// removed rows.
type Delta struct {
	Records    []Record
	RemovedIDs []int64
	LastChange int64 // number of the last change included; 0 if there was none
	HasMore    bool  // more changes follow
	// older changes are no longer listed, so that all documents must be read; these then include
	// the change LastChange
	MustReload bool
}

// Change is a change as a store lists it: its number, and the row that was written or removed.
type Change struct{ Number, Row int64 }

// NewDelta returns the Delta for the changes that a store lists after the change numbered after, in
// order and at most PageRows of them. last is the number of the last change of all. The Delta demands a
// reload if changes are missing in the list, or if the number after was never assigned. read returns the
// document in a row; its ID is 0 if the document was removed.
func NewDelta(after, last int64, listed []Change, read func(row int64) (Record, error)) (Delta, error) {
	d := Delta{LastChange: last}
	if after == last {
		return d, nil
	}
	rows := make([]int64, len(listed))
	for i, c := range listed {
		if rows[i] = c.Row; c.Number != after+1+int64(i) {
			d.MustReload = true
		}
	}
	if d.MustReload = d.MustReload || len(listed) == 0; d.MustReload {
		return d, nil
	}
	d.LastChange = after + int64(len(listed))
	d.HasMore = d.LastChange < last
	slices.Sort(rows)
	for _, row := range slices.Compact(rows) {
		r, err := read(row)
		switch {
		case err != nil:
			return d, err
		case r.ID == 0:
			d.RemovedIDs = append(d.RemovedIDs, row)
		default:
			d.Records = append(d.Records, r)
		}
	}
	return d, nil
}

// NoKnownChange takes the place of the number of a change in a process that has read neither changes nor
// documents yet.
const NoKnownChange = -1

// Of the changes, at least the last KeptChanges stay listed, for processes that lag behind. A process
// that needs older ones compares all documents instead, which takes about as long as following so many.
// Older changes are deleted with each change whose number is a multiple of ForgetEvery.
const (
	KeptChanges = 10_000
	ForgetEvery = 1_000
)

// LastForgottenChange returns the number up to which changes are to be deleted with this commit; 0 if
// none are.
func (w CommitResult) LastForgottenChange() int64 {
	if w.LastChange/ForgetEvery == (w.FirstChange-1)/ForgetEvery {
		return 0
	}
	return max(0, w.LastChange-KeptChanges)
}
