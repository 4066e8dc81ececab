package cli

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"
)

// lineSpool writes lines from a goroutine of its own, so that a host that does not read stderr
// holds up nothing: each is waited for a moment, and none while that does not help. Where
// more waits than there is room for, the oldest lines are dropped, and a reader that comes back is
// told how many.
type lineSpool struct {
	out io.Writer

	mu      sync.Mutex
	waiting [][]byte      // what was written at once each, which is a line or a few
	bytes   int           // in them
	dropped int           // lines that stood before them
	stuck   bool          // nobody seems to read
	ended   bool          // nobody ever will
	written chan struct{} // closed when nothing waits or is being written any more, nil then
	more    chan struct{} // holds a token when something waits
}

const (
	mostSpooled = 256 << 10              // bytes
	readSoon    = 50 * time.Millisecond  // how long a line is waited for
	lastLines   = 500 * time.Millisecond // the same when the program ends
)

func newSpool(out io.Writer) *lineSpool {
	s := &lineSpool{out: out, more: make(chan struct{}, 1)}
	go s.writePending()
	return s
}

// Write has some lines written, in a moment or when somebody reads.
func (s *lineSpool) Write(text []byte) (int, error) {
	stuck, err := s.enqueue(text)
	if err != nil {
		return 0, err
	}
	if !stuck && !s.flush(readSoon) {
		s.mu.Lock()
		s.stuck = s.written != nil
		s.mu.Unlock()
	}
	return len(text), nil
}

// enqueue keeps a copy of some lines.
func (s *lineSpool) enqueue(text []byte) (stuck bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false, io.ErrClosedPipe
	}
	if s.written == nil {
		s.written = make(chan struct{})
	}
	s.waiting = append(s.waiting, bytes.Clone(text))
	s.bytes += len(text)
	for s.bytes > mostSpooled && len(s.waiting) > 1 {
		s.dropped += bytes.Count(s.waiting[0], []byte("\n"))
		s.bytes -= len(s.waiting[0])
		s.waiting = s.waiting[1:]
	}
	select {
	case s.more <- struct{}{}:
	default:
	}
	return s.stuck, nil
}

// writePending writes what waits, until nobody ever will read it.
func (s *lineSpool) writePending() {
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

// takePending gives all that waits, nil for nothing.
func (s *lineSpool) takePending() (text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		s.notifyWritten()
		return nil
	}
	if s.dropped > 0 {
		text = fmt.Appendf(nil, "vademecum: %d lines were dropped here, as nobody read them\n", s.dropped)
	}
	text = append(text, bytes.Join(s.waiting, nil)...)
	s.waiting, s.bytes, s.dropped = nil, 0, 0
	return text
}

// notifyWritten wakes those who wait until all is written. The caller holds s.mu.
func (s *lineSpool) notifyWritten() {
	if s.written != nil {
		close(s.written)
	}
	s.written, s.stuck = nil, false
}

func (s *lineSpool) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended, s.waiting = true, nil
	s.notifyWritten()
}

// flush blocks until all is written or the limit is over, and reports which of the two.
func (s *lineSpool) flush(limit time.Duration) bool {
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
