package message

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// separator is U+001E, the ASCII record separator. A message with a format and arguments begins
// with it. In an older index it separates the English text, the Chinese text and the code.
const separator = "\x1e"

// record is a format with its arguments, which are of type string, int64, uint64, float64, bool or a
// message type of this package.
type record struct {
	code, format string
	args         []any
}

// kind is the representation of a message.
type kind int

const (
	isLiteral   kind = iota // text that is the same in all languages
	isRecord                // a format with arguments
	isBilingual             // the English and the Chinese text, in an index of version 20 or before
)

// valueOf converts an argument of a message to a type that the index can store.
func valueOf(arg any) any {
	switch arg := arg.(type) {
	case Message, Capitalised, string:
		return arg
	case error:
		return FromError(arg)
	case fmt.Stringer:
		return arg.String()
	}
	switch v := reflect.ValueOf(arg); v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return v.Uint()
	case reflect.Float32, reflect.Float64:
		return v.Float()
	case reflect.Bool:
		return v.Bool()
	}
	return fmt.Sprint(arg)
}

// encode returns the record as a string: code, format and arguments, each as its length in bytes, a
// colon and the text. An argument is preceded by a letter for its type.
func (r record) encode() Message {
	var out strings.Builder
	field := func(text string) { out.WriteString(strconv.Itoa(len(text)) + ":" + text) }
	out.WriteString(separator)
	field(r.code)
	field(r.format)
	for _, arg := range r.args {
		switch arg := arg.(type) {
		case Message:
			out.WriteByte('m')
			field(string(arg))
		case Capitalised:
			out.WriteByte('S')
			field(string(arg))
		case string:
			out.WriteByte('s')
			field(withoutSeparator(arg))
		case int64:
			out.WriteByte('i')
			field(strconv.FormatInt(arg, 10))
		case uint64:
			out.WriteByte('u')
			field(strconv.FormatUint(arg, 10))
		case float64:
			out.WriteByte('f')
			field(strconv.FormatFloat(arg, 'g', -1, 64))
		case bool:
			out.WriteByte('b')
			field(strconv.FormatBool(arg))
		}
	}
	return Message(out.String())
}

// withoutSeparator replaces separators in foreign text such as a name or an error.
func withoutSeparator(text string) string { return strings.ReplaceAll(text, separator, "\uFFFD") }

// decode returns the record in a message, if it is one. A damaged record counts as literal text.
func (m Message) decode() (r record, _ kind) {
	rest, ok := strings.CutPrefix(string(m), separator)
	if !ok {
		if strings.Contains(string(m), separator) {
			return r, isBilingual
		}
		return r, isLiteral
	}
	var errs [2]bool
	r.code, rest, errs[0] = cutField(rest)
	r.format, rest, errs[1] = cutField(rest)
	if !errs[0] || !errs[1] {
		return record{}, isLiteral
	}
	for rest != "" {
		var text string
		letter := rest[0]
		if text, rest, ok = cutField(rest[1:]); !ok {
			return record{}, isLiteral
		}
		arg, ok := parseValue(letter, text)
		if !ok {
			return record{}, isLiteral
		}
		r.args = append(r.args, arg)
	}
	return r, isRecord
}

// cutField splits off the first field.
func cutField(text string) (field, rest string, ok bool) {
	length, rest, _ := strings.Cut(text, ":")
	n, err := strconv.Atoi(length)
	if err != nil || n < 0 || n > len(rest) {
		return "", "", false
	}
	return rest[:n], rest[n:], true
}

func parseValue(letter byte, text string) (value any, ok bool) {
	var err error
	switch letter {
	case 'm':
		value = Message(text)
	case 'S':
		value = Capitalised(text)
	case 's':
		value = text
	case 'i':
		value, err = strconv.ParseInt(text, 10, 64)
	case 'u':
		value, err = strconv.ParseUint(text, 10, 64)
	case 'f':
		value, err = strconv.ParseFloat(text, 64)
	case 'b':
		value, err = strconv.ParseBool(text)
	default:
		return nil, false
	}
	return value, err == nil
}

// ofOldIndex returns the text in a language of a message from an index of version 20 or before.
func (m Message) ofOldIndex(l Language) string {
	english, rest, _ := strings.Cut(string(m), separator)
	if chinese, _, _ := strings.Cut(rest, separator); l == Chinese && chinese != "" {
		return chinese
	}
	return english
}
