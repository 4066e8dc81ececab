package extract

import (
	"errors"

	"vademecum/internal/base/message"
)

// A SkipError says that a file is not something to index, and why. It is no
// failure.
type SkipError struct{ Reason message.Message }

// Error returns the reason in English, such as "empty" or "larger than 50 MB".
func (e *SkipError) Error() string { return e.Reason.String() }

// Message returns the reason.
func (e *SkipError) Message() message.Message { return e.Reason }

// Is reports whether target gives the same reason: that of a file which a child
// process read is another error than the one that its reader returned.
func (e *SkipError) Is(target error) bool {
	t, ok := target.(*SkipError)
	return ok && t.Reason == e.Reason
}

// Skip returns the error of a reason that [message.New] makes.
func Skip(format string, args ...any) *SkipError {
	return &SkipError{message.New(format, args...)}
}

// Why a file is skipped, where several readers may find it so.
var (
	ErrTooLarge       = Skip("larger than 50 MB")
	ErrTooMuchText    = Skip("more than 32 MB of text")
	ErrUnpacksTooMuch = Skip("unpacks to more than 256 MB")
	ErrTooManyFiles   = Skip("more than 20000 files inside")
	ErrTooDeep        = Skip("nested too deeply")
	ErrEmpty          = Skip("empty")
	ErrNoText         = Skip("holds no text")
	ErrOnlyPictures   = Skip("holds only pictures, no text: save them as picture files to have them recognised")
	ErrPassword       = Skip("password needed")
	ErrDamagedZip     = Skip("damaged zip")
)

// IsLimit reports whether an error of a part of a file is that of a limit: then
// the file is given up altogether, rather than its rest.
func IsLimit(err error) bool {
	return errors.Is(err, ErrTooDeep) || errors.Is(err, ErrUnpacksTooMuch) || errors.Is(err, ErrTooMuchText)
}
