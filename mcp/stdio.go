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
