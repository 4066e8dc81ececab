package sync

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/docs/text"
	"vademecum/embed"
	"vademecum/index/freshness"
	"vademecum/index/indextest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/store/location"
)

var must = indextest.Must

// newProcess makes one on a folder with its index file, and loads that.
func newProcess(t *testing.T, dir, file string, model embed.Embedder) *Syncer {
	t.Helper()
	folders, err := roots.Open([]string{dir}, nil, docs.Opener{}, location.FileStorages{IndexPaths: []string{file}, Model: model.ModelIdentity()})
	must(t, err)
	store := memindex.New(1, model)
	t.Cleanup(func() { must(t, errors.Join(store.Close(), folders.ReleaseLeases(), folders.Close())) })
	c, err := folders[0].Storage.Open(t.Context(), model.ModelIdentity())
	must(t, err)
	_, err = store.Load(t.Context(), 0, c.Catalog)
	must(t, err)
	return New(folders, store, 0, nil, slog.New(slog.DiscardHandler))
}

// two are processes on one folder.
func two(t *testing.T) (first, second *Syncer) {
	t.Helper()
	dir, file, model := t.TempDir(), filepath.Join(t.TempDir(), "x.db"), indextest.NewCountingModel(t)
	return newProcess(t, dir, file, model), newProcess(t, dir, file, model)
}

// unheard is what answers say of the process that indexes, if they do.
func (s *Syncer) unheard() (n notice.Note, ok bool) {
	for _, n := range s.Freshness().AllNotes() {
		switch n.Kind {
		case notice.NoIndexer, notice.IndexerUnresponsive, notice.IndexerBehind:
			return n, true
		}
	}
	return n, false
}

// put has the catalogue of a process hold a document.
func (s *Syncer) put(t *testing.T, path, content string) {
	t.Helper()
	must(t, s.Store.Put(t.Context(), 0, catalog.RecordWithBody{
		Record: catalog.Record{Path: path, Size: int64(len(content)), Chunks: []catalog.Chunk{{Span: text.Span{EndByte: len(content), StartLine: 1, EndLine: 1}, Key: catalog.EmbeddingKey{1}, Terms: analysis.CountTerms(analysis.ChunkNames{}, content)}}},
		Body:   text.Body{Text: content},
	}))
}

// TestDuties: one process has each duty until it gives it back; who has it owes nothing.
func TestDuties(t *testing.T) {
	first, second := two(t)
	if !first.IsIndexer(0) || !first.IsEmbedder(0) {
		t.Fatal("duties that nobody has are not to be had")
	}
	if second.IsIndexer(0) || second.IsEmbedder(0) {
		t.Error("two have a duty")
	}
	if !second.IsEmbedder(search.NoFolder) {
		t.Error("texts that are sent to a process are embedded by nobody")
	}
	second.setUnanswered(0, true)
	must(t, first.Folders.ReleaseLeases())
	must(t, second.Folders.ReleaseLeases()) // which are tried again at once then
	if !second.IsIndexer(0) || !second.IsEmbedder(0) || second.FreshnessPublisher.Current().Folders[0].HasUnansweredRequest() {
		t.Errorf("given back they are not to be had, or the second owes something: %v", second.FreshnessPublisher.Current().Folders[0].HasUnansweredRequest())
	}
	second.Store.Unload(0)
	if second.IsIndexer(0) || second.IsEmbedder(0) {
		t.Error("it has duties for what is not loaded")
	}
}

// TestUnheard: what may be wrong with the process that indexes.
func TestUnheard(t *testing.T) {
	first, second := two(t)
	if n, ok := second.unheard(); ok {
		t.Errorf("at first it says %s", n)
	}
	if second.hasIndexer(t.Context(), 0) {
		t.Error("there is somebody who indexes")
	}
	if n, ok := second.unheard(); !ok || n.Kind != notice.NoIndexer {
		t.Errorf("nobody indexes, and it says %q", n)
	}
	if second.FreshnessPublisher.UpdateFolder(0, func(f *freshness.Folder) { f.LacksIndexer = false }); !second.hasIndexer(t.Context(), 0) {
		t.Error("it looks again at once")
	}
	if !first.IsIndexer(0) {
		t.Fatal("the first cannot index")
	}
	second.FreshnessPublisher.UpdateFolder(0, func(f *freshness.Folder) { f.IndexerSoughtAt = time.Time{} })
	if !second.hasIndexer(t.Context(), 0) {
		t.Error("nobody is seen who indexes")
	}
	NewPublisher(first).Publish(t.Context())
	must(t, second.followIndexer(t.Context(), 0, second.Store.Follower(0)))
	second.setUnanswered(0, true)
	if n, ok := second.unheard(); !ok || n.Kind != notice.IndexerBehind || n.PID != os.Getpid() {
		t.Errorf("it owes something, and it says %+v", n)
	}
	second.Store.Unload(0)
	if n, ok := second.unheard(); ok {
		t.Errorf("of what is not loaded it says %s", n)
	}
}

// TestTelling: another process hears how far the indexer and the embedder are, and takes
// over the vectors.
func TestTelling(t *testing.T) {
	first, second := two(t)
	if !first.IsIndexer(0) || !first.IsEmbedder(0) {
		t.Fatal("it cannot have the duties")
	}
	publisher := NewPublisher(first)
	if len(publisher.lastPost) > 0 {
		t.Error("it has told something")
	}
	first.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.OwnState.Phase = progress.Scanning })
	first.FreshnessPublisher.Update((*freshness.Snapshot).StartRun)
	first.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.ExpectFiles(3) })
	first.put(t, "a.md", "alpha")
	publisher.Publish(t.Context())
	must(t, second.followIndexer(t.Context(), 0, second.Store.Follower(0)))
	if n, err := progress.IndexerReportOf(t.Context(), second.Store.Follower(0)); err != nil || n.Indexer.PID != os.Getpid() || n.Indexer.Host != "" || len(publisher.lastPost) == 0 {
		t.Errorf("the indexer is %v, %v", n.Indexer, err)
	}
	if s := second.FreshnessPublisher.Current().State; s.Phase != progress.Indexing || s.FilesTotal != 3 {
		t.Errorf("it is at %+v", s)
	}
	e, err := second.FollowEmbedder(t.Context(), 0, second.Store.Follower(0))
	if must(t, err); !e.IsEmbeddingDue || !second.FreshnessPublisher.Current().State.IsPeerEmbeddingDue || second.Store.CountMissingVectors(0) != 1 {
		t.Errorf("the embedder is at %+v", e)
	}
	must(t, first.Store.SaveVectors(t.Context(), 0, map[catalog.EmbeddingKey][]float32{{1}: {1, 0, 0, 0}}))
	first.Store.Follower(0).EmbeddedThroughChange.Store(first.Store.Follower(0).LastFollowedChange())
	publisher.Publish(t.Context())
	e, err = second.FollowEmbedder(t.Context(), 0, second.Store.Follower(0))
	if must(t, err); e.IsEmbeddingDue || second.Store.CountMissingVectors(0) != 0 {
		t.Errorf("then the embedder is at %+v, %d have no vector", e, second.Store.CountMissingVectors(0))
	}
}

// vectorsHeard is what a process hears of whoever embeds.
func vectorsHeard(t *testing.T, p *Syncer) progress.EmbedderReport {
	t.Helper()
	n, err := progress.EmbedderReportOf(t.Context(), p.Store.Follower(0))
	must(t, err)
	return n
}

// TestTellingOfFailures: that a model fails, or answers again, is reported at once; how far it
// is, only now and then.
func TestTellingOfFailures(t *testing.T) {
	first, second := two(t)
	if !first.IsEmbedder(0) {
		t.Fatal("it cannot have the duty")
	}
	publisher, c := NewPublisher(first), first.Store.Follower(0)
	tell := func() progress.EmbedderReport {
		last := publisher.lastPost[c]
		last.vectorsAt = time.Now().Add(time.Hour) // as if this was a moment ago
		publisher.lastPost[c] = last
		publisher.Publish(t.Context())
		return vectorsHeard(t, second)
	}
	first.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.BeginEmbedding(10) })
	publisher.Publish(t.Context())
	first.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.AddEmbeddedPassages(5) })
	if n := tell(); n.Total != 10 || n.Done != 0 {
		t.Errorf("a moment later it tells %+v", n)
	}
	first.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.EndEmbedding(errors.New("it is away")) })
	if n := tell(); n.Failure != "it is away" {
		t.Errorf("that it fails is not told: %+v", n)
	}
	first.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.EndEmbedding(nil) })
	if n := tell(); n.Failure != "" {
		t.Errorf("that it answers again is not told: %+v", n)
	}
	first.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.BeginEmbedding(20) })
	publisher.lastPost[c] = lastPublished{vectors: publisher.lastPost[c].vectors, vectorsAt: time.Now().Add(-minReportInterval)}
	if publisher.Publish(t.Context()); vectorsHeard(t, second).Total != 20 {
		t.Error("after a while it does not tell how far it is")
	}
}

// TestShortRuns: a run that is through at once is not worth a word.
func TestShortRuns(t *testing.T) {
	first, second := two(t)
	if !first.IsIndexer(0) {
		t.Fatal("it cannot have the duty")
	}
	publisher, c := NewPublisher(first), first.Store.Follower(0)
	first.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.OwnState.Phase = progress.Scanning })
	first.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.EndRun(nil, true) })
	phase := func() progress.Phase {
		t.Helper()
		publisher.Publish(t.Context())
		n, err := progress.IndexerReportOf(t.Context(), second.Store.Follower(0))
		must(t, err)
		return n.State.Phase
	}
	if got := phase(); got != progress.Ready {
		t.Errorf("at first it tells %s", got)
	}
	first.FreshnessPublisher.Update((*freshness.Snapshot).StartRun)
	first.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.ExpectFiles(1) })
	if got := phase(); got != progress.Ready {
		t.Errorf("as a run begins it tells %s", got)
	}
	last := publisher.lastPost[c]
	last.busy = time.Now().Add(time.Hour) // as if it was this moment
	if publisher.lastPost[c] = last; phase() != progress.Ready {
		t.Error("a moment later it tells of the run")
	}
	last.busy = time.Now().Add(-minReportInterval)
	publisher.lastPost[c] = last
	if got := phase(); got != progress.Indexing {
		t.Errorf("of a long run it tells %s", got)
	}
	first.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.EndRun(nil, true) })
	if got := phase(); got != progress.Ready {
		t.Errorf("in the end it tells %s", got)
	}
}

// TestToldAgain: whoever has forgotten what it told tells it again; of what nobody need wait
// for it tells nothing, nor who has no duty.
func TestToldAgain(t *testing.T) {
	first, second := two(t)
	if !first.IsEmbedder(0) {
		t.Fatal("it cannot have the duty")
	}
	publisher, c := NewPublisher(first), first.Store.Follower(0)
	first.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.EndEmbedding(errors.New("it is away")) })
	publisher.Publish(t.Context())
	must(t, progress.EmbedderReport{}.Post(t.Context(), c))
	if publisher.Publish(t.Context()); vectorsHeard(t, second).Failure != "" {
		t.Error("the same is told twice")
	}
	publisher.forget(c)
	if publisher.Publish(t.Context()); vectorsHeard(t, second).Failure == "" {
		t.Error("what was forgotten is not told again")
	}
	second.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.EndEmbedding(errors.New("not its duty")) })
	if NewPublisher(second).Publish(t.Context()); vectorsHeard(t, second).Failure != "it is away" {
		t.Error("one tells what is not its duty")
	}
	first.Store.ModelProperties.IsCheapToCompute = true
	first.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.EndEmbedding(errors.New("of a free model")) })
	publisher.forget(c)
	if publisher.Publish(t.Context()); vectorsHeard(t, second).Failure != "it is away" {
		t.Error("one tells how far a free model is")
	}
}

// TestFailureToTell is logged, unless it is reported where it matters more.
func TestFailureToTell(t *testing.T) {
	for want, harm := range map[bool]func(p *Syncer, c *live.Follower) error{
		true:  func(p *Syncer, c *live.Follower) error { return p.Store.Close() },
		false: func(p *Syncer, c *live.Follower) error { return nil },
	} {
		p, _ := two(t)
		if !p.IsIndexer(0) {
			t.Fatal("it cannot have the duty")
		}
		var log bytes.Buffer
		p.log = slog.New(slog.NewTextHandler(&log, nil))
		must(t, harm(p, p.Store.Follower(0)))
		if NewPublisher(p).Publish(t.Context()); strings.Contains(log.String(), "could not tell other processes") != want {
			t.Errorf("it says %q", &log)
		}
	}
	for err, want := range map[error]bool{catalog.ErrWriteRejected: true, catalog.ErrDatabaseUnreachable: true, errors.New("else"): false} {
		if got := isReportedElsewhere(fmt.Errorf("post: %w", err)); got != want {
			t.Errorf("%v is told elsewhere: %v", err, got)
		}
	}
}

// TestRequests go to another process and are answered.
func TestRequests(t *testing.T) {
	first, second := two(t)
	want := IndexerRequest{Areas: []RequestedArea{{Base: "sub", Glob: "*.md"}}, Force: true}
	number, err := SubmitRequest(t.Context(), second.Store.Follower(0), want)
	must(t, err)
	c := first.Store.Follower(0)
	waiting, err := c.RequestMailbox().PendingRequests(t.Context())
	must(t, err)
	got := DecodeRequest(waiting[number])
	if len(waiting) != 1 || !reflect.DeepEqual(got, want) {
		t.Errorf("asked is %+v, want %+v", got, want)
	}
	got.UnfinishedAttempts++
	if asked, err := updateRequest(t.Context(), c, number, got); !asked || err != nil {
		t.Errorf("it is asked no more: %v", err)
	}
	waiting, err = c.RequestMailbox().PendingRequests(t.Context())
	if must(t, err); DecodeRequest(waiting[number]).UnfinishedAttempts != 1 {
		t.Errorf("it says %q", waiting[number])
	}
	must(t, postAnswer(t.Context(), c, number, IndexerAnswer{SeenCount: 7, Error: "no"}))
	answer, err := second.Store.Follower(0).RequestMailbox().ReadAnswer(t.Context(), number)
	if must(t, err); !strings.Contains(answer, `"Seen":7`) || !strings.Contains(answer, `"Error":"no"`) {
		t.Errorf("the answer is %s", answer)
	}
	if asked, err := updateRequest(t.Context(), c, number, got); asked || err != nil {
		t.Errorf("what is answered is asked, %v", err)
	}
}

// TestRequestsThatCannotBeMeant are faults, not damage.
func TestRequestsThatCannotBeMeant(t *testing.T) {
	for text, want := range map[string]string{
		"{":                                   "cannot be read",
		strings.Repeat(" ", longestRequest+1): "is too long",
		`{"Areas":[{}` + strings.Repeat(",{}", mostRequested) + `]}`: "is for 10001 areas",
		`{"Areas":[{"Base":"../x"}]}`:                                "leaves the folder",
		`{"Areas":[{"Base":"/etc"}]}`:                                "leaves the folder",
		`{"Areas":[{"Base":"a"},{"Base":""}],"Check":true}`:          "",
	} {
		r := DecodeRequest(text)
		if (r.DecodeErr == nil) != (want == "") || r.DecodeErr != nil && !strings.Contains(r.DecodeErr.Error(), want) {
			t.Errorf("%.30q: %v, want %q", text, r.DecodeErr, want)
		}
	}
}

// TestGarbledReports: a report that cannot be parsed shows that the catalogue is damaged.
func TestGarbledReports(t *testing.T) {
	for name, test := range map[string]struct {
		key    func(catalog.Description) string
		follow func(p *Syncer, c *live.Follower) error
	}{
		"of the indexer": {
			func(catalog.Description) string { return "news" },
			func(p *Syncer, c *live.Follower) error { return p.followIndexer(t.Context(), 0, c) },
		},
		"of the embedder": {
			func(d catalog.Description) string { return d.ModelScopedKey("news") },
			func(p *Syncer, c *live.Follower) error { _, err := p.FollowEmbedder(t.Context(), 0, c); return err },
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, p := two(t)
			c := p.Store.Follower(0)
			if is := c.Condition(); is.State != catalog.Healthy {
				t.Fatalf("at first it is %+v", is)
			}
			must(t, c.SetValue(t.Context(), test.key(c.Describe()), "{"))
			if err := test.follow(p, c); !errors.Is(err, catalog.ErrDamaged) || c.Condition().State != catalog.Damaged {
				t.Errorf("it fails with %v, and is %+v", err, c.Condition())
			}
		})
	}
}
