// This file lets a process ask the process that watches a folder whether it has indexed all changes so
// far. It sets a mark, which is a file in a directory that is watched together with the
// folder; the watching process removes the file once everything before it is indexed. The code here
// handles files and their names, not documents.

package roots

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"vademecum/internal/base/system"
)

// EventBarrier lets a process wait until all changes of files so far are indexed: it creates a file, the
// mark, whose event follows the events of the changes through the queue of the watching process, like
// a barrier. Each index has its own barrier and marks.
type EventBarrier struct {
	dir string // directory of the marks; "" if there is none

	mu      sync.Mutex
	waiting map[string]chan struct{} // marks set by this process; closed on removal
	failed  time.Time                // when a wait for the removal of a mark last failed
}

// eventBarrierForIndex returns the barrier for the index in a file. Its marks are in the user's cache
// directory, which is local and contains no documents; without one, there are no marks.
func eventBarrierForIndex(index string) *EventBarrier {
	m := &EventBarrier{waiting: make(map[string]chan struct{})}
	if cache, err := system.CacheDir(); err == nil && index != "" {
		sum := sha256.Sum256([]byte(index))
		m.dir = filepath.Join(cache, "marks", hex.EncodeToString(sum[:12]))
	}
	return m
}

// Dir returns the directory of the marks; "" if there is none. It need not exist.
func (m *EventBarrier) Dir() string { return m.dir }

// activeFile returns the path of the file that exists next to the directory while a process removes
// marks.
func (m *EventBarrier) activeFile() string { return m.dir + ".heeded" }

// SetRemovesMarks announces to all processes whether this one removes marks, by creating or removing a file.
// After a crash the file remains; waiters then time out, each only from time to time and not for long.
func (m *EventBarrier) SetRemovesMarks(isActive bool) {
	switch {
	case m.dir == "":
	case isActive:
		_ = os.WriteFile(m.activeFile(), nil, 0o600) // if this fails, no marks are set
	default:
		_ = os.Remove(m.activeFile())
	}
}

// failurePause is how long AnyProcessRemovesMarks returns false after a mark was not removed in time.
const failurePause = 5 * time.Second

// AnyProcessRemovesMarks reports whether any process removes marks, so that waiting for it makes sense.
func (m *EventBarrier) AnyProcessRemovesMarks() bool {
	if m.dir == "" {
		return false
	}
	m.mu.Lock()
	failed := time.Since(m.failed) < failurePause
	m.mu.Unlock()
	if failed {
		return false
	}
	_, err := os.Stat(m.activeFile())
	return err == nil
}

// Wait sets a mark, and waits until the watching process has removed it. On systems where events of
// different directories may overtake each other, it does so twice: a change before the first mark is
// reported before the second.
func (m *EventBarrier) Wait(ctx context.Context) error {
	times := 2
	if runtime.GOOS == "linux" { // all events are in one queue
		times = 1
	}
	for range times {
		if err := m.waitRemoved(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Intervals at which a waiter checks whether another process has removed its mark: short ones
// first.
const (
	firstLook = 500 * time.Microsecond
	lastLook  = 20 * time.Millisecond
)

func (m *EventBarrier) waitRemoved(ctx context.Context) error {
	name, taken := rand.Text(), make(chan struct{})
	m.mu.Lock()
	m.waiting[name] = taken
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.waiting, name)
	}()
	file := filepath.Join(m.dir, name)
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return m.markError(err)
	}
	if err := f.Close(); err != nil {
		return m.markError(errors.Join(err, os.Remove(file)))
	}
	pause := firstLook
	look := time.NewTimer(pause)
	defer look.Stop()
	for {
		select {
		case <-taken:
			return nil
		case <-ctx.Done():
			_ = os.Remove(file) // the caller no longer waits
			return m.markError(ctx.Err())
		case <-look.C:
			if _, err := os.Lstat(file); errors.Is(err, os.ErrNotExist) {
				return nil
			}
			pause = min(2*pause, lastLook)
			look.Reset(pause)
		}
	}
}

func (m *EventBarrier) markError(err error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failed = time.Now()
	return err
}

// RemoveMark removes a mark, given by its name. The watching process calls it after everything that was
// changed before the mark was set has been indexed.
func (m *EventBarrier) RemoveMark(name string) {
	m.mu.Lock()
	taken := m.waiting[name]
	delete(m.waiting, name)
	m.mu.Unlock()
	// if this fails, the process that set it times out, and tries again
	_ = os.Remove(filepath.Join(m.dir, name))
	if taken != nil {
		close(taken)
	}
}
