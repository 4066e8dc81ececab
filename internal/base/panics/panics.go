// Package panics turns panics into errors. A panic is a bug in this program: it should fail only
// the document, run or snapshot at hand, and not the process, on which other documents and
// questions depend.
package panics

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
)

// Error is a caught panic.
type Error struct {
	Value any
	Stack string // stack of the goroutine that panicked
}

// Error returns the text on one line.
func (e Error) Error() string {
	return "internal error: " + strings.Join(strings.Fields(fmt.Sprint(e.Value)), " ")
}

// Is reports whether an error is a panic.
func Is(err error) bool { return errors.As(err, new(Error)) }

// Catch calls f and returns a panic in it as an Error.
func Catch(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = Error{p, string(debug.Stack())}
		}
	}()
	return f()
}
