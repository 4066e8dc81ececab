package freshness

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"vademecum/index/progress"
)

// TestWait: who waits is woken by each change, and gives up with its context.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPublisher(1)
		var looks []string
		ready := make(chan error, 1)
		go func() {
			ready <- p.Wait(t.Context(), func(now Snapshot) bool {
				looks = append(looks, short(now.State))
				return now.State.Phase == progress.Ready
			})
		}()
		gone, give := context.WithCancel(t.Context())
		given := make(chan error, 1)
		go func() { given <- p.Wait(gone, func(Snapshot) bool { return false }) }()
		for _, step := range []func(*Snapshot){loaded, (*Snapshot).StartRun, ended(nil)} {
			synctest.Wait()
			p.UpdateFolder(0, func(f *Folder) { f.IsUncomparedSinceAbsence = false }) // which is no change
			p.Update(step)
		}
		if err := <-ready; err != nil || !slices.Equal(looks, []string{"loading 0/0 behind", "scanning 0/0 behind", "scanning 0/0 behind", "ready 0/0"}) {
			t.Errorf("it saw %q, %v", looks, err)
		}
		give()
		if err := <-given; !errors.Is(err, context.Canceled) {
			t.Errorf("who gives up gets %v", err)
		}
	})
}

// TestUpdates of several goroutines are all there in the end, and a copy made before has none.
func TestUpdates(t *testing.T) {
	const times = 100
	p := NewPublisher(3)
	before := p.Current()
	var group sync.WaitGroup
	for i := range before.Folders {
		group.Go(func() {
			for range times {
				p.UpdateFolder(i, func(f *Folder) { f.IndexerPID++ })
				p.Update(func(now *Snapshot) { now.IndexLosses++ })
			}
		})
	}
	group.Wait()
	now := p.Current()
	if !slices.Equal(before.Folders, make([]Folder, 3)) || now.IndexLosses != 3*times {
		t.Errorf("before: %+v, then %d losses", before.Folders, now.IndexLosses)
	}
	for i, f := range now.Folders {
		if f.IndexerPID != times {
			t.Errorf("folder %d has %d", i, f.IndexerPID)
		}
	}
}

// TestChanges: one token for however many changes, and none for whoever is gone.
func TestChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPublisher(1)
		ctx, cancel := context.WithCancel(t.Context())
		c := p.Changes(ctx)
		has := func() bool {
			select {
			case <-c:
				return true
			default:
				return false
			}
		}
		if has() {
			t.Error("there is a change at first")
		}
		for name, do := range map[string]func(){
			"a run is through": func() { p.Update(ended(nil)) }, "a file is read": func() { p.Update(func(s *Snapshot) { s.AddReadFiles(1) }) },
			"a book is read": func() { p.Update((*Snapshot).AddReadBackgroundFile) }, "somebody says so": p.SignalDocumentChange,
		} {
			do()
			do()
			if !has() || has() {
				t.Errorf("%s: it is not told once", name)
			}
		}
		for name, do := range map[string]func(*Snapshot){"a run begins": (*Snapshot).StartRun, "no file is read": func(s *Snapshot) { s.AddReadFiles(0) }} {
			if p.Update(do); has() {
				t.Errorf("%s: no document has changed", name)
			}
		}
		cancel()
		synctest.Wait()
		if p.SignalDocumentChange(); has() {
			t.Error("it is told to who is gone")
		}
	})
}
