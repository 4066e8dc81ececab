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

	"vademecum/index/operations"
)

// maxLine is the maximum size of a message in bytes. A client may send all its documents in one.
const maxLine = 160 << 20

// longMessage is the size in bytes above which only calls of index_docs are accepted. Other
// messages are refused before they are copied further.
const longMessage = 8 << 20

const (
	readAhead          = 1024                    // messages that may wait for the SDK, so that the end of in is noticed meanwhile
	finalAnswerTimeout = 1500 * time.Millisecond // time for the last responses; hosts kill the server 2 s after the end of in
)

const (
	methodInitialize = "initialize"
	methodDiscover   = "server/discover"
	methodCancelled  = "notifications/cancelled"
	methodProgress   = "notifications/progress"
	methodPing       = "ping"
)

const idInUse = "a request with this id is not answered yet"

// stdioTransport is the connection to one client over stdio, with one message per line. The SDK's
// transport (v1.8.0) closes the session at the first line that is not a message, rounds IDs, and
// answers cancelled requests. This one responds to such a line with an error, as JSON-RPC 2.0
// requires. It numbers the requests that it passes to the SDK, and responds to each exactly once,
// with the ID as the client wrote it, unless the request was cancelled.
type stdioTransport struct {
	in       io.ReadCloser
	out      io.WriteCloser
	messages chan jsonrpc.Message // for the SDK
	ended    chan struct{}        // closed when in has ended and the last responses are written, or the time for them is over
	closed   chan struct{}        // closed by Close
	close    func() error
	load     requestQuota

	writing sync.Mutex

	mu      sync.Mutex // guards the following fields
	calls   map[int64]*pendingRequest
	open    map[string]int64  // numbers of the requests that are neither answered nor cancelled, by sameID
	waiting []*pendingRequest // requests that wait until others are answered, in order of arrival
	last    int64             // number of the latest request
	streams int               // number of requests that opened a stream and are unanswered
	due     int               // number of responses still to be written
	idle    chan struct{}     // holds a token after due has become 0
	version string            // protocol version; "" until initialize is answered
}

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

// newStdioTransport returns a transport that reads from in. When in ends, requests that were passed
// on are answered before the SDK learns of the end.
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

// Connect implements mcp.Transport. It returns c itself, which is the only connection.
func (c *stdioTransport) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SupportsProtocolVersion hides the versions of the protocol without sessions from the SDK (v1.8.0)
// when it responds to a discovery. Otherwise the discovery would replace the handshake, and the SDK
// would refuse the initialize request that AI SDK sends if the discovery takes longer than a
// second. Requests in these versions are handled nevertheless, and addStateless adds the versions
// to the response.
func (c *stdioTransport) SupportsProtocolVersion(version string) bool {
	return version < firstStateless
}

// SessionID returns "", as the connection has no session ID.
func (c *stdioTransport) SessionID() string { return "" }

// Close makes Read return io.EOF, and closes in and out.
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

// readRest returns the next message that was read before the end; the error is io.EOF if there is
// none.
func (c *stdioTransport) readRest() (jsonrpc.Message, error) {
	select {
	case m := <-c.messages:
		return m, nil
	default:
		return nil, io.EOF
	}
}

// readLines handles lines from in until it ends. It continues while requests wait, so that it
// notices the end.
func (c *stdioTransport) readLines() {
	lines := bufio.NewReaderSize(c.in, 64<<10)
	for first := true; ; first = false {
		c.load.ahead.waitForRoom(c.closed)
		line, tooLong, err := readLine(lines)
		if first {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // Windows shells begin with this
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
			// otherwise the memory may not be returned to the system for minutes
			go debug.FreeOSMemory()
		}
		if err != nil {
			break
		}
	}
	c.awaitAnswers(finalAnswerTimeout)
	close(c.ended)
}

// readLine reads up to the next line feed. Bytes beyond maxLine are dropped. The pieces of a long
// line are joined once, as growing the line would leave garbage of several times its size.
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

// handleMessage passes a message to the SDK, or responds with an error. b is the batch that
// contains it, or nil.
func (c *stdioTransport) handleMessage(text []byte, b *batch) {
	m, fault := parseMessage(text)
	switch {
	case m.isResponse && fault == nil:
		c.passToSDK(m.response)
	case m.isResponse: // an invalid response is not answered, as the client might answer that in turn
	case fault != nil:
		c.answerRefusal(m.id, b, fault)
	case len(text) > longMessage && !m.isIndexTexts():
		c.answerRefusal(m.id, b, invalidRequest(fmt.Sprintf("the message is longer than %d MB, which nothing takes but %s", longMessage>>20, operations.IndexDocsName)))
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

// withClientIDs returns the parameters of a notification with the numbers of requests replaced by
// the client's IDs. ok is false if the notification belongs to a request that has ended, and must
// not be sent.
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

// sendAnswer sends the SDK's response to a request, unless it was cancelled.
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
	if err != nil { // the data of an error may be invalid JSON
		text, err = encode(answer{JSONRPC: "2.0", ID: at.id, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: shortenError(err.Error())}})
	}
	return errors.Join(err, c.finishRequest(at, text, at.load))
}

// addStateless adds the version that SupportsProtocolVersion has hidden to the front of a list of
// versions, given and returned as JSON.
func addStateless(versions json.RawMessage) json.RawMessage {
	return slices.Concat([]byte(`["`+firstStateless+`",`), bytes.TrimPrefix(versions, []byte("[")))
}

func protocolVersion(initialized json.RawMessage) string {
	var r struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(initialized, &r) // the SDK has just encoded it
	return r.ProtocolVersion
}

// wireError returns an error of a request as a JSON-RPC error, with the code of the one that it
// wraps. For others the SDK (v1.8.0) would send the code 0.
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

// finishRequest writes the response to a request (nil for none), at once or as part of its batch.
// When it is written, the load in ended no longer counts. It is zero for a cancelled request, which
// the SDK is still handling.
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

// awaitAnswers blocks until all outstanding responses are written, or until the time limit.
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
