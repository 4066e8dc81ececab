package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// bodyContent is what the server has to know of a request's body before it passes the request on.
type bodyContent struct {
	asks    bool     // whether it contains a request, not only notifications and responses
	opens   bool     // whether it contains a request that opens a session or a stream
	listens bool     // whether it contains a request that opens a stream
	named   []string // names of the tools and prompts that are called
	unclear bool     // whether it is neither a JSON-RPC message nor a batch

	messages int
}

// inspectCalls parses a body. If a key occurs several times or in different case, it takes all
// values, as JSON parsers differ in which one they use. So it misses no call.
func inspectCalls(body []byte) (c bodyContent) {
	in := json.NewDecoder(bytes.NewReader(body))
	err := eachMessage(in, &c.messages, func(key string) error {
		switch {
		case strings.EqualFold(key, "id"):
			c.asks = true
			return skipValue(in)
		case strings.EqualFold(key, "method"):
			method, err := readText(in)
			c.listens = c.listens || method == "subscriptions/listen"
			c.opens = c.opens || c.listens || method == "initialize"
			return err
		case strings.EqualFold(key, "params"):
			return eachKey(in, func(key string) error {
				if !strings.EqualFold(key, "name") {
					return skipValue(in)
				}
				name, err := readText(in)
				c.named = append(c.named, name)
				return err
			})
		}
		return skipValue(in)
	})
	if _, more := in.Token(); err != nil || !errors.Is(more, io.EOF) {
		c.unclear = true
	}
	return c
}

var errNoMessage = errors.New("no message")

// eachMessage calls of for each key of a message, or of each message of a batch, and adds the
// number of messages to count.
func eachMessage(in *json.Decoder, count *int, of func(key string) error) error {
	first, err := in.Token()
	switch {
	case err != nil:
		return err
	case first == json.Delim('{'):
		*count = 1
		return remainingKeys(in, of)
	case first != json.Delim('['):
		return errNoMessage
	}
	for in.More() {
		*count++
		if err := eachKey(in, of); err != nil {
			return err
		}
	}
	_, err = in.Token()
	return err
}

// eachKey calls of for each key of an object; of must read the value of the key.
func eachKey(in *json.Decoder, of func(key string) error) error {
	first, err := in.Token()
	if err != nil {
		return err
	}
	if first != json.Delim('{') {
		return errNoMessage
	}
	return remainingKeys(in, of)
}

// remainingKeys calls of for each key of an object whose opening brace has been read; of must read
// the value of the key.
func remainingKeys(in *json.Decoder, of func(key string) error) error {
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if err := of(name); err != nil {
			return err
		}
	}
	_, err := in.Token()
	return err
}

func skipValue(in *json.Decoder) error {
	var nothing json.RawMessage
	return in.Decode(&nothing)
}

// readText reads a value, and returns it if it is a string, otherwise "".
func readText(in *json.Decoder) (string, error) {
	var value any
	err := in.Decode(&value)
	s, _ := value.(string)
	return s, err
}
