// Package message holds texts for people as values: a format in English with its
// arguments where the text arises, and a language where it is shown. The catalogue of each
// other language is a file of this package.
package message

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Message is a text for people: a reason why a file is not indexed, a note on an answer, a
// place in a document. fmt and JSON write the English text. A constant is a message that is
// the same in all languages. Converted to a string it is language-neutral, as an index
// stores it, and can be converted back.
type Message string

// New returns the message of a format for fmt.Sprintf. An argument that is a Message or an
// error is translated with it. Without arguments the format is the text.
func New(format string, args ...any) Message {
	values := make([]any, len(args))
	for i, arg := range args {
		values[i] = valueOf(arg)
	}
	return record{format: format, args: values}.encode()
}

// A Sentence is a Message that begins with a capital letter when it is an argument.
type Sentence Message

// NewIn is New with a context, not shown, that distinguishes formats which are alike in
// English but not in other languages: msgctxt of gettext.
func NewIn(context, format string, args ...any) Message {
	return New(context+contextEnd+format, args...)
}

// contextEnd is U+0004, which gettext puts between a context and a text.
const contextEnd = "\x04"

// In returns the text in a language, in English for one that is not known.
func (m Message) In(l Language) string {
	switch r, kind := m.decode(); kind {
	case isRecord:
		return r.in(l)
	case isBilingual:
		return m.ofOldIndex(l)
	}
	return string(m)
}

// in renders the format that the catalogue of a language has for a message.
func (r record) in(l Language) string {
	format := translate(l, r.format, r.args)
	if len(r.args) == 0 {
		return format
	}
	args := make([]any, len(r.args))
	for i, arg := range r.args {
		switch m := arg.(type) {
		case Message:
			arg = m.In(l)
		case Sentence:
			first, rest := utf8.DecodeRuneInString(Message(m).In(l))
			arg = string(unicode.ToUpper(first)) + Message(m).In(l)[rest:]
		}
		args[i] = arg
	}
	return fmt.Sprintf(format, args...)
}

// WithCode returns the message with a code, by which the program recognises it after it
// was stored. A joined message has none.
func (m Message) WithCode(code string) Message {
	r, kind := m.decode()
	switch kind {
	case isBilingual:
		parts := strings.Split(string(m), separator)
		return Message(strings.Join(append(parts[:2], code), separator))
	case isLiteral:
		r = record{format: "%s", args: []any{string(m)}}
	}
	r.code = code
	return r.encode()
}

// Code returns the code of the message, "" for none.
func (m Message) Code() string {
	if rest, ok := strings.CutPrefix(string(m), separator); ok {
		code, _, _ := cutField(rest)
		return code
	}
	_, rest, _ := strings.Cut(string(m), separator) // of an old index
	_, code, _ := strings.Cut(rest, separator)
	return code
}

// Map returns the message with f applied to each text in it that is not a format: names,
// errors, texts of others.
func (m Message) Map(f func(text string) string) Message {
	r, kind := m.decode()
	switch kind {
	case isBilingual:
		parts := strings.Split(string(m), separator)
		for i := range parts[:2] {
			parts[i] = f(parts[i])
		}
		return Message(strings.Join(parts, separator))
	case isLiteral:
		return Message(f(string(m)))
	}
	for i, arg := range r.args {
		switch arg := arg.(type) {
		case string:
			r.args[i] = f(arg)
		case Message:
			r.args[i] = arg.Map(f)
		case Sentence:
			r.args[i] = Sentence(Message(arg).Map(f))
		}
	}
	return r.encode()
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
			joined = New("%s; %s", joined, m)
		}
	}
	return joined
}
