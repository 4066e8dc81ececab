package panics

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
)

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
