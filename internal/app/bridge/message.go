package bridge

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
)

// Methods that the bridge handles specially.
const (
	methodInitialize  = "initialize"
	methodInitialized = "notifications/initialized"
	methodCancelled   = "notifications/cancelled"
	methodListen      = "subscriptions/listen"
	methodSubscribe   = "resources/subscribe"
	methodUnsubscribe = "resources/unsubscribe"
	methodCall        = "tools/call"
	methodListTools   = "tools/list"

	methodAcknowledged = "notifications/subscriptions/acknowledged"
)

// firstStateless is the first version of the protocol without sessions. In it each request states
// the version.
const firstStateless = "2026-07-28"

// message is a message from the host, of which the fields are the parts that the bridge needs; the
// text is forwarded unchanged.
type message struct {
	text    []byte // the whole message
	id      json.RawMessage
	method  string
	version string   // protocol version that the message states
	name    string   // name of the tool or resource, for the HTTP header
	tool    string   // name of the tool that is called
	uri     string   // URI of a subscription
	stops   string   // key of the request that the message cancels
	of      []string // keys of the requests in a batch
}

// isRequest reports whether the message expects a response.
func (m message) isRequest() bool { return m.method != "" && m.id != nil || len(m.of) > 0 }

func (m message) isStateless() bool { return m.version >= firstStateless }

// envelope is the top-level fields of a JSON-RPC message.
type envelope struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// parseMessage parses a message from the host; ok is false if it is not a message.
func parseMessage(line []byte) (m message, ok bool) {
	m.text = line
	if line[0] == '[' {
		var batch []envelope
		if err := json.Unmarshal(line, &batch); err != nil {
			return m, false
		}
		for _, e := range batch {
			if e.Method != "" && len(e.ID) > 0 {
				m.of = append(m.of, string(e.ID))
			}
		}
		return m, true
	}
	var e envelope
	if err := json.Unmarshal(line, &e); err != nil {
		return m, false
	}
	m.id, m.method = e.ID, e.Method
	var params struct {
		Name      string          `json:"name"`
		URI       string          `json:"uri"`
		RequestID json.RawMessage `json:"requestId"`
		Meta      struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	}
	_ = json.Unmarshal(e.Params, &params) // the server responds to invalid parameters
	m.version = params.Meta.Version
	switch m.method {
	case methodCall:
		m.name, m.tool = params.Name, params.Name
	case "prompts/get":
		m.name = params.Name
	case "resources/read":
		m.name = params.URI
	case methodSubscribe, methodUnsubscribe:
		m.uri = params.URI
	case methodCancelled:
		m.stops = string(params.RequestID)
	}
	return m, true
}

// answers reports whether a message from the server is the response to a request.
func (e envelope) answers(m message) bool {
	if e.Method != "" {
		return false
	}
	if len(m.of) > 0 {
		return true // for a batch the end of the stream decides
	}
	return bytes.Equal(e.ID, m.id)
}

// headerValue returns a name in a form that an HTTP header may contain.
func headerValue(name string) string {
	plain := strings.TrimSpace(name) == name && !(strings.HasPrefix(name, "=?base64?") && strings.HasSuffix(name, "?="))
	for _, c := range []byte(name) {
		plain = plain && c >= ' ' && c < 0x7f
	}
	if plain {
		return name
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(name)) + "?="
}

// JSON-RPC error codes: codeUnreachable for errors of the bridge itself, codeParse for a line that
// is not a message.
const (
	codeUnreachable = -32000
	codeParse       = -32700
)

// errorAnswer returns a JSON-RPC error response.
func errorAnswer(id json.RawMessage, code int, why string) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	said, _ := json.Marshal(map[string]any{"code": code, "message": why}) // strings and numbers can always be encoded
	text, _ := json.Marshal(envelope{JSONRPC: "2.0", ID: id, Error: said})
	return text
}
