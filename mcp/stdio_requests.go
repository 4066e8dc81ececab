package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const idInUse = "a request with this id is not answered yet"

// pendingRequest is a request that the SDK has not answered yet.
type pendingRequest struct {
	id        json.RawMessage // ID given by the client
	method    string
	token     json.RawMessage  // the client's progress token; nil if there is none
	request   *jsonrpc.Request // the request for the SDK
	load      requestLoad      // zero for a stream
	in        *loadLimit       // limit in which the load is counted
	batch     *batch           // the batch that it is part of, or nil
	cancelled bool
}

// beginRequest gives a request a new number and passes it to the SDK, now or when few enough others
// are unanswered.
func (c *stdioTransport) beginRequest(m clientMessage, b *batch) {
	started := &pendingRequest{id: m.id, method: m.method, batch: b, in: c.load.asked}
	c.mu.Lock()
	if why := c.refusalReason(m); why != nil {
		c.mu.Unlock()
		c.answerRefusal(m.id, b, why)
		return
	}
	c.last++
	number := c.last
	if bytes.Contains(m.params, []byte(`"progressToken"`)) {
		m.params = replaceAtPath(m.params, func(token json.RawMessage) json.RawMessage {
			if !isScalar(token) {
				return nil
			}
			started.token = token
			return strconv.AppendInt(nil, number, 10)
		}, "_meta", "progressToken")
	}
	c.calls[number], c.open[sameID(m.id)] = started, number
	id, _ := jsonrpc.MakeID(float64(number)) // accepts any number
	started.request = &jsonrpc.Request{ID: id, Method: m.method, Params: m.params}
	begun := c.admitRequest(started)
	c.mu.Unlock()
	if begun {
		c.passToSDK(started.request)
	}
}

// admitRequest counts a request as in progress and returns true, or queues it and returns false if
// it has to wait. The caller holds c.mu.
func (c *stdioTransport) admitRequest(at *pendingRequest) (begun bool) {
	if at.method == methodListen { // it is answered when the stream ends
		c.streams++
		return true
	}
	c.due++
	if at.batch != nil {
		at.batch.pending++
	}
	at.load = requestLoad{1, len(at.request.Params)}
	begun = len(c.waiting) == 0 && c.hasRoom(at)
	switch {
	case at.method == methodPing && at.batch == nil:
		at.in, begun = c.load.ahead, true
	case !begun:
		at.in = c.load.ahead
		c.waiting = append(c.waiting, at)
	case at.batch != nil:
		at.batch.begun = true
	}
	at.in.add(at.load)
	return begun
}

// hasRoom reports whether a request may begin. Once the first request of a batch has begun, all
// others of the batch may, since none is answered before all are done. The caller holds c.mu.
func (c *stdioTransport) hasRoom(at *pendingRequest) bool {
	return at.batch != nil && at.batch.begun || !c.load.asked.isFull()
}

// beginNextWaiting begins the first of the waiting requests and returns it; nil if there is none or
// it has to wait longer.
func (c *stdioTransport) beginNextWaiting() *pendingRequest {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) == 0 || !c.hasRoom(c.waiting[0]) {
		return nil
	}
	first := c.waiting[0]
	c.waiting = slices.Delete(c.waiting, 0, 1)
	if first.batch != nil {
		first.batch.begun = true
	}
	first.in.subtract(first.load)
	first.in = c.load.asked
	first.in.add(first.load)
	return first
}

// refusalReason returns the error with which a request is refused; nil if it is accepted. The
// caller holds c.mu.
func (c *stdioTransport) refusalReason(m clientMessage) *jsonrpc.Error {
	if _, ok := c.open[sameID(m.id)]; ok {
		return invalidRequest(idInUse)
	}
	if m.method == methodListen && c.streams >= mostStreams {
		return invalidRequest(fmt.Sprintf("at most %d streams are open at once", mostStreams))
	}
	return nil
}

// cancelRequest cancels the request that is named in the parameters of a notification. The request
// gets no response: the protocol requires none, and hosts consider a late one a fault of the
// server. Answered requests and initialize cannot be cancelled.
func (c *stdioTransport) cancelRequest(params json.RawMessage) {
	var stopped *pendingRequest
	waits := false
	params = replaceAtPath(params, func(id json.RawMessage) json.RawMessage {
		c.mu.Lock()
		defer c.mu.Unlock()
		number, ok := c.open[sameID(id)]
		if !ok || c.calls[number].method == methodInitialize {
			return nil
		}
		stopped = c.calls[number]
		stopped.cancelled = true
		delete(c.open, sameID(id))
		at := slices.Index(c.waiting, stopped)
		if waits = at >= 0; waits {
			c.waiting = slices.Delete(c.waiting, at, at+1)
			delete(c.calls, number)
			stopped.in.subtract(stopped.load)
		}
		return strconv.AppendInt(nil, number, 10)
	}, "requestId")
	if stopped == nil {
		return
	}
	if !waits {
		c.passToSDK(&jsonrpc.Request{Method: methodCancelled, Params: params})
	}
	_ = c.finishRequest(stopped, nil, requestLoad{}) // the reader notices if the client is gone
}

// answerRefusal responds to a message that is not passed to the SDK. id is nil if the message has
// no valid ID; the client then cannot tell which message is meant.
func (c *stdioTransport) answerRefusal(id json.RawMessage, b *batch, why *jsonrpc.Error) {
	text, err := encode(answer{JSONRPC: "2.0", ID: id, Error: why})
	if err != nil {
		return
	}
	if b != nil {
		b.addAnswer(c, text)
		return
	}
	_ = c.writeLine(text) // the reader notices if the client is gone
}
