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

// TakeBaseline records the freshness before a question is answered.
func (f *Freshness) TakeBaseline() Baseline { return Baseline{f, f.IsBehind(), f.countLosses()} }

func (f *Freshness) countLosses() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.losses
}

// Change is what an answer may miss that was made between a Baseline and now.
type Change struct {
	MayMiss  bool              // documents that are not indexed yet, or were lost
	CaughtUp bool              // since the Baseline: the same question may find more now
	Late     []search.Location // files that have changed and are not read yet because they change all the time

	of *Freshness
}

// Compare returns what has changed since the Baseline. lost means that the answer itself has met
// a loss.
func (v Baseline) Compare(lost bool) Change {
	lost = lost || v.losses != v.of.countLosses()
	return Change{
		MayMiss:  v.behind || lost || v.of.MayMissDocuments(),
		CaughtUp: lost || v.behind && !v.of.IsBehind(),
		Late:     v.of.from.Late(),
		of:       v.of,
	}
}

// LateNote lists the files that have changed and are not read yet.
func (c Change) LateNote() []notice.Note { return c.of.lateNote(c.Late) }

// Notes returns what else the answer may miss. It leaves out why the model fails unless reason is
// set: that may have been reported already.
func (c Change) Notes(reason bool) []notice.Note { return c.of.notes(reason) }
