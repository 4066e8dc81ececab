package index

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"vademecum/docs/kind"
	"vademecum/index/indextest"
	"vademecum/index/say"
	"vademecum/index/upkeep"
)

// TestByName asks the folder in testdata/names by what people remember: the names
// of files, titles, headings, aliases and folders, dates, numbers of articles,
// versions and signs. testdata/names.tsv has the questions and which document, or
// which of several, must be first; after a # what the question is about.
func TestByName(t *testing.T) {
	table, err := os.ReadFile("testdata/names.tsv")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/names")); err != nil {
		t.Fatal(err)
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), dir)
	mustSync(t, ix, upkeep.Scope{})
	asked := 0
	for line := range strings.Lines(string(table)) {
		question, want, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || strings.HasPrefix(line, "# ") {
			continue
		}
		asked++
		a := mustSearch(t, ix, Query{Text: question, TopK: 3})
		if first, _, _ := strings.Cut(found(a), ".md"); !strings.Contains(want+"|", first+".md|") || first == "" {
			t.Errorf("%q finds %q, want %s first", question, found(a), want)
		}
		if notes := strings.Join(say.Lines(a.Notes), " "); strings.Contains(notes, "Nowhere") {
			t.Errorf("%q: %s", question, notes)
		}
	}
	if asked < 20 {
		t.Errorf("only %d questions", asked)
	}
}

// TestExplain: the parts of a score are all of it, and the terms come to one.
func TestExplain(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{
		"drugs/warfarin.md": "# Warfarin\n\nIt thins the blood. Take it in the evening.",
		"drugs/aspirin.md":  "# Aspirin\n\nIt thins the blood too.",
		"food.md":           "# Food\n\nWarfarin and vitamin K in food.",
	})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, upkeep.Scope{})
	a := mustSearch(t, ix, Query{Text: "drugs: warfarin thins the blood", Explain: true})
	if len(a.Passages) != 3 || a.Passages[0].Path != "drugs/warfarin.md" {
		t.Fatalf("found %q", found(a))
	}
	for _, p := range a.Passages {
		w := p.Why
		if sum := w.Words + w.Vectors + w.Name + w.Heading + w.Folder + w.Company + w.Phrase; math.Abs(sum-p.Score) > 1e-6 {
			t.Errorf("%s: the parts %+v come to %.4f, the score is %.4f", p.Path, w, sum, p.Score)
		}
		terms := 0.0
		for _, term := range w.Terms {
			terms += term.Share
		}
		if math.Abs(terms-1) > 1e-6 {
			t.Errorf("%s: the terms %v come to %.4f", p.Path, w.Terms, terms)
		}
	}
	first, second := a.Passages[0].Why, a.Passages[1].Why
	if first.Name == 0 || first.Heading == 0 || first.Folder == 0 || first.Company == 0 || first.Phrase == 0 || second.Name != 0 || second.Folder == 0 {
		t.Errorf("the first is there for %+v, the second for %+v", first, second)
	}
	if a := mustSearch(t, ix, Query{Text: "warfarin"}); len(a.Passages[0].Why.Lines()) > 0 {
		t.Error("nobody asked why")
	}
	if text := fmt.Sprint(first.Lines()); !strings.Contains(text, "name of the document") || !strings.Contains(text, "warfarin") {
		t.Errorf("in words: %s", text)
	}
}

// TestLinkIsToANote: of files of one name a link means the note, as where it was
// written.
func TestLinkIsToANote(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a/Foo.md": "quokkas live here", "a/Foo.go": "package foo", "b.md": "see [[Foo]]"})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, upkeep.Scope{})
	a := mustSearch(t, ix, Query{Text: "quokkas", TopK: 1})
	if found(a) != "a/Foo.md" || strings.Join(a.Passages[0].LinkedFrom, " ") != "b.md" {
		t.Errorf("found %q, linked from %q", found(a), a.Passages[0].LinkedFrom)
	}
}

// TestCopiesOfPartsAreTold: what a longer text says too is told with all its places.
func TestCopiesOfPartsAreTold(t *testing.T) {
	part := "The numbat eats termites all day long and sleeps in hollow logs at night in the dry woods of the west."
	n := indextest.NewNotes(t, map[string]string{"a.md": part, "b.md": part, "c.md": part, "long.md": part + " It has no pouch, and is the emblem of its state since the year nineteen seventy-three."})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, upkeep.Scope{})
	a := mustSearch(t, ix, Query{Text: "numbat", TopK: 3})
	if p := a.Passages[0]; found(a) != "long.md" || len(p.Near) != 3 {
		t.Errorf("found %q, in part in %q", found(a), p.Near)
	}
}

// TestKindFollowsTheName: a change log that gets another name is one no more.
func TestKindFollowsTheName(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"CHANGELOG.html": indextest.Page("Whales were added.")})
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	mustSync(t, ix, upkeep.Scope{})
	n.Rename("CHANGELOG.html", "guide.html")
	mustSync(t, ix, upkeep.Scope{})
	for _, c := range ix.store.Chunks {
		if c.Document != nil && c.Document.Path == "guide.html" && c.Mark.Kind != kind.Text {
			t.Errorf("it is %s", c.Mark.Kind)
		}
	}
	if found(mustSearch(t, ix, Query{Text: "whales", TopK: 1})) != "guide.html" {
		t.Error("it is not found by its new name")
	}
}

// TestQuotedWordsStand: what holds words in quotation marks is not left out for a
// translation that has not, nor weighed down for its kind.
func TestQuotedWordsStand(t *testing.T) {
	files := make(map[string]string)
	for i := range 4 {
		files[fmt.Sprintf("docs/de/p%d.md", i)] = fmt.Sprintf("# Seite %d\n\nDer Fehler wird hier und auch dort mit der Nummer %d nicht von der Maschine gezeigt, error oder nicht.", i, i)
		files[fmt.Sprintf("docs/en/p%d.md", i)] = fmt.Sprintf("# Page %d\n\nThe error is shown by the machine with the number %d, and it is not of the kind that we have to fix.", i, i)
	}
	files["docs/en/p0.md"] += " It says error 0815 then."
	files["docs/de/p0.md"] += " Ein error ist auch error, und 0815 ist 0815."
	n := indextest.NewNotes(t, files)
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, upkeep.Scope{})
	if got := found(mustSearch(t, ix, Query{Text: `"error 0815"`, TopK: 1})); got != "docs/en/p0.md" {
		t.Errorf("found %q", got)
	}
}
