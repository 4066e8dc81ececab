package sync

import (
	"context"
	"errors"
	"time"
)

// PublishWhile calls work, and unless a Run is in progress publishes the progress meanwhile. It
// releases the duties that it acquired for that.
func (s *Syncer) PublishWhile(ctx context.Context, work func() error) (err error) {
	if s.Fresh.IsServing() {
		return work()
	}
	t := NewPublisher(s)
	done := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(MinReportInterval)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				s.PublishProgress(ctx, t)
			}
		}
	}()
	err = s.Guard.Catch("index and embed", work)
	close(done)
	<-stopped
	if t.HasPublished() || err != nil {
		s.PublishProgress(context.WithoutCancel(ctx), t)
	}
	return errors.Join(err, s.Folders.ReleaseLeases())
}

// PublishProgress makes a Publisher publish the progress of this process.
func (s *Syncer) PublishProgress(ctx context.Context, t *Publisher) {
	_ = s.Guard.Catch("tell other processes", func() error { t.Publish(ctx); return nil })
}
