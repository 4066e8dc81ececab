package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/index/indextest"
	"vademecum/index/syncer"
	"vademecum/index/texts"
)

func ferretTexts(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("Text %d tells of ferret number %d.", i, i)
	}
	return texts
}

func TestLimitsOfTexts(t *testing.T) {
	ix := open(t, t.TempDir(), indextest.NewCounting(t), indextest.NewNotes(t, map[string]string{"a.md": "alpha"}).Dir)
	mustSync(t, ix, syncer.Scope{})
	large := func(n int) []string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf("%d%s", i, strings.Repeat(" ", texts.MaxBytes-100))
		}
		return all
	}
	for _, tt := range []struct {
		texts []string
		want  string
	}{
		{ferretTexts(texts.Max + 1), "docs holds 10001 texts: at most 10000, put the documents into the folder instead"},
		{[]string{"fine", strings.Repeat("x", texts.MaxBytes+1)}, "docs[1] is longer than 16.0 MB: put"},
		{large(5), "docs and the texts sent before have 80.0 MB: at most 64.0 MB, put"},
		{[]string{"fine", "\n"}, "docs[1] is empty"},
	} {
		_, _, err := ix.AddTexts(t.Context(), tt.texts, nil)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%d texts: error %v, want %s", len(tt.texts), err, tt.want)
		}
	}
	if got := listed(ix); got != "a.md" {
		t.Errorf("something was added: %.100s", got)
	}

	// What was sent before counts, but not twice.
	four := large(4)
	if _, added, err := ix.AddTexts(t.Context(), four, nil); err != nil || added != 4 {
		t.Fatalf("added %d, %v", added, err)
	}
	if found, added, err := ix.AddTexts(t.Context(), four, nil); err != nil || found != 4 || added != 0 {
		t.Errorf("the same again: found %d, added %d, %v", found, added, err)
	}
	if _, added, err := ix.AddTexts(t.Context(), large(5), nil); err == nil || added != 0 {
		t.Errorf("one more: added %d, %v", added, err)
	}
}

func TestTextsThatWereAddedStay(t *testing.T) {
	ix := open(t, t.TempDir(), indextest.NewCounting(t), indextest.NewNotes(t, map[string]string{"a.md": "alpha"}).Dir)
	mustSync(t, ix, syncer.Scope{})
	ctx, cancel := context.WithCancel(t.Context())
	progress := make(chan int)
	go func() {
		for <-progress != 7 {
		}
		cancel()
	}()
	found, added, err := ix.AddTexts(ctx, ferretTexts(50), progress)
	told := fmt.Sprintf("after %d of 50 texts, which can be found", found)
	if !errors.Is(err, context.Canceled) || found < 7 || found > 8 || added != found || !strings.Contains(err.Error(), told) {
		t.Errorf("found %d, added %d, %v", found, added, err)
	}
	if n := len(ix.list(allDocuments)); n != 1+added {
		t.Errorf("%d documents", n)
	}
	if found, rest, err := ix.AddTexts(t.Context(), ferretTexts(50), nil); err != nil || found != 50 || rest != 50-added {
		t.Errorf("the same again: found %d, added %d, %v", found, rest, err)
	}
}

// TestManyTextsTakeLinearTime: four times as many take about four times as
// long, not sixteen times.
func TestManyTextsTakeLinearTime(t *testing.T) {
	took := func(n int) time.Duration {
		ix := open(t, t.TempDir(), indextest.NewCounting(t), indextest.NewNotes(t, map[string]string{"a.md": "alpha"}).Dir)
		start := time.Now()
		if _, added, err := ix.AddTexts(t.Context(), ferretTexts(n), nil); err != nil || added != n {
			t.Fatalf("added %d, %v", added, err)
		}
		return time.Since(start)
	}
	// Other processes make single measurements wrong in either direction: one
	// that is linear shows in some of them, one that is quadratic in none.
	var ratios []float64
	for range 6 {
		few := took(1500)
		ratios = append(ratios, float64(took(6000))/float64(few))
		if ratios[len(ratios)-1] < 9 {
			return
		}
	}
	t.Errorf("6000 texts take %.1f times as long as 1500", ratios)
}

// TestTitlesOfTexts: a text that a client sends is called by its front matter, or else
// by how it begins after that.
func TestTitlesOfTexts(t *testing.T) {
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotes(t, map[string]string{"a.txt": "---\ntitle: Of a file\n---\nalpha"}).Dir)
	mustSync(t, ix, syncer.Scope{})
	texts := []string{
		"---\ntitle: Of a text\ntags: [x]\n---\nBody.", "---\ntags: [x]\n---\n# Heading\n\nBody.", "---\ntags: [x]\n---\n\nA sentence, which is none.\nMore.",
		"---\n\nAfter a rule, with a full stop.", "---\nonly: this\n---\n", "-----",
	}
	if _, _, err := ix.AddTexts(t.Context(), texts, nil); err != nil {
		t.Fatal(err)
	}
	all, err := ix.List(t.Context(), Filter{})
	indextest.Must(t, err)
	var titles []string
	for _, d := range all {
		titles = append(titles, d.Title)
	}
	slices.Sort(titles)
	want := []string{"-----", "A sentence, which is none.", "After a rule, with a full stop.", "Heading", "Of a file", "Of a text", "only: this"}
	if !slices.Equal(titles, want) {
		t.Errorf("titles are %q, want %q", titles, want)
	}
}
