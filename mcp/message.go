package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"vademecum/index/operations"
)

// clientMessage is a message from a client: a request, a notification (a request without an ID) or
// a response. Messages are parsed here, as the SDK's decoder (v1.8.0) ends the session at a message
// that it cannot parse, and rounds numbers.
type clientMessage struct {
	id         json.RawMessage // the ID as written; nil if there is none, or if it is invalid
	method     string
	params     json.RawMessage
	isResponse bool
	response   jsonrpc.Message // nil unless it is a valid response
}

// maxDepth is the maximum nesting depth that the SDK accepts.
const maxDepth = 1000

// longestID is the maximum length of an ID in bytes. IDs are limited because the response repeats
// them.
const longestID = 1 << 20

// parseMessage parses a message, given as valid JSON. If it is not a valid message, fault explains
// why, and m contains at most the ID, for the response that refuses it.
func parseMessage(text []byte) (m clientMessage, fault *jsonrpc.Error) {
	members, repeated := objectMembers(text)
	_, isRequest := members["method"]
	m.isResponse = !isRequest && (members["result"] != nil || members["error"] != nil)
	id, hasID := members["id"]
	if !m.isResponse && isScalar(id) && repeated != "id" && utf8.Valid(id) && len(id) <= longestID {
		m.id = bytes.Clone(id) // cloned, so that the message can be freed
	}
	switch {
	case !utf8.Valid(text):
		return m, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "Parse error: the line is not valid UTF-8"}
	case isTooDeep(text):
		return m, invalidRequest("objects and arrays are nested deeper than 1000")
	case members == nil:
		return m, invalidRequest("a message is an object, on a line of its own")
	case repeated != "":
		return m, invalidRequest("the member " + repeated + " is there twice")
	case unquote(members["jsonrpc"]) != "2.0":
		return m, invalidRequest(`jsonrpc is not "2.0"`)
	case m.isResponse:
		return m.asResponse(text)
	case !isText(members["method"]):
		return m, invalidRequest("there is no method that is a text")
	case hasID && !isID(id):
		return m, invalidRequest("an id is a text or a whole number")
	case len(id) > longestID:
		return m, invalidRequest(fmt.Sprintf("the id is longer than %d bytes", longestID))
	}
	m.method, m.params = unquote(members["method"]), members["params"]
	return m, nil
}

// isIndexTexts reports whether a message is a call of index_docs, the tool that takes whole
// documents.
func (m clientMessage) isIndexTexts() bool {
	if m.method != "tools/call" {
		return false
	}
	params, _ := objectMembers(m.params)
	return unquote(params["name"]) == operations.IndexDocsName
}

func (m clientMessage) asResponse(text []byte) (clientMessage, *jsonrpc.Error) {
	if len(text) > longMessage {
		return m, invalidRequest("a response to nothing that was asked")
	}
	response, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return m, invalidRequest("a response has the id of a request, and a result or an error")
	}
	m.response = response
	return m, nil
}

func invalidRequest(why string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "Invalid Request: " + why}
}

// objectMembers splits a JSON object into its members; all is nil if the text is not an object, and
// repeated is a name that occurs twice. Names are compared case-sensitively, as in the SDK and
// unlike in encoding/json. The values are slices of the text, as copying a long one is expensive.
func objectMembers(text []byte) (all map[string]json.RawMessage, repeated string) {
	text = bytes.TrimLeft(text, space)
	if len(text) == 0 || text[0] != '{' {
		return nil, ""
	}
	all = make(map[string]json.RawMessage)
	for rest := bytes.TrimLeft(text[1:], space); len(rest) > 0 && rest[0] == '"'; {
		name, after := cutValue(rest)
		value, after := cutValue(bytes.TrimLeft(after, space+":"))
		if len(value) == 0 {
			return nil, ""
		}
		key := unquote(name)
		if _, ok := all[key]; ok {
			repeated = key
		}
		all[key] = value
		rest = bytes.TrimLeft(after, space+",")
	}
	return all, repeated
}

// space is the white space allowed in JSON.
const space = " \t\r\n"

// cutValue splits off the JSON value with which a text begins.
func cutValue(text []byte) (value json.RawMessage, rest []byte) {
	depth, inText, escaped := 0, false, false
	for i, b := range text {
		switch {
		case escaped:
			escaped = false
		case inText && b == '\\':
			escaped = true
		case b == '"':
			if inText = !inText; !inText && depth == 0 {
				return text[: i+1 : i+1], text[i+1:]
			}
		case inText:
		case b == '{', b == '[':
			depth++
		case b == '}', b == ']':
			if depth--; depth < 0 { // end of the enclosing value
				return text[:i:i], text[i:]
			}
			if depth == 0 {
				return text[: i+1 : i+1], text[i+1:]
			}
		case depth == 0 && (b == ',' || strings.IndexByte(space, b) >= 0):
			return text[:i:i], text[i:]
		}
	}
	return text[:len(text):len(text)], nil
}

// isTooDeep reports whether JSON is nested deeper than maxDepth, counted as by the SDK.
func isTooDeep(text []byte) bool {
	depth, inText, escaped := 0, false, false
	for _, b := range text {
		switch {
		case escaped:
			escaped = false
		case inText && b == '\\':
			escaped = true
		case b == '"':
			inText = !inText
		case inText:
		case b == '{', b == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case b == '}', b == ']':
			depth--
		}
	}
	return false
}

func isText(value json.RawMessage) bool { return len(value) > 0 && value[0] == '"' }

// isScalar reports whether a JSON value is a string or a number.
func isScalar(value json.RawMessage) bool {
	return isText(value) || len(value) > 0 && (value[0] == '-' || value[0] >= '0' && value[0] <= '9')
}

// isID reports whether a JSON value is a valid ID: a string, or an integer of any length.
func isID(value json.RawMessage) bool {
	return isScalar(value) && (isText(value) || !bytes.ContainsAny(value, ".eE"))
}

// sameID returns a key by which IDs are compared: it is the same for different spellings of an ID.
func sameID(id json.RawMessage) string {
	if isText(id) {
		return "text " + unquote(id)
	}
	return string(id)
}

// unquote returns the value of a JSON string; "" for any other JSON value.
func unquote(value json.RawMessage) string {
	var text string
	if !isText(value) || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

// replaceAtPath returns a JSON object in which the value at a path of member names is replaced by
// the result of change. The object is returned unchanged if there is no such value or change
// returns nil.
func replaceAtPath(object json.RawMessage, change func(json.RawMessage) json.RawMessage, path ...string) json.RawMessage {
	members, _ := objectMembers(object)
	value, ok := members[path[0]]
	if !ok {
		return object
	}
	if len(path) > 1 {
		value = replaceAtPath(value, change, path[1:]...)
	} else if value = change(value); value == nil {
		return object
	}
	members[path[0]] = value
	changed, err := encode(members)
	if err != nil {
		return object
	}
	return changed
}

// encode returns JSON on one line, without a final line feed and without escaping <, > and &.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}

// answer is a JSON-RPC response.
type answer struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"` // nil is encoded as null
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *jsonrpc.Error  `json:"error,omitempty"`
}

// encode encodes a response on one line. Result, which may be long, is copied unchanged, as the SDK
// has just encoded it.
func (a answer) encode() ([]byte, error) {
	if a.Error != nil || len(a.Result) == 0 || a.ID == nil {
		return encode(a)
	}
	return slices.Concat([]byte(`{"jsonrpc":"`+a.JSONRPC+`","id":`), a.ID, []byte(`,"result":`), a.Result, []byte("}")), nil
}

// maxErrorText is the maximum length of an error message in bytes. The SDK puts whole parameters
// into some messages.
const maxErrorText = 2000

// shortenError shortens a text to maxErrorText.
func shortenError(text string) string {
	if len(text) <= maxErrorText {
		return text
	}
	return strings.ToValidUTF8(text[:maxErrorText], "") + "…"
}
