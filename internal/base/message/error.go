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

// Errorf returns an error with the message that New makes. It wraps those arguments that are
// errors.
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

// Message returns the translatable text.
func (e *Error) Message() Message { return e.text }

// Unwrap returns the arguments that are errors.
func (e *Error) Unwrap() []error { return e.causes }

// FromError returns the text of an error as a Message; "" for nil. A translation covers the first
// error in the tree that has a message or is a known system failure, and leaves the English text
// around it.
func FromError(err error) Message {
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

// around returns an English text as a message in which one part is translated, as the message m,
// and the text around it is not. A text without that part is not translated at all.
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

// describeFailure returns the words for a failure in the text of err, which matches the failure:
// systems word some failures differently.
func describeFailure(err, failure error) string {
	if number := syscall.Errno(0); errors.As(err, &number) {
		return number.Error()
	}
	return failure.Error()
}

// failures are the common failures of the system. The catalogues contain the wording of each
// system.
var failures = []error{fs.ErrPermission, fs.ErrNotExist, context.DeadlineExceeded, io.ErrUnexpectedEOF, syscall.EIO, syscall.EMFILE, syscall.ENOSPC}
