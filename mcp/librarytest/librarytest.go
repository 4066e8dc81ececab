// Package librarytest holds tests that each implementation of mcp.Library must pass. It depends on
// none of them.
package librarytest

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/docs/extract/extracttest"
	"vademecum/docs/meta"
	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/quote"
	"vademecum/mcp"
)

// OpenFunc returns a Library of the documents in a folder, which follows changes of the files until
// the test ends. It may still be loading.
type OpenFunc func(t *testing.T, folder string) mcp.Library

// TestLibrary tests the Libraries that open returns.
func TestLibrary(t *testing.T, open OpenFunc) {
	for name, test := range map[string]func(*fixture){
		"Folders":              testFolders,
		"Search":               testSearch,
		"Filter":               testFilter,
		"Find":                 testFind,
		"CheckQuotes":          testCheckQuotes,
		"Look":                 testShowPage,
		"Said":                 testFilterByFrontMatter,
		"Mistakes":             testMistakes,
		"Freshness":            testFreshness,
		"Read":                 testRead,
		"Budget":               testBudget,
		"NotFound":             testNotFound,
		"List":                 testList,
		"Page":                 testPage,
		"DocumentFingerprints": testDocumentFingerprints,
		"Canonical":            testCanonicalURI,
		"Sync":                 testSyncAll,
		"SyncPart":             testSyncPart,
		"Texts":                testAddTexts,
		"TextLimits":           testTextLimits,
		"Changes":              testChanges,
		"Cancelled":            testCancelled,
		"SeveralAtOnce":        testConcurrentQueries,
	} {
		t.Run(name, func(t *testing.T) {
			k := &fixture{T: t, dir: t.TempDir()}
			k.write("cardio/pressure.md", "# Blood pressure\n\nLess salt lowers the blood pressure.\n\nSo does a walk each day.\n")
			k.write("asthma.md", "# Asthma\n\nAn inhaler opens the bronchi.\n")
			k.write("long.txt", strings.Repeat("One line of many, with \"quotes\" in it.\n", 200)+"The last line tells of axolotls.\n")
			k.write("photo.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\x00")
			k.library = open(t, k.dir)
			test(k)
		})
	}
}

// fixture is a test with its folder and Library.
type fixture struct {
	*testing.T
	dir     string
	library mcp.Library
}

func (k *fixture) write(path, text string) {
	k.Helper()
	file := filepath.Join(k.dir, filepath.FromSlash(path))
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		k.Fatal(err)
	}
}

// sync waits until all files are indexed, as WaitFresh may return before on a busy machine.
func (k *fixture) sync() {
	k.Helper()
	for range 20 {
		if err := k.library.WaitFresh(k.Context(), index.WaitForAnswer); err != nil {
			k.Fatal(err)
		}
		if len(k.library.FreshnessNotes()) == 0 {
			return
		}
	}
}

// search answers a query after all files are indexed.
func (k *fixture) search(q index.Query) index.Answer {
	k.Helper()
	k.sync()
	a, err := index.Ask(k.Context(), k.library, q)
	if err != nil {
		k.Fatalf("search %q: %v", q.Text, err)
	}
	return a
}

func (k *fixture) read(r index.ReadQuery) index.DocumentPart {
	k.Helper()
	part, err := index.Ask(k.Context(), k.library, r)
	if err != nil {
		k.Fatalf("read %+v: %v", r, err)
	}
	return part
}

// pathsOf lists the paths of the distinct documents in an answer, best first.
func pathsOf(a index.Answer) string {
	var all []string
	for _, p := range a.Passages {
		if !slices.Contains(all, p.Path) {
			all = append(all, p.Path)
		}
	}
	return strings.Join(all, " ")
}

// testFind checks that every occurrence of a text is found, in recently saved files as well, and
// only in the documents that match the filter.
func testFind(k *fixture) {
	k.write("cardio/new.md", "The blood\npressure of a new note.\n")
	k.sync()
	for _, c := range []struct {
		q                 index.FindQuery
		places, documents int
		first             string
	}{
		{index.FindQuery{Text: "BLOOD pressure"}, 3, 2, "cardio/pressure.md#L1 # <Blood pressure>"},
		{index.FindQuery{Text: "Blood pressure", IsCaseSensitive: true}, 1, 1, "cardio/pressure.md#L1 # <Blood pressure>"},
		{index.FindQuery{Text: "with \"quotes\""}, 200, 1, "long.txt#L1 One line of many, <with \"quotes\"> in it."},
		{index.FindQuery{Text: `\bax\w+s\b`, IsRegexp: true}, 1, 1, "long.txt#L201 The last line tells of <axolotls>."},
		{index.FindQuery{Text: "note", Filter: index.Filter{Path: "cardio/**"}}, 1, 1, "cardio/new.md#L2 pressure of a new <note>."},
		{index.FindQuery{Text: "axolotls", Filter: index.Filter{Path: "cardio/**"}}, 0, 0, ""},
	} {
		found, err := index.Ask(k.Context(), k.library, c.q)
		first := ""
		if len(found.Found) > 0 {
			l := found.Found[0].Lines[0]
			first = found.Found[0].Path + "#" + l.Fragment + " " + l.Highlighted("<", ">")
		}
		if err != nil || found.Occurrences != c.places || found.Documents != c.documents || first != c.first {
			k.Errorf("%+v is found %d times in %d documents, first %q, %v; want %d in %d, %q", c.q, found.Occurrences, found.Documents, first, err, c.places, c.documents, c.first)
		}
	}
	if _, err := index.Ask(k.Context(), k.library, index.FindQuery{Text: "(", IsRegexp: true}); err == nil {
		k.Error("what is no pattern is looked for")
	}
}

// testShowPage checks that pages of documents can be shown, whether these are indexed or not, and
// that documents without pages are refused.
func testShowPage(k *fixture) {
	k.write("scan.pdf", string(extracttest.PDF("", "0 0 1 rg 100 500 300 200 re f")))
	k.sync()
	shown, err := index.Ask(k.Context(), k.library, index.PageImageQuery{Ref: "scan.pdf", MaxBytes: 20_000})
	if err != nil || shown.Path != "scan.pdf" || shown.Place.String() != "page 1" || len(shown.JPEG) == 0 || len(shown.JPEG) > 20_000 {
		k.Errorf("a scan is shown as %s %s in %d bytes, %v", shown.Path, shown.Place, len(shown.JPEG), err)
	}
	for _, ref := range []string{"asthma.md", "none.pdf", "../scan.pdf"} {
		if shown, err := index.Ask(k.Context(), k.library, index.PageImageQuery{Ref: ref, MaxBytes: 20_000}); err == nil {
			k.Errorf("%s is shown in %d bytes", ref, len(shown.JPEG))
		}
	}
}

// testCheckQuotes checks that all quotations are answered in order, including those that cannot be
// checked and those in recently saved files.
func testCheckQuotes(k *fixture) {
	k.write("cardio/new.md", "A walk lowers it by 5 mmHg,\nand it is not dangerous.\n")
	k.sync()
	checked, err := index.Ask(k.Context(), k.library, index.QuoteQuery{Quotes: []index.Quote{
		{Text: "“a walk lowers it by 5 mmHg and it is not dangerous”"},
		{Text: "walk lowers it by 15 mmHg"},
		{Text: "Statins lower the cholesterol of most people"},
		{Text: " "},
		{Text: "less salt lowers the blood pressure", Path: "asthma.md"},
		{Text: "So does a walk each day", Path: "cardio/pressure.md"},
		{Text: "An inhaler opens the bronchi", Path: "none.md"},
	}})
	if err != nil {
		k.Fatal(err)
	}
	want := []string{
		"exact cardio/new.md#char=0,51", "differs cardio/new.md#char=2,26: walk lowers it by ⟦quotation: 15 | document: 5⟧ mmHg", "nowhere", "not checked (there is nothing to check: it contains no words)",
		"exact cardio/pressure.md#char=18,53 (it is not in asthma.md)", "exact cardio/pressure.md#char=56,79", "exact asthma.md#char=10,38 (no such document: none.md)",
	}
	for i, q := range checked.Quotes {
		got := string(q.Verdict)
		for _, p := range q.Parts {
			got += " " + p.Path + "#" + p.Fragment
			if len(p.DiffRuns) > 0 {
				got += ": " + quote.MarkDifferences(p.DiffRuns)
			}
			if part := k.read(index.ReadQuery{Ref: p.URI + "#" + p.Fragment}); part.Span != p.Span {
				k.Errorf("%s#%s reads back %+v, want %+v", p.URI, p.Fragment, part.Span, p.Span)
			}
		}
		if q.Note != "" {
			got += " (" + q.Note.String() + ")"
		}
		if i >= len(want) || got != want[i] {
			k.Errorf("quotation %d: %s, want %s", i+1, got, want[i])
		}
	}
	for _, quotes := range [][]index.Quote{nil, make([]index.Quote, index.MaxQuotes+1)} {
		if _, err := index.Ask(k.Context(), k.library, index.QuoteQuery{Quotes: quotes}); err == nil {
			k.Errorf("%d quotations are checked", len(quotes))
		}
	}
}

func testFolders(k *fixture) {
	if got := k.library.Folders(); !slices.Equal(got, []string{k.dir}) { // also before loading
		k.Errorf("folders %q, want %q", got, k.dir)
	}
}

// testSearch checks that a passage is found and reads back unchanged.
func testSearch(k *fixture) {
	a := k.search(index.Query{Text: "what lowers blood pressure?", TopK: 1})
	if len(a.Passages) != 1 || a.Incomplete {
		k.Fatalf("it found %d passages, incomplete %t", len(a.Passages), a.Incomplete)
	}
	p := a.Passages[0]
	if p.Path != "cardio/pressure.md" || p.Title != "Blood pressure" || p.Score != 1 || p.StartLine < 1 || p.EndLine < p.StartLine || !strings.Contains(p.Text, "Less salt") {
		k.Errorf("it found %+v", p)
	}
	if part := k.read(index.ReadQuery{Ref: p.URI}); part.Text != p.Text || part.Span != p.Span || part.Place != p.Place {
		k.Errorf("%s reads back as %+v, want %+v", p.URI, part, p)
	}
	if a := k.search(index.Query{Text: "Bluthochdruck", OtherWordings: []string{"asthma inhaler"}}); !strings.HasPrefix(pathsOf(a), "asthma.md") {
		k.Errorf("in other words it found %q", pathsOf(a))
	}
}

func testFilter(k *fixture) {
	if a := k.search(index.Query{Text: "blood pressure inhaler axolotl", Filter: index.Filter{Path: "cardio"}}); pathsOf(a) != "cardio/pressure.md" {
		k.Errorf("in cardio it found %q", pathsOf(a))
	}
	if a := k.search(index.Query{Text: "blood", Filter: index.Filter{Path: "*.pdf"}}); len(a.Passages) > 0 || len(a.Notes) == 0 {
		k.Errorf("where there is no document it found %q, notes %q", pathsOf(a), a.Notes)
	}
	if a := k.search(index.Query{Text: "blood zyxwvut"}); !strings.Contains(strings.Join(notice.Lines(a.Notes), " "), "zyxwvut") {
		k.Errorf("a word that is nowhere: notes %q", a.Notes)
	}
}

// testFilterByFrontMatter checks filters on front matter and the counts of its values.
func testFilterByFrontMatter(k *fixture) {
	k.write("soup.md", "---\nstatus: draft\ndate: 2023-05-06\n---\nBlood soup with salt. #food/soup\n")
	only := index.Filter{}
	if err := errors.Join(only.AddTags("food"), only.AddKeyValues("status=draft")); err != nil {
		k.Fatal(err)
	}
	soup := only.Conditions
	only.Conditions = append(soup[:len(soup):len(soup)], meta.Condition{Before: 20230000})
	if a := k.search(index.Query{Text: "salt", Filter: only}); pathsOf(a) != "soup.md" || a.Passages[0].Date != 20230506 || !slices.Equal(a.Passages[0].Tags, []string{"food/soup"}) {
		k.Errorf("it found %+v", a.Passages)
	}
	if all, err := k.library.List(k.Context(), only); err != nil || len(all) != 1 || all[0].Path != "soup.md" {
		k.Errorf("it lists %+v, %v", all, err)
	}
	want := []index.TagCount{{Tag: "food", Documents: 1}, {Tag: "food/soup", Documents: 1}}
	if tags, err := k.library.Tags(k.Context(), index.Filter{}); err != nil || !slices.Equal(tags, want) {
		k.Errorf("tags are %v, %v", tags, err)
	}
	if keys, values := k.library.FrontMatterValues(""), k.library.FrontMatterValues("status"); !slices.Equal(keys, []string{"date", "status"}) || !slices.Equal(values, []string{"draft"}) {
		k.Errorf("keys are %q, values %q", keys, values)
	}
	only.Conditions = append(soup[:len(soup):len(soup)], meta.Condition{Before: 20220000})
	for name, f := range map[string]index.Filter{"none": only, "all": {}, "a path": {Path: "*.md"}} {
		if why, err := k.library.ExplainNoMatch(k.Context(), f); err != nil || (len(why) > 0) != (name == "none") {
			k.Errorf("of %s it says %q, %v", name, why, err)
		}
	}
}

func testMistakes(k *fixture) {
	k.sync()
	for what, q := range map[string]index.Query{
		"an empty query":    {Text: " "},
		"too many wanted":   {Text: "blood", TopK: index.MaxTopK + 1},
		"too many wordings": {Text: "blood", OtherWordings: make([]string, index.MaxOtherWordings+1)},
		"a long query":      {Text: strings.Repeat("blood ", index.MaxQueryRunes)},
	} {
		if _, err := index.Ask(k.Context(), k.library, q); err == nil || strings.Contains(err.Error(), "\n") {
			k.Errorf("%s: error %v, want one line", what, err)
		}
	}
	for what, r := range map[string]index.ReadQuery{
		"a file that is no text":   {Ref: "photo.png"},
		"lines of a part":          {Ref: "asthma.md#line=0,1", StartLine: 1},
		"lines beyond the end":     {Ref: "asthma.md", StartLine: 1000},
		"a page that is not there": {Ref: "asthma.md#page=7"},
		"a path that leads out":    {Ref: "../asthma.md"},
	} {
		if part, err := index.Ask(k.Context(), k.library, r); err == nil || errors.Is(err, index.ErrNotFound) {
			k.Errorf("%s reads %q, error %v", what, part.Text, err)
		}
	}
}

// testFreshness checks that files saved before the question are found.
func testFreshness(k *fixture) {
	if a := k.search(index.Query{Text: "ferret"}); pathsOf(a) != "" || !strings.Contains(strings.Join(notice.Lines(a.Notes), " "), "ferret") {
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

func testRead(k *fixture) {
	k.sync()
	const whole = "# Asthma\n\nAn inhaler opens the bronchi.\n"
	file := filepath.Join(k.dir, "asthma.md")
	for _, r := range []struct {
		index.ReadQuery
		want string
	}{
		{index.ReadQuery{Ref: "asthma.md"}, whole},
		{index.ReadQuery{Ref: file}, whole},
		{index.ReadQuery{Ref: docs.FileURI(file)}, whole},
		{index.ReadQuery{Ref: "asthma.md", StartLine: 3}, "An inhaler opens the bronchi."},
		{index.ReadQuery{Ref: "asthma.md", EndLine: 1}, "# Asthma"},
		{index.ReadQuery{Ref: "asthma.md", StartLine: 2, EndLine: 3}, "\nAn inhaler opens the bronchi."},
		{index.ReadQuery{Ref: "asthma.md#line=2,3"}, "An inhaler opens the bronchi."},
		{index.ReadQuery{Ref: docs.FileURI(file) + "#line=0,1"}, "# Asthma"},
	} {
		part := k.read(r.ReadQuery)
		if strings.TrimSuffix(part.Text, "\n") != strings.TrimSuffix(r.want, "\n") || part.Path != "asthma.md" || part.RestURI != "" {
			k.Errorf("%+v reads %+v, want %q", r.ReadQuery, part, r.want)
		}
		if again := k.read(index.ReadQuery{Ref: part.URI}); again.Text != part.Text {
			k.Errorf("%+v: its uri %s reads %q, want %q", r.ReadQuery, part.URI, again.Text, part.Text)
		}
	}
	part := k.read(index.ReadQuery{Ref: "asthma.md"})
	if part.Document.URI != docs.FileURI(file) || part.Title != "Asthma" || part.TextMIME != "text/markdown" || part.Size != int64(len(whole)) || part.Modified.IsZero() {
		k.Errorf("it is %+v", part.Document)
	}
}

// testBudget checks that a document is read in parts that fit a budget.
func testBudget(k *fixture) {
	k.sync()
	all := k.read(index.ReadQuery{Ref: "long.txt"})
	r := index.Budget{Characters: 1000, Bytes: 1000}
	var read []string
	next := 1
	for ref := "long.txt"; ref != ""; {
		part := k.read(index.ReadQuery{Ref: ref, Budget: r})
		if part.Text == "" || r.FittingBytes(part.Text) != len(part.Text) || part.StartLine != next {
			k.Fatalf("from line %d on it reads lines %d to %d, %d bytes", next, part.StartLine, part.EndLine, len(part.Text))
		}
		read = append(read, strings.TrimSuffix(part.Text, "\n"))
		next, ref = part.EndLine+1, part.RestURI
	}
	if strings.Join(read, "\n") != strings.TrimSuffix(all.Text, "\n") || len(read) < 5 {
		k.Errorf("%d parts do not make up the whole", len(read))
	}
	if part := k.read(index.ReadQuery{Ref: "asthma.md", Budget: r}); part.RestURI != "" {
		k.Errorf("of a document that fits there is the rest %s", part.RestURI)
	}
}

func testNotFound(k *fixture) {
	k.sync()
	for _, ref := range []string{"none.md", docs.FileURI(filepath.Join(k.dir, "none.md")), "vademecum:text/0000000000000000"} {
		if _, err := index.Ask(k.Context(), k.library, index.ReadQuery{Ref: ref}); !errors.Is(err, index.ErrNotFound) {
			k.Errorf("%s: error %v, want one that matches ErrNotFound", ref, err)
		}
	}
}

func testList(k *fixture) {
	k.sync()
	for pattern, want := range map[string]string{
		"":         "asthma.md cardio/pressure.md long.txt photo.png",
		"cardio":   "cardio/pressure.md",
		"**/*.md":  "asthma.md cardio/pressure.md",
		"none.pdf": "",
	} {
		all, err := k.library.List(k.Context(), index.Filter{Path: pattern})
		if err != nil {
			k.Errorf("list %q: %v", pattern, err)
		}
		var paths []string
		for _, d := range all {
			paths = append(paths, d.Path)
			if skipped := d.Path == "photo.png"; skipped != (d.SkipReason != "") || d.URI != docs.FileURI(filepath.Join(k.dir, filepath.FromSlash(d.Path))) {
				k.Errorf("%s: skip %q, uri %s", d.Path, d.SkipReason, d.URI)
			}
		}
		if got := strings.Join(paths, " "); got != want {
			k.Errorf("list %q: %q, want %q", pattern, got, want)
		}
	}
}

func testPage(k *fixture) {
	k.sync()
	for _, tt := range []struct {
		after string
		most  int
		want  string
	}{
		{"", 10, "asthma.md cardio/pressure.md long.txt"},
		{"", 3, "asthma.md cardio/pressure.md long.txt"},
		{"", 1, "asthma.md"},
		{"asthma.md", 1, "cardio/pressure.md"},
		{"b", 2, "cardio/pressure.md long.txt"},
		{"long.txt", 2, ""},
		{"", 0, ""},
	} {
		all, err := k.library.ListAfter(k.Context(), tt.after, tt.most)
		if err != nil {
			k.Error(err)
		}
		var paths []string
		for _, d := range all {
			paths = append(paths, d.Path)
			if d.Title == "" || d.URI != docs.FileURI(filepath.Join(k.dir, filepath.FromSlash(d.Path))) {
				k.Errorf("%s is described as %+v", d.Path, d)
			}
		}
		if got := strings.Join(paths, " "); got != tt.want {
			k.Errorf("%d after %q: %q, want %q", tt.most, tt.after, got, tt.want)
		}
	}
}

func testDocumentFingerprints(k *fixture) {
	look := func() map[uint64]uint64 {
		k.sync()
		all, err := k.library.DocumentFingerprints(k.Context())
		if err != nil {
			k.Fatal(err)
		}
		found := make(map[uint64]uint64)
		for _, v := range all {
			found[v.URIHash] = v.ContentHash
		}
		if len(found) != 3 || len(all) != 3 {
			k.Errorf("of three documents that can be searched there are %v", all)
		}
		return found
	}
	before, written := look(), k.library.ChangeNumber()
	k.write("asthma.md", "# Asthma\n\nA spacer helps.\n")
	after := look()
	if k.library.ChangeNumber() == written {
		k.Error("nobody is told that a document has changed")
	}
	asthma, long := documentKey(k.dir, "asthma.md"), documentKey(k.dir, "long.txt")
	if after[asthma] == before[asthma] || after[asthma] != index.HashPrefix(sha256.Sum256([]byte("# Asthma\n\nA spacer helps.\n"))) || after[long] != before[long] || after[long] == 0 {
		k.Errorf("from %v to %v", before, after)
	}
}

func documentKey(dir, name string) uint64 {
	return index.HashURI(docs.FileURI(filepath.Join(dir, name)))
}

func testCanonicalURI(k *fixture) {
	k.sync()
	listed := docs.FileURI(filepath.Join(k.dir, "asthma.md"))
	escaped := strings.Replace(listed, "asthma", "%61sthma", 1)
	for uri, want := range map[string]string{listed: listed, escaped: listed, escaped + "#line=0,1": listed + "#line=0,1"} {
		if got, found := k.library.CanonicalURI(uri); got != want || !found {
			k.Errorf("%s: %s, %t, want %s", uri, got, found, want)
		}
	}
	missing := strings.Replace(listed, "asthma", "gone", 1)
	if got, found := k.library.CanonicalURI(missing); got != missing || found {
		k.Errorf("of no document: %s, %t", got, found)
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
	if r := report(index.Scope{}); r.Indexed != 0 || r.Unchanged != 3 || r.Total != 3 || len(r.Skipped) != 1 || r.Skipped[0].Path != "photo.png" || r.Skipped[0].Reason == "" {
		k.Errorf("of nothing new: %+v", r)
	}
	if r := report(index.Scope{Force: true}); r.Indexed != 3 || r.Unchanged != 0 || r.Total != 3 {
		k.Errorf("by force: %+v", r)
	}
	if _, err := k.library.Sync(k.Context(), index.Scope{Paths: []string{"../elsewhere"}}); err == nil {
		k.Error("it takes a path that leads out")
	}
}

func testSyncPart(k *fixture) {
	k.sync()
	r, err := k.library.Sync(k.Context(), index.Scope{Paths: []string{"cardio"}, Force: true})
	if err != nil || r.Indexed != 1 || r.Unchanged != 0 || r.Total != 3 || len(r.Skipped) != 0 {
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

func testCancelled(k *fixture) {
	k.sync()
	ctx, cancel := context.WithCancel(k.Context())
	cancel()
	if err := k.library.WaitFresh(ctx, index.WaitForAnswer); !errors.Is(err, context.Canceled) {
		k.Errorf("settle: %v", err)
	}
	if _, err := k.library.Sync(ctx, index.Scope{}); !errors.Is(err, context.Canceled) {
		k.Errorf("sync: %v", err)
	}
	if _, added, err := k.library.AddTexts(ctx, []string{"A ferret sleeps all day."}, nil); !errors.Is(err, context.Canceled) || added != 0 {
		k.Errorf("add texts: added %d, %v", added, err)
	}
	if a := k.search(index.Query{Text: "inhaler"}); pathsOf(a) != "asthma.md" {
		k.Errorf("and after it was found %q", pathsOf(a))
	}
}

// testConcurrentQueries checks concurrent queries, even before the Library is loaded.
func testConcurrentQueries(k *fixture) {
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := k.library.WaitFresh(k.Context(), index.WaitForAutocompletion); err != nil {
				k.Error(err)
			}
			if err := k.library.WaitFresh(k.Context(), index.WaitForAnswer); err != nil {
				k.Error(err)
			}
			a, err := index.Ask(k.Context(), k.library, index.Query{Text: "inhaler"})
			if err != nil || pathsOf(a) != "asthma.md" {
				k.Errorf("it found %q, %v", pathsOf(a), err)
			}
			all, err := k.library.List(k.Context(), index.Filter{})
			if err != nil || len(all) != 4 {
				k.Errorf("it lists %d documents, %v", len(all), err)
			}
			if _, err := k.library.Sync(k.Context(), index.Scope{}); err != nil {
				k.Error(err)
			}
			k.library.State()
			k.library.FreshnessNotes()
		})
	}
	group.Wait()
}
