package page

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"vademecum/index/evaluate"
	"vademecum/internal/app/web/signin"
)

// TestTry checks that the page shows what a host of a given name is sent, with its size.
func TestTry(t *testing.T) {
	s := open(t, notes, nil)
	for client, want := range map[string]string{"codex": "as text.", "claude-code": "as resource.", "unheard": "as both."} {
		page := s.get("/try?" + url.Values{"q": {"spacer"}, "client": {client}}.Encode())
		if !strings.Contains(page, want) || !strings.Contains(page, "[2] asthma.md, lines 1-9") || !strings.Contains(page, "tokens (estimated)") {
			t.Errorf("%s: no %s in\n%s", client, want, page)
		}
	}
}

// TestJudge checks that judgements are saved in the form that eval reads, and measured.
func TestJudge(t *testing.T) {
	s := open(t, notes, nil)
	if page := s.get("/try/figures"); !strings.Contains(page, "No question has been judged yet") {
		t.Errorf("%s", page)
	}
	judge := func(question, path, how string) int {
		return s.send(http.MethodPost, "/try/judge", url.Values{"q": {question}, "path": {path}, how: {"1"}}).Code
	}
	for _, j := range [][3]string{{"what helps children", "asthma.md", "right"}, {"what helps children", "cough.md", "wrong"}, {"食盐", "饮食/高血压.txt", "right"}, {"zebra\tx\nq9\ty", "odd name #1.txt", "right"}} {
		if got := judge(j[0], j[1], j[2]); got != http.StatusSeeOther {
			t.Errorf("%v: %d", j, got)
		}
	}
	for _, bad := range [][2]string{{"x", "nowhere.md"}, {"x", "../asthma.md"}, {"x", ""}, {"x", s.dir + "/asthma.md"}, {"", "asthma.md"}} {
		if got := judge(bad[0], bad[1], "right"); got < 400 {
			t.Errorf("%q: %d", bad, got)
		}
	}
	if got := judge("what helps children", "cough.md", "sideways"); got != http.StatusBadRequest {
		t.Errorf("without a judgement: %d", got)
	}
	v := &request{Pages: s.pages, view: s.view}
	j, err := evaluate.ReadJudgements(v.judgements())
	if err != nil || len(j.Questions) != 3 || j.Grades["q1"]["asthma.md"] != 1 || j.Grades["q1"]["cough.md"] != 0 {
		t.Errorf("%+v, %v", j, err)
	}
	page := s.get("/try/figures")
	for _, want := range []string{"3 questions, asked now.", "nDCG@10", "found at place 1", "<svg", "--queries"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if page := s.get("/try?q=what+helps+children"); strings.Count(page, `aria-pressed="true"`) < 1 {
		t.Errorf("what was said is forgotten:\n%s", page)
	}
	judge("what helps children", "cough.md", "neither")
	if j, err := evaluate.ReadJudgements(v.judgements()); err != nil || len(j.Grades["q1"]) != 1 {
		t.Errorf("what is taken back: %+v, %v", j, err)
	}
}

// TestUses checks that results can be judged and judgements withdrawn in place, and that results
// have a prompt for a model.
func TestUses(t *testing.T) {
	s := open(t, notes, nil)
	const form = `<input type="hidden" name="q" value="spacer"><input type="hidden" name="path" value="asthma.md"><input type="hidden" name="to" value="/search?q=spacer">`
	page := s.get("/search?q=spacer")
	for _, want := range []string{form, `data-citation="Asthma, asthma.md, lines 1-9"`, "<code>Read asthma.md (lines 1-9) with read_doc of Vademecum, and answer from it: spacer</code>", `data-copy="link">Link to this passage</a>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	for to, want := range map[string]string{"/search?q=spacer": "/search?q=spacer", "//evil.example.com/": "/", "https://evil.example.com": "/"} {
		w := s.send(http.MethodPost, "/try/judge", url.Values{"q": {"spacer"}, "path": {"asthma.md"}, "to": {to}, "right": {"1"}})
		if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != want {
			t.Errorf("%s leads to %d %s", to, w.Code, got)
		}
	}
	if page := s.get("/search?q=spacer"); !strings.Contains(page, `<button name="neither" data-as="right" value="1" aria-pressed="true"`) {
		t.Errorf("it cannot be taken back:\n%s", page)
	}
	if page := open(t, notes, func(o *Options) { o.JudgementsDir = "" }).get("/search?q=spacer"); strings.Contains(page, "judging") {
		t.Error("who may not judge is asked to")
	}
}

// TestWhoJudges checks that a user who may only read cannot save judgements.
func TestWhoJudges(t *testing.T) {
	tokens := tokens{"r": alice, "i": {ID: "ida", Scopes: []string{signin.ScopeUpdateIndex}}}
	dir := t.TempDir()
	s := open(t, notes, func(o *Options) {
		tokens.ask(o)
		o.JudgementsDir = dir
	})
	form := url.Values{"q": {"spacer"}, "path": {"asthma.md"}, "right": {"1"}}
	_ = s.signIn("r")
	if w := s.send(http.MethodPost, "/try/judge", form); w.Code != http.StatusForbidden {
		t.Errorf("a reader: %d", w.Code)
	}
	if strings.Contains(s.get("/try?q=spacer"), "/try/judge") {
		t.Error("a reader is asked")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	s.cookie = nil
	_ = s.signIn("i")
	if w := s.send(http.MethodPost, "/try/judge", form); w.Code != http.StatusSeeOther {
		t.Errorf("who may index: %d", w.Code)
	}
}

func TestNameOfFolders(t *testing.T) {
	names := make(map[string]bool)
	for _, folders := range [][]string{{"/a/notes"}, {"/b/notes"}, {"/a/notes", "/b"}, {"/a/笔记"}, {"/"}, {}, {"/a/.. /x"}} {
		name := nameOfFolders(folders)
		if names[name] || strings.ContainsAny(name, `/\. `) {
			t.Errorf("%v: %q", folders, name)
		}
		names[name] = true
	}
}

// TestPlaceOf checks that each document counts once.
func TestPlaceOf(t *testing.T) {
	grades := map[string]float64{"a": 1, "b": 0}
	for want, paths := range map[int][]string{1: {"a"}, 2: {"b", "b", "a"}, 3: {"b", "c", "c", "a"}, 0: {"b", "c"}} {
		if got := placeOf(paths, grades); got != want {
			t.Errorf("%v: %d", paths, got)
		}
	}
}
