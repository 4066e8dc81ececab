package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/operations"
)

// TestTextsAreTold checks that only the session that adds a text is notified that its list has
// changed.
func TestTextsAreTold(t *testing.T) {
	t.Parallel()
	s := serve(t, folder(t, three), Options{})
	giver, other := connect(t, s, "giver"), connect(t, s, "other")
	giver.resources()
	other.resources()
	giver.call("index_docs", `{"docs": ["A xylophone."]}`)
	hears(t, "the giver", giver.changed)
	if got := len(giver.resources()); got != 4 {
		t.Errorf("the giver lists %d resources", got)
	}
	if got := len(other.resources()); got != 3 {
		t.Errorf("the other lists %d resources", got)
	}
	select {
	case <-other.changed:
		t.Error("the other was told")
	default:
	}
}

// TestTextOfAFileIsShownOnce checks that a text that is a part of a file, as a model sends what it has read,
// takes no place beside the file, and that one with another number does.
func TestTextOfAFileIsShownOnce(t *testing.T) {
	t.Parallel()
	const file = "# Digoxin\n\nDigoxin slows the heart in atrial fibrillation. The level is measured six hours after the last tablet.\n"
	c := connect(t, serve(t, folder(t, map[string]string{"digoxin.md": file}), Options{ResultsMode: ResultsText}), "test")
	c.call("index_docs", `{"docs": ["Digoxin slows the heart in atrial fibrillation. The level is measured six hours\nafter the last tablet."]}`)
	if got := allText(c.call("retrieve_docs", `{"query": "digoxin level"}`)); strings.Contains(got, "vademecum:text/") || !strings.Contains(got, "six hours") {
		t.Errorf("the text is shown beside its file: %s", got)
	}
	c.call("index_docs", `{"docs": ["Digoxin slows the heart in atrial fibrillation. The level is measured eight hours after the last tablet."]}`)
	if got := allText(c.call("retrieve_docs", `{"query": "digoxin level"}`)); !strings.Contains(got, "eight hours") {
		t.Errorf("the text with another number is not shown: %s", got)
	}
}

// TestEmptyTextsAreNamed checks that an empty text does not keep the others from being indexed.
func TestEmptyTextsAreNamed(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	want := "Indexed 2 documents; 5 in total.\nNot indexed, as there is no text in it: docs[1], docs[3]."
	if got := firstText(c.call("index_docs", `{"docs": ["A xylophone.", "", "A trombone.", " \n"]}`)); got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	if got := firstText(c.call("retrieve_docs", `{"query": "trombone"}`)); !strings.Contains(got, "A trombone.") {
		t.Errorf("the text after an empty one is not found: %s", got)
	}
}

func hears(t *testing.T, who string, changed <-chan struct{}) {
	t.Helper()
	select {
	case <-changed:
	case <-time.After(10 * time.Second):
		t.Fatal(who + " was not told")
	}
}

// TestCursorOfOthers checks that a cursor of one session's texts is not valid in another session.
func TestCursorOfOthers(t *testing.T) {
	t.Parallel()
	s := serve(t, folder(t, three), Options{})
	giver, other := connect(t, s, "giver"), connect(t, s, "other")
	var texts []string
	for i := range 2 * operations.MaxListItems {
		texts = append(texts, fmt.Sprintf("A xylophone, number %d.", i))
	}
	arguments, err := json.Marshal(map[string]any{"docs": texts})
	if err != nil {
		t.Fatal(err)
	}
	giver.through(string(arguments))
	first := firstText(giver.call("list_docs", `{}`))
	_, cursor, ok := strings.Cut(first, "More: call list_docs with cursor ")
	if !ok || !strings.Contains(cursor, "vademecum:text/") {
		t.Fatal(first)
	}
	next := `{"cursor": ` + cursor + `}`
	if r := giver.call("list_docs", next); r.IsError {
		t.Error(firstText(r))
	}
	if r := other.call("list_docs", next); !r.IsError || !strings.Contains(firstText(r), "was not given by list_docs") {
		t.Errorf("the other goes on there: %s", firstText(r))
	}
}

// TestTextRoom checks that the texts of all sessions are limited together, and that the space is
// free again when a session ends.
func TestTextRoom(t *testing.T) {
	t.Parallel()
	room := NewTotalTextQuota(30)
	s := serve(t, folder(t, three), Options{TotalTextQuota: room})
	one, two := connect(t, s, "one"), connect(t, s, "two")
	for range 2 { // the second time the text is not new
		if got := firstText(one.call("index_docs", `{"docs": ["A xylophone is there."]}`)); !strings.HasPrefix(got, "Indexed 1") {
			t.Fatal(got)
		}
		if used := room.inUse(); used != 21 {
			t.Errorf("%d bytes are in use", used)
		}
	}
	if r := two.call("index_docs", `{"docs": ["A trombone is there."]}`); !r.IsError || !strings.Contains(firstText(r), "cannot hold more texts") {
		t.Errorf("there is room for %s", firstText(r))
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "nothing is in use", func() bool { return room.inUse() == 0 })
	if r := two.call("index_docs", `{"docs": ["A trombone is there."]}`); r.IsError {
		t.Error(firstText(r))
	}
}

func (r *TotalTextQuota) inUse() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.used
}

// noTexts is a library that is never asked.
type noTexts struct{ Library }

func (noTexts) Folders() []string { return nil }

// TestVisitorsTexts checks that the texts of a user without a session are kept while the user sends
// requests, and are visible to no other user.
func TestVisitorsTexts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New(noTexts{}, Options{Logger: quietLog, NewTextsLibrary: func(context.Context) Library { return noTexts{} }})
		defer s.end()
		as := func(name string, known bool) context.Context {
			return context.WithValue(t.Context(), requestOwnerKey{}, requestOwner{known, name, time.Hour})
		}
		if _, err := s.textsFor(as("", false), nil); !errors.Is(err, errNoSession) {
			t.Errorf("nobody has texts: %v", err)
		}
		d, err := s.textsFor(as("alice", true), nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			time.Sleep(50 * time.Minute)
			if s.libraryFor(as("alice", true), nil) != d.library || s.libraryFor(as("bob", true), nil) != s.library || s.libraryFor(as("", false), nil) != s.library {
				t.Fatal("the texts are not those of alice alone")
			}
		}
		time.Sleep(61 * time.Minute)
		if s.libraryFor(as("alice", true), nil) != s.library || d.ctx.Err() == nil {
			t.Error("the texts are kept although their user is gone")
		}
	})
}

// TestNoTexts checks the error of a server that does not take texts.
func TestNoTexts(t *testing.T) {
	t.Parallel()
	s := serve(t, folder(t, three), Options{})
	s.sessionTexts.open = nil
	c := connect(t, s, "test")
	if r := c.call("index_docs", `{"docs": ["A xylophone."]}`); !r.IsError || !strings.Contains(firstText(r), "does not accept texts") {
		t.Error(firstText(r))
	}
}

// TestTogether checks that the answers of documents and texts are merged into one, best first.
func TestTogether(t *testing.T) {
	t.Parallel()
	passage := func(path string, score float64, related bool) index.Passage {
		return index.Passage{Document: index.Document{Path: path}, Text: path, Score: score, IsRelatedOnly: related}
	}
	documents := index.Answer{
		Passages:     []index.Passage{passage("a", 1, false), passage("b", 0.6, false), passage("same", 0.3, false), passage("c", 1, true)},
		BestCoverage: 1, Notes: []notice.Note{{Kind: notice.UnknownWords, Words: []string{"x", "y"}}, {Kind: notice.FolderBeingScanned}}, Incomplete: true,
	}
	texts := index.Answer{
		Passages:     []index.Passage{passage("t", 1, false), passage("same", 0.8, false)},
		BestCoverage: 0.5, Notes: []notice.Note{{Kind: notice.UnknownWords, Words: []string{"y"}}}, HasLowCoverage: true,
	}
	a := mergeAnswers(documents, texts)
	var got []string
	for _, p := range a.Passages {
		got = append(got, p.Path)
	}
	if strings.Join(got, " ") != "a b t same c" || a.HasLowCoverage || !a.Incomplete {
		t.Errorf("together: %v, little %t, incomplete %t", got, a.HasLowCoverage, a.Incomplete)
	}
	if len(a.Notes) != 2 || strings.Join(a.Notes[0].Words, "") != "y" {
		t.Errorf("notes %v", a.Notes)
	}
}

// TestTextStandsByItsFile checks that a text that a client gives stands beside the file that says nearly the
// same, whatever words of the question both lack.
func TestTextStandsByItsFile(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"digoxin.md": "# Digoxin\n\nDigoxin slows the heart in atrial fibrillation. The level is measured six hours after the last tablet.\n",
		"heart.md":   "# The heart\n\nIn renal failure and atrial fibrillation the rate of the heart is measured at the wrist for a minute.\n",
		"kidney.md":  "# The kidney\n\nIn renal failure the level of many drugs rises, and tablets are given less often.\n",
		"地高辛.md":     "# 地高辛\n\n地高辛用于心房颤动，减慢心率。末次给药六小时后测血药浓度。\n",
		"肾功能.md":     "# 肾功能\n\n肾功能不全时许多药物的血药浓度升高，应减少给药次数。\n",
	}
	for i := range 20 {
		files[fmt.Sprintf("ward%d.md", i)] = fmt.Sprintf("# Ward %d\n\nThe nurse of ward %d is called at night, and the patients are looked at in the morning.\n", i, i)
	}
	c := connect(t, serve(t, folder(t, files), Options{ResultsMode: ResultsText}), "test")
	c.call("index_docs", `{"docs": ["# Digoxin\n\nDigoxin slows the heart in atrial fibrillation. The level is measured eight hours after the last tablet.\n", "# 地高辛\n\n地高辛用于心房颤动，减慢心率。末次给药八小时后测血药浓度。\n"]}`)
	for question, file := range map[string]string{
		"digoxin level in patients at night with amiodarone": "digoxin.md",
		"digoxin in renal failure":                           "digoxin.md",
		"地高辛血药浓度怎么看中毒":                                       "地高辛.md",
	} {
		cited := citedPath.FindAllStringSubmatch(allText(c.call("retrieve_docs", `{"query": "`+question+`", "top_k": 5}`)), -1)
		if len(cited) < 2 {
			t.Fatalf("%q is answered by %q", question, cited)
		}
		first, second := cited[0][1], cited[1][1]
		if first != file {
			first, second = second, first
		}
		if first != file || !strings.HasPrefix(second, index.ClientTextURIPrefix) {
			t.Errorf("%q is answered by %q", question, cited)
		}
	}
}

// TestNoneTogether checks that the reason for an empty answer holds for documents and texts.
func TestNoneTogether(t *testing.T) {
	t.Parallel()
	kinds := func(kinds ...notice.Kind) (notes []notice.Note) {
		for _, k := range kinds {
			notes = append(notes, notice.Note{Kind: k, Count: 1})
		}
		return notes
	}
	for _, tt := range []struct {
		documents, texts []notice.Note
		want             notice.Kind
		count            int
	}{
		{kinds(notice.NoDocumentWithTag), kinds(notice.NoDocumentWithTag), notice.NoDocumentWithTag, 1},
		{kinds(notice.NoDocumentWithTag), nil, "", 0}, // one of the texts has the tag
		{nil, kinds(notice.NoDocumentAtPath), "", 0},
		{kinds(notice.NoDocumentAtPath), kinds(notice.NoMatchInFilter), notice.NoMatchInFilter, 1},
		{kinds(notice.NoMatchInFilter), kinds(notice.NoMatchInFilter), notice.NoMatchInFilter, 2},
		{kinds(notice.NoMatchInFilter), kinds(notice.NoDocumentWithTag), notice.NoMatchInFilter, 1},
	} {
		got := mergeNotes(tt.documents, tt.texts, false)
		switch {
		case tt.want == "" && len(got) > 0:
			t.Errorf("%v and %v: %v", tt.documents, tt.texts, got)
		case tt.want != "" && (len(got) != 1 || got[0].Kind != tt.want || got[0].Count != tt.count):
			t.Errorf("%v and %v: %+v, want %s %d", tt.documents, tt.texts, got, tt.want, tt.count)
		}
	}
}

// TestPagesOfDocumentsAndTexts checks that the pages of a question show each document and each text once,
// numbered without a gap.
func TestPagesOfDocumentsAndTexts(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 4 {
		files[fmt.Sprintf("note%d.md", i)] = fmt.Sprintf("# Note %d\n\nWarfarin is taken on day %d by patient %d.\n", i, i, 3*i)
	}
	c := connect(t, serve(t, folder(t, files), Options{ResultsMode: ResultsText}), "test")
	var texts []string
	for i := range 8 {
		texts = append(texts, fmt.Sprintf("Warfarin of text %d was stopped in ward %d after %d days.", i, i, 7*i))
	}
	docs, err := json.Marshal(map[string]any{"docs": texts})
	if err != nil {
		t.Fatal(err)
	}
	c.call("index_docs", string(docs))
	for _, limit := range []string{`, "top_k": 3`, ""} {
		shown, cursor := "", ""
		for page := 0; page == 0 || cursor != "" && page < 10; page++ {
			got := allText(c.call("retrieve_docs", strings.Replace(fmt.Sprintf(`{"query": "warfarin"%s, "cursor": %q}`, limit, cursor), `, "cursor": ""`, "", 1)))
			shown += got
			_, rest, _ := strings.Cut(got, " cursor ")
			cursor, _, _ = strings.Cut(strings.TrimPrefix(rest, `"`), `"`)
		}
		for i := range 12 {
			if n := strings.Count(shown, fmt.Sprintf("[%d] ", i+1)); n != 1 {
				t.Errorf("%d passages have the number %d:\n%s", n, i+1, shown)
			}
		}
		for i := range 8 {
			if n := strings.Count(shown, fmt.Sprintf("Warfarin of text %d was", i)); n != 1 {
				t.Errorf("text %d is shown %d times", i, n)
			}
		}
	}
}

// pagedLibrary answers every question with the passages that pages names, by page.
type pagedLibrary struct {
	Library
	pages []string
}

func (l pagedLibrary) Ask(_ context.Context, q index.Question) (index.Reply, error) {
	page := q.(index.Query).Page
	a := index.Answer{HasMore: page+1 < len(l.pages)}
	for i, name := range strings.Fields(l.pages[page]) {
		text := strings.Repeat(name+" ", 5)
		a.Passages = append(a.Passages, index.Passage{Text: text, URI: name, Score: 1 - float64(10*page+i)/100})
	}
	return a, nil
}

// TestShortPagesOfBoth checks that no passage is left out where a page has fewer than may be shown, because
// the others are not good enough.
func TestShortPagesOfBoth(t *testing.T) {
	t.Parallel()
	both := Beside(pagedLibrary{pages: []string{"d1 d2", "d3 d4 d5", "d6"}}, pagedLibrary{pages: []string{"t1", "t2 t3"}})
	var pages []string
	for page := range 3 {
		a, err := index.Ask(t.Context(), both, index.Query{Text: "x", Page: page})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range a.Passages {
			names = append(names, p.URI)
		}
		pages = append(pages, fmt.Sprint(a.ShownBefore, names, a.HasMore))
	}
	if got, want := strings.Join(pages, "; "), "0 [d1 t1 d2] true; 3 [d3 t2 d4 t3 d5] true; 8 [d6] false"; got != want {
		t.Errorf("the pages are %s, want %s", got, want)
	}
}
