package index

import (
	"errors"
	"log/slog"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"vademecum/embed"
	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync"
	"vademecum/internal/base/script"
)

// TestRefusalsAreKept: what the model refuses is listed with its reason and not
// sent again, by no process, until all is read again.
func TestRefusalsAreKept(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b.md": "# Title\n\nnever take this"})
	o := Options{Folders: []string{n.Dir}, IndexPaths: []string{filepath.Join(t.TempDir(), "x.db")}}
	refusing := indextest.NewCountingModel(t)
	refusing.RefusedWord = "never"
	o.Embedder = refusing
	first := loaded(t, o)
	other := loaded(t, o)
	mustSync(t, first, sync.Scope{})
	followAll(t, other)
	willing := indextest.NewCountingModel(t)
	o.Embedder = willing
	later := loaded(t, o)
	want := []notice.SkippedFile{{Path: "b.md, lines 1-3", Reason: "400: the input is too long"}}
	for name, ix := range map[string]*Index{"the first": first, "another process": other, "a later one": later} {
		if got, err := ix.refusedPassages(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s lists %v, %v", name, got, err)
		}
	}
	mustSync(t, later, sync.Scope{})
	if n := willing.TakeCount(); n != 0 {
		t.Errorf("%d texts were sent again", n)
	}
	status, err := loadedStatus(t, o)
	if err != nil || !reflect.DeepEqual(status.RefusedPassages, want) {
		t.Errorf("status lists %v, %v", status.RefusedPassages, err)
	}
	mustSync(t, later, sync.Scope{Force: true})
	left, err := later.refusedPassages(t.Context())
	if n := willing.TakeCount(); n != 1 || err != nil || len(left) != 0 {
		t.Errorf("with force %d texts were sent, and %v is refused, %v", n, left, err)
	}
}

func loadedStatus(t *testing.T, o Options) (Status, error) {
	t.Helper()
	ix, err := New(o)
	indextest.Must(t, err)
	s, err := ix.Status(t.Context())
	return s, errors.Join(err, ix.Close())
}

// TestEstimate compares with what is embedded then, and checks that nothing is
// sent or saved by the estimate itself.
func TestEstimate(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "copy.md": "alpha", "b.md": "beta 高血压", "c.bin": "\x00\x01\x02"})
	model := indextest.NewCountingModel(t)
	o := Options{Folders: []string{n.Dir}, IndexPaths: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: model}
	estimate := func() sync.Estimate {
		t.Helper()
		ix, err := New(o)
		indextest.Must(t, err)
		e, err := ix.Estimate(t.Context())
		indextest.Must(t, errors.Join(err, ix.Close()))
		return e
	}
	e := estimate()
	if e.Files != 3 || e.Chunks != 3 || e.TextsToEmbed != 2 || e.Tokens != script.EstimateTokens("alpha")+script.EstimateTokens("beta 高血压") {
		t.Errorf("%+v", e)
	}
	if model.TakeCount() != 0 {
		t.Error("texts were sent")
	}
	ix := loaded(t, o)
	if documents := ix.store.CountDocuments(); documents != 0 {
		t.Error("something was saved")
	}
	mustSync(t, ix, sync.Scope{})
	if n := model.TakeCount(); n != e.TextsToEmbed {
		t.Errorf("%d texts were sent", n)
	}
	n.Write("d.md", "delta")
	if e = estimate(); e.Files != 4 || e.TextsToEmbed != 1 {
		t.Errorf("the second time: %+v", e)
	}
}

// TestHostIsTold: the first time that text goes elsewhere it is said, and status
// says it always.
func TestHostIsTold(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	model := indextest.NewCountingModel(t)
	o := Options{Folders: []string{n.Dir}, IndexPaths: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: model}
	for _, use := range []struct {
		host string
		told bool
	}{{"", false}, {"api.example", true}, {"api.example", false}, {"other.example", true}, {"", false}} {
		said := &strings.Builder{}
		model.Host, o.Logger = use.host, slog.New(slog.NewTextHandler(said, nil))
		loaded(t, o)
		if told := strings.Contains(said.String(), "host="+use.host); use.host != "" && told != use.told || use.host == "" && said.Len() > 0 {
			t.Errorf("with %q: %s", use.host, said)
		}
		if s, err := loadedStatus(t, o); err != nil || s.Folders[0].ModelHost != use.host {
			t.Errorf("status says %q, %v", s.Folders[0].ModelHost, err)
		}
	}
}

// TestVectorsOnTheirWay: passages that wait for their vectors are not called
// refused, and those that wait for the built-in embedding not at all.
func TestVectorsOnTheirWay(t *testing.T) {
	t.Parallel()
	for e, want := range map[embed.Embedder]string{indextest.Builtin(t): "", indextest.NewCountingModel(t): "1 of 1 passages have no vector yet and are found by their words only."} {
		ix := open(t, t.TempDir(), e, indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}).Dir)
		if _, err := ix.Sync(t.Context(), sync.Scope{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(notice.EnglishLines(ix.FreshnessNotes()), "\n"); got != want {
			t.Errorf("%s: it says %q, want %q", e.ModelIdentity(), got, want)
		}
	}
}
