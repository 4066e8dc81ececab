package index

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/kind"
	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync"

	"vademecum/internal/base/message"
)

// TestByName asks the folder in testdata/names by what people remember: the names
// of files, titles, headings, aliases and folders, dates, numbers of articles,
// versions and signs. testdata/names.tsv has the questions and which document, or
// which of several, must be first; after a # what the question is about.
func TestByName(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("testdata/names.tsv")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/names")); err != nil {
		t.Fatal(err)
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), dir)
	mustSync(t, ix, sync.Scope{})
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
		if notes := strings.Join(notice.EnglishLines(a.Notes), " "); strings.Contains(notes, "Nowhere") {
			t.Errorf("%q: %s", question, notes)
		}
	}
	if asked < 20 {
		t.Errorf("only %d questions", asked)
	}
}

// TestByDate: a note whose name, text or front matter has a day is found by it, in
// whatever writing either is, before notes of days around.
func TestByDate(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"20240105 meeting.md": "Alpha.", "2024.02.05 x.md": "Beta.", "2024年3月5日.md": "Gamma.", "2024_04_05.md": "Delta.", "standup 2024-05-05.md": "Epsilon.",
		"IMG_20240605_120000.txt": "Zeta.", "July 5th, 2024.md": "Eta.", "a.md": "It ran on the 5th of August 2024.", "b.md": "于二〇二四年九月五日施行。",
		"c.md": "The log is backup_20241005.tar.", "d.md": "---\ndate: 2024-11-05\n---\nTheta.", "e.md": "Due 25/12/2024.",
		"202501210930 Slip.md": "Iota.", "v2025.02.23.md": "Kappa.", "13-03-2025.md": "Lambda.", "２０２５年４月２日.md": "Mu.",
	}
	wants := map[string]string{
		"20240105 meeting.md": "2024-01-05|5 Jan 2024|what was on 2024/1/5", "2024.02.05 x.md": "2024-02-05|Feb 5, 2024|5.2.2024", "2024年3月5日.md": "2024-03-05|20240305|March 5th, 2024",
		"2024_04_05.md": "2024-04-05|2024_04_05|5-Apr-2024|2024年4月5日的会议", "standup 2024-05-05.md": "2024 May 5|05/05/2024", "IMG_20240605_120000.txt": "2024-06-05",
		"July 5th, 2024.md": "2024-07-05|2024年7月5号", "a.md": "2024-08-05|2024年八月五日", "b.md": "2024-09-05|2024年9月5日", "c.md": "2024-10-05|Oct-05-2024",
		"d.md": "5. November 2024|2024 年 11 月 5 日", "e.md": "2024-12-25|25.12.2024",
		"202501210930 Slip.md": "2025-01-21|202501210930|21 Jan 2025", "v2025.02.23.md": "23 February 2025|version 2025.02.23", "13-03-2025.md": "2025-03-13", "２０２５年４月２日.md": "2025-04-02|2 April 2025",
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	for want, questions := range wants {
		for question := range strings.SplitSeq(questions, "|") {
			a := mustSearch(t, ix, Query{Text: question, TopK: 3})
			if len(a.Passages) == 0 || a.Passages[0].Path != want {
				t.Errorf("%q finds %q, want %s first", question, found(a), want)
			}
		}
	}
}

// TestExplain: the parts of a score are all of it, and the terms come to one.
func TestExplain(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"drugs/warfarin.md": "# Warfarin\n\nIt thins the blood. Take it in the evening.",
		"drugs/aspirin.md":  "# Aspirin\n\nIt thins the blood too.",
		"food.md":           "# Food\n\nWarfarin and vitamin K in food.",
	})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "drugs: warfarin thins the blood", TopK: 3, WithExplanations: true})
	if len(a.Passages) != 3 || a.Passages[0].Path != "drugs/warfarin.md" {
		t.Fatalf("found %q", found(a))
	}
	for _, p := range a.Passages {
		w, sum := p.Explanation, 0.0
		for _, part := range w.Parts {
			sum += part.Score
		}
		if math.Abs(sum-p.Score) > 1e-6 {
			t.Errorf("%s: the parts %+v come to %.4f, the score is %.4f", p.Path, w, sum, p.Score)
		}
		terms := 0.0
		for _, term := range w.Terms {
			terms += term.WordScoreShare
		}
		if math.Abs(terms-1) > 1e-6 {
			t.Errorf("%s: the terms %v come to %.4f", p.Path, w.Terms, terms)
		}
	}
	first, second := a.Passages[0].Explanation, a.Passages[1].Explanation
	keys := func(w notice.Explanation) (all []string) {
		for _, part := range w.Parts {
			all = append(all, part.Key)
		}
		return all
	}
	if got := strings.Join(keys(first), " "); got != "words vectors name heading folder document company phrase" {
		t.Errorf("the first is there for %s", got)
	}
	if got := keys(second); slices.Contains(got, "name") || !slices.Contains(got, "folder") {
		t.Errorf("the second is there for %s", got)
	}
	if a := mustSearch(t, ix, Query{Text: "warfarin"}); len(a.Passages[0].Explanation.Lines(message.English)) > 0 {
		t.Error("nobody asked why")
	}
	if text := fmt.Sprint(first.Lines(message.English)); !strings.Contains(text, "name of the document") || !strings.Contains(text, "warfarin") {
		t.Errorf("in words: %s", text)
	}
}

// TestLinkIsToANote: of files of one name a link means the note, as where it was
// written.
func TestLinkIsToANote(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a/Foo.md": "quokkas live here", "a/Foo.go": "package foo", "b.md": "see [[Foo]]"})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "quokkas", TopK: 1})
	if found(a) != "a/Foo.md" || strings.Join(a.Passages[0].LinkedFrom, " ") != "b.md" {
		t.Errorf("found %q, linked from %q", found(a), a.Passages[0].LinkedFrom)
	}
}

// TestCopiesOfPartsAreTold: what a longer text says too is reported with all its places.
func TestCopiesOfPartsAreTold(t *testing.T) {
	t.Parallel()
	part := "The numbat eats termites all day long and sleeps in hollow logs at night in the dry woods of the west."
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": part, "b.md": part, "c.md": part, "long.md": part + " It has no pouch, and is the emblem of its state since the year nineteen seventy-three."})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "numbat", TopK: 3})
	if p := a.Passages[0]; found(a) != "long.md" || len(p.SimilarPlaces) != 3 {
		t.Errorf("found %q, in part in %q", found(a), p.SimilarPlaces)
	}
}

// TestKindFollowsTheName: a change log that gets another name is one no more.
func TestKindFollowsTheName(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"CHANGELOG.html": indextest.HTMLPage("Whales were added.")})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	n.Rename("CHANGELOG.html", "guide.html")
	mustSync(t, ix, sync.Scope{})
	for _, c := range held(t, ix) {
		if c.Document.Path == "guide.html" && c.Traits.Kind != kind.OrdinaryText {
			t.Errorf("it is %s", c.Traits.Kind)
		}
	}
	if found(mustSearch(t, ix, Query{Text: "whales", TopK: 1})) != "guide.html" {
		t.Error("it is not found by its new name")
	}
}

// TestQuotedWordsStand: what holds words in quotation marks is not left out for a
// translation that has not, nor weighed down for its kind.
func TestQuotedWordsStand(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 4 {
		files[fmt.Sprintf("docs/de/p%d.md", i)] = fmt.Sprintf("# Seite %d\n\nDer Fehler wird hier und auch dort mit der Nummer %d nicht von der Maschine gezeigt, error oder nicht.", i, i)
		files[fmt.Sprintf("docs/en/p%d.md", i)] = fmt.Sprintf("# Page %d\n\nThe error is shown by the machine with the number %d, and it is not of the kind that we have to fix.", i, i)
	}
	files["docs/en/p0.md"] += " It says error 0815 then."
	files["docs/de/p0.md"] += " Ein error ist auch error, und 0815 ist 0815."
	n := indextest.NewNotesFolder(t, files)
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	if got := found(mustSearch(t, ix, Query{Text: `"error 0815"`, TopK: 1})); got != "docs/en/p0.md" {
		t.Errorf("found %q", got)
	}
}

// TestLinkedFromIndex: a page that links to everything says nothing of what it links to.
func TestLinkedFromIndex(t *testing.T) {
	t.Parallel()
	files := map[string]string{"note.md": "See [[target]] for axolotls.\n", "target.md": "All about axolotls.\n"}
	contents := "# Contents\n\n- [[target]]\n"
	for i := range manyLinks {
		contents += fmt.Sprintf("- [[page %d]]\n", i)
	}
	files["contents.md"] = contents
	n := indextest.NewNotesFolder(t, files)
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "all about axolotls"})
	if p := a.Passages[0]; p.Path != "target.md" || strings.Join(p.LinkedFrom, " ") != "note.md" {
		t.Errorf("%s is linked from %q", p.Path, p.LinkedFrom)
	}
}

// TestTitleAsName: a document is found by its title where no note has that name, and a name comes before a
// title.
func TestTitleAsName(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "# Alpha plan\n\nText.", "b.md": "# Beta\n\nText.", "beta.md": "# Other\n\nText.", "c.md": "# Twice\n\nOne.", "d.md": "# Twice\n\nTwo."})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for ref, want := range map[string]string{"[[Alpha plan]]": "a.md", "alpha Plan": "a.md", "[[Beta]]": "beta.md"} {
		if d, _, err := ix.findIndexed(t.Context(), ref); err != nil || d.Path != want {
			t.Errorf("%s is %v, %v, want %s", ref, d, err, want)
		}
	}
	for ref, want := range map[string]string{"[[Twice]]": "2 documents are called", "[[Alpha]]": "no such document"} {
		if _, _, err := ix.findIndexed(t.Context(), ref); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", ref, err, want)
		}
	}
}
