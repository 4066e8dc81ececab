package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"vademecum/docs"
	"vademecum/docs/extract"
	"vademecum/docs/ocr"
	"vademecum/index/freshness"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// Recognition recognises the text of scanned pages in the folders that this process indexes: one
// page at a time, when there is nothing else to index. It stores no state of its own on disk: the
// note of a document says how many of its pages are waiting (see docs.CountUnrecognisedPages), and
// package ocr stores the recognised text, so that interrupted work is resumed where it stopped.
type Recognition struct {
	s          *Syncer
	recogniser *ocr.Recogniser // nil if no text is recognised

	mu      sync.Mutex // held during recognition, which Run, a command or a status may begin
	givenUp map[search.Location]failedRecognition
	scans   progress.PagesToRecognise // numbers of waiting pages, as published
}

// failedRecognition is a failed attempt to recognise a document.
type failedRecognition struct {
	// time when the document was read: it is tried again after it has been read again
	readAt time.Time
	retry  time.Time // time of the next attempt in any case; zero means after the next start
}

// isOver reports whether recognition of the document is to be tried again.
func (a failedRecognition) isOver(d *search.Document) bool {
	return !a.readAt.Equal(d.ReadAt()) || !a.retry.IsZero() && !time.Now().Before(a.retry)
}

const (
	// retryRecognition is how long to wait after the program failed, or after a transient error for a
	// document.
	retryRecognition = 10 * time.Minute
	// commitPagesEvery is after how many recognised pages a document with more of them is indexed again.
	commitPagesEvery = 25
)

// Run recognises the waiting pages whenever there is nothing to index, until ctx ends.
func (r *Recognition) Run(ctx context.Context) {
	if r.recogniser == nil {
		r.s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.OwnState.PagesToRecognise = progress.PagesToRecognise{IsOff: true} })
		return
	}
	r.DetectProgram()
	changes := r.s.FreshnessPublisher.Changes(ctx)
	for ctx.Err() == nil {
		again := changes
		err := r.s.Guard.Catch("recognise the text of scans", func() error {
			_, err := r.recogniseAll(ctx, r.awaitIdle)
			return err
		})
		if err != nil && ctx.Err() == nil && !errors.As(err, new(postponedError)) {
			r.s.log.Warn("no text is recognised", "error", err, "next try", retryRecognition)
			again = nil
		}
		select {
		case <-ctx.Done():
		case <-again:
		case <-r.retryTimer(again == nil):
		}
	}
}

// retryTimer returns a channel that is ready when the program or a document is to be tried again
// after a failure; nil if neither is.
func (r *Recognition) retryTimer(hasProgramFailed bool) <-chan time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range r.givenUp {
		hasProgramFailed = hasProgramFailed || !a.retry.IsZero()
	}
	if !hasProgramFailed {
		return nil
	}
	return time.After(retryRecognition)
}

// awaitIdle waits until there is nothing to index.
func (r *Recognition) awaitIdle(ctx context.Context) error {
	return r.s.FreshnessPublisher.Wait(ctx, func(now freshness.Snapshot) bool { return now.State.Phase == progress.Ready && !now.State.IsBehind() })
}

// RecogniseNow recognises the waiting pages now, and returns the documents that were indexed again. The
// error is that of ctx, or the reason why not all pages can be recognised now; it is nil if no
// program was configured and none is installed.
func (r *Recognition) RecogniseNow(ctx context.Context) ([]*search.Document, error) {
	if r.recogniser == nil {
		return nil, nil
	}
	return r.recogniseAll(ctx, func(ctx context.Context) error { return ctx.Err() })
}

// CheckRecogniser tries to start the program that recognises text if pages are waiting for it. If that
// fails, answers report that the pages cannot be recognised.
func (r *Recognition) CheckRecogniser(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.DetectProgram() || len(r.waiting()) == 0 {
		return
	}
	if err := r.recogniser.Open(ctx); err != nil && ctx.Err() == nil {
		r.reportProgress(err)
	}
}

// recogniseAll recognises all waiting pages, and returns the documents that were indexed again. Before each
// page it calls before, which may delay it, or end the work by returning an error.
func (r *Recognition) recogniseAll(ctx context.Context, before func(context.Context) error) (done []*search.Document, err error) {
	if err := before(ctx); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	waiting, isInstalled := r.waiting(), r.DetectProgram()
	if len(waiting) == 0 || isInstalled {
		r.reportProgress(nil)
	}
	if len(waiting) == 0 {
		return nil, nil
	}
	switch err := r.recogniser.Open(ctx); {
	case errors.Is(err, ocr.ErrNotInstalled):
		return nil, nil // the doctor command reports the cause
	case err != nil:
		r.reportProgress(err)
		return nil, err
	}
	var postponed error
	for _, d := range waiting {
		err = r.s.Guard.Catch("recognise the text of a document", func() error { return r.recogniseDocument(ctx, d, before) })
		if made, ok := r.s.Store.Document(d.Location()); ok && made != d {
			done = append(done, made)
		}
		if ocr.IsTransient(err) {
			postponed = postponedError{err}
		}
		if err = r.giveUp(ctx, d, err); err != nil {
			break
		}
	}
	_ = r.waiting() // counts what is left
	if ctx.Err() != nil {
		r.reportProgress(nil) // cancelled rather than failed
		return done, err
	}
	r.reportProgress(err)
	return done, cmp.Or(err, postponed)
}

// waiting lists the documents with pages that wait to be recognised, pictures last, and records the number
// of these pages.
func (r *Recognition) waiting() (all []*search.Document) {
	left, skipped := 0, 0
	for i := range r.s.Folders {
		if !r.s.IsIndexer(i) || r.s.Store.CountFolder(i).UnrecognisedPages == 0 {
			continue
		}
		for _, d := range r.s.Store.DocumentsIn(i, live.AnyPath) {
			n, failed := docs.CountUnrecognisedPages(d.ExtractionNote, d.SkipReason), r.givenUp[d.Location()]
			switch {
			case n == 0:
			case failed.isOver(d):
				delete(r.givenUp, d.Location())
				left += n
				all = append(all, d)
			case failed.retry.IsZero():
				skipped += n
			default:
				left += n
			}
		}
	}
	if r.scans.Left == 0 {
		r.scans.Total = 0
	}
	r.scans.Total += left - r.scans.Left
	r.scans.Left, r.scans.GivenUp = left, skipped
	slices.SortFunc(all, func(a, b *search.Document) int {
		if isPicture := docs.IsPicture(a.Path); isPicture != docs.IsPicture(b.Path) {
			if isPicture {
				return 1
			}
			return -1
		}
		return compareLocations(a.Location(), b.Location())
	})
	return all
}

// DetectProgram reports whether a program that recognises text is installed. It also records that, so
// that answers report the waiting pages even if Run is not used.
func (r *Recognition) DetectProgram() bool {
	isInstalled := r.recogniser != nil && r.recogniser.IsInstalled()
	r.s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.HasRecogniser = isInstalled })
	return isInstalled
}

// reportProgress publishes how many pages are left, and why recognition has stopped, if it has.
func (r *Recognition) reportProgress(err error) {
	r.scans.Failure = message.FromError(err)
	r.s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.OwnState.PagesToRecognise = r.scans })
}

// programError is an error that affects all pages rather than a single one.
type programError struct{ error }

func (f programError) Unwrap() error { return f.error }

// postponedError is the reason why documents will be retried later, while others were recognised.
type postponedError struct{ error }

func (p postponedError) Unwrap() error { return p.error }

// giveUp records that recognition of a document failed. It is not tried again before the document is read
// again, or for a while if the error is transient. giveUp returns an error that is not about the
// document.
func (r *Recognition) giveUp(ctx context.Context, d *search.Document, err error) error {
	if err == nil || ctx.Err() != nil || errors.As(err, new(programError)) {
		return err
	}
	failed, next := failedRecognition{}, "after the next start"
	if ocr.IsTransient(err) {
		failed.retry, next = time.Now().Add(retryRecognition), retryRecognition.String()
	}
	r.s.log.Warn("could not recognise the text of a document", "path", r.s.Folders.ShownPath(d.Location()), "error", err, "next try", next)
	if made, ok := r.s.Store.Document(d.Location()); ok && made.Hash == d.Hash {
		d = made // indexed again with some of its pages
	}
	failed.readAt = d.ReadAt()
	r.givenUp[d.Location()] = failed
	return nil
}

// recogniseDocument recognises the waiting pages of a document, and has the document indexed again
// with them.
func (r *Recognition) recogniseDocument(ctx context.Context, d *search.Document, before func(context.Context) error) error {
	raw, err := r.s.Folders[d.Folder].LoadPicture(ctx, d.Path)
	if err != nil {
		return err
	}
	pages, err := raw.ScannedPages(ctx)
	if err != nil {
		return err
	}
	known := make(ocr.Pages)
	maps.Copy(known, r.recogniser.StoredPages(ctx, raw.Hash))
	pages = slices.DeleteFunc(pages, func(number int) bool { _, ok := known[number]; return ok })
	r.correctCount(docs.CountUnrecognisedPages(d.ExtractionNote, d.SkipReason), len(pages))
	for i, number := range pages {
		if err := before(ctx); err != nil {
			return err
		}
		if !r.s.IsIndexer(d.Folder) {
			return nil // another process continues
		}
		if now, ok := r.s.Store.Document(d.Location()); !ok || now.Hash != d.Hash {
			return nil // the file has changed
		}
		r.reportProgress(nil)
		if known[number], err = r.recognisePage(ctx, raw, number, known.LikelyLanguages(number)); err != nil {
			if i%commitPagesEvery > 0 && ctx.Err() == nil {
				// so that the previous pages become searchable
				err = cmp.Or(r.s.rereadFile(ctx, d.Location()), err)
			}
			return err
		}
		r.scans.Left = max(0, r.scans.Left-1)
		if done := i + 1; done%commitPagesEvery == 0 && done < len(pages) {
			if err := r.s.rereadFile(ctx, d.Location()); err != nil {
				return err
			}
		}
	}
	if kept := r.recogniser.StoredPages(ctx, raw.Hash); slices.ContainsFunc(pages, func(number int) bool { _, ok := kept[number]; return !ok }) {
		return programError{errors.New("what was recognised cannot be read again")}
	}
	return r.s.rereadFile(ctx, d.Location())
}

// correctCount replaces the expected number of pages of a document by the number left after its
// file was read: known pages take no time, and a picture, which counts as one page until then, may
// have several.
func (r *Recognition) correctCount(expected, left int) {
	r.scans.Left, r.scans.Total = max(0, r.scans.Left+left-expected), max(0, r.scans.Total+left-expected)
	r.reportProgress(nil)
}

// recognisePage recognises one page and stores the result. See ocr.Recogniser.Recognise for
// likely.
func (r *Recognition) recognisePage(ctx context.Context, raw docs.RawFile, number int, likely string) (page ocr.Page, err error) {
	began := time.Now()
	picture, err := raw.DrawScannedPage(ctx, number)
	skip := new(extract.SkipError)
	switch {
	case errors.As(err, &skip):
		page.NoTextReason = skip.Reason
	case err != nil:
		return page, err
	default:
		page, err = r.recogniser.Recognise(ctx, picture, likely)
		switch {
		case ocr.IsTransient(err):
			return page, err
		case err != nil:
			return page, programError{fmt.Errorf("recognise text: %w", err)}
		}
		took := time.Since(began)
		const weight = 8 // moving average: the last page counts one eighth
		if r.scans.TimePerPage == 0 {
			r.scans.TimePerPage = took
		}
		r.scans.TimePerPage += (took - r.scans.TimePerPage) / weight
	}
	if err := r.recogniser.Save(ctx, raw.Hash, number, page); err != nil {
		return page, programError{err}
	}
	return page, nil
}

// rereadFile indexes a file again, which may be a picture, with the recognised text of its pages.
// The error is ingest.ErrFileRemoved if the file does not exist.
func (s *Syncer) rereadFile(ctx context.Context, at search.Location) error {
	files, err := s.Folders[at.Folder].Scan(ctx, at.Path)
	if err != nil {
		return err
	}
	if len(files) != 1 || files[0].Path != at.Path {
		return ingest.ErrFileRemoved
	}
	file := files[0]
	if file.NeedsOCR() {
		file.SkipReason = ""
	}
	err = s.Guard.Catch("index a file", func() error {
		_, err := s.readInBackground(ctx, &backgroundFile{at: at, file: file, force: true}, file)
		return err
	})
	s.Embedding.Wake()
	s.FreshnessPublisher.SignalDocumentChange()
	return err
}
