package extract

import (
	"errors"
	"fmt"
)

// A SkipError says that a file is not something to index, and why. It is no
// failure.
type SkipError struct{ Reason string }

// Error returns the reason, such as "empty" or "larger than 50 MB".
func (e *SkipError) Error() string { return e.Reason }

// Is tells whether target gives the same reason: that of a file which a child
// process read is another error than the one that its reader returned.
func (e *SkipError) Is(target error) bool {
	t, ok := target.(*SkipError)
	return ok && t.Reason == e.Reason
}

// Skip returns the error of a reason that fmt.Sprintf makes.
func Skip(format string, args ...any) *SkipError {
	return &SkipError{Reason: fmt.Sprintf(format, args...)}
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
	ErrPassword       = Skip("password needed")
	ErrDamagedZip     = Skip("damaged zip")
)

// IsLimit tells whether an error of a part of a file is that of a limit: then
// the file is given up altogether, rather than its rest.
func IsLimit(err error) bool {
	return errors.Is(err, ErrTooDeep) || errors.Is(err, ErrUnpacksTooMuch) || errors.Is(err, ErrTooMuchText)
}
