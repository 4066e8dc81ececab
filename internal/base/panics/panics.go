// Package panics turns panics into errors. A panic is a bug in this program: it should fail only
// the document, run or snapshot at hand, and not the process, on which other documents and
// questions depend.
package panics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
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

// Guard catches panics and logs them. It is safe for concurrent use.
type Guard struct {
	log  *slog.Logger
	told sync.Map // panics that were logged before
}

// NewGuard returns a Guard that logs to log.
func NewGuard(log *slog.Logger) *Guard { return &Guard{log: log} }

// Catch calls f and returns a panic in it as an Error. activity says in the log what f was doing.
// Each panic is logged as an error the first time, and at debug level after that.
func (g *Guard) Catch(activity string, f func() error) error {
	through := false
	err := Catch(func() error {
		err := f()
		through = true
		return err
	})
	if through {
		return err
	}
	p := err.(Error)
	level := slog.LevelError
	if _, told := g.told.LoadOrStore(fmt.Sprint(activity, p.Value), true); told {
		level = slog.LevelDebug
	}
	g.log.Log(context.Background(), level, "internal error", "doing", activity, "panic", p.Value, "stack", p.Stack)
	return err
}
