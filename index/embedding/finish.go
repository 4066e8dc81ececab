package embedding

import (
	"context"
	"time"

	"vademecum/internal/base/message"
)

// EmbedMissing embeds the chunks without vectors. It keeps the results obtained before a failure;
// the error is that of the model or of ctx. If another process embeds, it waits for that process
// for at most maxWait; 0 means no limit.
func (s *Service) EmbedMissing(ctx context.Context, maxWait time.Duration) error {
	if maxWait > 0 {
		return s.embedMissingBy(ctx, maxWait, s.runPass)
	}
	err := s.embedMissingBy(ctx, maxWait, s.passUntilStuck)
	if err == nil {
		s.indexAll(ctx)
	}
	return err
}

// hearEvery is the interval at which the progress of another process that embeds is polled.
const hearEvery = 20 * time.Millisecond

func (s *Service) embedMissingBy(ctx context.Context, patience time.Duration, pass func(context.Context) error) error {
	tick := time.NewTicker(hearEvery)
	defer tick.Stop()
	for began := time.Now(); ; {
		if err := pass(ctx); err != nil {
			return err
		}
		due, err := s.followOtherEmbedders(ctx)
		if err != nil || !due || patience > 0 && time.Since(began) > patience {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// fruitless is the number of consecutive passes that may yield no vector, after one that did.
const fruitless = 3

// passUntilStuck runs passes until one succeeds. After a failure it continues as long as passes
// yield new vectors: a service may be unreachable for a moment or limit its request rate.
func (s *Service) passUntilStuck(ctx context.Context) error {
	left, wait := 0, firstRetry
	for {
		_, before := s.Store.CountChunks()
		err := s.runPass(ctx)
		_, after := s.Store.CountChunks()
		if after < before {
			left, wait = fruitless, firstRetry
		}
		if err == nil || ctx.Err() != nil || left == 0 {
			return err
		}
		left--
		s.Log.Warn("the embedding model failed, continuing", "error", err, "in", wait)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
		wait = min(2*wait, lastRetry)
	}
}

// followOtherEmbedders loads the vectors computed by other processes, and reports whether more are
// due.
func (s *Service) followOtherEmbedders(ctx context.Context) (bool, error) {
	for i := range s.Folders {
		if s.Peers.IsEmbedder(i) {
			continue
		}
		e, err := s.Peers.FollowEmbedder(ctx, i, s.Store.Follower(i))
		if err == nil && e.IsEmbeddingDue && e.Failure != "" {
			err = message.NewError(message.Message(e.Failure))
		}
		if err != nil || e.IsEmbeddingDue {
			return e.IsEmbeddingDue, err
		}
	}
	return false, nil
}
