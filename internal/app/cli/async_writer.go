package cli

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"
)

// asyncWriter writes lines in a goroutine of its own, so that a host that does not read stderr
// cannot block the program. Write waits briefly for the reader, but not at all once the reader
// seems to be gone. If too many lines are pending, the oldest are dropped, and a line reports how
// many.
type asyncWriter struct {
	out io.Writer

	mu      sync.Mutex
	pending [][]byte      // lines to be written; each element has one or more
	bytes   int           // total size of pending
	dropped int           // number of dropped lines, all older than pending
	blocked bool          // the reader does not seem to read
	closed  bool          // a write has failed
	written chan struct{} // closed when the pending lines are written; nil if none are pending
	more    chan struct{} // holds a token if lines are pending
}

const (
	maxPendingBytes   = 256 << 10              // bytes
	writeTimeout      = 50 * time.Millisecond  // for a call of Write
	finalWriteTimeout = 500 * time.Millisecond // for pending lines when the program ends
)

func newAsyncWriter(out io.Writer) *asyncWriter {
	s := &asyncWriter{out: out, more: make(chan struct{}, 1)}
	go s.writePending()
	return s
}

// Write writes lines, or leaves them pending until they are read.
func (s *asyncWriter) Write(text []byte) (int, error) {
	blocked, err := s.enqueue(text)
	if err != nil {
		return 0, err
	}
	if !blocked && !s.flush(writeTimeout) {
		s.mu.Lock()
		s.blocked = s.written != nil
		s.mu.Unlock()
	}
	return len(text), nil
}

// enqueue appends a copy of some lines to those that are pending.
func (s *asyncWriter) enqueue(text []byte) (blocked bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false, io.ErrClosedPipe
	}
	if s.written == nil {
		s.written = make(chan struct{})
	}
	s.pending = append(s.pending, bytes.Clone(text))
	s.bytes += len(text)
	for s.bytes > maxPendingBytes && len(s.pending) > 1 {
		s.dropped += bytes.Count(s.pending[0], []byte("\n"))
		s.bytes -= len(s.pending[0])
		s.pending = s.pending[1:]
	}
	select {
	case s.more <- struct{}{}:
	default:
	}
	return s.blocked, nil
}

// writePending writes lines as they become pending, until a write fails.
func (s *asyncWriter) writePending() {
	for range s.more {
		for {
			text := s.takePending()
			if text == nil {
				break
			}
			if _, err := s.out.Write(text); err != nil {
				s.close()
				return
			}
		}
	}
}

// takePending returns all pending lines and removes them; nil if there are none.
func (s *asyncWriter) takePending() (text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.pending) == 0 {
		s.notifyWritten()
		return nil
	}
	if s.dropped > 0 {
		text = fmt.Appendf(nil, "vademecum: %d lines were dropped here, as nobody read them\n", s.dropped)
	}
	text = append(text, bytes.Join(s.pending, nil)...)
	s.pending, s.bytes, s.dropped = nil, 0, 0
	return text
}

// notifyWritten wakes the callers of flush once everything is written. The caller holds s.mu.
func (s *asyncWriter) notifyWritten() {
	if s.written != nil {
		close(s.written)
	}
	s.written, s.blocked = nil, false
}

func (s *asyncWriter) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed, s.pending = true, nil
	s.notifyWritten()
}

// flush waits until everything is written, at most for limit, and reports whether everything was.
func (s *asyncWriter) flush(limit time.Duration) bool {
	s.mu.Lock()
	written := s.written
	s.mu.Unlock()
	if written == nil {
		return true
	}
	select {
	case <-written:
		return true
	case <-time.After(limit):
		return false
	}
}
