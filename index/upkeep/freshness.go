package upkeep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/progress"
	"vademecum/index/say"
	"vademecum/index/search"
)

// This file says how long an answer waits for the index to be up to date, and
// what it says when it does not wait for that.

// Patience is how long a question waits for a run, of this process or another,
// and a command for the vectors of what it has read.
const Patience = 3 * time.Second

const (
	// vectorPatience is how long a question waits for vectors, and for files that
	// are read apart.
	vectorPatience = 1500 * time.Millisecond
	// recovery is how long an answer waits for an index that is built again.
	recovery = 3 * time.Second
	// quickScan is how long the last scan may have taken for a question to wait for
	// another: some thousand files on a local disk, few on a slow drive.
	quickScan = 50 * time.Millisecond
	// slowShare is how many times as long as scans take questions do without one.
	slowShare = 20
)

// Purpose is what an index is to be settled for.
type Purpose string

const (
	ForAnswer     Purpose = "answer"     // of what the documents hold
	ForSync       Purpose = "sync"       // which takes time of its own
	ForCompletion Purpose = "completion" // of what somebody types: nothing need be up to date
)

// loadingPatience is how long a request waits for a stored index to be loaded:
// until then nothing can be said of what the documents hold. Hosts give a call
// about a minute, in which there must be time for the rest.
var loadingPatience = map[Purpose]time.Duration{ForAnswer: 45 * time.Second, ForSync: 20 * time.Second, ForCompletion: Patience}

// Settle waits a little for the index to be up to date, with what was saved a
// moment ago too, and fails when there is nothing to answer from.
func (k *Keeper) Settle(ctx context.Context, to Purpose) error {
	asked := time.Now()
	if err := k.settleLoading(ctx, loadingPatience[to]); err != nil || to == ForCompletion {
		return err
	}
	if k.silent(); k.areAllMissing() { // there is nothing to wait for
		if to == ForSync {
			return ctx.Err()
		}
		return cmp.Or(k.nothing(), ctx.Err())
	}
	k.settleWork(ctx, Patience, k.waitRun)
	if state := k.State(); state.Phase == progress.Failed {
		return fmt.Errorf("the index cannot be used: %s", state.Failure)
	}
	k.settleWork(ctx, vectorPatience, k.waitReady) // books, and vectors
	refreshing, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	k.refresh(refreshing, asked)
	k.settleWork(ctx, vectorPatience, k.waitReady)
	return ctx.Err()
}

// settleLoading waits for the index to be loaded, and fails when there is none
// to answer from.
func (k *Keeper) settleLoading(ctx context.Context, patience time.Duration) error {
	through := k.awaitLoading(ctx, patience)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case through && k.loadErr != nil:
		return fmt.Errorf("the index cannot be used: %w", k.loadErr)
	case through:
		return nil
	}
	s := k.State()
	switch {
	case s.Away:
		return fmt.Errorf("the index cannot be used yet: %w", catalog.ErrUnreachable)
	case k.isUnheard():
		return fmt.Errorf("the index cannot be used yet: %w, or answers slowly: ask again in a moment", catalog.ErrUnreachable)
	case s.Failure != "":
		return fmt.Errorf("the index cannot be used yet: %s", s.Failure)
	}
	return errors.New("the index is still being loaded, nothing can be said yet of what the documents hold: ask again in a moment")
}

// reachPatience is how long a database is waited for that has said nothing yet.
const reachPatience = 5 * time.Second

// awaitLoading waits for Load to be through, and tells whether it is. Where that fails, or
// cannot begin as a database says nothing, it does not wait as long as loading may take.
func (k *Keeper) awaitLoading(ctx context.Context, patience time.Duration) bool {
	begun, tick := time.Now(), time.NewTicker(50*time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-k.loaded:
			return true
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
		switch waited := time.Since(begun); {
		case waited >= patience, waited >= Patience && k.State().Failure != "", waited >= reachPatience && k.isUnheard():
			return false
		}
	}
}

// isUnheard tells whether nothing was heard yet of a database that keeps the index.
func (k *Keeper) isUnheard() bool {
	for _, f := range k.folders {
		if f.Home.IsShared() && !k.reached.Load() {
			return true
		}
	}
	return false
}

// settleWork waits for the index, but not for work that has gone on for longer
// than that already: it must not make each question slow.
func (k *Keeper) settleWork(ctx context.Context, patience time.Duration, ready func(context.Context) error) {
	until := time.Now().Add(patience)
	state := k.State()
	for _, since := range []time.Time{state.Since, state.EmbedSince} {
		if by := since.Add(patience); !since.IsZero() && by.Before(until) {
			until = by
		}
	}
	waiting, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	_ = ready(waiting) // the answer says when it is not complete
}

// refresh takes up what changed in the folders until the time given, so that
// who saves a note and asks at once is answered from it. Where the folder is watched
// as a whole its events tell; elsewhere a scan does, if it is quick. Before the first
// one is through it does nothing, nor does it wait for a folder that does not answer.
// Answers say so where something kept it from its end.
func (k *Keeper) refresh(ctx context.Context, asked time.Time) {
	silent := k.silent()
	if last := k.scanned.Load(); last != nil && last.After(asked) {
		k.doubt.note(asked, false)
		return
	}
	switch s := k.State(); {
	case s.Synced.IsZero(): // which answers say
		return
	case !s.IsThrough(): // the run may have begun before what was saved last, and end before the answer
		k.doubt.note(asked, true)
		return
	}
	overtaken := k.overtaken.Load()
	var faults []error
	left := slices.DeleteFunc(k.everything(), func(a area) bool {
		if silent[a.folder] || k.isMissing(a.folder) {
			return true
		}
		marked, err := k.isMarked(ctx, a.folder)
		faults = append(faults, err)
		return marked
	})
	err := errors.Join(faults...)
	switch quick := k.pace.isQuick() || k.isAnyBack(left); {
	case len(left) > 0 && quick:
		err = k.compareAll(ctx, left)
	case len(left) > 0 && k.State().Unwatched == "": // else answers say that already
		err = cmp.Or(err, errSlow)
	}
	k.doubt.note(asked, err != nil || k.overtaken.Load() != overtaken)
	told := k.kept.Load() && IsDatabase(err) // by the loop
	if err != nil && err != errSlow && ctx.Err() == nil && !told {
		k.log.Warn("could not bring the index up to date", "error", err)
	}
}

// doubt is about what was saved before a question: whether that did not learn in time
// that all of it is indexed. What another learns that came later holds for it too, what
// one learns that came before does not.
type doubt struct {
	mu           sync.Mutex
	sure, unsure time.Time // when the last question of each kind came
}

func (d *doubt) note(asked time.Time, unsure bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := &d.sure
	if unsure {
		last = &d.unsure
	}
	if asked.After(*last) {
		*last = asked
	}
}

func (d *doubt) isThere() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.unsure.After(d.sure)
}

// errSlow says that a question does not wait for a scan.
var errSlow = errors.New("the last scans of the folder took long, questions do not wait for another")

// compareAll brings the index up to date with areas, or has others do so. Of folders
// that have not the files of their libraries it says nothing: answers do.
func (k *Keeper) compareAll(ctx context.Context, areas []area) (err error) {
	own, others := k.split(areas)
	if len(own) > 0 {
		_, err = k.sync(ctx, own, false)
	}
	for folder, areas := range others {
		if err == nil {
			err = k.refreshOther(ctx, folder, areas)
		}
	}
	return err
}

// markPatience is how long a question waits for the events of a folder. It is more
// than a thousand times as long as that takes where nothing happened.
const markPatience = time.Second

// isMarked tells whether all that changed in a folder until now is indexed, by its
// events. The error is why it is not known what another process has indexed.
func (k *Keeper) isMarked(ctx context.Context, folder int) (bool, error) {
	if k.isAway(folder) {
		k.absent[folder].Store(false) // before this process indexes it, it is compared anyway
		_, err := k.store.Follow(ctx, folder)
		return err == nil, err
	}
	marks := k.folders[folder].Marks
	if k.absent[folder].Load() || !marks.Heeded() {
		return false, nil
	}
	waiting, cancel := context.WithTimeout(ctx, markPatience)
	defer cancel()
	if err := marks.Await(waiting); err != nil {
		k.log.Debug("the events of the folder are not told in time, it is scanned", "folder", k.folders[folder].Dir(), "error", err)
		return false, nil
	}
	if k.peers.Leads(folder) {
		return true, nil
	}
	_, err := k.store.Follow(ctx, folder)
	return err == nil, err
}

// silent looks for all folders at once, and tells which of them do not answer soon.
func (k *Keeper) silent() map[int]bool {
	answers := make([]bool, len(k.folders))
	var group sync.WaitGroup
	for i, f := range k.folders {
		group.Go(func() { answers[i] = f.Answers() })
	}
	group.Wait()
	silent := make(map[int]bool)
	for i, answers := range answers {
		if !answers {
			silent[i] = true
		}
	}
	return silent
}

// pace is how long the last two scans took, and when the last one was.
type pace struct {
	mu           sync.Mutex
	scan, before time.Duration
	noted        time.Time // zero: there was none
}

func (p *pace) note(scan time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before = p.scan
	if p.noted.IsZero() {
		p.before = scan
	}
	p.scan, p.noted = scan, time.Now()
}

// took is the shorter of the two: anything may hold one up.
func (p *pace) took() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return min(p.scan, p.before)
}

// isQuick tells whether a question may wait for a scan. Where they are slow one
// is tried again after a while.
func (p *pace) isQuick() bool {
	took := p.took()
	p.mu.Lock()
	defer p.mu.Unlock()
	return took <= quickScan || time.Since(p.noted) > min(sweepEvery, slowShare*took)
}

// IsBehind tells whether the index is not up to date now, or may not be.
func (k *Keeper) IsBehind() bool {
	s := k.State()
	return s.Behind() || s.Failure != "" || s.Refused != "" || k.doubt.isThere()
}

// MayMiss tells whether there may be documents that are not indexed yet.
func (k *Keeper) MayMiss() bool {
	if k.IsBehind() || len(k.restless.late(time.Now())) > 0 {
		return true
	}
	for i := range k.folders {
		if _, ok := k.peers.Unheard(i); ok || k.unlike(i) != nil {
			return true
		}
	}
	return false
}

// Freshness tells what answers may miss now.
func (k *Keeper) Freshness() []say.Note {
	return append(k.Notes(true), k.LateNote(k.restless.late(time.Now()))...)
}

// LateNote says which files have changed and are not read yet, as they change all
// the time.
func (k *Keeper) LateNote(late []search.Location) []say.Note {
	if len(late) == 0 {
		return nil
	}
	return []say.Note{{Kind: say.AtIntervals, Path: k.folders.Show(late[0]), Count: len(late) - 1}}
}

// Notes leaves out why the model fails, when that was said.
func (k *Keeper) Notes(reason bool) []say.Note {
	var notes []say.Note
	s := k.State()
	switch {
	case s.IsStuck():
		notes = append(notes, k.Stuck()...)
	case s.Failure != "":
		notes = append(notes, say.Note{Kind: say.RunFailed, Why: s.Failure})
	case s.Phase == progress.Indexing:
		notes = append(notes, say.Note{Kind: say.BeingBuilt, Done: s.Done, Total: s.Total})
	case s.Behind() && k.areAllMissing(): // which is said below
	case s.Behind():
		notes = append(notes, say.Note{Kind: say.BeingScanned})
	case k.doubt.isThere():
		notes = append(notes, say.Note{Kind: say.NotCompared})
	}
	if s.Slow > 0 {
		notes = append(notes, say.Note{Kind: say.DatabaseSlow, For: s.Slow})
	}
	if !s.IsStuck() { // else nobody can be heard
		notes = append(notes, k.unheard()...)
	}
	for i, f := range k.folders {
		if unlike := k.unlike(i); unlike != nil {
			notes = append(notes, *unlike)
		}
		since, missing := f.Silent(), f.Missing()
		switch {
		case since > 0:
			notes = append(notes, say.Note{Kind: say.FolderSilent, Path: f.Dir(), For: since})
		case missing != nil:
			notes = append(notes, k.missingNote(i, missing))
		default:
			notes = append(notes, k.Strayed(i)...)
		}
	}
	if s.Unwatched != "" && k.pace.took() > quickScan {
		notes = append(notes, say.Note{Kind: say.Unwatched, For: k.sweepPause(), Why: s.Unwatched})
	}
	if !s.Behind() {
		notes = append(notes, k.bareNote(s, reason)...)
	}
	return notes
}

// unheard tells what is the matter with the processes that index the folders. Of those
// that nobody indexes it tells once.
func (k *Keeper) unheard() (notes []say.Note) {
	var alone []string
	for i, f := range k.folders {
		switch n, ok := k.peers.Unheard(i); {
		case ok && n.Kind == say.NobodyIndexes:
			alone = append(alone, f.Home.Short())
		case ok:
			notes = append(notes, n)
		}
	}
	switch len(alone) {
	case 0:
		return notes
	case len(k.folders):
		alone = nil
	}
	return append(notes, say.Note{Kind: say.NobodyIndexes, Words: alone})
}

// Strayed tells that the path by which a folder was given leads elsewhere now, if
// it does. Its index is that of the folder: what the path
// leads to now has one of its own.
func (k *Keeper) Strayed(folder int) []say.Note {
	f := k.folders[folder]
	why := f.Strayed()
	if why == "" {
		return nil
	}
	return []say.Note{{Kind: say.FolderStrayed, Why: why, Path: f.Real()}}
}

// bareNote tells how many passages have no vector of the model, and why.
func (k *Keeper) bareNote(s progress.State, reason bool) []say.Note {
	chunks, bare := k.store.CountChunks()
	if bare == 0 || k.store.Model.Free {
		return nil
	}
	n := say.Note{Kind: say.WithoutVector, Count: bare, Total: chunks}
	if len(k.store.Pending()) == 0 {
		n.Kind = say.VectorsRefused
	}
	if _, n.For = s.EmbedPace(); reason {
		n.Why = s.EmbedFailure
	}
	return []say.Note{n}
}
