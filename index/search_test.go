package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/docs"
	"vademecum/index/indextest"
	"vademecum/index/lexical"
	"vademecum/index/search"
	"vademecum/index/sync"
)

func TestPassagesReadBack(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("这是一个没有换行的很长的段落，讲的是血压和饮食。", 300)
	n := indextest.NewNotesFolder(t, map[string]string{
		"心脏 病.txt":     "心绞痛发作时含服硝酸甘油。\r\n\r\n十分钟不缓解叫救护车。\r\n",
		"a#b?c%.md":    "# Heading\n\n" + strings.Repeat("A sentence about the heart. ", 200) + "\n\n## Second\n\n- one\n- two\n",
		"one line.txt": long,
		"win.txt":      "first\r\n\r\n" + strings.Repeat("second line of the heart\r\n", 400),
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "heart 血压 饮食 硝酸甘油", TopK: 50})
	if len(a.Passages) < 5 {
		t.Fatalf("only %d passages", len(a.Passages))
	}
	for _, p := range a.Passages {
		part, err := ix.Read(t.Context(), ReadQuery{Ref: p.URI})
		if err != nil {
			t.Errorf("%s: %v", p.URI, err)
			continue
		}
		if part.Text != p.Text || part.Span != p.Span {
			t.Errorf("%s reads %q (%+v), the passage is %q (%+v)", p.URI, part.Text, part.Span, p.Text, p.Span)
		}
		if path, _, err := docs.ParseFileURI(p.URI); err != nil || path != n.Path(p.Path) {
			t.Errorf("%s is the URI of %q, %v", p.URI, path, err)
		}
	}
}

// TestLineEnds: whatever the lines of a file end with, passages and parts have
// line feeds, and the numbers that an editor shows.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	lines := make([]string, 400)
	for i := range lines {
		lines[i] = fmt.Sprintf("Line %d of the heart.", i+1)
	}
	lines[250] = "Here is the axolotl."
	const ends = "\r\n \r \n"
	files := make(map[string]string)
	for i, end := range strings.Split(ends, " ") {
		files[fmt.Sprintf("%d.txt", i)] = strings.Join(lines, end) + end
	}
	files["mixed.txt"] = strings.Join(lines[:100], "\r\n") + "\r" + strings.Join(lines[100:300], "\r") + "\n" + strings.Join(lines[300:], "\n")
	n := indextest.NewNotesFolder(t, files)
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for path := range files {
		a := mustSearch(t, ix, Query{Text: "axolotl", Filter: Filter{Path: path}, TopK: 1})
		p := a.Passages[0]
		want := strings.Join(lines[p.StartLine-1:p.EndLine], "\n")
		if p.Text != want || p.StartLine > 251 || p.EndLine < 251 {
			t.Errorf("%s: the passage of lines %d to %d is %q, want %q", path, p.StartLine, p.EndLine, p.Text, want)
		}
		if part, err := ix.Read(t.Context(), ReadQuery{Ref: p.URI}); err != nil || part.Text != p.Text {
			t.Errorf("%s: %s reads %q, %v", path, p.URI, part.Text, err)
		}
		if part, err := ix.Read(t.Context(), ReadQuery{Ref: path, StartLine: 251, EndLine: 251}); err != nil || part.Text != lines[250] {
			t.Errorf("%s: line 251 is %q, %v", path, part.Text, err)
		}
		next := 1
		for ref := path; ref != "" && next <= len(lines); {
			part, err := ix.Read(t.Context(), ReadQuery{Ref: ref, Budget: Budget{1000, 1000}})
			if err != nil {
				t.Fatalf("%s: %v", ref, err)
			}
			text := strings.TrimSuffix(part.Text, "\n")
			if want := strings.Join(lines[part.StartLine-1:part.StartLine+strings.Count(text, "\n")], "\n"); part.StartLine != next || text != want {
				t.Fatalf("%s: from line %d on it reads %q, want %q from line %d on", path, part.StartLine, text, want, next)
			}
			next, ref = part.EndLine+1, part.RestURI
		}
		if next != len(lines)+1 {
			t.Errorf("%s: read to line %d of %d", path, next-1, len(lines))
		}
	}
}

// TestOlderIndexIsReadAgain: the texts that the version before kept have line
// ends of every kind, and so has its snapshot.
func TestOlderIndexIsReadAgain(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.txt": "one heart\r\ntwo hearts\r\n", "b.txt": "no heart"})
	file := filepath.Join(t.TempDir(), "x.db")
	ix, err := New(Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog})
	indextest.Must(t, err)
	indextest.Must(t, ix.Load(t.Context()))
	mustSync(t, ix, sync.Scope{})
	indextest.Must(t, ix.store.SaveSnapshot(t.Context(), 0))
	indextest.Must(t, ix.Close())
	db, err := sql.Open("sqlite", file)
	indextest.Must(t, err)
	_, err = db.Exec("UPDATE meta SET value = '8' WHERE key = 'format'")
	indextest.Must(t, errors.Join(err, db.Close()))
	if r, rebuilt := reopen(t, n.Dir, file, true); r.Indexed != 2 || !strings.Contains(rebuilt, "another version") {
		t.Errorf("%+v, rebuilt because %q", r, rebuilt)
	}
}

// TestPathOfOne: what is the path of a document or folder means nothing else.
func TestPathOfOne(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"README.md": "alpha root", "sub/README.md": "alpha below", "sub/deep/sub/x.md": "alpha deep", "a d.md": "alpha d", "a [draft].md": "alpha draft",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for pattern, want := range map[string]string{
		"README.md":                         "README.md",
		"./README.md":                       "README.md",
		"**/README.md":                      "README.md sub/README.md",
		"READM?.md":                         "README.md sub/README.md",
		"sub":                               "sub/README.md sub/deep/sub/x.md",
		"sub//deep/":                        "sub/deep/sub/x.md",
		"x.md":                              "sub/deep/sub/x.md",
		"a [draft].md":                      "a [draft].md",
		"a [dr].md":                         "a d.md",
		".":                                 "README.md a [draft].md a d.md sub/README.md sub/deep/sub/x.md",
		filepath.Join(n.Dir, "README.md"):   "README.md",
		filepath.Join(n.Dir, "sub", "deep"): "sub/deep/sub/x.md",
	} {
		all, err := ix.List(t.Context(), Filter{Path: pattern})
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, d := range all {
			paths = append(paths, d.Path)
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%s means %s, want %s", pattern, got, want)
		}
	}
}

func TestPathFilter(t *testing.T) {
	t.Parallel()
	files := map[string]string{"heart/a.md": "warfarin dose in the heart clinic"}
	for _, p := range strings.Fields("b c d e f g h i j k l m n o p") {
		for _, q := range strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20") {
			files["lung/"+p+q+".txt"] = "warfarin dose dose dose number " + p + q
		}
	}
	n := indextest.NewNotesFolder(t, files)
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, tt := range []struct{ glob, want string }{
		{"heart/**", "heart/a.md"},
		{"heart", "heart/a.md"},
		{"heart/", "heart/a.md"},
		{"*.md", "heart/a.md"},
		{"**/a.md", "heart/a.md"},
		{"heart/a.md", "heart/a.md"},
		{"lung/b1.txt", "lung/b1.txt"},
		{"nope/**", ""},
	} {
		a := mustSearch(t, ix, Query{Text: "warfarin dose", Filter: Filter{Path: tt.glob}})
		if got := found(a); got != tt.want {
			t.Errorf("%s finds %q, want %q", tt.glob, got, tt.want)
		}
		for _, p := range a.Passages {
			if p.LexicalRank != 1 || p.VectorRank != 1 {
				t.Errorf("%s: ranks %d and %d, want the first of what the filter admits", tt.glob, p.LexicalRank, p.VectorRank)
			}
		}
	}
	if _, err := ix.Search(t.Context(), Query{Text: "x", Filter: Filter{Path: "a[z"}}); err == nil {
		t.Error("a broken glob is accepted")
	}
}

func TestQueryChecks(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}).Dir)
	for _, tt := range []struct {
		q    Query
		want string
	}{
		{Query{}, "query is empty"},
		{Query{Text: " \n "}, "query is empty"},
		{Query{Text: "?? 。！"}, "query has only punctuation"},
		{Query{Text: strings.Repeat("x", 100_000)}, "too long (100000 characters, at most 8000)"},
		{Query{Text: "x", TopK: -1}, "from 1 to 50, got -1"},
		{Query{Text: "x", TopK: 1000}, "from 1 to 50, got 1000"},
		{Query{Text: "x", OtherWordings: make([]string, 9)}, "at most 8"},
	} {
		if _, err := ix.Search(t.Context(), tt.q); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
}

func TestAlso(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"en.md": "Metformin is taken with meals to spare the stomach.",
		"zh.md": "阿司匹林应当饭后服用。",
		"no.md": "The garden needs water in summer.",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "二甲双胍什么时候吃", OtherWordings: []string{"when to take metformin, with meals?"}, TopK: 1})
	if got := found(a); got != "en.md" {
		t.Errorf("the translation finds %q", got)
	}
	for _, q := range []Query{
		{Text: "二甲双胍什么时候吃", OtherWordings: []string{"when to take metformin"}},
		{Text: "metformin with meals", OtherWordings: []string{"阿司匹林", "water in summer"}},
		{Text: `the garden "needs water"`},
	} {
		for i, p := range mustSearch(t, ix, q).Passages {
			if p.Score > 1 || p.Score <= 0 || (p.Score == 1) != (i == 0) {
				t.Errorf("%q: passage %d has the score %v", q.Text, i+1, p.Score)
			}
		}
	}
}

// TestAlsoWeighs: all other wordings together weigh as much however many they are, and those
// that find nothing take their share.
func TestAlsoWeighs(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"asked.md": "Aspirin thins blood.", "other.md": "Inhalers widen lungs."})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, tt := range []struct {
		also []string
		want float64
	}{
		{[]string{"inhalers"}, 1},
		{[]string{"inhalers", "zebra"}, 0.5},
		{[]string{"inhalers", "lungs", "zebra", "giraffe"}, 0.5},
		{[]string{"inhalers", "lungs", "widen"}, 1},
	} {
		scores := make(map[string]float64)
		for _, p := range mustSearch(t, ix, Query{Text: "blood", OtherWordings: tt.also}).Passages {
			scores[p.Path] = p.Score
		}
		if got := scores["other.md"] / scores["asked.md"] / alsoWeight; math.Abs(got-tt.want) > 0.01 {
			t.Errorf("%q: what they find has %.3f of what the question finds times their weight, want %.3f", tt.also, got, tt.want)
		}
	}
}

func TestSeveralFolders(t *testing.T) {
	t.Parallel()
	one := indextest.NewNotesFolder(t, map[string]string{"x/notes/a.md": "The heart beats."})
	two := indextest.NewNotesFolder(t, map[string]string{"y/notes/a.md": "The heart rests.", "y/notes/b.md": "Lungs."})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), one.Path("x/notes"), two.Path("y/notes"))
	if r := mustSync(t, ix, sync.Scope{}); r.SearchableDocuments != 3 {
		t.Fatalf("report %+v", r)
	}
	if got := listed(ix); got != "x/notes/a.md y/notes/a.md y/notes/b.md" {
		t.Errorf("documents %q", got)
	}
	a := mustSearch(t, ix, Query{Text: "heart rests", TopK: 2})
	if got := found(a); got != "y/notes/a.md x/notes/a.md" {
		t.Errorf("ranking over both: %q", got)
	}
	for _, ref := range []string{"y/notes/a.md", two.Path("y/notes/a.md"), docs.FileURI(two.Path("y/notes/a.md"))} {
		part, err := ix.Read(t.Context(), ReadQuery{Ref: ref})
		if err != nil || part.Text != "The heart rests." {
			t.Errorf("%s reads %q, %v", ref, part.Text, err)
		}
	}
	if part, err := ix.Read(t.Context(), ReadQuery{Ref: "b.md"}); err != nil || part.Text != "Lungs." {
		t.Errorf("a path without the folder's name reads %q, %v", part.Text, err)
	}
	if r := mustSync(t, ix, sync.Scope{Paths: []string{"y/notes/*.md"}, Force: true}); r.Indexed != 2 {
		t.Errorf("a glob in one of the folders: %+v", r)
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.txt": "Insulin lowers the blood sugar.\r\nIt is injected.\r\n"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	found, added, err := ix.AddTexts(t.Context(), []string{"Insulin lowers the blood sugar.\nIt is injected.", "A new text on ferrets.", "A new text on ferrets."}, nil)
	if err != nil || found != 3 || added != 1 {
		t.Fatalf("found %d, added %d, %v", found, added, err)
	}
	a := mustSearch(t, ix, Query{Text: "ferrets", TopK: 1})
	if len(a.Passages) != 1 || !strings.HasPrefix(a.Passages[0].URI, "vademecum:text/") {
		t.Fatalf("passages %+v", a.Passages)
	}
	part, err := ix.Read(t.Context(), ReadQuery{Ref: a.Passages[0].URI})
	if err != nil || part.Text != "A new text on ferrets." {
		t.Errorf("reads %q, %v", part.Text, err)
	}
	if _, _, err := ix.AddTexts(t.Context(), []string{" "}, nil); err == nil || !strings.Contains(err.Error(), "docs[0] is empty") {
		t.Errorf("an empty text: %v", err)
	}
	if found, added, err := ix.AddTexts(t.Context(), []string{"", "A new text on ferrets.", " "}, nil); err != nil || found != 1 || added != 0 {
		t.Errorf("with empty ones, found %d, added %d, %v", found, added, err)
	}
	if r := mustSync(t, ix, sync.Scope{}); r.Removed != 0 || r.SearchableDocuments != 2 {
		t.Errorf("a scan of the folder took texts away: %+v", r)
	}
}

// watched is a context that counts how often it is asked whether it has ended.
type watched struct {
	context.Context
	asked func(n int) error
	n     *int
}

func (w watched) Err() error {
	*w.n++
	return w.asked(*w.n)
}

// invented are words that are written like many others.
func invented(from, n int, end string) string {
	syllables := []string{"ba", "ke", "lo", "mi", "nu", "ra", "se", "to"}
	words := make([]string, n)
	for i := range words {
		for at := from + i; len(words[i]) < 8; at /= len(syllables) {
			words[i] += syllables[at%len(syllables)]
		}
		words[i] += end
	}
	return strings.Join(words, " ")
}

// TestLongQuestion: a page that is given for a question with eight wordings is
// answered with bounded work, and it is given up when nobody waits for it.
func TestLongQuestion(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	files := make(map[string]string)
	for i := range 40 {
		files[fmt.Sprintf("%d.md", i)] = invented(100*i, 100, "")
	}
	n := indextest.NewNotesFolder(t, files)
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	q := Query{Text: invented(0, 800, "s")}
	for i := range MaxOtherWordings {
		q.OtherWordings = append(q.OtherWordings, invented(400*i, 800, "n"))
	}
	phrasings, _ := ix.phrasings(t.Context(), q)

	steps := 0
	ask := func(asked func(n int) error) error {
		steps = 0
		return ix.store.View(watched{t.Context(), asked, &steps}, func(ctx context.Context, v search.View) error {
			_, err := v.Search(ctx, phrasings, allDocuments, 5)
			return err
		})
	}
	indextest.Must(t, ask(func(int) error { return nil }))
	if most := (MaxOtherWordings + 1) * (lexical.MaxCancellationChecks + 1); steps > most || steps <= MaxOtherWordings {
		t.Errorf("it took %d steps, want at most %d", steps, most)
	}
	all := steps
	for at := 1; at < all; at += all / 7 {
		err := ask(func(n int) error {
			if n == at {
				return context.Canceled
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || steps != at {
			t.Errorf("given up at step %d it ends after %d: %v", at, steps, err)
		}
	}
}
