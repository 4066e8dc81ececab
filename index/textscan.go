package index

import (
	"cmp"
	"context"
	"errors"
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
	end     time.Time    // of the limit
	looked  atomic.Int32 // documents that were looked through
	all     int
	failed  atomic.Int32 // documents that could not be looked through
	isStale bool         // a document was replaced meanwhile

	mu     sync.Mutex
	halves []*search.Document // in the middle of which the time was over
}

// scanSlot has one element while texts are looked through. Each scan takes all processors: one
// after the other they have enough time. Patterns have a slot of their own, so that nobody waits for
// those of others who looks for a text.
type scanSlot chan struct{}

// scanTexts looks through texts as use does, and reports what has changed since it began.
func (ix *Index) scanTexts(ctx context.Context, slot scanSlot, limit time.Duration, use func(context.Context, *textScan) error) (changed freshness.Change, err error) {
	select {
	case slot <- struct{}{}:
		defer func() { <-slot }()
	case <-ctx.Done():
		return changed, ctx.Err()
	}
	var before freshness.Baseline
	var s *textScan
	start, found := time.Now(), false
	_, err = recovery.ReadRetrying(ctx, ix.engine.Recovery, func() (struct{}, error) {
		before = ix.fresh.TakeBaseline()
		return struct{}{}, ix.store.View(ctx, func(ctx context.Context, v search.View) error {
			if found && time.Since(start) > limit/2 { // what a document had that was replaced is not worth the time
				return nil
			}
			s = &textScan{Index: ix, view: v, limit: limit, end: time.Now().Add(limit)}
			err := use(ctx, s)
			found = err == nil
			return err
		})
	})
	if err != nil {
		return changed, err
	}
	return before.Compare(s.isStale), nil
}

// Texts are read in batches of so many documents, or of files of so many bytes.
const (
	batchDocuments = 200
	batchBytes     = 1 << 20
)

// nextBatch is how many of some documents are read at once.
func nextBatch(documents []*search.Document) (n int) {
	for size := int64(0); n < min(batchDocuments, len(documents)) && (n == 0 || size+documents[n].Size <= batchBytes); n++ {
		size += documents[n].Size
	}
	return n
}

// look looks through the text of a document. The error is that of the context, where this ended
// before the text did.
type look func(context.Context, *search.Document, text.Body) error

// eachDocument has texts looked at, on all processors, while others are read, until the time is over.
// A fault of this program that one of them brings to light costs nothing but that one.
func (s *textScan) eachDocument(ctx context.Context, only search.Filter, look look) (err error) {
	var documents []*search.Document
	for _, d := range s.view.Admitted(only) {
		if d.Skip == "" {
			documents = append(documents, d)
		}
	}
	slices.SortFunc(documents, func(a, b *search.Document) int {
		return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.ID, b.ID))
	})
	s.looked.Store(0)
	s.all, s.halves = len(documents), nil
	looking, cancel := context.WithDeadline(ctx, s.end) // not for reading: a database closes a connection that is interrupted
	defer cancel()
	bodies := make(chan map[*search.Document]text.Body, runtime.GOMAXPROCS(0))
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for some := range bodies {
				s.lookAt(looking, some, look)
			}
		})
	}
	for len(documents) > 0 && err == nil && looking.Err() == nil {
		some := documents[:nextBatch(documents)]
		documents = documents[len(some):]
		var read map[*search.Document]text.Body
		if read, err = s.view.Bodies(ctx, some); err == nil {
			bodies <- read
			s.isStale = s.isStale || len(read) < len(some)
			s.looked.Add(int32(len(some) - len(read)))
		}
	}
	close(bodies)
	workers.Wait()
	return cmp.Or(err, ctx.Err())
}

// lookAt has the texts of some documents looked at.
func (s *textScan) lookAt(looking context.Context, some map[*search.Document]text.Body, look look) {
	for d, body := range some {
		if looking.Err() != nil {
			return
		}
		err := s.engine.Guard.Catch("look through "+d.Path, func() error { return look(looking, d, body) })
		switch {
		case err == nil:
			s.looked.Add(1)
		case errors.Is(err, looking.Err()):
			s.mu.Lock()
			s.halves = append(s.halves, d)
			s.mu.Unlock()
		default:
			s.looked.Add(1)
			s.failed.Add(1)
		}
	}
}

// mostInPart is how many documents are named at most that were looked through in part.
const mostInPart = 5

// missedNotes says which documents were not looked through, if any.
func (s *textScan) missedNotes() (notes []notice.Note) {
	if looked := int(s.looked.Load()); looked < s.all {
		n := notice.Note{Kind: notice.OutOfTime, For: s.limit, Done: looked, Total: s.all}
		for _, d := range s.halves {
			n.Words = append(n.Words, s.folders.ShownPath(d.Location()))
		}
		slices.Sort(n.Words)
		n.Words = n.Words[:min(mostInPart, len(n.Words))]
		notes = append(notes, n)
	}
	if n := int(s.failed.Load()); n > 0 {
		notes = append(notes, notice.Note{Kind: notice.NotLooked, Count: n})
	}
	return notes
}

// scanNotes reports what else the reader of what a scan has found should know. Embeddings have
// no part in it.
func scanNotes(changed freshness.Change) []notice.Note {
	notes := append(changed.LateNote(), changed.Notes(false)...)
	return slices.DeleteFunc(notes, func(n notice.Note) bool { return n.Kind == notice.WithoutVector || n.Kind == notice.VectorsRefused })
}
