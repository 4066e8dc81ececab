package progress

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"vademecum/index/store/catalog"
	"vademecum/index/store/sqlite"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// opened opens an index file for a model.
func opened(t *testing.T, file, model string) *sqlite.Catalog {
	t.Helper()
	c, err := sqlite.Open(t.Context(), sqlite.Location{File: file}, model)
	must(t, err)
	t.Cleanup(func() { _ = c.Close() }) // it may be damaged
	return c
}

// TestNews: what one process posts another hears, that of vectors by model.
func TestNews(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.db")
	c, other := opened(t, file, "m"), opened(t, file, "other")
	if n, err := IndexerReportOf(t.Context(), other); err != nil || n.State.Phase != Scanning || n.Indexer.PID != 0 {
		t.Errorf("before there is any: %+v, %v", n, err)
	}
	if n, err := EmbedderReportOf(t.Context(), other); err != nil || n != (EmbedderReport{}) {
		t.Errorf("before there is any of vectors: %+v, %v", n, err)
	}
	since := time.Unix(1000, 0).UTC()
	want := IndexerReport{Indexer: Indexer{PID: 7, Host: "a", Since: since}, State: State{Phase: Indexing, FilesDone: 1, FilesTotal: 2, Failure: "full", UnwatchedReason: "far"}}
	must(t, want.Post(t.Context(), c))
	if n, err := IndexerReportOf(t.Context(), other); err != nil || n != want {
		t.Errorf("heard is %+v, %v", n, err)
	}
	vectors := EmbedderReport{Since: since, Done: 3, Total: 4, Failure: "away", EmbeddedThroughChange: 5}
	must(t, vectors.Post(t.Context(), c))
	if n, err := EmbedderReportOf(t.Context(), c); err != nil || n != vectors {
		t.Errorf("heard of vectors is %+v, %v", n, err)
	}
	if n, err := EmbedderReportOf(t.Context(), other); err != nil || n != (EmbedderReport{}) {
		t.Errorf("of another model: %+v, %v", n, err)
	}
}

// TestGarbledNews shows damage.
func TestGarbledNews(t *testing.T) {
	c := opened(t, filepath.Join(t.TempDir(), "x.db"), "m")
	must(t, c.SetValue(t.Context(), newsKey, "{"))
	if _, err := IndexerReportOf(t.Context(), c); !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("it fails with %v", err)
	}
}

// TestNewsOfNobody: whoever gives up, or cannot read, hears nothing.
func TestNewsOfNobody(t *testing.T) {
	c := opened(t, filepath.Join(t.TempDir(), "x.db"), "m")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := IndexerReportOf(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("it fails with %v", err)
	}
}

func TestNameOfAnIndexer(t *testing.T) {
	for want, i := range map[string]Indexer{"process 7": {PID: 7}, "process 7 on a": {PID: 7, Host: "a"}} {
		if got := i.String(); got != want {
			t.Errorf("it is called %s, want %s", got, want)
		}
	}
}
