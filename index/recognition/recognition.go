// Package recognition recognises the text of scanned pages in the folders that this process
// indexes: one page at a time, when there is nothing else to index. It stores no state of its own
// on disk: the note of a document says how many of its pages are waiting (see docs.CountUnrecognisedPages),
// and package ocr stores the recognised text, so that interrupted work is resumed where it stopped.
package recognition

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"vademecum/docs"
	"vademecum/docs/extract"
	"vademecum/docs/ocr"
	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/internal/base/message"
	"vademecum/internal/base/panics"
)

// Dependencies are the dependencies of a Service.
type Dependencies struct {
	Folders    roots.Set
	Store      *live.Store
	Recogniser *ocr.Recogniser       // nil means that nothing is recognised
	IsIndexer  func(folder int) bool // reports whether this process indexes a folder
	Fresh      *freshness.Publisher
	Reread     func(context.Context, search.Location) error // indexes a document again from its file
	Guard      *panics.Guard
	Log        *slog.Logger
}

// Service recognises pages.
type Service struct {
	Dependencies

	mu      sync.Mutex // held during recognition
	givenUp map[search.Location]attempt
	scans   progress.PagesToRecognise // pages that are waiting
}

// attempt is a failed attempt to recognise a document.
type attempt struct {
	// time when the document was read: it is tried again after it has been read again
	readAt time.Time
	retry  time.Time // time of the next attempt in any case; zero means after the next start
}

// isOver reports whether the document is to be tried again.
func (a attempt) isOver(d *search.Document) bool {
	return !a.readAt.Equal(d.ReadAt()) || !a.retry.IsZero() && !time.Now().Before(a.retry)
}

// New returns a Service with its parts.
func New(p Dependencies) *Service {
	return &Service{Dependencies: p, givenUp: make(map[search.Location]attempt)}
}

const (
	// retry is how long to wait after the program failed, or after a transient error for a
	// document.
	retry = 10 * time.Minute
	// commitEvery is after how many recognised pages a document with more of them is indexed again.
	commitEvery = 25
)

// Run recognises the waiting pages whenever there is nothing to index, until ctx ends.
func (s *Service) Run(ctx context.Context) {
	if s.Recogniser == nil {
		s.Fresh.Update(func(now *freshness.Snapshot) { now.Own.PagesToRecognise = progress.PagesToRecognise{Off: true} })
		return
	}
	s.RecordInstalled()
	changes := s.Fresh.Changes(ctx)
	for ctx.Err() == nil {
		again := changes
		err := s.Guard.Catch("recognise the text of scans", func() error {
			_, err := s.recogniseAll(ctx, s.awaitIdle)
			return err
		})
		if err != nil && ctx.Err() == nil && !errors.As(err, new(postponedError)) {
			s.Log.Warn("no text is recognised", "error", err, "next try", retry)
			again = nil
		}
		select {
		case <-ctx.Done():
		case <-again:
		case <-s.retryTimer(again == nil):
		}
	}
}

// hasRetry reports whether a document will be tried again before the next start.
func (s *Service) hasRetry() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.givenUp {
		if !a.retry.IsZero() {
			return true
		}
	}
	return false
}

// retryTimer returns a channel that is ready when the program or a document is to be tried again
// after a failure; nil if neither is.
func (s *Service) retryTimer(hasProgramFailed bool) <-chan time.Time {
	if !hasProgramFailed && !s.hasRetry() {
		return nil
	}
	return time.After(retry)
}

// awaitIdle waits until there is nothing to index.
func (s *Service) awaitIdle(ctx context.Context) error {
	return s.Fresh.Wait(ctx, func(now freshness.Snapshot) bool { return now.State.Phase == progress.Ready && !now.State.IsBehind() })
}

// Finish recognises the waiting pages now, and returns the documents that were indexed again. The
// error is that of ctx, or the reason why not all pages can be recognised now; it is nil if no
// program was configured and none is installed.
func (s *Service) Finish(ctx context.Context) ([]*search.Document, error) {
	if s.Recogniser == nil {
		return nil, nil
	}
	return s.recogniseAll(ctx, func(ctx context.Context) error { return ctx.Err() })
}

// Check makes answers report it if the waiting pages cannot be recognised, unless recognition is in
// progress.
func (s *Service) Check(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.RecordInstalled() || len(s.waiting()) == 0 {
		return
	}
	if err := s.Recogniser.Open(ctx); err != nil && ctx.Err() == nil {
		s.reportProgress(err)
	}
}

// recogniseAll recognises all waiting pages. Before each page it calls before, which may delay it,
// or end the work by an error.
func (s *Service) recogniseAll(ctx context.Context, before func(context.Context) error) (done []*search.Document, err error) {
	if err := before(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting, isInstalled := s.waiting(), s.RecordInstalled()
	if len(waiting) == 0 || isInstalled {
		s.reportProgress(nil)
	}
	if len(waiting) == 0 {
		return nil, nil
	}
	switch err := s.Recogniser.Open(ctx); {
	case errors.Is(err, ocr.ErrNotInstalled):
		return nil, nil // the doctor command reports the cause
	case err != nil:
		s.reportProgress(err)
		return nil, err
	}
	var postponed error
	for _, d := range waiting {
		err = s.Guard.Catch("recognise the text of a document", func() error { return s.recogniseDocument(ctx, d, before) })
		if made, ok := s.Store.Document(d.Location()); ok && made != d {
			done = append(done, made)
		}
		if ocr.IsTransient(err) {
			postponed = postponedError{err}
		}
		if err = s.giveUp(ctx, d, err); err != nil {
			break
		}
	}
	_ = s.waiting() // counts what is left
	if ctx.Err() != nil {
		s.reportProgress(nil) // cancelled rather than failed
		return done, err
	}
	s.reportProgress(err)
	return done, cmp.Or(err, postponed)
}

// waiting lists the documents with waiting pages, pictures last, and counts the pages.
func (s *Service) waiting() (all []*search.Document) {
	left, skipped := 0, 0
	for i := range s.Folders {
		if !s.IsIndexer(i) {
			continue
		}
		for _, d := range s.Store.DocumentsIn(i, live.AnyPath) {
			n, failed := docs.CountUnrecognisedPages(d.Note, d.Skip), s.givenUp[d.Location()]
			switch {
			case n == 0:
			case failed.isOver(d):
				delete(s.givenUp, d.Location())
				left += n
				all = append(all, d)
			case failed.retry.IsZero():
				skipped += n
			default:
				left += n
			}
		}
	}
	if s.scans.Left == 0 {
		s.scans.Total = 0
	}
	s.scans.Total += left - s.scans.Left
	s.scans.Left, s.scans.GivenUp = left, skipped
	slices.SortFunc(all, func(a, b *search.Document) int {
		return cmp.Or(compareBool(docs.IsPicture(a.Path), docs.IsPicture(b.Path)), cmp.Compare(a.Folder, b.Folder), strings.Compare(a.Path, b.Path))
	})
	return all
}

// RecordInstalled records whether a program that recognises text is installed, so that answers
// report the waiting pages, even if Run is not used.
func (s *Service) RecordInstalled() bool {
	isInstalled := s.Recogniser != nil && s.Recogniser.IsInstalled()
	s.Fresh.Update(func(now *freshness.Snapshot) { now.HasRecogniser = isInstalled })
	return isInstalled
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// reportProgress publishes how many pages are left, and why recognition has stopped, if it has.
func (s *Service) reportProgress(err error) {
	s.scans.Failure = message.FromError(err)
	s.Fresh.Update(func(now *freshness.Snapshot) { now.Own.PagesToRecognise = s.scans })
}

// programError is an error that affects all pages rather than a single one.
type programError struct{ error }

func (f programError) Unwrap() error { return f.error }

// postponedError is the reason why documents will be retried later, while others were recognised.
type postponedError struct{ error }

func (p postponedError) Unwrap() error { return p.error }

// giveUp gives up a document for which recognition failed, until it is read again, or for a while
// if the error is transient. It returns errors that are not about the document.
func (s *Service) giveUp(ctx context.Context, d *search.Document, err error) error {
	if err == nil || ctx.Err() != nil || errors.As(err, new(programError)) {
		return err
	}
	failed, next := attempt{}, "after the next start"
	if ocr.IsTransient(err) {
		failed.retry, next = time.Now().Add(retry), retry.String()
	}
	s.Log.Warn("could not recognise the text of a document", "path", s.Folders.ShownPath(d.Location()), "error", err, "next try", next)
	if made, ok := s.Store.Document(d.Location()); ok && made.Hash == d.Hash {
		d = made // indexed again with some of its pages
	}
	failed.readAt = d.ReadAt()
	s.givenUp[d.Location()] = failed
	return nil
}

// recogniseDocument recognises the waiting pages of a document, and has the document indexed again
// with them.
func (s *Service) recogniseDocument(ctx context.Context, d *search.Document, before func(context.Context) error) error {
	raw, err := s.Folders[d.Folder].LoadPicture(ctx, d.Path)
	if err != nil {
		return err
	}
	pages, err := raw.ScannedPages(ctx)
	if err != nil {
		return err
	}
	known := make(ocr.Pages)
	maps.Copy(known, s.Recogniser.Known(ctx, raw.Hash))
	pages = slices.DeleteFunc(pages, func(number int) bool { _, ok := known[number]; return ok })
	s.correctCount(docs.CountUnrecognisedPages(d.Note, d.Skip), len(pages))
	for i, number := range pages {
		if err := before(ctx); err != nil {
			return err
		}
		if !s.IsIndexer(d.Folder) {
			return nil // another process continues
		}
		if now, ok := s.Store.Document(d.Location()); !ok || now.Hash != d.Hash {
			return nil // the file has changed
		}
		s.reportProgress(nil)
		if known[number], err = s.recognisePage(ctx, raw, number, known.LikelyLanguages(number)); err != nil {
			if i%commitEvery > 0 && ctx.Err() == nil {
				// so that the previous pages become searchable
				err = cmp.Or(s.Reread(ctx, d.Location()), err)
			}
			return err
		}
		s.scans.Left = max(0, s.scans.Left-1)
		if done := i + 1; done%commitEvery == 0 && done < len(pages) {
			if err := s.Reread(ctx, d.Location()); err != nil {
				return err
			}
		}
	}
	if kept := s.Recogniser.Known(ctx, raw.Hash); slices.ContainsFunc(pages, func(number int) bool { _, ok := kept[number]; return !ok }) {
		return programError{errors.New("what was recognised cannot be read again")}
	}
	return s.Reread(ctx, d.Location())
}

// correctCount replaces the expected number of pages of a document by the number left after its
// file was read: known pages take no time, and a picture, which counts as one page until then, may
// have several.
func (s *Service) correctCount(expected, left int) {
	s.scans.Left, s.scans.Total = max(0, s.scans.Left+left-expected), max(0, s.scans.Total+left-expected)
	s.reportProgress(nil)
}

// recognisePage recognises one page and stores the result. See ocr.Recogniser.Recognise for
// likely.
func (s *Service) recognisePage(ctx context.Context, raw docs.RawFile, number int, likely string) (page ocr.Page, err error) {
	began := time.Now()
	picture, err := raw.DrawScannedPage(ctx, number)
	skip := new(extract.SkipError)
	switch {
	case errors.As(err, &skip):
		page.NoTextReason = skip.Reason
	case err != nil:
		return page, err
	default:
		page, err = s.Recogniser.Recognise(ctx, picture, likely)
		switch {
		case ocr.IsTransient(err):
			return page, err
		case err != nil:
			return page, programError{fmt.Errorf("recognise text: %w", err)}
		}
		s.recordDuration(time.Since(began))
	}
	if err := s.Recogniser.Save(ctx, raw.Hash, number, page); err != nil {
		return page, programError{err}
	}
	return page, nil
}

// recordDuration records how long a page took, to estimate the time left.
func (s *Service) recordDuration(took time.Duration) {
	const weight = 8 // moving average: the last page counts one eighth
	if s.scans.Each == 0 {
		s.scans.Each = took
	}
	s.scans.Each += (took - s.scans.Each) / weight
}
