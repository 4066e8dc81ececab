package extract

import (
	"errors"

	"vademecum/internal/message"
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
func Skip(english, chinese string, args ...any) *SkipError {
	return &SkipError{message.New(english, chinese, args...)}
}

// Why a file is skipped, where several readers may find it so.
var (
	ErrTooLarge       = Skip("larger than 50 MB", "大于 50 MB")
	ErrTooMuchText    = Skip("more than 32 MB of text", "文字超过 32 MB")
	ErrUnpacksTooMuch = Skip("unpacks to more than 256 MB", "解压后超过 256 MB")
	ErrTooManyFiles   = Skip("more than 20000 files inside", "内含超过 20000 个文件")
	ErrTooDeep        = Skip("nested too deeply", "嵌套过深")
	ErrEmpty          = Skip("empty", "空文件")
	ErrNoText         = Skip("holds no text", "不含文字")
	ErrOnlyPictures   = Skip("holds only pictures, no text: save them as picture files to have them recognised", "只含图片，不含文字：请将图片另存为图片文件，以便识别")
	ErrPassword       = Skip("password needed", "需要密码")
	ErrDamagedZip     = Skip("damaged zip", "已损坏的 zip")
)

// IsLimit reports whether an error of a part of a file is that of a limit: then
// the file is given up altogether, rather than its rest.
func IsLimit(err error) bool {
	return errors.Is(err, ErrTooDeep) || errors.Is(err, ErrUnpacksTooMuch) || errors.Is(err, ErrTooMuchText)
}
