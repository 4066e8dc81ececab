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
func Errorf(english, chinese string, args ...any) error {
	e := &Error{text: New(english, chinese, args...)}
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

// OfError returns the text of an error, in Chinese with that of the first error in its tree
// that has a message, or of a failure of the system that people meet, in the place of what
// that says in English. It is "" for nil.
func OfError(err error) Message {
	if err == nil {
		return ""
	}
	english := err.Error()
	var told interface{ Message() Message }
	if errors.As(err, &told) {
		return withBoth(english, strings.Replace(english, told.Message().String(), told.Message().In(Chinese), 1))
	}
	for _, f := range failures {
		if errors.Is(err, f.err) {
			return withBoth(english, strings.Replace(english, describeFailure(err, f.err), f.chinese, 1))
		}
	}
	return Message(withoutSeparator(english))
}

// describeFailure is what an error says of a failure that it matches: the system has words of its
// own for some.
func describeFailure(err, failure error) string {
	if number := syscall.Errno(0); errors.As(err, &number) {
		return number.Error()
	}
	return failure.Error()
}

// failures are the failures of the system, each in Chinese.
var failures = []struct {
	err     error
	chinese string
}{
	{fs.ErrPermission, "没有权限"},
	{fs.ErrNotExist, "没有这样的文件或文件夹"},
	{context.DeadlineExceeded, "超时"},
	{io.ErrUnexpectedEOF, "内容在中途结束"},
	{syscall.EIO, "读写错误"},
	{syscall.EMFILE, "打开的文件过多"},
	{syscall.ENOSPC, "磁盘已满"},
}
