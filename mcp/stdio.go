package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine bounds one message, in bytes. A client may send all its documents
// in one.
const maxLine = 160 << 20

// longMessage is how long a message is, in bytes, that nothing takes but index_docs:
// it is refused before any more of it is copied.
const longMessage = 8 << 20

const (
	readAhead = 1024                    // messages that wait for the SDK, so that the end of in is noticed
	lastWords = 1500 * time.Millisecond // for the last answers after the end of in: hosts wait 2 s before they kill
)

const (
	methodInitialize = "initialize"
	methodDiscover   = "server/discover"
	methodCancelled  = "notifications/cancelled"
	methodProgress   = "notifications/progress"
	methodPing       = "ping"
)

const idInUse = "a request with this id is not answered yet"

// stdioTransport is the connection to one client, with a message on each line. The SDK's
// own (v1.8.0) closes the session at the first line that is no message, rounds IDs, and
// answers cancelled requests. Here each such line is answered with an error, as JSON-RPC
// 2.0 requires; the SDK sees requests under numbers assigned here; and each request gets
// one answer, with its ID as written, unless it was cancelled.
type stdioTransport struct {
	in       io.ReadCloser
	out      io.WriteCloser
	messages chan jsonrpc.Message // for the SDK
	ended    chan struct{}        // closed when in has ended and the last answers had their time
	closed   chan struct{}        // closed by Close
	close    func() error
	load     requestQuota

	writing sync.Mutex

	mu      sync.Mutex // guards what follows
	calls   map[int64]*pendingRequest
	open    map[string]int64  // calls that are neither answered nor cancelled, by sameID
	waiting []*pendingRequest // for room, in the order in which they came
	last    int64             // number given
	streams int               // calls that are streams
	due     int               // answers that the end of in waits for
	idle    chan struct{}     // holds a token when due fell to 0
	version string            // of the protocol, "" until initialize is answered
}

// pendingRequest is a request that the SDK has not answered.
type pendingRequest struct {
	id        json.RawMessage // the client's
	method    string
	token     json.RawMessage  // the client's progress token, nil when there is none
	request   *jsonrpc.Request // for the SDK
	load      requestLoad      // none for a stream
	in        *loadLimit       // where the load counts
	batch     *batch           // it came in, or nil
	cancelled bool
}

// newStdioTransport starts to read. When in ends, requests that were passed on are
// answered before the SDK hears of it.
func newStdioTransport(in io.ReadCloser, out io.WriteCloser) *stdioTransport {
	c := &stdioTransport{
		in: in, out: out,
		messages: make(chan jsonrpc.Message, readAhead), ended: make(chan struct{}), closed: make(chan struct{}),
		calls: make(map[int64]*pendingRequest), open: make(map[string]int64), idle: make(chan struct{}, 1), load: newRequestQuota(),
	}
	c.close = sync.OnceValue(func() error {
		close(c.closed)
		return errors.Join(in.Close(), out.Close())
	})
	go c.readLines()
	return c
}

// Connect makes c a transport, for one connection.
func (c *stdioTransport) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SupportsProtocolVersion hides the stateless versions of the protocol from the SDK's (v1.8.0)
// answer to a discovery, which would otherwise replace the handshake: the SDK then refuses the
// initialize that AI SDK sends when the discovery was not answered within a second. Requests in
// these versions are answered all the same, and addStateless names them again.
func (c *stdioTransport) SupportsProtocolVersion(version string) bool {
	return version < firstStateless
}

// SessionID returns the session ID of all connections over pipes.
func (c *stdioTransport) SessionID() string { return "" }

// Close ends Read, and the pipes.
func (c *stdioTransport) Close() error { return c.close() }

// Read returns the next message for the SDK. The error is io.EOF at the end.
func (c *stdioTransport) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if waited := c.beginNextWaiting(); waited != nil {
			return waited.request, nil
		}
		select {
		case m := <-c.messages:
			return m, nil
		case <-c.load.asked.less:
		case <-c.ended:
			return c.readRest()
		case <-c.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// readRest returns what is still there for the SDK after the end.
func (c *stdioTransport) readRest() (jsonrpc.Message, error) {
	select {
	case m := <-c.messages:
		return m, nil
	default:
		return nil, io.EOF
	}
}

// readLines takes lines off in until it ends, which must not go unnoticed while requests wait.
func (c *stdioTransport) readLines() {
	lines := bufio.NewReaderSize(c.in, 64<<10)
	for first := true; ; first = false {
		c.load.ahead.waitForRoom(c.closed)
		line, tooLong, err := readLine(lines)
		if first {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // as shells of Windows begin
		}
		line = bytes.TrimSpace(line)
		switch {
		case tooLong:
			c.answerRefusal(nil, nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: fmt.Sprintf("Parse error: the message is longer than %d MB", maxLine>>20)})
		case len(line) > 0:
			c.handleLine(line)
		}
		if tooLong || len(line) > longMessage {
			line = nil
			go debug.FreeOSMemory() // nothing else may make the system's share of it free for minutes
		}
		if err != nil {
			break
		}
	}
	c.awaitAnswers(lastWords)
	close(c.ended)
}

// readLine reads to the next line end. Bytes beyond maxLine are dropped. The pieces of a
// long line are joined once: growing it would leave garbage of several times its size.
func readLine(r *bufio.Reader) (line []byte, tooLong bool, err error) {
	var pieces [][]byte
	for size := 0; ; {
		part, err := r.ReadSlice('\n')
		if size += len(part); size > maxLine {
			pieces, tooLong = nil, true
		}
		if !tooLong {
			pieces = append(pieces, bytes.Clone(part))
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(pieces) == 1 {
			return pieces[0], tooLong, err
		}
		return bytes.Join(pieces, nil), tooLong, err
	}
}

func (c *stdioTransport) handleLine(line []byte) {
	switch {
	case !json.Valid(line) && isTooDeep(line):
		c.answerRefusal(nil, nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "Parse error: objects and arrays are nested deeper than 1000"})
	case !json.Valid(line):
		c.answerRefusal(nil, nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "Parse error: the line is not valid JSON"})
	case line[0] == '[':
		c.handleBatch(line)
	default:
		c.handleMessage(line, nil)
	}
}

// handleMessage passes one message on, or answers it with an error.
func (c *stdioTransport) handleMessage(text []byte, b *batch) {
	m, fault := parseMessage(text)
	switch {
	case m.isResponse && fault == nil:
		c.passToSDK(m.response)
	case m.isResponse: // an answer to it might be answered, and so on
	case fault != nil:
		c.answerRefusal(m.id, b, fault)
	case len(text) > longMessage && !m.isIndexTexts():
		c.answerRefusal(m.id, b, invalidRequest(fmt.Sprintf("the message is longer than %d MB, which nothing takes but %s", longMessage>>20, indexDocs.Name)))
	case m.method == methodCancelled && m.id != nil:
		c.answerRefusal(m.id, b, invalidRequest(methodCancelled+" has no id"))
	case m.method == methodCancelled:
		c.cancelRequest(m.params)
	case m.id == nil:
		c.passToSDK(&jsonrpc.Request{Method: m.method, Params: m.params})
	case b != nil && (m.method == methodInitialize || m.method == methodListen):
		c.answerRefusal(m.id, b, invalidRequest(m.method+" cannot be in a batch"))
	default:
		c.beginRequest(m, b)
	}
}

func (c *stdioTransport) passToSDK(m jsonrpc.Message) {
	select {
	case c.messages <- m:
	case <-c.closed:
	}
}

// beginRequest passes a request on under a number of its own, now or when there is room.
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
	id, _ := jsonrpc.MakeID(float64(number)) // it takes any number
	started.request = &jsonrpc.Request{ID: id, Method: m.method, Params: m.params}
	begun := c.admitRequest(started)
	c.mu.Unlock()
	if begun {
		c.passToSDK(started.request)
	}
}

// admitRequest accepts a call. It returns false if the call has to wait for room. The caller
// holds c.mu.
func (c *stdioTransport) admitRequest(at *pendingRequest) (begun bool) {
	if at.method == methodListen { // which is answered when the stream ends
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

// hasRoom reports whether a request may begin. The requests of a batch may once its first
// has, since none is answered before all are done. The caller holds c.mu.
func (c *stdioTransport) hasRoom(at *pendingRequest) bool {
	return at.batch != nil && at.batch.begun || !c.load.asked.isFull()
}

// beginNextWaiting begins the first of the requests that wait, nil when it has to go on.
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

// refusalReason is why a request is not passed on, nil if it is. It is called with c.mu
// held.
func (c *stdioTransport) refusalReason(m clientMessage) *jsonrpc.Error {
	if _, ok := c.open[sameID(m.id)]; ok {
		return invalidRequest(idInUse)
	}
	if m.method == methodListen && c.streams >= mostStreams {
		return invalidRequest(fmt.Sprintf("at most %d streams are open at once", mostStreams))
	}
	return nil
}

// cancelRequest stops a request, which then gets no answer: the protocol requires none,
// and hosts treat a late one as a fault of the server. Answered requests and initialize
// cannot be cancelled.
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
	_ = c.finishRequest(stopped, nil, requestLoad{}) // a client that is gone is noticed by the reader
}

// answerRefusal answers a message that is not passed on. Without an ID the client could
// not tell which request it was.
func (c *stdioTransport) answerRefusal(id json.RawMessage, b *batch, why *jsonrpc.Error) {
	text, err := encode(answer{JSONRPC: "2.0", ID: id, Error: why})
	if err != nil {
		return
	}
	if b != nil {
		b.addAnswer(c, text)
		return
	}
	_ = c.writeLine(text) // a client that is gone is noticed by the reader
}

// Write sends a message of the SDK to the client.
func (c *stdioTransport) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if response, ok := m.(*jsonrpc.Response); ok {
		return c.sendAnswer(response)
	}
	request, ok := m.(*jsonrpc.Request)
	if !ok {
		return errors.New("a message that is neither request nor response")
	}
	params, ok := c.withClientIDs(request)
	if !ok {
		return nil
	}
	text, err := jsonrpc.EncodeMessage(&jsonrpc.Request{ID: request.ID, Method: request.Method, Params: params})
	if err != nil {
		return err
	}
	return c.writeLine(text)
}

// withClientIDs gives a notification the client's own IDs. What belongs to a request
// that has ended is not for sending.
func (c *stdioTransport) withClientIDs(m *jsonrpc.Request) (params json.RawMessage, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ok = true
	of := func(own func(*pendingRequest) json.RawMessage) func(json.RawMessage) json.RawMessage {
		return func(value json.RawMessage) json.RawMessage {
			number, err := strconv.ParseInt(string(value), 10, 64)
			if err != nil {
				return nil
			}
			if at := c.calls[number]; at != nil && !at.cancelled {
				return own(at)
			}
			ok = false
			return nil
		}
	}
	params = m.Params
	if m.Method == methodProgress {
		params = replaceAtPath(params, of(func(at *pendingRequest) json.RawMessage { return at.token }), "progressToken")
	}
	if bytes.Contains(params, []byte(mcp.MetaKeySubscriptionID)) {
		params = replaceAtPath(params, of(func(at *pendingRequest) json.RawMessage { return at.id }), "_meta", mcp.MetaKeySubscriptionID)
	}
	return params, ok
}

// sendAnswer sends the SDK's answer to a request, unless it was cancelled.
func (c *stdioTransport) sendAnswer(r *jsonrpc.Response) error {
	number, _ := r.ID.Raw().(int64)
	c.mu.Lock()
	at := c.calls[number]
	delete(c.calls, number)
	if at == nil {
		c.mu.Unlock()
		return nil
	}
	if at.method == methodListen {
		c.streams--
	}
	if at.cancelled {
		c.mu.Unlock()
		at.in.subtract(at.load)
		return nil
	}
	delete(c.open, sameID(at.id))
	a := answer{JSONRPC: "2.0", ID: at.id, Result: r.Result}
	switch {
	case r.Error != nil:
		a.Result, a.Error = nil, wireError(r.Error, at.method)
	case at.method == methodInitialize:
		c.version = protocolVersion(r.Result)
	case at.method == methodDiscover:
		a.Result = replaceAtPath(r.Result, addStateless, "supportedVersions")
	case at.method == methodListen:
		a.Result = replaceAtPath(r.Result, func(json.RawMessage) json.RawMessage { return at.id }, "_meta", mcp.MetaKeySubscriptionID)
	}
	c.mu.Unlock()
	text, err := a.encode()
	if err != nil { // the data of an error can be no JSON
		text, err = encode(answer{JSONRPC: "2.0", ID: at.id, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: shortenError(err.Error())}})
	}
	return errors.Join(err, c.finishRequest(at, text, at.load))
}

// addStateless puts the version that SupportsProtocolVersion has left out first in a
// list.
func addStateless(versions json.RawMessage) json.RawMessage {
	return slices.Concat([]byte(`["`+firstStateless+`",`), bytes.TrimPrefix(versions, []byte("[")))
}

func protocolVersion(initialized json.RawMessage) string {
	var r struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(initialized, &r) // the SDK has just written it
	return r.ProtocolVersion
}

// wireError gives an error the code of what it wraps. For others the SDK
// (v1.8.0) would write the code 0.
func wireError(err error, method string) *jsonrpc.Error {
	wire := jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: shortenError(err.Error())}
	switch coded, ok := errors.AsType[*jsonrpc.Error](err); {
	case ok && coded.Code != 0:
		wire.Code = coded.Code
		if coded == err {
			wire.Data = coded.Data
		}
	case method == methodInitialize, strings.HasSuffix(err.Error(), "is invalid during session initialization"):
		wire.Code = jsonrpc.CodeInvalidRequest
	}
	return &wire
}

// finishRequest sends the answer to a request, nil for none, when its batch is
// complete or at once. After that the load that has ended with it no longer counts: one
// that was cancelled has not ended yet.
func (c *stdioTransport) finishRequest(at *pendingRequest, text []byte, ended requestLoad) (err error) {
	if at.batch != nil {
		err = at.batch.addDue(c, text, ended)
	} else {
		if text != nil {
			err = c.writeLine(text)
		}
		at.in.subtract(ended)
	}
	if at.method == methodListen {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.due--; c.due == 0 {
		select {
		case c.idle <- struct{}{}:
		default:
		}
	}
	return err
}

func (c *stdioTransport) writeLine(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	return err
}

// awaitAnswers blocks until all answers that are due are written, or for the limit.
func (c *stdioTransport) awaitAnswers(limit time.Duration) {
	end := time.After(limit)
	for {
		c.mu.Lock()
		due := c.due
		c.mu.Unlock()
		if due == 0 {
			return
		}
		select {
		case <-c.idle:
		case <-end:
			return
		}
	}
}
