package mcp

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/operations"
	"vademecum/index/progress"
)

// indexLimit is how long a call of index_docs waits for its run, as hosts give up after about a
// minute and some sooner. The run itself continues.
const indexLimit = 20 * time.Second

// update brings the index up to date for a call of index_docs, and returns the text of the result.
func (s *Server) update(ctx context.Context, req *mcp.CallToolRequest, u operations.UpdateRequest) (string, error) {
	limit := time.NewTimer(indexLimit)
	defer limit.Stop()
	if err := s.library.WaitFresh(ctx, index.WaitPurposeSync); err != nil {
		return "", err
	}
	var f *indexJob
	if len(u.TextsToKeep) > 0 {
		d, err := s.textsFor(ctx, req.Session)
		if err != nil {
			return "", err
		}
		f = s.jobs.joinTexts(u.TextsToKeep, d)
		defer s.listeners.wakeUp()
	} else {
		f = s.jobs.joinSync(s.life, index.Scope{Paths: u.Paths, Force: u.Force, CheckTexts: true}, s.library)
	}
	defer s.jobs.release(f)
	return s.awaitJob(ctx, req, f, limit.C)
}

// indexJobs are the unfinished runs that index_docs has started. A call with the key of such a run
// joins it. A run continues if its calls reach their time limit, and is cancelled if all of them
// are cancelled.
type indexJobs struct {
	mu   sync.Mutex
	open map[string]*indexJob
}

type indexJob struct {
	key     string
	library Library      // library that is updated
	texts   int          // number of texts to add; 0 if the run is about files
	empty   []string     // names of texts that are empty, and left out
	found   atomic.Int64 // number of texts that can be found so far
	done    chan struct{}
	report  notice.Report // what was indexed, of a run about files
	added   int           // number of texts that are new
	err     error
	stop    func()
	waiting int
	kept    bool // a call has reached its time limit, so the run continues even if no call waits for it
}

func (fs *indexJobs) joinSync(life context.Context, scope index.Scope, library Library) *indexJob {
	f := &indexJob{key: fmt.Sprintf("%t %q", scope.Force, scope.Paths), library: library}
	return fs.startOrJoin(life, f, func(ctx context.Context, f *indexJob) {
		var mismatch index.FolderMismatchError
		if f.report, f.err = library.Sync(ctx, scope); errors.As(f.err, &mismatch) && mismatch.IsPartlyFresh {
			f.err = nil // the notes name the folders that were skipped
		}
	})
}

func (fs *indexJobs) joinTexts(texts []string, d *sessionTexts) *indexJob {
	sum := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(sum, "%d\n", len(text)) // writing to a hash never fails
		_, _ = io.WriteString(sum, text)
	}
	f := &indexJob{key: fmt.Sprintf("texts %p %x", d, sum.Sum(nil)), library: d.library}
	for i, text := range texts {
		if index.IsEmptyText(text) {
			f.empty = append(f.empty, fmt.Sprintf("docs[%d]", i))
		} else {
			f.texts++
		}
	}
	return fs.startOrJoin(d.ctx, f, func(ctx context.Context, f *indexJob) {
		progress := make(chan int)
		defer close(progress)
		go func() {
			for found := range progress {
				f.found.Store(int64(found))
			}
		}()
		f.added, f.err = d.addTexts(ctx, texts, progress)
	})
}

// startOrJoin starts a run, or joins the one with the same key.
func (fs *indexJobs) startOrJoin(life context.Context, f *indexJob, run func(context.Context, *indexJob)) *indexJob {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if open := fs.open[f.key]; open != nil {
		open.waiting++
		return open
	}
	ctx, stop := context.WithCancel(life)
	f.done, f.stop, f.waiting = make(chan struct{}), stop, 1
	if fs.open == nil {
		fs.open = make(map[string]*indexJob)
	}
	fs.open[f.key] = f
	go func() {
		defer stop()
		defer close(f.done)
		defer func() {
			if p := recover(); p != nil {
				logPanic(slog.Default(), "index_docs", p)
				f.err = fmt.Errorf("internal error: %v", p)
			}
			fs.mu.Lock()
			defer fs.mu.Unlock()
			fs.remove(f)
		}()
		run(ctx, f)
	}()
	return f
}

// release ends the waiting of a call for a run. If all its calls were cancelled, the last one
// cancels the run.
func (fs *indexJobs) release(f *indexJob) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if f.waiting--; f.waiting == 0 && !f.kept {
		f.stop()
		fs.remove(f)
	}
}

// remove forgets a run, so that the next call starts a new one.
func (fs *indexJobs) remove(f *indexJob) {
	if fs.open[f.key] == f {
		delete(fs.open, f.key)
	}
}

func (fs *indexJobs) retain(f *indexJob) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f.kept = true
}

// awaitJob waits until a run ends or the time limit is reached, and returns the text of the result.
// Meanwhile it reports progress to the client.
func (s *Server) awaitJob(ctx context.Context, req *mcp.CallToolRequest, f *indexJob, limit <-chan time.Time) (string, error) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-f.done:
			if f.err != nil {
				return "", f.err
			}
			// vectors may still be missing
			if err := f.library.WaitFresh(ctx, index.WaitPurposeAnswer); err != nil {
				return "", err
			}
			text, err := f.describeResult(ctx, s.sessionTexts.find(textsOwnerOf(ctx, req.Session)))
			if err != nil {
				return "", err
			}
			return operations.WithNotes(text, notice.EnglishLines(f.library.FreshnessNotes())), nil
		case <-ctx.Done():
			return "", ctx.Err()
		case <-limit:
			s.jobs.retain(f)
			if f.texts > 0 {
				return fmt.Sprintf("Still indexing: %d of %d texts can be found; it goes on by itself. Call index_docs again with the same docs to see how far it is.", f.found.Load(), f.texts), nil
			}
			return describeState(f.library.State()), nil
		case <-tick.C:
			s.notifyProgress(ctx, req, f)
		}
	}
}

func (s *Server) notifyProgress(ctx context.Context, req *mcp.CallToolRequest, f *indexJob) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return
	}
	if f.texts > 0 {
		found := f.found.Load()
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: float64(found), Total: float64(f.texts),
			Message: fmt.Sprintf("%d of %d texts", found, f.texts),
		})
		return
	}
	state := f.library.State()
	if state.FilesTotal == 0 {
		return
	}
	_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: token, Progress: float64(state.FilesDone), Total: float64(state.FilesTotal),
		Message: notice.FilesDone(state.FilesDone, state.FilesTotal).String(),
	}) // errors do not matter: progress is optional
}

// describeResult returns the text of the result of a run that has ended. texts are those of the
// caller; nil if there are none.
func (f *indexJob) describeResult(ctx context.Context, texts *sessionTexts) (string, error) {
	if f.texts == 0 {
		report := f.report
		if texts != nil {
			kept, err := texts.texts.List(ctx, index.Filter{})
			if err != nil {
				return "", err
			}
			report.ClientTexts = len(kept)
			report.SearchableDocuments += len(kept)
		}
		return report.String(), nil
	}
	all, err := f.library.List(ctx, index.Filter{})
	if err != nil {
		return "", err
	}
	total := len(slices.DeleteFunc(all, func(d index.Document) bool { return d.SkipReason != "" }))
	// clients that send what they have read look for the number of texts that they have sent
	line := fmt.Sprintf("Indexed %s; %d in total.", notice.CountNoun(f.texts, "document"), total)
	if f.added < f.texts {
		line += fmt.Sprintf("\nOf these, indexed before: %s.", notice.CountNoun(f.texts-f.added, "document"))
	}
	if len(f.empty) > 0 {
		line += fmt.Sprintf("\nNot indexed, as there is no text in it: %s.", joinSome(f.empty))
	}
	return line, nil
}

func describeState(s progress.State) string {
	if s.RemoveTotal > 0 {
		return fmt.Sprintf("Still removing: %s; it goes on by itself. Call index_docs again to see how far it is.", notice.DocumentsRemoved(s.RemoveDone, s.RemoveTotal))
	}
	if s.FilesTotal == 0 {
		return "Still comparing the folder with the index; it goes on by itself. Call index_docs again to see how far it is."
	}
	return fmt.Sprintf("Still indexing: %s are done; it goes on by itself. Call index_docs again to see how far it is.", notice.FilesDone(s.FilesDone, s.FilesTotal))
}

// mostNamed is the maximum number of texts that a result names.
const mostNamed = 20

// joinSome joins the first of some names, with the number of the others.
func joinSome(names []string) string {
	more := len(names) - mostNamed
	if more <= 0 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNamed], ", "), more)
}
