package freshness

import (
	"vademecum/index/notice"
	"vademecum/index/search"
)

// Baseline is the freshness of one moment, to compare with a later one.
type Baseline struct {
	of     *Freshness
	behind bool
	losses int
}

// TakeBaseline looks at the index before a question is answered from it.
func (f *Freshness) TakeBaseline() Baseline { return Baseline{f, f.IsBehind(), f.countLosses()} }

func (f *Freshness) countLosses() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.losses
}

// Change is what an answer may miss that was made between a View and now.
type Change struct {
	MayMiss  bool              // documents that are not indexed yet, or were lost
	CaughtUp bool              // since the View: the same question may find more now
	Late     []search.Location // files that have changed and are not read yet, as they change all the time

	of *Freshness
}

// Compare reports what has changed since the View. lost says that the answer has met a
// loss itself.
func (v Baseline) Compare(lost bool) Change {
	lost = lost || v.losses != v.of.countLosses()
	return Change{
		MayMiss:  v.behind || lost || v.of.MayMissDocuments(),
		CaughtUp: lost || v.behind && !v.of.IsBehind(),
		Late:     v.of.from.Late(),
		of:       v.of,
	}
}

// LateNote says which files have changed and are not read yet.
func (c Change) LateNote() []notice.Note { return c.of.lateNote(c.Late) }

// Notes reports what else the answer may miss. It leaves out why the model fails unless
// reason says so: that may have been said.
func (c Change) Notes(reason bool) []notice.Note { return c.of.notes(reason) }
