package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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

// finishRequest writes the response to a request (nil for none), at once or as part of its batch. ended is
// the load that no longer counts once the response is written; it is zero for a cancelled request, which
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
