package bridge

import (
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// TestRetryAfterStop: a request is repeated when its connection is lost because this process was stopped
// for longer than a server may be away; after the same time without a stop it fails.
func TestRetryAfterStop(t *testing.T) {
	for name, wasStopped := range map[string]bool{"stopped": true, "without an answer": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				b := &bridge{o: Options{RetryTimeout: patience, MaxRetryPause: longestPause, OnUnresponsive: func() {}, AllCallsIdempotent: true, Logger: slog.New(slog.DiscardHandler)}, ctx: ctx}
				if !wasStopped { // otherwise nothing ticks
					b.group.Go(func() { b.awake.run(ctx) })
				}
				tries := 0
				err := b.retry(ctx, message{method: methodCall}, func(session) error {
					if tries++; tries > 1 {
						return nil
					}
					time.Sleep(2 * patience)
					return errLost
				})
				if wasStopped && (err != nil || tries != 2) || !wasStopped && !errors.Is(err, errLost) {
					t.Errorf("after %d tries: %v", tries, err)
				}
			})
		})
	}
}
