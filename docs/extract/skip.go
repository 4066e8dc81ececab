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

// skip returns an error whose reason fmt.Sprintf makes.
func skip(format string, args ...any) *SkipError {
	return &SkipError{Reason: fmt.Sprintf(format, args...)}
}

// Why a file is skipped, where several readers may find it so.
var (
	ErrTooLarge       = skip("larger than 50 MB")
	ErrTooMuchText    = skip("more than 32 MB of text")
	ErrUnpacksTooMuch = skip("unpacks to more than 256 MB")
	ErrTooManyFiles   = skip("more than 20000 files inside")
	ErrTooDeep        = skip("nested too deeply")
	ErrEmpty          = skip("empty")
	ErrNoText         = skip("holds no text")
	ErrPassword       = skip("password needed")
	ErrDamagedZip     = skip("damaged zip")
)

// isLimit tells whether a file is given up altogether, rather than its rest.
func isLimit(err error) bool {
	return errors.Is(err, ErrTooDeep) || errors.Is(err, ErrUnpacksTooMuch) || errors.Is(err, ErrTooMuchText)
}
