package index

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"vademecum/docs/text"
	"vademecum/index/freshness"
	"vademecum/index/notice"
	"vademecum/index/recovery"
	"vademecum/index/search"
)

// How long texts are looked through for one query: a pattern may take as long as it likes for
// each, and what is written out takes some time only where the machine has much else to do.
const (
	patternTime = 2 * time.Second
	literalTime = 20 * time.Second
)

// textScan looks through the texts of documents, all of one moment.
type textScan struct {
	*Index
	view    search.View
	limit   time.Duration
	looked  int // of documents
	all     int
	failed  atomic.Int32 // documents that could not be looked through
	isStale bool         // a document was replaced meanwhile
}

// scanTexts looks through texts as use does, and tells what has changed since it began. Each
// takes all processors: one after the other they have enough time.
func (ix *Index) scanTexts(ctx context.Context, limit time.Duration, use func(context.Context, *textScan) error) (changed freshness.Change, err error) {
	select {
	case ix.finding <- struct{}{}:
		defer func() { <-ix.finding }()
	case <-ctx.Done():
		return changed, ctx.Err()
	}
	var before freshness.Baseline
	var s *textScan
	_, err = recovery.ReadRetrying(ctx, ix.engine.Recovery, func() (struct{}, error) {
		before = ix.fresh.TakeBaseline()
		return struct{}{}, ix.store.View(ctx, func(ctx context.Context, v search.View) error {
			s = &textScan{Index: ix, view: v, limit: limit}
			return use(ctx, s)
		})
	})
	if err != nil {
		return changed, err
	}
	return before.Compare(s.isStale), nil
}

// batch is how many texts are read at once.
const batch = 200

// eachDocument has texts looked at, on all processors, while others are read, until the time is over.
// A fault of this program that one of them brings to light costs nothing but that one.
func (s *textScan) eachDocument(ctx context.Context, only search.Filter, look func(*search.Document, text.Body)) (err error) {
	var documents []*search.Document
	for _, d := range s.view.Admitted(only) {
		if d.Skip == "" {
			documents = append(documents, d)
		}
	}
	slices.SortFunc(documents, func(a, b *search.Document) int {
		return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.ID, b.ID))
	})
	end := time.Now().Add(s.limit)
	bodies := make(chan map[*search.Document]text.Body, 2*runtime.GOMAXPROCS(0))
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for some := range bodies {
				for d, body := range some {
					if s.engine.Guard.Catch("look through "+d.Path, func() error { look(d, body); return nil }) != nil {
						s.failed.Add(1)
					}
				}
			}
		})
	}
	s.looked, s.all = 0, len(documents)
	for s.looked < s.all && err == nil && time.Now().Before(end) {
		some := documents[s.looked:min(s.looked+batch, s.all)]
		var read map[*search.Document]text.Body
		if read, err = s.view.Bodies(ctx, some); err == nil {
			bodies <- read
			s.looked += len(some)
			s.isStale = s.isStale || len(read) < len(some)
		}
	}
	close(bodies)
	workers.Wait()
	return cmp.Or(err, ctx.Err())
}

// missedNotes says which documents were not looked through, if any.
func (s *textScan) missedNotes() (notes []notice.Note) {
	if s.looked < s.all {
		notes = append(notes, notice.Note{Kind: notice.OutOfTime, For: s.limit, Done: s.looked, Total: s.all})
	}
	if n := int(s.failed.Load()); n > 0 {
		notes = append(notes, notice.Note{Kind: notice.NotLooked, Count: n})
	}
	return notes
}

// scanNotes tells what else the reader of what a scan has found should know. Embeddings have
// no part in it.
func scanNotes(changed freshness.Change) []notice.Note {
	notes := append(changed.LateNote(), changed.Notes(false)...)
	return slices.DeleteFunc(notes, func(n notice.Note) bool { return n.Kind == notice.WithoutVector || n.Kind == notice.VectorsRefused })
}
