package page

import (
	"context"
	"net/http"
	"sync"
	"time"

	"vademecum/index/progress"
	"vademecum/internal/app/web/access"
)

// live notifies browsers that show a view when that changes. One goroutine polls the state for all
// of them, and only while there are any.
type live struct {
	view *access.View
	kept cachedSummary
	left keptLeft

	visits *visits // nil if visits are not recorded

	mu      sync.Mutex
	watched map[chan struct{}]bool
	stop    context.CancelFunc // nil while no browser listens
}

// lookEvery is the polling interval, and so the minimum between two notifications.
const lookEvery = time.Second

// liveOf returns the live of a view, which it creates at the first call.
func (p *Pages) liveOf(s *access.View) *live {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.lives[s]
	if l == nil {
		l = &live{view: s, watched: make(map[chan struct{}]bool)}
		if p.o.VisitsDir != "" {
			l.visits = newVisits(p.o.VisitsDir, s.Library.Folders())
		}
		p.lives[s] = l
	}
	return l
}

// watch returns a channel that holds a token if something has changed since it was last read. The
// caller calls leave when it stops listening.
func (l *live) watch() (changed <-chan struct{}, leave func()) {
	c := make(chan struct{}, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watched[c] = true
	if l.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		l.stop = stop
		go l.look(ctx, l.glance())
	}
	return c, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.watched, c)
		if len(l.watched) == 0 && l.stop != nil {
			l.stop()
			l.stop = nil
		}
	}
}

// shownState is the part of the state that pages show. Pages need an update only if it differs.
type shownState struct {
	state               progress.State
	documents, passages int
}

func (l *live) glance() (g shownState) {
	g.state = l.view.Library.State()
	g.documents, g.passages = l.view.Library.Size()
	return g
}

// look polls the state until ctx is done, and notifies browsers when it differs from the last one.
func (l *live) look(ctx context.Context, last shownState) {
	documents := l.view.Library.Changes(ctx)
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := l.glance()
		changed := now != last
		select {
		case <-documents:
			changed = true
		default:
		}
		if last = now; changed {
			l.tell()
		}
	}
}

func (l *live) tell() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.watched {
		select {
		case c <- struct{}{}:
		default: // a notification is already pending
		}
	}
}

// events streams to a script of the page that something has changed. The script then requests the
// details.
func (v *request) events() {
	ctx, done, ok := v.o.OpenStream(v.w, v.r, v.isStillIn)
	if !ok {
		return
	}
	defer done()
	changed, leave := v.liveOf(v.view).watch()
	defer leave()
	v.w.Header().Set("Content-Type", "text/event-stream")
	v.w.WriteHeader(http.StatusOK)
	to := http.NewResponseController(v.w)
	if _, err := v.w.Write([]byte("retry: 5000\n\n")); err != nil || to.Flush() != nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
		if _, err := v.w.Write([]byte("event: changed\ndata:\n\n")); err != nil || to.Flush() != nil {
			return
		}
	}
}
