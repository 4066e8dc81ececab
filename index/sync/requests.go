package sync

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/glob"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// IndexerRequest asks the indexer of a folder, another process, to bring areas of it up to date.
type IndexerRequest struct {
	Areas []RequestedArea
	Force bool
	// a process has found damage: the index is to be checked for consistency, and nothing else done
	ChecksForDamageOnly bool `json:"Check,omitempty"`
	// number of processes that have begun to carry out the request and did not finish
	UnfinishedAttempts int `json:"Begun,omitempty"`

	DecodeErr error `json:"-"` // why the request cannot be decoded
}

// Limits on a request: it may have been written by another program.
const (
	longestRequest = 1 << 20 // bytes
	mostRequested  = 10_000  // areas
)

// DecodeRequest decodes the stored text of a request. If the text is invalid, it sets DecodeErr, to be
// reported in the answer: it is no damage of the index.
func DecodeRequest(text string) (r IndexerRequest) {
	if len(text) > longestRequest {
		return IndexerRequest{DecodeErr: errors.New("the request is too long")}
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return IndexerRequest{DecodeErr: errors.New("the request cannot be read")}
	}
	if len(r.Areas) > mostRequested {
		return IndexerRequest{DecodeErr: fmt.Errorf("the request is for %d areas: at most %d", len(r.Areas), mostRequested)}
	}
	for _, a := range r.Areas {
		if a.Base != "" && !filepath.IsLocal(filepath.FromSlash(a.Base)) || !utf8.ValidString(a.Base) {
			return IndexerRequest{DecodeErr: errors.New("the request leaves the folder")}
		}
	}
	return r
}

// RequestedArea is a Subtree in an IndexerRequest, without the number of the folder.
type RequestedArea struct{ Base, Glob string }

// IndexerAnswer is what the indexer of a folder returns to a process that has sent it a request.
type IndexerAnswer struct {
	Report    notice.Report // with paths relative to the folder
	SeenCount int           `json:"Seen"` // number of files and documents in the areas
	Error     string
}

// SubmitRequest stores a request for the indexer of a folder, and returns its number.
func SubmitRequest(ctx context.Context, c *live.Follower, r IndexerRequest) (number int64, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return 0, err
	}
	return c.RequestMailbox().SubmitRequest(ctx, string(text))
}

// updateRequest replaces a waiting request; asked is false if it is no longer waiting.
func updateRequest(ctx context.Context, c *live.Follower, number int64, r IndexerRequest) (asked bool, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return false, err
	}
	return c.RequestMailbox().UpdateRequest(ctx, number, string(text))
}

// postAnswer stores the answer to a request.
func postAnswer(ctx context.Context, c *live.Follower, number int64, a IndexerAnswer) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return c.RequestMailbox().AnswerRequest(ctx, number, string(text))
}

// A process that wants something indexed in a folder that another process indexes asks that
// process, through the catalogue.

// requestFor returns the IndexerRequest that is stored for a syncRequest.
func requestFor(w syncRequest) IndexerRequest {
	r := IndexerRequest{Force: w.Force, ChecksForDamageOnly: w.ChecksForDamageOnly}
	for _, a := range w.Areas {
		glob := ""
		if a.Glob != nil {
			glob = a.Glob.Pattern
		}
		r.Areas = append(r.Areas, RequestedArea{Base: a.Base, Glob: glob})
	}
	return r
}

// requestedAreas returns the areas of a folder in a request.
func requestedAreas(r IndexerRequest, folder int) []Subtree {
	var areas []Subtree
	for _, a := range r.Areas {
		areas = append(areas, Subtree{Folder: folder, Base: a.Base, Glob: glob.Parse(a.Glob)})
	}
	return areas
}

// askEvery is how often a process polls for the answer to its request.
const askEvery = 20 * time.Millisecond

// syncRequest states what to bring up to date in a folder, possibly by another process.
type syncRequest struct {
	Folder              int
	Areas               []Subtree
	Force               bool
	ChecksForDamageOnly bool        // check the consistency of the library, and nothing else
	IsObsolete          func() bool // reports whether the request has become unnecessary; may be nil
}

// requestSync asks the indexer of a folder to carry out a request, or carries it out itself if this
// process becomes the indexer in the meantime.
func (s *Syncer) requestSync(ctx context.Context, w syncRequest) (IndexerAnswer, error) {
	c := s.Store.Follower(w.Folder)
	number, err := SubmitRequest(ctx, c, requestFor(w))
	if err != nil {
		if salvaged, _ := s.moveToMemoryInTurn(ctx); salvaged {
			return s.retryRequest(ctx, w)
		}
		return IndexerAnswer{}, fmt.Errorf("ask the indexer: %w", err)
	}
	if !s.FreshnessPublisher.Current().IsMaintaining {
		defer s.noticeIndexer(ctx, w.Folder, c)()
	}
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		text, err := c.RequestMailbox().ReadAnswer(ctx, number)
		if text == "" && ctx.Err() == nil {
			if mended := s.RepairCatalogs(ctx, RepairRetryInterval); mended != nil {
				return IndexerAnswer{}, mended
			}
			if s.Store.Follower(w.Folder) != c { // the request is lost
				return s.retryRequest(ctx, w)
			}
		}
		switch {
		case text != "":
			return s.takeAnswer(ctx, w.Folder, text)
		case err != nil:
			return IndexerAnswer{}, fmt.Errorf("ask the indexer: %w", err)
		case s.IsIndexer(w.Folder):
			_ = c.RequestMailbox().CancelRequest(ctx, number) // a process that finds it would do the same again
			return s.retryRequest(ctx, w)
		case w.IsObsolete != nil && w.IsObsolete():
			return IndexerAnswer{}, c.RequestMailbox().CancelRequest(ctx, number)
		}
		if !s.FreshnessPublisher.Current().IsMaintaining { // otherwise the loop listens
			_ = s.followIndexer(ctx, w.Folder, c)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			withdrawing, cancel := context.WithTimeout(context.WithoutCancel(ctx), withdrawLimit)
			defer cancel()
			// otherwise it would be carried out without a caller
			_ = c.RequestMailbox().CancelRequest(withdrawing, number)
			return IndexerAnswer{}, ctx.Err()
		}
	}
}

// withdrawLimit is the time limit for withdrawing a request: a stopped process may hold the write
// lock.
const withdrawLimit = 500 * time.Millisecond

// noticeAfter is how long a command waits for another process before it reports that.
const noticeAfter = time.Second

// noticeIndexer has State report, after a while, that this process waits for the indexer of a folder, until
// stop is called.
func (s *Syncer) noticeIndexer(ctx context.Context, folder int, c *live.Follower) (stop func()) {
	report := func(which message.Message) {
		s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.OwnState.WaitingFor = which })
	}
	ctx, cancel := context.WithCancel(ctx)
	var noticing sync.WaitGroup
	noticing.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(noticeAfter):
			}
			n, err := progress.IndexerReportOf(ctx, c)
			if err != nil || n.Indexer == (progress.Indexer{}) { // the indexer has only just started
				continue
			}
			report(message.New("%v indexes %s or recognises text in it: waiting for it", n.Indexer.Message(), present.QuoteName(s.Folders[folder].Dir())))
			return
		}
	})
	return func() {
		cancel()
		noticing.Wait()
		report("")
	}
}

// retryRequest carries out a request that was lost, because the catalogue was replaced or the indexer
// changed. If this process is the indexer now, it does so itself; otherwise it sends the request again.
func (s *Syncer) retryRequest(ctx context.Context, w syncRequest) (IndexerAnswer, error) {
	if !s.IsIndexer(w.Folder) {
		return s.requestSync(ctx, w)
	}
	a, err := s.fulfilRequest(ctx, w.Folder, requestFor(w))
	if errors.Is(err, catalog.ErrLeaseLost) && ctx.Err() == nil {
		return s.requestSync(ctx, w)
	}
	return a, err
}

// takeAnswer decodes an answer and loads what the indexer has committed.
func (s *Syncer) takeAnswer(ctx context.Context, folder int, text string) (a IndexerAnswer, err error) {
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return IndexerAnswer{}, fmt.Errorf("ask the indexer: %w", err)
	}
	if _, err := s.Store.Follow(ctx, folder); err != nil {
		return IndexerAnswer{}, err
	}
	if a.Error != "" {
		return a, errors.New(a.Error)
	}
	return a, nil
}

// fulfilRequest carries out a request, and returns the answer. If another process has become the indexer in
// the meantime, it returns catalog.ErrLeaseLost: the work may be incomplete.
func (s *Syncer) fulfilRequest(ctx context.Context, folder int, wanted IndexerRequest) (IndexerAnswer, error) {
	if wanted.ChecksForDamageOnly {
		return IndexerAnswer{}, s.CheckDamageForOtherProcess(ctx)
	}
	r, areas := s.NewRun(Comparison{}), requestedAreas(wanted, folder)
	err := s.Guard.Catch("do what another process asks for", func() (err error) {
		if r, err = s.IndexAreas(ctx, s.NewRun(Comparison{Force: wanted.Force}), areas); err == nil {
			err = r.WaitBackground(ctx)
		}
		if err == nil && r.isLeaseLost {
			err = catalog.ErrLeaseLost
		}
		return cmp.Or(err, r.FolderMismatchError(areas))
	})
	return s.answerOf(&r.Comparison, folder), err
}

// answerOf returns the IndexerAnswer about a comparison of a folder and the run that followed. Its paths are
// relative to the folder, because other processes may use another name for the folder.
func (s *Syncer) answerOf(r *Comparison, folder int) IndexerAnswer {
	a := IndexerAnswer{Report: r.Report, SeenCount: r.seenCount}
	for i := range a.Report.Skipped {
		a.Report.Skipped[i].Path = strings.TrimPrefix(a.Report.Skipped[i].Path, s.Folders.ShownPath(search.Location{Folder: folder}))
	}
	return a
}

// mostBegun is the number of processes that may end while they carry out a request. After that, the request
// is taken to be the cause, and is refused.
const mostBegun = 3

// AnswerRequest carries out a request and answers it. It first records in the catalogue that it
// begins, so that a request that crashes this process does not crash all following ones.
func (s *Syncer) AnswerRequest(ctx context.Context, folder int, c *live.Follower, number int64, r IndexerRequest) error {
	if r.DecodeErr != nil {
		return postAnswer(ctx, c, number, IndexerAnswer{Error: r.DecodeErr.Error()})
	}
	if r.UnfinishedAttempts >= mostBegun {
		return postAnswer(ctx, c, number, IndexerAnswer{Error: fmt.Sprintf("%d processes ended while they were at this: ask for fewer files at a time", r.UnfinishedAttempts)})
	}
	r.UnfinishedAttempts++
	if asked, err := updateRequest(ctx, c, number, r); err != nil || !asked {
		return err
	}
	a, err := s.fulfilRequest(ctx, folder, r)
	if ctx.Err() != nil || errors.As(err, new(freshness.FolderMismatchError)) || errors.Is(err, catalog.ErrLeaseLost) {
		// given up: the next indexer will carry it out
		r.UnfinishedAttempts--
		_, err := updateRequest(context.WithoutCancel(ctx), c, number, r)
		return err
	}
	if err != nil {
		a.Error = err.Error()
	}
	return postAnswer(ctx, c, number, a)
}

// mergeAnswer adds the work of another process to the report of a run.
func mergeAnswer(r *Run, folder int, a IndexerAnswer) {
	for i, s := range a.Report.Skipped {
		a.Report.Skipped[i].Path = r.s.Folders.ShownPath(search.Location{Folder: folder, Path: s.Path})
	}
	r.seenCount += a.SeenCount
	r.addReport(a.Report)
}

// answerRequests starts to carry out the requests of other processes for a folder, each in a goroutine of
// its own, because it may take long.
func (l *maintenanceLoop) answerRequests(ctx context.Context, folder int, c *live.Follower) {
	d := &l.duties[folder]
	waiting, err := c.RequestMailbox().PendingRequests(ctx)
	if err != nil && ctx.Err() == nil {
		l.s.log.Warn("could not read what another process asks for", "error", err)
	}
	for number, text := range waiting {
		if d.answered[number] {
			continue
		}
		d.answered[number] = true
		l.group.Go(func() {
			if err := l.s.AnswerRequest(ctx, folder, c, number, DecodeRequest(text)); err != nil && ctx.Err() == nil && !catalog.IsDatabaseUnusable(err) { // the loop reports database errors
				l.s.log.Warn("could not answer another process", "error", err)
			}
		})
	}
}
