package extract

import (
	"errors"

	"vademecum/internal/base/message"
)

// A SkipError is the reason why a file should not be indexed. It says something about the file, and
// is not a failure of the program.
type SkipError struct{ Reason message.Message }

// Error returns the reason in English, such as "empty" or "larger than 50 MB".
func (e *SkipError) Error() string { return e.Reason.String() }

// Message returns the reason as a message that can be shown in other languages.
func (e *SkipError) Message() message.Message { return e.Reason }

// Is reports whether target is a SkipError with the same reason. A SkipError that a child process
// reports is not the same value as that of the reader in it.
func (e *SkipError) Is(target error) bool {
	t, ok := target.(*SkipError)
	return ok && t.Reason == e.Reason
}

// Skip returns a SkipError with the reason message.New(format, args...).
func Skip(format string, args ...any) *SkipError {
	return &SkipError{message.New(format, args...)}
}

// Reasons to skip a file that several readers give.
var (
	ErrTooLarge          = Skip("larger than 50 MB")
	ErrTooMuchText       = Skip("more than 32 MB of text")
	ErrUnpackedTooLarge  = Skip("unpacks to more than 256 MB")
	ErrTooManyFiles      = Skip("more than 20000 files inside")
	ErrNestedTooDeeply   = Skip("nested too deeply")
	ErrEmptyFile         = Skip("empty")
	ErrNoText            = Skip("contains no text")
	ErrOnlyPictures      = Skip("contains only pictures, no text: save them as image files so that their text can be recognised")
	ErrPasswordProtected = Skip("password needed")
	ErrDamagedZip        = Skip("damaged zip")
)

// IsLimitError reports whether err means that a limit on size, files or nesting was exceeded. The
// whole file is then skipped, instead of being indexed up to that point.
func IsLimitError(err error) bool {
	return errors.Is(err, ErrNestedTooDeeply) || errors.Is(err, ErrUnpackedTooLarge) || errors.Is(err, ErrTooMuchText)
}
