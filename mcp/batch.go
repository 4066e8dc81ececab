package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// batch is a JSON-RPC batch: an array of messages, whose answers are sent as one array.
type batch struct {
	pending int         // answers to come, and one while the array is being read
	begun   bool        // the first of its requests has
	answers [][]byte    // each a JSON text
	ended   requestLoad // of the requests that are answered, until the array is written
}

const (
	batchProtocol = "2025-03-26" // the only one that has batches
	maxBatch      = 1000         // messages in one
)

// handleBatch passes on what an array holds. Where it cannot be a batch, each of
// its requests is answered on a line of its own.
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
	_ = b.addDue(c, nil, requestLoad{}) // a client that is gone is noticed by the reader
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

// addAnswer adds the answer to a message that was not passed on.
func (b *batch) addAnswer(c *stdioTransport, answer []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b.answers = append(b.answers, answer)
}

// addDue adds an answer, nil for none, and sends the array after the last one.
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
