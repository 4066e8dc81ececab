package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func ferretTexts(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("Text %d tells of ferret number %d.", i, i)
	}
	return texts
}

func TestLimitsOfTexts(t *testing.T) {
	ix := open(t, t.TempDir(), newCounting(t), newNotes(t, map[string]string{"a.md": "alpha"}).dir)
	mustSync(t, ix, Scope{})
	large := func(n int) []string {
		texts := make([]string, n)
		for i := range texts {
			texts[i] = fmt.Sprintf("%d%s", i, strings.Repeat(" ", maxTextBytes-100))
		}
		return texts
	}
	for _, tt := range []struct {
		texts []string
		want  string
	}{
		{ferretTexts(maxTexts + 1), "docs holds 10001 texts: at most 10000, put the documents into the folder instead"},
		{[]string{"fine", strings.Repeat("x", maxTextBytes+1)}, "docs[1] is longer than 16.0 MB: put"},
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
	ix := open(t, t.TempDir(), newCounting(t), newNotes(t, map[string]string{"a.md": "alpha"}).dir)
	mustSync(t, ix, Scope{})
	ctx, cancel := context.WithCancel(t.Context())
	found, added, err := ix.AddTexts(ctx, ferretTexts(50), func(found int) {
		if found == 7 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || found != 7 || added != 7 || !strings.Contains(err.Error(), "after 7 of 50 texts, which can be found") {
		t.Errorf("found %d, added %d, %v", found, added, err)
	}
	if n := len(ix.Documents()); n != 8 {
		t.Errorf("%d documents", n)
	}
	if found, added, err := ix.AddTexts(t.Context(), ferretTexts(50), nil); err != nil || found != 50 || added != 43 {
		t.Errorf("the same again: found %d, added %d, %v", found, added, err)
	}
}

// TestManyTextsTakeLinearTime: four times as many take about four times as
// long, not sixteen times.
func TestManyTextsTakeLinearTime(t *testing.T) {
	took := func(n int) time.Duration {
		var times []time.Duration
		for range 3 {
			ix := open(t, t.TempDir(), newCounting(t), newNotes(t, map[string]string{"a.md": "alpha"}).dir)
			start := time.Now()
			if _, added, err := ix.AddTexts(t.Context(), ferretTexts(n), nil); err != nil || added != n {
				t.Fatalf("added %d, %v", added, err)
			}
			times = append(times, time.Since(start))
		}
		return slices.Min(times)
	}
	few, many := took(1500), took(6000)
	if ratio := float64(many) / float64(few); ratio > 9 {
		t.Errorf("1500 texts take %v, 6000 take %v, %.1f times as long", few, many, ratio)
	}
}
