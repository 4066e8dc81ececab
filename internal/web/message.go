package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// bodyContent is what the body of a request is about, as far as it has to be known
// before it is passed on.
type bodyContent struct {
	asks    bool     // it has a request, not only notifications and answers
	opens   bool     // one of them begins a session, or listens: its answer is no slow call
	named   []string // what is called in it: tools, prompts
	unclear bool     // it is no JSON as messages are

	messages int // how many it has
}

// inspectCalls reads a body. Two readers of JSON may differ in which of several keys
// of one name counts, and in whether capitals do: all of them are taken in, so that
// nothing is called that is not in the list.
func inspectCalls(body []byte) (c bodyContent) {
	in := json.NewDecoder(bytes.NewReader(body))
	err := eachMessage(in, &c.messages, func(key string) error {
		switch {
		case strings.EqualFold(key, "id"):
			c.asks = true
			return skipValue(in)
		case strings.EqualFold(key, "method"):
			method, err := readText(in)
			c.opens = c.opens || method == "initialize" || method == "subscriptions/listen"
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

// eachMessage calls of with each key of a message, or of those of a batch, and
// counts them.
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

// eachKey calls of with each key of an object, which is followed by its value. What
// is no object has none.
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

// remainingKeys is eachKey of an object that has begun.
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

// readText is a value that is a text, "" for others.
func readText(in *json.Decoder) (string, error) {
	var value any
	err := in.Decode(&value)
	s, _ := value.(string)
	return s, err
}
