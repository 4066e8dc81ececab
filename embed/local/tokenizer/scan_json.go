package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Vocabularies have up to 17 MB of JSON, which package encoding/json would scan five times on the
// way to a token. Here, it parses only the small parts.

var errNotJSON = errors.New("it is no JSON of the form that is expected")

// eachMember calls f for each member of a JSON object, in order.
func eachMember(text []byte, f func(name string, value []byte) error) error {
	return eachEntry(text, '{', '}', func(entry []byte) (rest []byte, err error) {
		name, rest, err := cutValue(entry)
		if err != nil {
			return nil, err
		}
		unquoted, err := unquote(name)
		if err != nil {
			return nil, err
		}
		if rest = trimSpace(rest); len(rest) == 0 || rest[0] != ':' {
			return nil, errNotJSON
		}
		value, rest, err := cutValue(rest[1:])
		if err != nil {
			return nil, err
		}
		return rest, f(unquoted, value)
	})
}

// eachElement calls f for each element of a JSON array.
func eachElement(text []byte, f func(value []byte) error) error {
	return eachEntry(text, '[', ']', func(entry []byte) (rest []byte, err error) {
		value, rest, err := cutValue(entry)
		if err != nil {
			return nil, err
		}
		return rest, f(value)
	})
}

// eachEntry calls take with the text between two brackets until nothing is left; take returns the
// remaining text.
func eachEntry(text []byte, open, closing byte, take func(entry []byte) (rest []byte, err error)) error {
	text = trimSpace(text)
	if len(text) == 0 || text[0] != open {
		return errNotJSON
	}
	text = trimSpace(text[1:])
	if len(text) > 0 && text[0] == closing {
		return nil
	}
	for {
		rest, err := take(text)
		if err != nil {
			return err
		}
		rest = trimSpace(rest)
		switch {
		case len(rest) > 0 && rest[0] == closing:
			return nil
		case len(rest) == 0 || rest[0] != ',':
			return errNotJSON
		}
		text = rest[1:]
	}
}

func trimSpace(text []byte) []byte { return bytes.TrimLeft(text, " \t\r\n") }

// cutValue returns the first value in a text and the rest, without checking that the value is
// valid.
func cutValue(text []byte) (value, rest []byte, err error) {
	text = trimSpace(text)
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			n := stringLength(text[i:])
			if n < 0 {
				return nil, nil, errNotJSON
			}
			i += n - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 { // the end of the enclosing value
				return text[:i], text[i:], nil
			}
			depth--
		case ',':
			if depth == 0 {
				return text[:i], text[i:], nil
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return text[:i+1], text[i+1:], nil
		}
	}
	return nil, nil, errNotJSON
}

// stringLength returns the length of the string at the start of a text, including its quotation
// marks; -1 if it is not terminated.
func stringLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

func unquote(text []byte) (string, error) {
	if len(text) >= 2 && text[0] == '"' && bytes.IndexByte(text, '\\') < 0 {
		return string(text[1 : len(text)-1]), nil
	}
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return "", err
	}
	return s, nil
}

// readVocabulary parses a vocabulary, keyed by the names of tokens.
func readVocabulary(text []byte) (map[string]int32, error) {
	vocabulary := make(map[string]int32, min(bytes.Count(text, []byte{':'}), mostTokens))
	err := eachMember(text, func(name string, value []byte) error {
		token, err := strconv.ParseUint(string(bytes.TrimSpace(value)), 10, 32)
		if err != nil || token >= mostTokens {
			return fmt.Errorf("the token %.40q has the number %.20q", name, value)
		}
		if err := checkToken(name); err != nil {
			return err
		}
		vocabulary[name] = int32(token)
		return nil
	})
	return vocabulary, err
}
