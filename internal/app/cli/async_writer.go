package cli

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"
)

// asyncWriter writes lines in a goroutine, so that a host that does not read stderr cannot block
// the program. Write waits briefly for the reader, or not at all while there seems to be none. If
// too much is pending, the oldest lines are dropped and a line reports how many.
type asyncWriter struct {
	out io.Writer

	mu      sync.Mutex
	pending [][]byte      // each has one or more lines
	bytes   int           // total size of pending
	dropped int           // number of dropped lines, all older than pending
	blocked bool          // the reader seems not to read
	closed  bool          // a write has failed
	written chan struct{} // closed when everything is written; nil then
	more    chan struct{} // holds a token when something is pending
}

const (
	maxPendingBytes   = 256 << 10              // bytes
	writeTimeout      = 50 * time.Millisecond  // for each write
	finalWriteTimeout = 500 * time.Millisecond // when the program ends
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

// enqueue appends a copy of some lines to pending.
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

// writePending writes pending lines until a write fails.
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

// takePending returns all pending lines; nil if there are none.
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

// notifyWritten wakes callers of flush when all is written. The caller holds s.mu.
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

// flush blocks until everything is written, but no longer than limit. It reports whether everything
// was written.
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
