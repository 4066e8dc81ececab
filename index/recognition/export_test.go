package recognition

import (
	"context"

	"vademecum/index/search"
)

// GiveUp has a document fail by an error.
func (s *Service) GiveUp(ctx context.Context, d *search.Document, err error) error {
	return s.giveUp(ctx, d, err)
}

// Waiting lists the documents that are to be recognised now.
func (s *Service) Waiting() []*search.Document { return s.waiting() }

// HasRetryTimer reports whether something is tried again after a while, although the program works.
func (s *Service) HasRetryTimer() bool { return s.retryTimer(false) != nil }

// EndRetries has the time pass until what has failed is tried again.
func (s *Service) EndRetries() {
	for at, a := range s.givenUp {
		if !a.retry.IsZero() {
			a.retry = a.retry.Add(-retry)
			s.givenUp[at] = a
		}
	}
}

// All recognises all pages that wait. It calls before each of them what may end it.
func (s *Service) All(ctx context.Context, before func(context.Context) error) ([]*search.Document, error) {
	return s.recogniseAll(ctx, before)
}
