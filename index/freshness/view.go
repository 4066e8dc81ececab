package freshness

import (
	"vademecum/index/notice"
	"vademecum/index/search"
)

// Baseline is the freshness at one moment, for comparison with a later one.
type Baseline struct {
	of     *Freshness
	behind bool
	losses int
}

// TakeBaseline records the freshness before a query is answered.
func (f *Freshness) TakeBaseline() Baseline { return Baseline{f, f.IsBehind(), f.countLosses()} }

func (f *Freshness) countLosses() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.losses
}

// Change is the difference between a Baseline and now.
type Change struct {
	MayMiss        bool              // whether the response may lack documents that are not indexed yet or were lost
	CaughtUp       bool              // whether the same query may find more now than at the Baseline
	ThrottledFiles []search.Location // files whose latest changes are not read yet, because they change all the time

	of *Freshness
}

// Compare returns what has changed since the Baseline. lost reports whether the query itself has
// encountered a loss.
func (v Baseline) Compare(lost bool) Change {
	lost = lost || v.losses != v.of.countLosses()
	return Change{
		MayMiss:        v.behind || lost || v.of.MayMissDocuments(),
		CaughtUp:       lost || v.behind && !v.of.IsBehind(),
		ThrottledFiles: v.of.from.ThrottledFiles(),
		of:             v.of,
	}
}

// ThrottledFilesNotes returns a note about the files whose latest changes are not read yet.
func (c Change) ThrottledFilesNotes() []notice.Note { return c.of.lateNote(c.ThrottledFiles) }

// Notes returns notes about what else the response may lack. It includes the reason why the model
// fails only if reason is set, because that may have been reported already.
func (c Change) Notes(reason bool) []notice.Note { return c.of.notes(reason) }
