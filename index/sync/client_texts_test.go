package sync_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

func ferretTexts(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("Text %d tells of ferret number %d.", i, i)
	}
	return texts
}

func TestLimitsOfTexts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}).Dir)
	sent := ix
	syncertest.MustSync(t, ix, sync.Scope{})
	large := func(n int) []string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf("%d%s", i, strings.Repeat(" ", sync.MaxClientTextBytes-100))
		}
		return all
	}
	for _, tt := range []struct {
		texts []string
		want  string
	}{
		{ferretTexts(sync.MaxClientTexts + 1), "docs holds 10001 texts: at most 10000, put the documents into the folder instead"},
		{[]string{"fine", strings.Repeat("x", sync.MaxClientTextBytes+1)}, "docs[1] is longer than 16.0 MB: put"},
		{large(5), "docs and the texts sent before have 80.0 MB: at most 64.0 MB, put"},
		{[]string{"", "\n"}, "docs[0] is empty"},
	} {
		_, _, err := sent.AddTexts(t.Context(), tt.texts, nil)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%d texts: error %v, want %s", len(tt.texts), err, tt.want)
		}
	}
	if n := ix.Store.CountDocuments(); n != 1 {
		t.Errorf("something was added: there are %d documents", n)
	}

	// What was sent before counts, but not twice.
	four := large(4)
	if _, added, err := sent.AddTexts(t.Context(), four, nil); err != nil || added != 4 {
		t.Fatalf("added %d, %v", added, err)
	}
	if found, added, err := sent.AddTexts(t.Context(), four, nil); err != nil || found != 4 || added != 0 {
		t.Errorf("the same again: found %d, added %d, %v", found, added, err)
	}
	if _, added, err := sent.AddTexts(t.Context(), large(5), nil); err == nil || added != 0 {
		t.Errorf("one more: added %d, %v", added, err)
	}
}

func TestTextsThatWereAddedStay(t *testing.T) {
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}).Dir)
	sent := ix
	syncertest.MustSync(t, ix, sync.Scope{})
	ctx, cancel := context.WithCancel(t.Context())
	progress := make(chan int)
	go func() {
		for <-progress != 7 {
		}
		cancel()
	}()
	found, added, err := sent.AddTexts(ctx, ferretTexts(50), progress)
	told := fmt.Sprintf("after %d of 50 texts, which can be found", found)
	if !errors.Is(err, context.Canceled) || found < 7 || found > 8 || added != found || !strings.Contains(err.Error(), told) {
		t.Errorf("found %d, added %d, %v", found, added, err)
	}
	if n := ix.Store.CountDocuments(); n != 1+added {
		t.Errorf("%d documents", n)
	}
	if found, rest, err := sent.AddTexts(t.Context(), ferretTexts(50), nil); err != nil || found != 50 || rest != 50-added {
		t.Errorf("the same again: found %d, added %d, %v", found, rest, err)
	}
}

// TestTitlesOfTexts: a text that a client sends is called by its front matter, or else
// by how it begins after that.
func TestTitlesOfTexts(t *testing.T) {
	ix := syncertest.Open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{"a.txt": "---\ntitle: Of a file\n---\nalpha"}).Dir)
	sent := ix
	syncertest.MustSync(t, ix, sync.Scope{})
	all := []string{
		"---\ntitle: Of a text\ntags: [x]\n---\nBody.", "---\ntags: [x]\n---\n# Heading\n\nBody.", "---\ntags: [x]\n---\n\nA sentence, which is none.\nMore.",
		"---\n\nAfter a rule, with a full stop.", "---\nonly: this\n---\n", "-----",
	}
	if _, _, err := sent.AddTexts(t.Context(), all, nil); err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, d := range ix.Store.All() {
		titles = append(titles, d.Title)
	}
	slices.Sort(titles)
	want := []string{"-----", "A sentence, which is none.", "After a rule, with a full stop.", "Heading", "Of a file", "Of a text", "only: this"}
	if !slices.Equal(titles, want) {
		t.Errorf("titles are %q, want %q", titles, want)
	}
}

// TestSays: for each text it is reported whether a document or a text has exactly that text.
func TestSays(t *testing.T) {
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}).Dir)
	sent := ix
	syncertest.MustSync(t, ix, sync.Scope{})
	_, _, err := sent.AddTexts(t.Context(), []string{"beta"}, nil)
	indextest.Must(t, err)
	said, err := sent.AreDocumentTexts(t.Context(), []string{"alpha", "beta", "gamma"})
	if err != nil || !slices.Equal(said, []bool{true, true, false}) {
		t.Errorf("says %v, %v", said, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sent.AreDocumentTexts(ctx, []string{"alpha"}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up it says %v", err)
	}
}
