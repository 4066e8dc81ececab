package panics

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
)

// Guard catches panics and logs them. Its methods may be called from several goroutines
// at once.
type Guard struct {
	log  *slog.Logger
	told sync.Map // the faults that were logged
}

// NewGuard returns a Guard that logs to log.
func NewGuard(log *slog.Logger) *Guard { return &Guard{log: log} }

// Catch calls f and returns a panic in it as an Error. doing describes in the log what f
// was doing. Each fault is logged once as an error, and at debug level from then on.
func (g *Guard) Catch(doing string, f func() error) error {
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
	if _, told := g.told.LoadOrStore(fmt.Sprint(doing, p.Value), true); told {
		level = slog.LevelDebug
	}
	g.log.Log(context.Background(), level, "internal error", "doing", doing, "panic", p.Value, "stack", p.Stack)
	return err
}
