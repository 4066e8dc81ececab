package sync

import (
	"context"

	"vademecum/index/catalog"
	"vademecum/index/live"
)

// answerRequests starts to fulfil the requests of other processes. Each is fulfilled concurrently,
// because it may take long.
func (l *maintenanceLoop) answerRequests(ctx context.Context, folder int, c *live.Follower) {
	d := &l.duties[folder]
	waiting, err := c.Mailbox().PendingRequests(ctx)
	if err != nil && ctx.Err() == nil {
		l.s.Log.Warn("could not read what another process asks for", "error", err)
	}
	for number, text := range waiting {
		if d.answered[number] {
			continue
		}
		d.answered[number] = true
		l.group.Go(func() {
			if err := l.s.AnswerRequest(ctx, folder, c, number, DecodeRequest(text)); err != nil && ctx.Err() == nil && !catalog.IsDatabaseError(err) { // the loop reports database errors
				l.s.Log.Warn("could not answer another process", "error", err)
			}
		})
	}
}
