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
	"vademecum/index/search"
	syncs "vademecum/index/sync"
)

// Time limits for searching texts for one query: a pattern may take arbitrarily long for each text,
// whereas a literal text takes long only on a busy machine.
const (
	patternTime = 2 * time.Second
	literalTime = 20 * time.Second
)

// textScan searches the texts of documents in a single view of the index.
type textScan struct {
	*Index
	view    search.View
	limit   time.Duration
	end     time.Time    // when the limit ends
	looked  atomic.Int32 // number of documents searched
	all     int          // number of documents to search
	failed  atomic.Int32 // number of documents that could not be searched
	isStale bool         // a document was replaced during the scan

	mu     sync.Mutex
	halves []*search.Document // documents that were being searched when the time ran out
}

// scanSlot holds one element while texts are searched. Each scan uses all processors, so scans that
// run one after the other have enough time. Patterns have a slot of their own, so that searches for
// texts do not wait for them.
type scanSlot chan struct{}

// scanTexts calls use with a scan of texts, and returns what has changed since it began.
func (ix *Index) scanTexts(ctx context.Context, slot scanSlot, limit time.Duration, use func(context.Context, *textScan) error) (changed freshness.SnapshotChange, err error) {
	select {
	case slot <- struct{}{}:
		defer func() { <-slot }()
	case <-ctx.Done():
		return changed, ctx.Err()
	}
	var before freshness.Snapshot
	var s *textScan
	start, found := time.Now(), false
	_, err = syncs.ReadWithRepair(ctx, ix.syncer, func() (struct{}, error) {
		before = ix.syncer.Freshness()
		return struct{}{}, ix.store.View(ctx, func(ctx context.Context, v search.View) error {
			if found && time.Since(start) > limit/2 {
				// replaced documents do not justify the time of a second scan
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
	return ix.syncer.Freshness().Since(before, s.isStale), nil
}

// Maximum size of a batch of texts to read, in documents, and in bytes of their files.
const (
	batchDocuments = 200
	batchBytes     = 1 << 20
)

// nextBatch returns how many of the documents to read in one batch.
func nextBatch(documents []*search.Document) (n int) {
	for size := int64(0); n < min(batchDocuments, len(documents)) && (n == 0 || size+documents[n].Size <= batchBytes); n++ {
		size += documents[n].Size
	}
	return n
}

// look searches the text of a document. It returns the error of the context if that ended before
// the whole text was searched.
type look func(context.Context, *search.Document, text.Body) error

// eachDocument calls look for the selected documents on all processors, while further texts are
// read, until the time runs out. A bug in this program that a text triggers affects only that text.
func (s *textScan) eachDocument(ctx context.Context, only search.Filter, look look) (err error) {
	var documents []*search.Document
	for _, d := range s.view.Matching(only) {
		if d.SkipReason == "" {
			documents = append(documents, d)
		}
	}
	slices.SortFunc(documents, func(a, b *search.Document) int {
		return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.ID, b.ID))
	})
	s.looked.Store(0)
	s.all, s.halves = len(documents), nil
	// used for searching, but not for reading: a database closes a connection that is interrupted
	looking, cancel := context.WithDeadline(ctx, s.end)
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
		if read, err = s.view.LoadBodies(ctx, some); err == nil {
			bodies <- read
			s.isStale = s.isStale || len(read) < len(some)
			s.looked.Add(int32(len(some) - len(read)))
		}
	}
	close(bodies)
	workers.Wait()
	return cmp.Or(err, ctx.Err())
}

// lookAt calls look for the given texts.
func (s *textScan) lookAt(looking context.Context, some map[*search.Document]text.Body, look look) {
	for d, body := range some {
		if looking.Err() != nil {
			return
		}
		err := s.syncer.Guard.Catch("look through "+d.Path, func() error { return look(looking, d, body) })
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

// mostInPart is the maximum number of documents named that were searched in part.
const mostInPart = 5

// missedNotes says which documents were not searched, if any.
func (s *textScan) missedNotes() (notes []notice.Note) {
	if looked := int(s.looked.Load()); looked < s.all {
		n := notice.Note{Kind: notice.SearchTimedOut, Duration: s.limit, Done: looked, Total: s.all}
		for _, d := range s.halves {
			n.Words = append(n.Words, s.folders.ShownPath(d.Location()))
		}
		slices.Sort(n.Words)
		n.Words = n.Words[:min(mostInPart, len(n.Words))]
		notes = append(notes, n)
	}
	if n := int(s.failed.Load()); n > 0 {
		notes = append(notes, notice.Note{Kind: notice.DocumentsNotSearched, Count: n})
	}
	return notes
}

// scanNotes returns what else the reader of a scan's result should know. Embeddings do not matter
// for it.
func scanNotes(changed freshness.SnapshotChange) []notice.Note {
	notes := append(changed.ThrottledFilesNotes(), changed.Notes(false)...)
	return slices.DeleteFunc(notes, func(n notice.Note) bool {
		return n.Kind == notice.PassagesWithoutVector || n.Kind == notice.PassagesRefusedByModel
	})
}
