package librarytest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/progress"
)

// testFreshness checks that files saved before the question are found.
func testFreshness(k *fixture) {
	if a := k.search(index.Query{Text: "ferret"}); pathsOf(a) != "" || !strings.Contains(strings.Join(notice.EnglishLines(a.Notes), " "), "ferret") {
		k.Fatalf("it found %q, notes %q", pathsOf(a), a.Notes)
	}
	k.write("ferret.md", "A ferret sleeps all day.\n")
	if a := k.search(index.Query{Text: "ferret"}); pathsOf(a) != "ferret.md" {
		k.Errorf("when it was saved: %q, notes %q", pathsOf(a), a.Notes)
	}
	k.write("ferret.md", "A stoat does not sleep that much.\n")
	if a := k.search(index.Query{Text: "stoat"}); pathsOf(a) != "ferret.md" {
		k.Errorf("when it was changed: %q, notes %q", pathsOf(a), a.Notes)
	}
	if err := os.Remove(filepath.Join(k.dir, "ferret.md")); err != nil {
		k.Fatal(err)
	}
	if a := k.search(index.Query{Text: "stoat"}); pathsOf(a) != "" {
		k.Errorf("when it was removed: %q", pathsOf(a))
	}
	if notes := k.library.FreshnessNotes(); len(notes) > 0 {
		k.Errorf("it says %q", notes)
	}
	if s := k.library.State(); s.IsBehind() || s.Failure != "" || s.Phase != progress.Ready {
		k.Errorf("state %+v", s)
	}
}

func testSyncAll(k *fixture) {
	k.sync()
	report := func(scope index.Scope) notice.Report {
		k.Helper()
		r, err := k.library.Sync(k.Context(), scope)
		if err != nil {
			k.Fatal(err)
		}
		return r
	}
	if r := report(index.Scope{}); r.Indexed != 0 || r.Unchanged != 3 || r.SearchableDocuments != 3 || len(r.Skipped) != 1 || r.Skipped[0].Path != "photo.png" || r.Skipped[0].Reason == "" {
		k.Errorf("of nothing new: %+v", r)
	}
	if r := report(index.Scope{Force: true}); r.Indexed != 3 || r.Unchanged != 0 || r.SearchableDocuments != 3 {
		k.Errorf("by force: %+v", r)
	}
	if _, err := k.library.Sync(k.Context(), index.Scope{Paths: []string{"../elsewhere"}}); err == nil {
		k.Error("it takes a path that leads out")
	}
}

func testSyncPart(k *fixture) {
	k.sync()
	r, err := k.library.Sync(k.Context(), index.Scope{Paths: []string{"cardio"}, Force: true})
	if err != nil || r.Indexed != 1 || r.Unchanged != 0 || r.SearchableDocuments != 3 || len(r.Skipped) != 0 {
		k.Errorf("of one folder: %+v, %v", r, err)
	}
}

func testAddTexts(k *fixture) {
	k.sync()
	progress := make(chan int)
	var told []int
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for n := range progress {
			told = append(told, n)
		}
	}()
	sent := []string{"A ferret sleeps all day.", "A stoat hunts at dusk.", "A ferret sleeps all day."}
	k.write("stoat.md", sent[1])
	k.sync()
	if said, err := k.library.AreDocumentTexts(k.Context(), sent); err != nil || !slices.Equal(said, []bool{false, true, false}) {
		k.Errorf("documents say of the texts %v, %v", said, err)
	}
	sent[1] = "A stoat hunts at dawn."
	found, added, err := k.library.AddTexts(k.Context(), sent, progress)
	close(progress)
	<-ended
	if err != nil || found != 3 || added != 2 || !slices.IsSorted(told) || len(told) == 0 || told[len(told)-1] != 3 {
		k.Errorf("found %d, added %d, %v; told %v", found, added, err, told)
	}
	a := k.search(index.Query{Text: "ferret", TopK: 1})
	if len(a.Passages) != 1 || !strings.HasPrefix(a.Passages[0].URI, "vademecum:text/") {
		k.Fatalf("it found %q", pathsOf(a))
	}
	if part := k.read(index.ReadQuery{Ref: a.Passages[0].URI}); part.Text != sent[0] {
		k.Errorf("it reads %q", part.Text)
	}
	if found, added, err := k.library.AddTexts(k.Context(), sent, nil); err != nil || found != 3 || added != 0 {
		k.Errorf("again: found %d, added %d, %v", found, added, err)
	}
}

// testTextLimits checks that no text is added if one of them is refused.
func testTextLimits(k *fixture) {
	k.sync()
	if _, added, err := k.library.AddTexts(k.Context(), []string{"A ferret sleeps all day.", strings.Repeat("x", 17<<20)}, nil); err == nil || added != 0 {
		k.Errorf("a text that is too long: added %d, %v", added, err)
	}
	if a := k.search(index.Query{Text: "ferret"}); len(a.Passages) > 0 {
		k.Errorf("it found %q", pathsOf(a))
	}
}

func testChanges(k *fixture) {
	k.sync()
	ctx, end := context.WithCancel(k.Context())
	tokens, other := k.library.Changes(ctx), k.library.Changes(k.Context())
	told := func(tokens <-chan struct{}) bool {
		select {
		case <-tokens:
			return true
		case <-time.After(time.Minute):
			return false
		}
	}
	toldAlready := func(tokens <-chan struct{}) bool {
		select {
		case <-tokens:
			return true
		default:
			return false
		}
	}
	add := func(text string) {
		k.Helper()
		if _, added, err := k.library.AddTexts(k.Context(), []string{text}, nil); err != nil || added != 1 {
			k.Fatal(added, err)
		}
	}
	add("A ferret sleeps all day.")
	if !told(tokens) || !told(other) {
		k.Error("it was not told of a text")
	}
	k.write("new.md", "new")
	k.sync()
	if !told(tokens) || !told(other) {
		k.Error("it was not told of a file")
	}
	end()
	time.Sleep(100 * time.Millisecond) // let work in progress finish
	for toldAlready(tokens) || toldAlready(other) {
	}
	add("A stoat hunts at dusk.")
	if !told(other) {
		k.Error("with the one subscription the other ended")
	}
	if toldAlready(tokens) {
		k.Error("it was told after its end")
	}
}
