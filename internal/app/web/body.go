package web

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// Limits for the bodies of requests. A body is held in memory as a whole, and several times while
// it is parsed.
const (
	smallBody = 64 << 10 // bytes of a body that need no slot for large bodies
	largeOnes = 4        // larger bodies that are read concurrently
	mostOpens = 1 << 20  // bytes of a request that opens a stream, as it is held until the stream ends
)

// mostMessages is the maximum number of messages in a batch, as all of them are answered
// concurrently.
const mostMessages = 100

var errManyLarge = errors.New("too many large messages are being read; try again in a moment")

// readBody reads the whole body into memory, so that its messages can be inspected and a slow
// sender does not block a handler. The caller calls done when it no longer needs the body. If ok is
// false, an error response was sent.
func (s *Server) readBody(w *replyWriter, r *http.Request) (about bodyContent, done func(), ok bool) {
	done = func() {}
	if r.Method != http.MethodPost {
		return bodyContent{}, done, true
	}
	body, done, err := s.readWholeBody(w, http.MaxBytesReader(w.to, r.Body, MaxBodyBytes))
	tooLarge := new(http.MaxBytesError)
	switch {
	case err == nil:
		w.setReadTimeout(0)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if about = inspectCalls(body); !about.opens || len(body) <= mostOpens {
			return about, done, true
		}
		http.Error(w, fmt.Sprintf("what opens a stream has at most %d bytes", mostOpens), http.StatusRequestEntityTooLarge)
	case errors.As(err, &tooLarge):
		http.Error(w, fmt.Sprintf("a message has at most %d bytes", tooLarge.Limit), http.StatusRequestEntityTooLarge)
	case errors.Is(err, errManyLarge):
		w.Header().Set("Retry-After", "5")
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	default:
		http.Error(w, "the message ends before its end", http.StatusBadRequest)
	}
	return about, done, false
}

// readWholeBody reads a body. A large one first waits for one of the slots for large bodies.
func (s *Server) readWholeBody(w *replyWriter, in io.Reader) (body []byte, done func(), err error) {
	done = func() {}
	body, err = io.ReadAll(io.LimitReader(in, smallBody))
	if err != nil || len(body) < smallBody {
		return body, done, err
	}
	limit := time.NewTimer(s.o.pace.turn)
	defer limit.Stop()
	select {
	case s.large <- struct{}{}:
		done = sync.OnceFunc(func() { <-s.large })
	case <-limit.C:
		return nil, done, errManyLarge
	}
	w.setReadTimeout(s.o.pace.read)
	rest, err := io.ReadAll(in)
	return append(body, rest...), done, err
}

// allowBatch counts each request of a batch against the rate limit, and refuses a batch with too
// many messages.
func (s *Server) allowBatch(w http.ResponseWriter, r *http.Request, user string, messages int) bool {
	switch {
	case messages > mostMessages:
		http.Error(w, fmt.Sprintf("a batch has at most %d messages", mostMessages), http.StatusRequestEntityTooLarge)
		return false
	case messages > 1 && !(s.allowRequest(r, messages-1) && (s.o.Authenticator == nil || s.users.Allow(user, messages-1))):
		s.refuseTooMany(w, "user")
		return false
	}
	return true
}
