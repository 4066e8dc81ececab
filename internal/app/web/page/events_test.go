package page

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index/progress"
	"vademecum/internal/app/web/access"
)

// changing is a library whose state can be set, and which counts how often that is read.
type changing struct {
	access.Library
	documents atomic.Int64
	looks     atomic.Int64
	changed   chan struct{}
}

func (c *changing) State() progress.State {
	c.looks.Add(1)
	return progress.State{Phase: progress.Ready}
}

func (c *changing) Size() (documents, passages int) { return int(c.documents.Load()), 0 }

func (c *changing) Changes(context.Context) <-chan struct{} { return c.changed }

// TestLive checks that all listeners are notified of a change at most once a second, that one
// goroutine polls for all of them, and that polling ends with the last listener.
func TestLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		library := &changing{changed: make(chan struct{}, 1)}
		p := &Pages{lives: make(map[*access.View]*live)}
		view := &access.View{Library: library}
		var told [100]int
		var channels [100]<-chan struct{}
		var leaves [100]func()
		for i := range channels {
			channels[i], leaves[i] = p.liveOf(view).watch()
		}
		after := func(d time.Duration) (sum int) {
			time.Sleep(d)
			synctest.Wait()
			for i, c := range channels {
				select {
				case <-c:
					told[i]++
					sum++
				default:
				}
			}
			return sum
		}
		before := library.looks.Load()
		if n := after(100 * time.Second); n != 0 {
			t.Errorf("%d are told of nothing", n)
		}
		if n := library.looks.Load() - before; n > 101 {
			t.Errorf("it is looked %d times in 100 seconds", n)
		}
		library.documents.Store(3)
		library.changed <- struct{}{}
		if n := after(lookEvery); n != 100 {
			t.Errorf("%d are told", n)
		}
		for range 10 { // several changes within a second
			library.documents.Add(1)
			time.Sleep(lookEvery / 100)
		}
		if n := after(lookEvery); n != 100 {
			t.Errorf("then %d", n)
		}
		if n := after(10 * lookEvery); n != 0 {
			t.Errorf("%d are told twice", n)
		}
		for _, leave := range leaves {
			leave()
			leave()
		}
		synctest.Wait()
		before = library.looks.Load()
		time.Sleep(time.Minute)
		if n := library.looks.Load() - before; n != 0 {
			t.Errorf("it is looked %d times for nobody", n)
		}
		_, leave := p.liveOf(view).watch() // another listener
		time.Sleep(10 * lookEvery)
		synctest.Wait()
		if library.looks.Load() == before {
			t.Error("nobody looks any more")
		}
		leave()
	})
}
