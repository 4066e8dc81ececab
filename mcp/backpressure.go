package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxMessageWhenBusy is the maximum size, in bytes, of a message that is accepted from a session with too
// many unanswered requests.
const maxMessageWhenBusy = 64 << 10

// enterOrRefuse reports whether a session accepts a message; if not, it responds with an error. A
// session with too many unanswered requests accepts only notifications, such as a cancellation, and
// a limited number of pings. The caller calls leave when the message has been passed on.
func (ss *sessions) enterOrRefuse(s *openSession, w http.ResponseWriter, r *http.Request) (leave func(), ok bool) {
	if !ss.hasManyUnanswered(s) {
		return func() {}, true
	}
	pings, ok := readPings(r)
	if ok && s.load.ahead.addIfRoom(pings) {
		return func() { s.load.ahead.subtract(pings) }, true
	}
	w.Header().Set("Retry-After", "1")
	http.Error(w, "too many requests of this session are not answered yet: read the answers, or cancel what you asked for, and try again", http.StatusTooManyRequests)
	return nil, false
}

// hasManyUnanswered reports whether a session has so many unanswered requests that it accepts no
// more until its client has read responses.
func (ss *sessions) hasManyUnanswered(s *openSession) bool {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return s.requests > mostUnanswered || s.load.asked.isFull()
}

// readPings returns how many pings a message consists of and their size. ok is false if the message
// contains other requests, is too long or is invalid.
func readPings(r *http.Request) (pings requestLoad, ok bool) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxMessageWhenBusy+1))
	if err != nil || len(body) > maxMessageWhenBusy {
		return requestLoad{}, false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var texts []json.RawMessage
	if json.Unmarshal(body, &texts) != nil { // not a batch
		texts = []json.RawMessage{body}
	}
	for _, text := range texts {
		m, err := jsonrpc.DecodeMessage(text)
		if err != nil {
			return requestLoad{}, false
		}
		request, isRequest := m.(*jsonrpc.Request)
		switch {
		case !isRequest || !request.IsCall():
		case request.Method != methodPing:
			return requestLoad{}, false
		default:
			pings.requests++
			pings.bytes += len(text)
		}
	}
	return pings, len(texts) > 0
}
