// Package message holds texts for people as values that carry each language the program
// speaks: where a text arises it is written in all of them, and where it is shown one is
// chosen.
package message

import (
	"fmt"
	"strings"
)

// A Message is a text for people in English and in Chinese: a reason why a file is not
// indexed, a note on an answer, a place in a document. fmt and JSON write the English
// text. A constant is a message that is the same in both. Converted to a string it is what
// an index stores, and such a string is a message again.
//
// It is the English text, the Chinese one where it is another, and a code where it has
// one, with separators between them.
type Message string

// separator is U+001E, the record separator of ASCII.
const separator = "\x1e"

// New returns the message of two formats of fmt.Sprintf for the same arguments. An
// argument that is a Message, or an error, stands in each text in its language.
func New(english, chinese string, args ...any) Message {
	if len(args) == 0 {
		return withBoth(english, chinese)
	}
	return withBoth(fmt.Sprintf(english, args...), fmt.Sprintf(chinese, inChinese(args)...))
}

func withBoth(english, chinese string) Message {
	if english == chinese {
		return Message(withoutSeparator(english))
	}
	return Message(withoutSeparator(english) + separator + withoutSeparator(chinese))
}

// withoutSeparator takes the separator from a text in which a name or an error has it.
func withoutSeparator(text string) string { return strings.ReplaceAll(text, separator, "\uFFFD") }

// inChinese returns arguments as they stand in a Chinese text.
func inChinese(args []any) []any {
	all := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case Message:
			all[i] = arg.In(Chinese)
		case error:
			all[i] = OfError(arg).In(Chinese)
		default:
			all[i] = arg
		}
	}
	return all
}

// In returns the text in a language, in English for one that is not known.
func (m Message) In(l Language) string {
	english, rest, _ := strings.Cut(string(m), separator)
	if chinese, _, _ := strings.Cut(rest, separator); l == Chinese && chinese != "" {
		return chinese
	}
	return english
}

// WithCode returns the message with a code, by which the program knows it again wherever
// it was kept. Joined with others it has none.
func (m Message) WithCode(code string) Message {
	english, rest, _ := strings.Cut(string(m), separator)
	chinese, _, _ := strings.Cut(rest, separator)
	return Message(english + separator + chinese + separator + code)
}

// Code returns the code of the message, "" for none.
func (m Message) Code() string {
	_, rest, _ := strings.Cut(string(m), separator)
	_, code, _ := strings.Cut(rest, separator)
	return code
}

// Transform returns the message with what f makes of its text in each language.
func (m Message) Transform(f func(text string) string) Message {
	changed := withBoth(f(m.In(English)), f(m.In(Chinese)))
	if code := m.Code(); code != "" {
		return changed.WithCode(code)
	}
	return changed
}

// String returns the English text.
func (m Message) String() string { return m.In(English) }

// MarshalText returns the English text, which is the message's form in JSON.
func (m Message) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Join returns several messages as one, with semicolons between them; empty ones are left
// out.
func Join(all ...Message) (joined Message) {
	for _, m := range all {
		switch {
		case joined == "":
			joined = m
		case m != "":
			joined = New("%s; %s", "%s；%s", joined, m)
		}
	}
	return joined
}
