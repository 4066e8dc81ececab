package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// batch is a JSON-RPC batch: an array of messages, whose responses are sent as one array.
type batch struct {
	pending int         // responses to come, plus one while the array is being read
	begun   bool        // the first request of the batch has begun
	answers [][]byte    // the responses so far, each as JSON
	ended   requestLoad // load of the answered requests, which counts until the array is written
}

const (
	batchProtocol = "2025-03-26" // the only version with batches
	maxBatch      = 1000         // messages per batch
)

// handleBatch handles a line that contains an array of messages. If the array is not a valid batch,
// each of its requests is refused on a line of its own.
func (c *stdioTransport) handleBatch(line []byte) {
	var texts []json.RawMessage
	if err := json.Unmarshal(line, &texts); err != nil || len(texts) == 0 {
		c.answerRefusal(nil, nil, invalidRequest("an array of no messages"))
		return
	}
	c.mu.Lock()
	version := c.version
	c.mu.Unlock()
	switch {
	case version != batchProtocol:
		c.refuseEach(texts, "only protocol "+batchProtocol+" has batches: send each message on a line of its own")
		return
	case len(texts) > maxBatch:
		c.refuseEach(texts, fmt.Sprintf("a batch has at most %d messages, not %d", maxBatch, len(texts)))
		return
	}
	b := &batch{pending: 1}
	for _, text := range texts {
		c.handleMessage(text, b)
	}
	_ = b.addDue(c, nil, requestLoad{}) // the reader notices if the client is gone
}

func (c *stdioTransport) refuseEach(texts []json.RawMessage, why string) {
	refused := false
	for _, text := range texts {
		if m, _ := parseMessage(text); m.id != nil {
			c.answerRefusal(m.id, nil, invalidRequest(why))
			refused = true
		}
	}
	if !refused {
		c.answerRefusal(nil, nil, invalidRequest(why))
	}
}

// addAnswer adds the response to a request of the batch that was refused.
func (b *batch) addAnswer(c *stdioTransport, answer []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b.answers = append(b.answers, answer)
}

// addDue adds the response to a request of the batch (nil for none), and writes the array once the
// last response is there. ended is the load of the request.
func (b *batch) addDue(c *stdioTransport, answer []byte, ended requestLoad) error {
	c.mu.Lock()
	b.ended = requestLoad{b.ended.requests + ended.requests, b.ended.bytes + ended.bytes}
	if answer != nil {
		b.answers = append(b.answers, answer)
	}
	b.pending--
	complete := b.pending == 0
	c.mu.Unlock()
	if !complete {
		return nil
	}
	defer c.load.asked.subtract(b.ended)
	if len(b.answers) == 0 {
		return nil
	}
	return c.writeLine([]byte("[" + string(bytes.Join(b.answers, []byte(","))) + "]"))
}
