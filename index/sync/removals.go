package sync

import (
	"context"

	"vademecum/index/search"
)

// Limits of the number of documents removed in one commit, and of their passages; a single document
// may exceed the latter. When a database committed each of 3,000 removals separately, they took
// longer than indexing 5,000 documents.
const (
	goneAtOnce     = 256
	passagesAtOnce = 8192
)

// removeGone removes documents of a folder in batches. If one cannot be removed, batches committed
// before stay removed.
func (r *Run) removeGone(ctx context.Context, folder int, gone []*search.Document) error {
	if len(gone) == 0 {
		return nil
	}
	defer r.s.Fresh.SetRemovals(0, 0)
	for done := 0; done < len(gone); {
		r.s.Fresh.SetRemovals(done, len(gone))
		some := firstBatch(gone[done:])
		if err := r.removeBatch(ctx, folder, some); err != nil {
			return err
		}
		done += len(some)
	}
	return nil
}

// firstBatch returns the longest prefix of gone, at least one document, that may be removed in one
// commit.
func firstBatch(gone []*search.Document) []*search.Document {
	passages := 0
	for i, d := range gone {
		passages += d.CountChunks()
		if i == goneAtOnce || i > 0 && passages > passagesAtOnce {
			return gone[:i]
		}
	}
	return gone
}

// removeBatch removes documents of a folder in one commit.
func (r *Run) removeBatch(ctx context.Context, folder int, gone []*search.Document) error {
	paths := make([]string, len(gone))
	for i, d := range gone {
		paths[i] = d.Path
	}
	if err := r.s.Store.Remove(ctx, folder, paths...); err != nil {
		return err
	}
	for _, d := range gone {
		r.s.Throttle.Forget(d.Location())
		if d.Skip == "" {
			r.Report.Removed++
		}
	}
	return nil
}
