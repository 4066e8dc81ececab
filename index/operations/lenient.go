package operations

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

func isNull(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) == 0 || bytes.Equal(raw, []byte("null"))
}

// quoteName quotes a name that a client has sent, on one line.
func quoteName(name string) string {
	const most = 60
	if r := []rune(name); len(r) > most {
		name = string(r[:most]) + "…"
	}
	return strconv.Quote(name)
}

// lenientList is a list of strings, which models also send as a single string, or as JSON in a
// string. An empty string stands for no list, as some hosts send it for a parameter that is not
// given.
type lenientList []string

func (l *lenientList) UnmarshalJSON(b []byte) error {
	var one string
	var wrongType *json.UnmarshalTypeError
	switch err := json.Unmarshal(b, (*[]string)(l)); {
	case err == nil:
	case b[0] == '"' && json.Unmarshal(b, &one) == nil:
		if strings.TrimSpace(one) != "" && json.Unmarshal([]byte(one), (*[]string)(l)) != nil {
			*l = lenientList{one}
		}
	case errors.As(err, &wrongType):
		return fmt.Errorf("a list of texts, got %s", wrongType.Value)
	default:
		return err
	}
	return nil
}

// lenientBool is a bool, which models also send as a string.
type lenientBool bool

func (t *lenientBool) UnmarshalJSON(b []byte) error {
	switch said := strings.ToLower(strings.Trim(string(b), `"`)); said {
	case "true", "false", "null", "":
		*t = said == "true"
		return nil
	default:
		return fmt.Errorf("true or false, got %s", shortValue(said))
	}
}

// LenientInt is an integer argument, which models also send as 3.0 or "3". A number outside of the range
// of int becomes the largest or smallest int.
type LenientInt struct {
	value   int
	isGiven bool
	text    string // as given
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *LenientInt) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	digits := strings.Trim(string(b), `"`)
	f, err := strconv.ParseFloat(digits, 64)
	tooLarge := errors.Is(err, strconv.ErrRange)
	if err != nil && !tooLarge || math.IsInf(f, 0) && !tooLarge || f != math.Trunc(f) {
		return fmt.Errorf("a whole number, got %s", shortValue(b))
	}
	n.value, n.isGiven, n.text = int(min(max(f, math.MinInt32), math.MaxInt32)), true, digits
	return nil
}

// shortValue returns the beginning of a value, for an error message.
func shortValue[T ~string | ~[]byte](v T) string {
	const most = 40
	return strings.ToValidUTF8(string(v[:min(len(v), most)]), "")
}

// keyValues is a list of "key=value", which models also send as a single string or as an object.
type keyValues []string

func (e *keyValues) UnmarshalJSON(b []byte) error {
	var object map[string]any
	if b[0] == '"' {
		var one string
		if json.Unmarshal(b, &one) == nil && json.Unmarshal([]byte(one), &object) != nil {
			return (*lenientList)(e).UnmarshalJSON(b)
		}
	} else if json.Unmarshal(b, &object) != nil {
		return (*lenientList)(e).UnmarshalJSON(b)
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		values, isList := object[key].([]any)
		if !isList {
			values = []any{object[key]}
		}
		for _, v := range values {
			switch v.(type) {
			case string, float64, bool:
				*e = append(*e, fmt.Sprintf("%s=%v", key, v))
			default:
				return errors.New(`a list of texts such as "status=draft"`)
			}
		}
	}
	return nil
}
