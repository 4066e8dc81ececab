package web

import (
	"bytes"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"
)

// streamTimeouts are the timeouts of requests, and the intervals of messages that keep silent
// streams open.
type streamTimeouts struct {
	early time.Duration // after which the headers of a slow response are sent, as proxies would time out
	alive time.Duration // between comments on a stream without events
	write time.Duration // for a client to read what is written
	again time.Duration // between checks whether the user of a stream still has access
	head  time.Duration // for a client to send its headers, and a body before it is admitted
	read  time.Duration // for an admitted client to send its message
	turn  time.Duration // for a large message to wait until others have been read
}

var usualPace = streamTimeouts{
	early: time.Second, alive: 20 * time.Second, write: 15 * time.Second, again: 30 * time.Second,
	head: 10 * time.Second, read: 30 * time.Second, turn: 5 * time.Second,
}

// comment is an SSE comment, which clients ignore.
const comment = ":\n\n"

// replyWriter writes the response to one request, whose handler may write from any goroutine. The
// SDK writes each event with one call of Write.
type replyWriter struct {
	to     http.ResponseWriter
	ctl    *http.ResponseController
	pace   streamTimeouts
	header http.Header // headers set by the handler

	mu     sync.Mutex
	known  http.Header // headers set before the handler was called
	begun  bool        // the headers were sent
	early  bool        // the headers were sent before the handler had set any
	ended  bool
	status int
	timer  *time.Timer
}

func newReplyWriter(w http.ResponseWriter, p streamTimeouts) *replyWriter {
	r := &replyWriter{to: w, ctl: http.NewResponseController(w), pace: p, header: make(http.Header)}
	// the deadline of the previous request on this connection must not apply
	_ = r.ctl.SetWriteDeadline(time.Time{})
	return r
}

func (r *replyWriter) Header() http.Header { return r.header }

func (r *replyWriter) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sendHeaders(status)
}

// sendHeaders sends the headers. The caller holds r.mu.
func (r *replyWriter) sendHeaders(status int) {
	if r.begun || r.ended {
		return
	}
	r.begun, r.status = true, status
	out := r.to.Header()
	maps.Copy(out, r.header)
	if r.isStream() {
		out.Set("X-Accel-Buffering", "no") // otherwise nginx would buffer events
	}
	r.setWriteDeadline()
	r.to.WriteHeader(status)
	if r.isStream() && status == http.StatusOK {
		r.scheduleKeepAlive(r.pace.alive)
	}
}

func (r *replyWriter) isStream() bool {
	return strings.HasPrefix(r.header.Get("Content-Type"), "text/event-stream")
}

var errEnded = errors.New("the answer has ended")

func (r *replyWriter) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return 0, errEnded
	}
	r.sendHeaders(http.StatusOK)
	r.setWriteDeadline()
	if r.early && !r.isStream() { // an error response, after the headers of a stream were sent
		event := "event: message\ndata: " + string(bytes.ReplaceAll(bytes.TrimSpace(text), []byte("\n"), []byte(" "))) + "\n\n"
		_, err := r.to.Write([]byte(event))
		return len(text), err
	}
	if r.timer != nil {
		r.timer.Reset(r.pace.alive)
	}
	return r.to.Write(text)
}

// FlushError sends buffered data to the client.
func (r *replyWriter) FlushError() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return errEnded
	}
	r.sendHeaders(http.StatusOK)
	r.setWriteDeadline()
	return r.ctl.Flush()
}

// Flush implements http.Flusher; it ignores the error of FlushError.
func (r *replyWriter) Flush() { _ = r.FlushError() }

// setWriteDeadline limits how long the next write waits for a client that does not read.
func (r *replyWriter) setWriteDeadline() { _ = r.ctl.SetWriteDeadline(time.Now().Add(r.pace.write)) }

// setReadTimeout limits how long the client may take to send a request; 0 means no limit.
func (r *replyWriter) setReadTimeout(most time.Duration) {
	var until time.Time
	if most > 0 {
		until = time.Now().Add(most)
	}
	_ = r.ctl.SetReadDeadline(until)
}

// allowStream turns the response into a stream if it takes long.
func (r *replyWriter) allowStream() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.begun {
		r.known = r.header.Clone()
		r.scheduleKeepAlive(r.pace.early)
	}
}

// scheduleKeepAlive makes a comment be sent after a time without events. The caller holds r.mu.
func (r *replyWriter) scheduleKeepAlive(silence time.Duration) {
	if r.timer != nil {
		r.timer.Reset(silence)
		return
	}
	r.timer = time.AfterFunc(silence, r.sendKeepAlive)
}

// sendKeepAlive sends a comment and, if they were not sent yet, the headers of a stream before it.
func (r *replyWriter) sendKeepAlive() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.setWriteDeadline()
	if !r.begun {
		r.begun, r.early, r.status = true, true, http.StatusOK
		out := r.to.Header()
		maps.Copy(out, r.known)
		out.Set("Content-Type", "text/event-stream")
		out.Set("Cache-Control", "no-cache, no-transform")
		out.Set("X-Accel-Buffering", "no")
		r.to.WriteHeader(http.StatusOK)
	}
	_, err := r.to.Write([]byte(comment))
	if err == nil {
		err = r.ctl.Flush()
	}
	if err == nil {
		r.scheduleKeepAlive(r.pace.alive)
	}
}

// finish ends the response after the handler has returned. Later writes fail.
func (r *replyWriter) finish() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.begun {
		r.sendHeaders(http.StatusOK)
	}
	r.ended = true
	if r.timer != nil {
		r.timer.Stop()
	}
	r.setWriteDeadline()
}

// sentStatus returns the status that was sent; 0 if none was.
func (r *replyWriter) sentStatus() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}
