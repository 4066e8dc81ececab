package recognition

import (
	"context"

	"vademecum/index/search"
)

// All recognises all pages that wait. It calls before each of them what may end it.
func (s *Service) All(ctx context.Context, before func(context.Context) error) ([]*search.Document, error) {
	return s.recogniseAll(ctx, before)
}
