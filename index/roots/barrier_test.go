package roots

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"vademecum/index/indextest"
)

// cached are marks in a cache folder of the test.
func cached(t *testing.T) *EventBarrier {
	t.Helper()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, t.TempDir())
	}
	m := eventBarrierForIndex("/some/index")
	if err := os.MkdirAll(m.Dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	return m
}

// takeNext takes the next mark that is set away, as another process does: by its file.
func takeNext(t *testing.T, m *EventBarrier, take func(name string)) {
	t.Helper()
	var entries []os.DirEntry
	var err error
	isSet := indextest.Poll(indextest.ShortTimeout, func() bool {
		entries, err = os.ReadDir(m.Dir())
		return err != nil || len(entries) > 0
	})
	if err != nil || !isSet {
		t.Errorf("no mark was set: %v", err)
		return
	}
	take(entries[0].Name())
}

func TestAwait(t *testing.T) {
	m := cached(t)
	other := eventBarrierForIndex("/some/index")
	for name, take := range map[string]func(string){"in this process": m.RemoveMark, "in another": other.RemoveMark} {
		done := make(chan error, 1)
		go func() { done <- m.waitRemoved(t.Context()) }()
		takeNext(t, m, take)
		if err := <-done; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(m.waiting) > 0 {
		t.Errorf("%d still wait", len(m.waiting))
	}
}

func TestNobodyHeeds(t *testing.T) {
	m := cached(t)
	if m.AnyProcessRemovesMarks() {
		t.Error("marks are heeded by nobody")
	}
	if m.SetRemovesMarks(true); !m.AnyProcessRemovesMarks() {
		t.Error("it was not announced")
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- m.waitRemoved(ctx) }()
	takeNext(t, m, func(string) { cancel() })
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	if m.AnyProcessRemovesMarks() {
		t.Error("one was not heeded, and the next is set at once")
	}
	if left, err := os.ReadDir(m.Dir()); err != nil || len(left) > 0 {
		t.Errorf("%d marks are left, %v", len(left), err)
	}
	if m.SetRemovesMarks(false); eventBarrierForIndex("/some/index").AnyProcessRemovesMarks() {
		t.Error("that it ended was not announced")
	}
}

func TestNoPlaceForMarks(t *testing.T) {
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, "")
	}
	m := eventBarrierForIndex("/some/index")
	if m.SetRemovesMarks(true); m.Dir() != "" || m.AnyProcessRemovesMarks() {
		t.Errorf("marks are set in %q", m.Dir())
	}
	m = &EventBarrier{dir: filepath.Join(t.TempDir(), "is not there"), waiting: make(map[string]chan struct{})}
	if err := m.waitRemoved(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a mark was set nowhere: %v", err)
	}
}
