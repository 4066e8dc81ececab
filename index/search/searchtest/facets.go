package searchtest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/docs/meta"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// documentsWithFields returns a library of documents that have a word in common, with various
// metadata. It is the same each time.
func documentsWithFields() Library {
	random := rand.New(rand.NewPCG(7, 13))
	pick := func(of ...string) (all []string) {
		for _, s := range of {
			if random.IntN(3) == 0 {
				all = append(all, s)
			}
		}
		return all
	}
	l := Library{Folders: make([][]Document, 2)}
	for i := range 120 {
		name := fmt.Sprintf("%d.md", i)
		if random.IntN(6) == 0 {
			name = fmt.Sprintf("2023-0%d-11 %d.md", 1+random.IntN(9), i)
		}
		l.add(i%2, name, []string{fmt.Sprintf("everything is number %d", i)})
		d := &l.Folders[i%2][i/2]
		d.Modified = time.Date(2021+random.IntN(4), time.Month(1+random.IntN(12)), 15, 12, 0, 0, 0, time.Local)
		d.Meta.Tags = pick("a", "A/b", "a/b/c", "ab", "读书", "读书/小说")
		if values := pick("x", "Y", "草稿"); len(values) > 0 {
			d.Meta.Fields = append(d.Meta.Fields, meta.Field{Key: "status", Values: values})
		}
		if random.IntN(3) == 0 {
			d.Meta.Date = []meta.Date{20220000, 20220300, 20220315, 20241231}[random.IntN(4)]
		}
	}
	return l
}

// dayOf is an independent implementation of search.Document.EffectiveDate.
func dayOf(d Document) meta.Date {
	return cmp.Or(d.Meta.Date, meta.DateInFileName(d.Path), meta.DateOf(d.Modified))
}

// isAdmitted is a simple implementation of a filter, which compares strings.
func isAdmitted(folder int, d Document, f search.Filter) bool {
	at := search.Location{Folder: folder, Path: d.Path}
	return (f.Locations == nil || f.Locations[at]) && f.Conditions.Folded().Match(d.Meta, dayOf(d))
}

// testConditions tests that each filter admits exactly what a simple scan does, for chunks, copies,
// documents and tags.
func testConditions(t *testing.T, open func(t *testing.T, l Library) search.Searcher) {
	l := documentsWithFields()
	s := open(t, l)
	hashes := make(map[rank.ChunkTextHash]bool)
	for _, documents := range l.Folders {
		for _, d := range documents {
			hashes[d.Chunks[0].ContentHash] = true
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	some := 0
	for range 150 {
		f := randomFilter(random, l)
		var want []string
		for folder, documents := range l.Folders {
			for _, d := range documents {
				if isAdmitted(folder, d, f) {
					want = append(want, fmt.Sprintf("%d/%s:0", folder, d.Path))
				}
			}
		}
		slices.Sort(want)
		some += len(want)
		check := func(what string, got []string) {
			t.Helper()
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%+v\n%s %q\n  want %q", f, what, got, want)
			}
		}
		var found, copies, admitted []string
		mustView(t, s, func(v search.View) error {
			result, err := v.Search(t.Context(), []search.Phrasing{{Text: "everything", Weight: 1}}, f, 200)
			if err != nil {
				return err
			}
			for _, c := range result.Candidates {
				found = append(found, formatLocation(c.Chunk))
			}
			same, err := v.AppendCopies(t.Context(), nil, hashes, f)
			for _, c := range same {
				copies = append(copies, formatLocation(c))
			}
			return err
		})
		for _, d := range s.Matching(f) {
			admitted = append(admitted, fmt.Sprintf("%d/%s:0", d.Folder, d.Path))
		}
		check("found", found)
		check("copies", copies)
		check("admitted", admitted)
		checkTags(t, s, l, f)
	}
	if some < 500 {
		t.Errorf("%d documents were meant by all filters together", some)
	}
	of, withStatus := make(map[string]int), 0
	for _, d := range slices.Concat(l.Folders...) {
		withStatus += len(d.Meta.Fields)
		for _, f := range d.Meta.Fields {
			for _, v := range f.Values {
				of[v]++
			}
		}
	}
	want := fmt.Sprintf("x:%d y:%d 草稿:%d", of["x"], of["Y"], of["草稿"])
	if got := formatCounts(s.FrontMatterValues("Status")); got != want {
		t.Errorf("the values are %s, want %s", got, want)
	}
	if got, want := formatCounts(s.FrontMatterKeys()), fmt.Sprintf("status:%d", withStatus); got != want {
		t.Errorf("the keys are %s, want %s", got, want)
	}
}

func randomFilter(random *rand.Rand, l Library) (f search.Filter) {
	if random.IntN(2) == 0 {
		f.Conditions = append(f.Conditions, meta.Condition{Tag: []string{"a", "A/B", "a/b", "ab", "读书", "none", "小说"}[random.IntN(7)]})
	}
	if random.IntN(4) == 0 {
		f.Conditions = append(f.Conditions, meta.Condition{Tag: []string{"a/b/c", "ab"}[random.IntN(2)]})
	}
	if random.IntN(3) == 0 {
		f.Conditions = append(f.Conditions, meta.Condition{Key: []string{"status", "Status", "other"}[random.IntN(3)], Value: []string{"X", "y", "草稿"}[random.IntN(3)]})
	}
	if random.IntN(3) == 0 {
		f.Conditions = append(f.Conditions, meta.Condition{NotBefore: []meta.Date{20220000, 20220300, 20220316, 20240000}[random.IntN(4)]})
	}
	if random.IntN(3) == 0 {
		f.Conditions = append(f.Conditions, meta.Condition{NotAfter: []meta.Date{20220000, 20220300, 20220314, 20240000}[random.IntN(4)]})
	}
	if random.IntN(4) == 0 {
		f.Locations = make(map[search.Location]bool)
		for folder, documents := range l.Folders {
			for _, d := range documents[:random.IntN(len(documents))] {
				f.Locations[search.Location{Folder: folder, Path: d.Path}] = true
			}
		}
	}
	return f
}

func checkTags(t *testing.T, s search.Searcher, l Library, f search.Filter) {
	t.Helper()
	of := make(map[string]int)
	for folder, documents := range l.Folders {
		for _, d := range documents {
			for _, tag := range []string{"a", "a/b", "a/b/c", "ab", "读书", "读书/小说"} {
				has := meta.Conditions{meta.Condition{Tag: tag}}
				if isAdmitted(folder, d, f) && has.Folded().Match(d.Meta, 0) {
					of[tag]++
				}
			}
		}
	}
	var want []search.ValueCount
	for tag, n := range of {
		want = append(want, search.ValueCount{Value: tag, Documents: n})
	}
	if got, want := formatCounts(s.Tags(f)), formatCounts(want); got != want {
		t.Errorf("%+v: tags are %s, want %s", f, got, want)
	}
}

func formatCounts(of []search.ValueCount) string {
	var all []string
	for _, c := range of {
		all = append(all, fmt.Sprintf("%s:%d", meta.Fold(c.Value), c.Documents))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// testLinks tests that a note is found by its name, with or without its folders, or by an alias,
// and that the notes that link to it are found too.
func testLinks(t *testing.T, open func(t *testing.T, l Library) search.Searcher) {
	l := Library{Folders: make([][]Document, 2)}
	note := func(folder int, path string, aliases []string, to ...string) {
		l.add(folder, path, []string{"text of " + path})
		d := &l.Folders[folder][len(l.Folders[folder])-1]
		d.Meta.LinkTargets = to
		if aliases != nil {
			d.Meta.Fields = []meta.Field{{Key: "aliases", Values: aliases}}
		}
	}
	note(0, "trips/Kyoto.md", []string{"京都"}, "Kyoto", "Index", "gone")
	note(0, "food/Ramen.md", nil, "kyoto", "trips/Kyoto", "other/Kyoto")
	note(0, "food/Index.md", nil, "京都", "/trips/Kyoto", "paper.pdf")
	note(0, "Index.md", []string{"kyoto"}, "Ramen")
	note(0, "paper.pdf", nil)
	note(1, "Elsewhere.md", nil, "Kyoto")
	note(0, "trips/x/Index.md", nil)
	s := open(t, l)
	show := func(all []*search.Document) string {
		var paths []string
		for _, d := range all {
			paths = append(paths, fmt.Sprintf("%d/%s", d.Folder, d.Path))
		}
		return strings.Join(paths, " ")
	}
	for name, want := range map[string]string{
		"Kyoto": "0/trips/Kyoto.md", "KYOTO": "0/trips/Kyoto.md", "trips/kyoto": "0/trips/Kyoto.md", "Kyoto.md": "0/trips/Kyoto.md", "rips/Kyoto": "",
		"京都": "0/trips/Kyoto.md", "Index": "0/Index.md 0/food/Index.md 0/trips/x/Index.md", "food/Index": "0/food/Index.md", "paper": "0/paper.pdf", "paper.pdf": "0/paper.pdf", "none": "", "": "",
	} {
		if got := show(s.LinkTargetsNamed(name)); got != want {
			t.Errorf("%q names %s, want %s", name, got, want)
		}
	}
	for path, want := range map[string]string{
		"trips/Kyoto.md": "0/food/Index.md 0/food/Ramen.md", "Index.md": "0/trips/Kyoto.md", "food/Index.md": "", "food/Ramen.md": "0/Index.md", "paper.pdf": "0/food/Index.md",
	} {
		to := s.Matching(search.Filter{Locations: map[search.Location]bool{{Folder: 0, Path: path}: true}})
		if len(to) != 1 {
			t.Fatalf("there are %d %s", len(to), path)
		}
		if got := show(s.LinkingTo(to[0], 0)); got != want {
			t.Errorf("to %s link %s, want %s", path, got, want)
		}
		if got := s.LinkingTo(to[0], 1); len(got) > 0 && len(s.LinkingTo(to[0], 0)) > 1 {
			t.Errorf("to %s, more than one at most links %s", path, show(got))
		}
	}
	for path, want := range map[string]string{
		"trips/Kyoto.md": "Kyoto: 0/trips/Kyoto.md, Index: 0/Index.md, gone: nowhere", "food/Ramen.md": "kyoto: 0/trips/Kyoto.md, trips/Kyoto: 0/trips/Kyoto.md, other/Kyoto: nowhere",
		"food/Index.md": "京都: 0/trips/Kyoto.md, /trips/Kyoto: 0/trips/Kyoto.md, paper.pdf: 0/paper.pdf", "paper.pdf": "",
	} {
		from := s.Matching(search.Filter{Locations: map[search.Location]bool{{Folder: 0, Path: path}: true}})
		var got []string
		for _, l := range s.LinksOf(from)[0] {
			to := "nowhere"
			if l.Target != nil {
				to = show([]*search.Document{l.Target})
			}
			got = append(got, l.Name+": "+to)
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s links to %s, want %s", path, got, want)
		}
	}
	if from := s.Matching(search.Filter{Locations: map[search.Location]bool{{Folder: 1, Path: "Elsewhere.md"}: true}}); s.LinksOf(from)[0][0].Target != nil {
		t.Error("a link leads to another folder")
	}
}
