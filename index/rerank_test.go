package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index/indextest"
	"vademecum/index/notice"
	syncs "vademecum/index/sync"
)

// judge is a Reranker that prefers what the words put last.
type judge struct {
	host string
	fail error

	mu        sync.Mutex
	questions []string
	texts     [][]string
}

func (j *judge) ModelIdentity() string { return "http://judge/v1#m" }
func (j *judge) Host() string          { return j.host }

func (j *judge) Rerank(_ context.Context, question string, texts []string) ([]float64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.questions, j.texts = append(j.questions, question), append(j.texts, texts)
	if j.fail != nil {
		return nil, j.fail
	}
	scores := make([]float64, len(texts))
	for i := range scores {
		scores[i] = float64(i)
	}
	return scores, nil
}

// asked is how often it was asked.
func (j *judge) asked() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.questions)
}

var doses = map[string]string{
	"a.md":       "# Doses\n\nThe dose is small, and no other dose is known.",
	"b.md":       "# More\n\nThe dose is given at night, as it makes tired.",
	"sub/c.md":   "# Long\n\nAmong much that nobody asks about here, and that is of no use to whoever reads it, some dose is named, too.",
	"sub/d.md":   "# Quoted\n\nTake it with bread and water, say the notes on the dose, and not before the meal, nor after.",
	"nothing.md": "# Garden\n\nWater the plants.",
}

// TestReranker: the order is that of the reranker, which is asked about the question in its
// first phrasing and gets what the filter admits alone, in the process that indexes and in
// one that follows.
func TestReranker(t *testing.T) {
	t.Parallel()
	n, file := indextest.NewNotesFolder(t, doses), filepath.Join(t.TempDir(), "x.db")
	for process := range 2 {
		j := &judge{}
		ix := loaded(t, Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.Builtin(t), Logger: indextest.QuietLog, Reranker: j})
		mustSync(t, ix, syncs.Scope{})
		q := Query{Text: "dose", OtherWordings: []string{"dose at night"}, TopK: 10}
		q.WithoutReranker = true
		plain := strings.Fields(found(mustSearch(t, ix, q)))
		if j.asked() != 0 || len(plain) != 4 {
			t.Fatalf("process %d: without it %q is found, and it is asked %q", process, plain, j.questions)
		}
		q.WithoutReranker, q.WithExplanations = false, true
		a := mustSearch(t, ix, q)
		slices.Reverse(plain)
		if got := found(a); got != strings.Join(plain, " ") || len(a.Notes) > 0 {
			t.Errorf("process %d: with it %q is found, want %q (%q)", process, got, plain, a.Notes)
		}
		if j.asked() != 1 || j.questions[0] != "dose" || !slices.ContainsFunc(j.texts[0], func(text string) bool {
			return strings.HasPrefix(text, "Doses\nThe dose is small") || strings.HasPrefix(text, "# Doses")
		}) {
			t.Errorf("process %d: it is asked %q about %q", process, j.questions, j.texts)
		}
		if why := fmt.Sprint(a.Passages[0].Explanation.Lines("en")); !strings.Contains(why, "where the reranker puts it") {
			t.Errorf("process %d: it is explained by %s", process, why)
		}
		q.Filter = Filter{Path: "sub/**"}
		if got := found(mustSearch(t, ix, q)); len(strings.Fields(got)) != 2 || len(j.texts[1]) != 2 {
			t.Errorf("process %d: of one folder %q is found among %q", process, got, j.texts[1])
		}
		if got := found(mustSearch(t, ix, Query{Text: `dose "bread and water"`})); !strings.HasPrefix(got, "sub/d.md") {
			t.Errorf("process %d: with quotation marks %q is found", process, got)
		}
		asked := j.asked()
		if mustSearch(t, ix, Query{Text: "plants"}); j.asked() != asked {
			t.Errorf("process %d: it is asked to put a single passage in order", process)
		}
	}
}

// TestRerankedPages: page after page shows each passage once, those that were judged and those
// behind them.
func TestRerankedPages(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 40 {
		files[fmt.Sprintf("%02d.md", i)] = fmt.Sprintf("The dose of number%d is given%s.", i, strings.Repeat(fmt.Sprintf(" word%d", i), i+1))
	}
	ix := loaded(t, Options{Folders: []string{indextest.NewNotesFolder(t, files).Dir}, InMemory: true, Embedder: indextest.Builtin(t), Logger: indextest.QuietLog, Reranker: &judge{}})
	mustSync(t, ix, syncs.Scope{})
	whole := found(mustSearch(t, ix, Query{Text: "dose", TopK: MaxTopK}))
	var pages []string
	for page := range 4 {
		pages = append(pages, found(mustSearch(t, ix, Query{Text: "dose", TopK: 10, Page: page})))
	}
	if got := strings.Join(pages, " "); got != whole || len(strings.Fields(got)) != len(files) {
		t.Errorf("the pages are\n%s\nwant\n%s", got, whole)
	}
}

// TestRerankerFails: the order stays, nothing is lost, and a note reports why.
func TestRerankerFails(t *testing.T) {
	t.Parallel()
	j := &judge{fail: errors.New("rerank with m: 500 from h: no")}
	ix := loaded(t, Options{Folders: []string{indextest.NewNotesFolder(t, doses).Dir}, InMemory: true, Embedder: indextest.Builtin(t), Logger: indextest.QuietLog, Reranker: j})
	mustSync(t, ix, syncs.Scope{})
	q := Query{Text: "dose", TopK: 10, WithoutReranker: true}
	want := found(mustSearch(t, ix, q))
	q.WithoutReranker = false
	a := mustSearch(t, ix, q)
	if got := found(a); got != want {
		t.Errorf("%q is found, want %q", got, want)
	}
	if notes := notice.EnglishLines(a.Notes); len(notes) != 1 || notes[0] != "Not reranked: the reranker did not answer (rerank with m: 500 from h: no)." {
		t.Errorf("it says %q", notes)
	}
}

// TestRerankedTexts: texts that a client sends are put in order, too.
func TestRerankedTexts(t *testing.T) {
	t.Parallel()
	j := &judge{}
	ix := loaded(t, Options{Folders: []string{indextest.NewNotesFolder(t, doses).Dir}, InMemory: true, Embedder: indextest.Builtin(t), Logger: indextest.QuietLog, Reranker: j})
	texts := ix.NewForClientTexts()
	keepRunning(t, texts)
	_, _, err := texts.AddTexts(t.Context(), []string{doses["a.md"], doses["b.md"]}, nil)
	indextest.Must(t, err)
	if mustSearch(t, texts, Query{Text: "dose"}); j.asked() != 1 {
		t.Errorf("it is asked %d times", j.asked())
	}
}

// silent is a Reranker that says nothing.
type silent struct{ judge }

func (s *silent) Rerank(ctx context.Context, _ string, _ []string) ([]float64, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestRerankPatience: a question waits for a while, or as long as it is told to.
func TestRerankPatience(t *testing.T) {
	t.Parallel()
	for given, want := range map[time.Duration]time.Duration{0: RerankTimeout, 7 * time.Second: 7 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			r := Options{Reranker: new(silent), RerankTimeout: given, Logger: indextest.QuietLog}.newRerankClient(nil, nil)
			began := time.Now()
			scores, notes := r.scoreTexts(t.Context(), "dose", []string{"a", "b"})
			if took := time.Since(began); took != want || scores != nil || len(notes) != 1 || notes[0].Kind != notice.RerankerSlow || notes[0].Duration != want {
				t.Errorf("after %v it says %q, with %v", took, notice.EnglishLines(notes), scores)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, notes := r.scoreTexts(ctx, "dose", []string{"a", "b"}); len(notes) != 1 || notes[0].Kind != notice.RerankerFailed {
				t.Errorf("given up it says %q", notice.EnglishLines(notes))
			}
		})
	}
}

// TestRerankHostIsTold before the first time that passages go there, once for all processes,
// and from then on by the status.
func TestRerankHostIsTold(t *testing.T) {
	t.Parallel()
	n, file := indextest.NewNotesFolder(t, doses), filepath.Join(t.TempDir(), "x.db")
	var log bytes.Buffer
	for i, step := range []struct {
		host string
		told int
	}{{"", 0}, {"api.example.com", 1}, {"api.example.com", 1}, {"other.example.com", 2}, {"", 2}} {
		o := Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.Builtin(t), Logger: slog.New(slog.NewTextHandler(&log, nil))}
		o.Reranker = &judge{host: step.host}
		ix, err := New(o)
		indextest.Must(t, err)
		indextest.Must(t, ix.Load(t.Context()))
		mustSync(t, ix, syncs.Scope{})
		mustSearch(t, ix, Query{Text: "dose", WithoutReranker: true})
		before, err := ix.Overview(t.Context())
		if indextest.Must(t, err); step.host != "" && before.Folders[0].RerankHost != step.host {
			t.Errorf("step %d: before the first question the page tells %q", i, before.Folders[0].RerankHost)
		}
		for range 2 {
			mustSearch(t, ix, Query{Text: "dose"})
		}
		indextest.Must(t, ix.Close())
		if told := strings.Count(log.String(), "the host of the reranker"); told != step.told || step.host != "" && !strings.Contains(log.String(), "host="+step.host) {
			t.Errorf("step %d: it is told %d times, want %d: %s", i, told, step.told, &log)
		}
		ix, err = New(Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.Builtin(t), Logger: indextest.QuietLog})
		indextest.Must(t, err)
		s, err := ix.Status(t.Context())
		if indextest.Must(t, err); s.Folders[0].RerankHost != step.host {
			t.Errorf("step %d: the status tells %q", i, s.Folders[0].RerankHost)
		}
		indextest.Must(t, ix.Close())
	}
}
