package web

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"strings"
)

// mediaTypeStream is what answers to MCP are sent as by default.
const (
	mediaTypeStream = "text/event-stream"
	mediaTypeJSON   = "application/json"
)

// acceptsJSONAlone reports whether a client takes answers as JSON, but not as a stream: it says so, or
// nothing at all. The protocol wants clients to accept both.
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

// acceptingStream returns a request that the SDK answers with a stream.
func acceptingStream(r *http.Request) *http.Request {
	r = r.Clone(r.Context())
	r.Header.Set("Accept", mediaTypeJSON+", "+mediaTypeStream)
	return r
}

// jsonReply makes JSON of an answer that is written as a stream: it holds the events back, and sends the
// responses among them when the handler has returned. Notifications are left out.
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

// Flush implements http.Flusher.
func (j *jsonReply) Flush() {}

// send sends the buffered response.
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
	_, _ = j.ResponseWriter.Write(text) // the client is gone otherwise
}

// responsesIn returns the response of JSON-RPC among the events of a stream, or an array of several.
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
	text, _ := json.Marshal(all) // of what was decoded before
	return text
}
