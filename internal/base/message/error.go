package message

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"syscall"
)

// Error is an error whose text is a message.
type Error struct {
	text   Message
	causes []error
}

// Errorf returns the error of the message that New makes. It wraps those of its arguments
// that are errors.
func Errorf(format string, args ...any) error {
	e := &Error{text: New(format, args...)}
	for _, arg := range args {
		if cause, ok := arg.(error); ok {
			e.causes = append(e.causes, cause)
		}
	}
	return e
}

// NewError returns the error that a message tells of.
func NewError(m Message) error { return &Error{text: m} }

// Error returns the English text.
func (e *Error) Error() string { return e.text.String() }

// Message returns the text.
func (e *Error) Message() Message { return e.text }

// Unwrap returns the errors that were arguments.
func (e *Error) Unwrap() []error { return e.causes }

// OfError returns the text of an error. In other languages the text of the first error in
// its tree that has a message, or of a failure of the system that people meet, stands in
// the place of what that says in English. It is "" for nil.
func OfError(err error) Message {
	if err == nil {
		return ""
	}
	var told interface{ Message() Message }
	if errors.As(err, &told) {
		return around(err.Error(), told.Message(), told.Message().String())
	}
	for _, f := range failures {
		if errors.Is(err, f) {
			what := describeFailure(err, f)
			return around(err.Error(), New(what), what)
		}
	}
	return Message(withoutSeparator(err.Error()))
}

// around returns the message of an English text in which a message says a part.
func around(english string, m Message, part string) Message {
	before, after, ok := strings.Cut(english, part)
	switch {
	case !ok:
		return Message(withoutSeparator(english))
	case before == "" && after == "":
		return m
	}
	return New("%s%v%s", before, m, after)
}

// describeFailure is what an error says of a failure that it matches: the system has words of its
// own for some.
func describeFailure(err, failure error) string {
	if number := syscall.Errno(0); errors.As(err, &number) {
		return number.Error()
	}
	return failure.Error()
}

// failures are the failures of the system that people meet. The catalogues have what each
// system says of them.
var failures = []error{fs.ErrPermission, fs.ErrNotExist, context.DeadlineExceeded, io.ErrUnexpectedEOF, syscall.EIO, syscall.EMFILE, syscall.ENOSPC}
