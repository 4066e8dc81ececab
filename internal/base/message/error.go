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

// NewError returns an error with the message as its text.
func NewError(m Message) error { return &Error{text: m} }

// Error returns the English text.
func (e *Error) Error() string { return e.text.String() }

// Message returns the text.
func (e *Error) Message() Message { return e.text }

// Unwrap returns the errors that were arguments.
func (e *Error) Unwrap() []error { return e.causes }

// OfError returns the text of an error. In other languages it translates the first error
// in the tree that has a message, or that is a known failure of the system, and leaves
// the English text around it. It is "" for nil.
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

// around returns the message of an English text of which a part is itself a message.
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

// describeFailure returns the part of an error's text that describes a failure which it matches:
// systems word some failures differently.
func describeFailure(err, failure error) string {
	if number := syscall.Errno(0); errors.As(err, &number) {
		return number.Error()
	}
	return failure.Error()
}

// failures are the common failures of the system. The catalogues have the wording of each
// system.
var failures = []error{fs.ErrPermission, fs.ErrNotExist, context.DeadlineExceeded, io.ErrUnexpectedEOF, syscall.EIO, syscall.EMFILE, syscall.ENOSPC}
