package web

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"strings"
)

// Media types of MCP responses; the default is mediaTypeStream.
const (
	mediaTypeStream = "text/event-stream"
	mediaTypeJSON   = "application/json"
)

// acceptsJSONAlone reports whether a client accepts JSON but not a stream, or sends no Accept
// header at all. The protocol requires clients to accept both.
func acceptsJSONAlone(r *http.Request) bool {
	values := r.Header.Values("Accept")
	takesJSON := len(values) == 0
	for accepted := range strings.SplitSeq(strings.Join(values, ","), ",") {
		switch name, _, _ := mime.ParseMediaType(accepted); name {
		case mediaTypeStream, "text/*", "*/*":
			return false
		case mediaTypeJSON, "application/*":
			takesJSON = true
		}
	}
	return takesJSON
}

// acceptingStream returns a copy of a request with an Accept header that makes the SDK answer with
// a stream.
func acceptingStream(r *http.Request) *http.Request {
	r = r.Clone(r.Context())
	r.Header.Set("Accept", mediaTypeJSON+", "+mediaTypeStream)
	return r
}

// jsonReply converts a response from a stream to JSON: it buffers the events until the handler has
// returned, and then sends the JSON-RPC responses among them. Notifications are dropped.
type jsonReply struct {
	http.ResponseWriter
	status int
	events bytes.Buffer
}

func (j *jsonReply) WriteHeader(status int) {
	if j.status == 0 {
		j.status = status
	}
}

func (j *jsonReply) Write(text []byte) (int, error) {
	j.WriteHeader(http.StatusOK)
	return j.events.Write(text)
}

// Flush implements http.Flusher; it does nothing.
func (j *jsonReply) Flush() {}

// send sends the buffered responses.
func (j *jsonReply) send() {
	if j.status == 0 { // the handler wrote nothing
		return
	}
	text, header := j.events.Bytes(), j.Header()
	if strings.HasPrefix(header.Get("Content-Type"), mediaTypeStream) {
		text = responsesIn(text)
		header.Set("Content-Type", mediaTypeJSON)
	}
	j.ResponseWriter.WriteHeader(j.status)
	_, _ = j.ResponseWriter.Write(text) // fails only if the client has disconnected
}

// responsesIn returns the JSON-RPC response in the events of a stream, or an array if there are
// several.
func responsesIn(events []byte) []byte {
	var all []json.RawMessage
	for line := range bytes.Lines(events) {
		data, isData := bytes.CutPrefix(line, []byte("data: "))
		var message struct {
			Result, Error json.RawMessage
		}
		if isData && json.Unmarshal(data, &message) == nil && (message.Result != nil || message.Error != nil) {
			all = append(all, bytes.TrimSpace(data))
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	text, _ := json.Marshal(all) // cannot fail: it was decoded before
	return text
}
