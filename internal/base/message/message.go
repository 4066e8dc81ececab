// Package message represents texts for people as values: an English format with its arguments where
// a text arises, and the language where it is shown. The catalogue of each other language is in a
// file of this package.
package message

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Message is a text for people, such as the reason why a file is not indexed, a note on an
// answer, or a place in a document. fmt and JSON print the English text. A constant is a message
// that is the same in all languages. Converted to a string, a Message is language-neutral, as
// stored in an index, and can be converted back.
type Message string

// New returns the message with a format for fmt.Sprintf. An argument that is a Message or an error
// is translated as well. Without arguments the format is the text.
func New(format string, args ...any) Message {
	values := make([]any, len(args))
	for i, arg := range args {
		values[i] = valueOf(arg)
	}
	return record{format: format, args: values}.encode()
}

// A Capitalised is a Message that gets a capital initial where it is an argument of another message.
type Capitalised Message

// NewIn returns the message with a format for fmt.Sprintf, and with a context, which is not shown
// but distinguishes formats that are the same in English and not in other languages, like msgctxt
// in gettext.
func NewIn(context, format string, args ...any) Message {
	return New(context+contextEnd+format, args...)
}

// contextEnd is U+0004, which gettext puts between a context and a text.
const contextEnd = "\x04"

// InLanguage returns the text in a language; in English if the language is unknown.
func (m Message) InLanguage(l Language) string {
	return m.InLanguageEdited(l, func(format string) string { return format })
}

// InLanguageEdited returns the text in a language, with edit applied to the program's own words: to
// each format, in which % stands as %%, but not to the names and foreign texts that are its
// arguments.
func (m Message) InLanguageEdited(l Language, edit func(format string) string) string {
	switch r, kind := m.decode(); kind {
	case isRecord:
		return r.in(l, edit)
	case isBilingual:
		return editPlain(m.ofOldIndex(l), edit)
	}
	return editPlain(string(m), edit)
}

// editPlain applies edit to a text that is not a format.
func editPlain(text string, edit func(format string) string) string {
	return strings.ReplaceAll(edit(strings.ReplaceAll(text, "%", "%%")), "%%", "%")
}

// in returns the text of the record in a language, with edit applied to each format, as in
// InLanguageEdited.
func (r record) in(l Language, edit func(format string) string) string {
	format := translate(l, r.format, r.args)
	if len(r.args) == 0 {
		return editPlain(format, edit)
	}
	args := make([]any, len(r.args))
	for i, arg := range r.args {
		switch m := arg.(type) {
		case Message:
			arg = m.InLanguageEdited(l, edit)
		case Capitalised:
			text := Message(m).InLanguageEdited(l, edit)
			first, rest := utf8.DecodeRuneInString(text)
			arg = string(unicode.ToUpper(first)) + text[rest:]
		}
		args[i] = arg
	}
	return fmt.Sprintf(edit(format), args...)
}

// WithCode returns the message with a code by which the program recognises it after it was stored.
// A joined message has none.
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

// Code returns the code that WithCode added, by which the program recognises a stored message; ""
// if it has none.
func (m Message) Code() string {
	if rest, ok := strings.CutPrefix(string(m), separator); ok {
		code, _, _ := cutField(rest)
		return code
	}
	_, rest, _ := strings.Cut(string(m), separator) // from an old index
	_, code, _ := strings.Cut(rest, separator)
	return code
}

// MapForeignTexts returns the message with f applied to each text in it that is not a format: names, errors,
// foreign texts.
func (m Message) MapForeignTexts(f func(text string) string) Message {
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
			r.args[i] = arg.MapForeignTexts(f)
		case Capitalised:
			r.args[i] = Capitalised(Message(arg).MapForeignTexts(f))
		}
	}
	return r.encode()
}

// String returns the English text.
func (m Message) String() string { return m.InLanguage(English) }

// MarshalText returns the English text, which is the form of the message in JSON.
func (m Message) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Join joins messages with semicolons; empty ones are left out.
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
