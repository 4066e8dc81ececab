package index

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"vademecum/docs"
	"vademecum/docs/text"
	"vademecum/index/indextest"
	"vademecum/index/match"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/index/sync"
)

func mustFind(t *testing.T, ix *Index, q FindQuery) Findings {
	t.Helper()
	found, err := ix.Find(t.Context(), q)
	if err != nil {
		t.Fatalf("find %q: %v", q.Text, err)
	}
	return found
}

// placesOf is what was found, in lines: path, fragment and the marked text.
func placesOf(found Findings) (all []string) {
	for _, d := range found.Found {
		for _, l := range d.Lines {
			all = append(all, fmt.Sprintf("%s#%s %s", d.Path, l.Fragment, l.Highlighted("<", ">")))
		}
	}
	return all
}

func TestFind(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"heart/warfarin.md": "# Warfarin\n\nWarfarin thins the blood; warfarin\nneeds checks of the INR.\n",
		"b.txt":             "Nothing of the kind.\n\tStop   WARFARIN before\nan operation.\n",
		"压.md":              "# 高血壓\n\n高血\n压患者少吃盐。\n",
		"long.txt":          strings.Repeat("word ", 100) + "needle " + strings.Repeat("other ", 100) + "\n",
		"photo.png":         "\x89PNG\r\n\x1a\n",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, c := range []struct {
		q                        FindQuery
		places, documents, lines int
		want                     []string
	}{
		{FindQuery{Text: "warfarin"}, 4, 2, 3, []string{"heart/warfarin.md#L1 # <Warfarin>", "heart/warfarin.md#L3 <Warfarin> thins the blood; <warfarin>", "b.txt#L2 Stop <WARFARIN> before"}},
		{FindQuery{Text: "WARFARIN", IsExactSpelling: true}, 1, 1, 1, []string{"b.txt#L2 Stop <WARFARIN> before"}},
		{FindQuery{Text: "warfarin before an operation"}, 1, 1, 1, []string{"b.txt#L2-3 Stop <WARFARIN before an operation>."}},
		{FindQuery{Text: "warfarin", Filter: Filter{Path: "heart/**"}}, 3, 1, 2, []string{"heart/warfarin.md#L1 # <Warfarin>", "heart/warfarin.md#L3 <Warfarin> thins the blood; <warfarin>"}},
		{FindQuery{Text: "高血压"}, 2, 1, 2, []string{"压.md#L1 # <高血壓>", "压.md#L3-4 <高血 压>患者少吃盐。"}},
		{FindQuery{Text: `\bINR\b|\boperation`, IsRegexp: true}, 2, 2, 2, []string{"b.txt#L3 an <operation>.", "heart/warfarin.md#L4 needs checks of the <INR>."}},
		{FindQuery{Text: "kind\\.\n", IsRegexp: true}, 1, 1, 1, []string{"b.txt#L1 Nothing of the <kind.>"}},
		{FindQuery{Text: "needle"}, 1, 1, 1, []string{"long.txt#L1 … " + strings.Repeat("word ", 11) + "<needle> " + strings.TrimSpace(strings.Repeat("other ", 23)) + " …"}},
		{FindQuery{Text: "axolotl"}, 0, 0, 0, nil},
		{FindQuery{Text: "warfarin", Filter: Filter{Path: "none/**"}}, 0, 0, 0, nil},
	} {
		found := mustFind(t, ix, c.q)
		if found.Occurrences != c.places || found.Documents != c.documents || found.Lines != c.lines || found.Incomplete || found.NextLineOffset != 0 || !slices.Equal(placesOf(found), c.want) {
			t.Errorf("%+v is found %d times in %d documents on %d lines (incomplete %t, next %d)\n%q, want\n%q", c.q, found.Occurrences, found.Documents, found.Lines, found.Incomplete, found.NextLineOffset, placesOf(found), c.want)
		}
		for _, d := range found.Found {
			for _, l := range d.Lines {
				part, err := ix.Read(t.Context(), ReadQuery{Ref: d.URI + "#" + l.Fragment})
				if err != nil || part.Span != l.Span {
					t.Errorf("%s#%s reads back %+v (%v), the line is %+v", d.URI, l.Fragment, part.Span, err, l.Span)
				}
			}
		}
	}
	if found := mustFind(t, ix, FindQuery{Text: "warfarin", Filter: Filter{Path: "none/**"}}); len(found.Notes) != 1 || found.Notes[0].Kind != notice.NoDocumentAtPath {
		t.Errorf("of a path that is not there the notes are %v", found.Notes)
	}
	blob, err := json.Marshal(mustFind(t, ix, FindQuery{Text: "INR"}))
	const want = `{"places":1,"documents":1,"lines":1,"found":[{"path":"heart/warfarin.md","uri":"URI","places":1,"lines":[{"place":"line 4","fragment":"L4","text":"needs checks of the INR.","marks":[{"start":20,"end":23}]}]}]}`
	if blob = bytes.Replace(blob, []byte(docs.FileURI(n.Path("heart/warfarin.md"))), []byte("URI"), 1); err != nil || string(blob) != want {
		t.Errorf("in JSON it is %s (%v), want %s", blob, err, want)
	}
}

// TestFindPages: page by page every line is shown once, and what is not yet shown is named.
func TestFindPages(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 9 {
		files[fmt.Sprintf("%d.txt", i)] = strings.Repeat("The axolotl swims.\n", 12-i)
	}
	n := indextest.NewNotesFolder(t, files)
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, c := range []struct {
		only  string
		lines int
	}{{"", 12 + 11 + 10 + 9 + 8 + 7 + 6 + 5 + 4}, {"0.txt", 12}} {
		for _, size := range []int{1, 3, 7, 20, 200} {
			var all []string
			next, seen := 0, make(map[string]int)
			for {
				found := mustFind(t, ix, FindQuery{Text: "axolotl", Filter: Filter{Path: c.only}, LineOffset: next, MaxLines: size})
				if all = append(all, placesOf(found)...); found.Lines != c.lines {
					t.Fatalf("%d lines have some, want %d", found.Lines, c.lines)
				}
				for _, d := range found.Found {
					if seen[d.Path] += len(d.Lines); seen[d.Path]+d.MoreLines != d.Occurrences {
						t.Fatalf("of %s %d lines are shown and %d more, want %d", d.Path, seen[d.Path], d.MoreLines, d.Occurrences)
					}
				}
				if len(seen)+len(found.OtherDocuments) != found.Documents {
					t.Fatalf("%d documents are shown and %d named, want %d", len(seen), len(found.OtherDocuments), found.Documents)
				}
				if next = found.NextLineOffset; next == 0 {
					break
				}
			}
			distinct := slices.Compact(slices.Sorted(slices.Values(all)))
			if len(all) != c.lines || len(distinct) != len(all) || !strings.HasPrefix(all[0], "0.txt#L1 ") {
				t.Errorf("by %d there are %d lines, %d different ones, from %s on; want %d", size, len(all), len(distinct), all[0], c.lines)
			}
		}
	}
	if found := mustFind(t, ix, FindQuery{Text: "axolotl", LineOffset: 1000}); len(found.Found) != 0 || found.NextLineOffset != 0 || found.Occurrences == 0 {
		t.Errorf("behind the end there are %+v", found)
	}
}

// TestFindOnLongLines: places that are far apart on one line are shown in pieces, and those
// that have no room are counted.
func TestFindOnLongLines(t *testing.T) {
	t.Parallel()
	far := strings.Repeat(" other words of the same line", 20)
	n := indextest.NewNotesFolder(t, map[string]string{
		"a.md": "An axolotl" + far + " axolotls eat" + far + " the axolotl" + far + " axolotl, axolotl" + far + "\n",
		"b.md": "See the [list](https://example.org/" + strings.Repeat("long-", 30) + ") axolotl)\n",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	found := mustFind(t, ix, FindQuery{Text: "axolotl"})
	l := found.Found[0].Lines[0]
	if text := l.Highlighted("<", ">"); strings.Count(text, "<axolotl>") != 3 || strings.Count(text, " … ") != 2 || !strings.HasPrefix(text, "An <axolotl> other") || !strings.HasSuffix(text, " …") || l.MoreOccurrences != 2 {
		t.Errorf("the line is %q, and %d more places", text, l.MoreOccurrences)
	}
	if text := found.Found[1].Lines[0].Highlighted("<", ">"); !strings.HasSuffix(text, "long-) <axolotl>)") {
		t.Errorf("beside an address the line is %q", text)
	}
}

// TestPlacesOnOneLine: places are put together in one pass, however long the line is that
// they stand on; this one takes minutes otherwise.
func TestPlacesOnOneLine(t *testing.T) {
	t.Parallel()
	const n = 2_000_000
	places := make([]match.Range, n)
	for i := range places {
		places[i] = match.Range{Start: 5 * i, End: 5*i + 4}
	}
	all := groupByLine(strings.Repeat("word ", n)+"\nword", append(places, match.Range{Start: 5*n + 1, End: 5*n + 5}))
	if len(all) != 2 || len(all[0]) != n || len(all[1]) != 1 {
		t.Errorf("there are %d lines", len(all))
	}
}

// TestFindLoosely: a text as it is read is found where marks of Markdown stand between its
// words, and told to be found so; what stands just so is found alone.
func TestFindLoosely(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"a.md": "Some jobs are *not* matched. 公司花了[12亿美元](https://x.y/z)收购它。\n",
		"b.md": "It is notable: a table.\n",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for text, want := range map[string]string{
		"jobs are not matched": "a.md#L1 Some <jobs are *not* matched>. 公司花了[12亿美元](https://x.y/z)收购它。 (loosely)",
		"花了12亿美元":              "a.md#L1 Some jobs are *not* matched. 公司<花了[12亿美元>](https://x.y/z)收购它。 (loosely)",
		"notable: a table":     "b.md#L1 It is <notable: a table>.",
		"not able":             "",
		"jobs are matched":     "",
	} {
		found := mustFind(t, ix, FindQuery{Text: text})
		got := strings.Join(placesOf(found), "\n")
		if len(found.Notes) > 0 && found.Notes[0].Kind == notice.PunctuationIgnored {
			got += " (loosely)"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if found := mustFind(t, ix, FindQuery{Text: "jobs are not matched", IsExactSpelling: true}); found.Occurrences != 0 {
		t.Errorf("with case %+v is found", found)
	}
}

// TestFindRespelled: a text that occurs nowhere is found with its umlauts spelled in the other way, and a note
// says so.
func TestFindRespelled(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "Die Störung bei Mueller ist behoben.\n", "b.md": "Blüten sind blau.\n"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for text, want := range map[string]string{
		"Stoerung bei Müller": "a.md#L1 Die <Störung bei Mueller> ist behoben.",
		"Störung":             "a.md#L1 Die <Störung> bei Mueller ist behoben.",
		"blue":                "",
	} {
		found := mustFind(t, ix, FindQuery{Text: text})
		isNoted := len(found.Notes) > 0 && found.Notes[0].Kind == notice.UmlautsRespelled
		if got := strings.Join(placesOf(found), "\n"); got != want || isNoted != (text == "Stoerung bei Müller") {
			t.Errorf("%q: %s, noted: %t; want %s", text, got, isNoted, want)
		}
	}
	if found := mustFind(t, ix, FindQuery{Text: "Stoerung", IsExactSpelling: true}); found.Occurrences != 0 {
		t.Errorf("with case %+v is found", found)
	}
}

// TestFindOutOfTime: what there is no time for is reported.
func TestFindOutOfTime(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "axolotl", "b.md": "axolotl"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	found := mustFind(t, ix, FindQuery{Text: "axolotl", Timeout: -time.Second})
	if !found.Incomplete || found.Occurrences != 0 || len(found.Notes) != 1 || found.Notes[0].Kind != notice.SearchTimedOut || found.Notes[0].Total != 2 {
		t.Errorf("without time %+v is found", found)
	}
}

// TestScanInPart: a document in which the time is over is named, and those that follow count as not
// looked through.
func TestScanInPart(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "axolotl", "b.md": "axolotl", "c.md": "axolotl"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	_, err := ix.scanTexts(t.Context(), ix.literals, time.Hour, func(ctx context.Context, s *textScan) error {
		documents := s.view.Matching(search.Filter{})
		bodies, err := s.view.LoadBodies(ctx, documents)
		if err != nil {
			return err
		}
		looking, cancel := context.WithCancel(ctx)
		defer cancel()
		var looked []string
		s.all = len(documents)
		s.lookAt(looking, bodies, func(ctx context.Context, d *search.Document, _ text.Body) error {
			if looked = append(looked, d.Path); len(looked) == 2 {
				cancel()
			}
			return ctx.Err()
		})
		notes := s.missedNotes()
		if len(looked) != 2 || len(notes) != 1 || notes[0].Done != 1 || notes[0].Total != 3 || !slices.Equal(notes[0].Words, looked[1:]) {
			t.Errorf("%q are looked through, and %+v is told", looked, notes)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// endless waits for the end of the context over some texts.
type endless struct {
	match.Matcher
	begun context.CancelFunc
}

func (e endless) Find(ctx context.Context, to []match.Range, text string) ([]match.Range, error) {
	e.begun()
	<-ctx.Done()
	return to, ctx.Err()
}

// TestFindCancelled: who cancels a search in the middle of a document gives the slot back.
func TestFindCancelled(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "axolotl", "b.md": "axolotl"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	ctx, cancel := context.WithCancel(t.Context())
	f := finder{Index: ix, FindQuery: FindQuery{Text: "axolotl", MaxLines: 1}}
	_, err := ix.scanTexts(ctx, ix.literals, time.Hour, func(ctx context.Context, s *textScan) error {
		_, err := f.findWith(ctx, s, endless{begun: cancel})
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a search that is cancelled ends with %v", err)
	}
	if found := mustFind(t, ix, FindQuery{Text: "axolotl"}); found.Occurrences != 2 {
		t.Errorf("after it %+v is found", found)
	}
}

// TestFindAgain: lines are the same where there was no room to hold their places.
func TestFindAgain(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "axolotl\nnone\naxolotl, axolotl\naxolotl\n"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	q := FindQuery{Text: "axolotl", MaxLines: 2, LineOffset: 1}
	want := mustFind(t, ix, q)
	matcher, err := q.Check()
	if err != nil {
		t.Fatal(err)
	}
	var again Findings
	_, err = ix.scanTexts(t.Context(), ix.literals, time.Hour, func(ctx context.Context, s *textScan) error {
		counts := []documentPlaces{{Document: s.view.Matching(search.Filter{})[0], places: 4, lines: 3}}
		return (&finder{Index: ix, FindQuery: q}).fillLines(ctx, s, matcher, counts, &again)
	})
	if got, want := placesOf(again), placesOf(want); err != nil || len(want) != 2 || !slices.Equal(got, want) {
		t.Errorf("%q is found again (%v), want %q", got, err, want)
	}
}

// brittle finds nothing, and panics over one text.
type brittle struct{ match.Matcher }

func (b brittle) Find(ctx context.Context, to []match.Range, text string) ([]match.Range, error) {
	if strings.Contains(text, "hostile") {
		panic("a text that nobody thought of")
	}
	return b.Matcher.Find(ctx, to, text)
}

// TestFindFault: a text that this program fails on takes down no other, and is reported.
func TestFindFault(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "axolotl", "b.md": "hostile axolotl", "c.md": "axolotl"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	q := FindQuery{Text: "axolotl"}
	matcher, err := q.Check()
	if err != nil {
		t.Fatal(err)
	}
	f := finder{Index: ix, FindQuery: q}
	var found Findings
	_, err = ix.scanTexts(t.Context(), ix.literals, patternTime, func(ctx context.Context, scan *textScan) (err error) {
		found, err = f.findTextOrWords(ctx, scan, brittle{matcher})
		return err
	})
	if err != nil || found.Occurrences != 2 || !found.Incomplete || len(found.Notes) != 1 || found.Notes[0].Kind != notice.DocumentsNotSearched || found.Notes[0].Count != 1 {
		t.Errorf("%+v is found, %v", found, err)
	}
}

// TestFindInTurn: texts are looked through for one query at a time, apart from those with a pattern,
// and who does not want to wait any more need not.
func TestFindInTurn(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "axolotl"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	ix.literals <- struct{}{} // another is under way
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := ix.Find(ctx, FindQuery{Text: "axolotl"}); !errors.Is(err, context.Canceled) {
		t.Errorf("beside another %+v is found, %v", found, err)
	}
	if found := mustFind(t, ix, FindQuery{Text: "axo.otl", IsRegexp: true}); found.Occurrences != 1 {
		t.Errorf("beside a text that is looked for %+v is found", found)
	}
	<-ix.literals
	for range 2 {
		if found := mustFind(t, ix, FindQuery{Text: "axolotl"}); found.Occurrences != 1 {
			t.Errorf("%+v is found", found)
		}
	}
}

func TestFindMistakes(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "axolotl"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, c := range []struct {
		q    FindQuery
		want string
	}{
		{FindQuery{Text: " \n "}, "text is empty"},
		{FindQuery{Text: "(", IsRegexp: true}, "not a regular expression"},
		{FindQuery{Text: "^", IsRegexp: true}, "matches no characters"},
		{FindQuery{Text: strings.Repeat("a", maxFindRunes+1)}, "too long"},
		{FindQuery{Text: "a", MaxLines: MaxFindLines + 1}, "lines must be"},
		{FindQuery{Text: "a", Filter: Filter{Path: "[a"}}, "["},
	} {
		if _, err := ix.Find(t.Context(), c.q); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.q.Text, err, c.want)
		}
	}
}

// TestOneLine: places stay where they are as spaces are made one.
func TestOneLine(t *testing.T) {
	t.Parallel()
	const text = "a\t\tb\n  c 高压 d"
	line, marks := collapseSpaces(text[1:], 1, []match.Range{{Start: 3, End: 4}, {Start: 7, End: 15}})
	if want := []match.Range{{Start: 1, End: 2}, {Start: 3, End: 11}}; line != " b c 高压 d" || !slices.Equal(marks, want) {
		t.Errorf("the line is %q with %v, want %v", line, marks, want)
	}
}

// FuzzFoundLine: whatever a place is, its line holds it, reads back, and is short.
func FuzzFoundLine(f *testing.F) {
	f.Add("one\ntwo three\n\tfour 五\n", "three\n\tfour")
	f.Add(strings.Repeat("long ", 200)+"x", "x")
	f.Fuzz(func(t *testing.T, all, look string) {
		if !utf8.ValidString(all) || !utf8.ValidString(look) {
			return
		}
		m, err := match.NewLiteral(look, true)
		if err != nil {
			return
		}
		body := text.Body{Text: all}
		found, err := m.Find(t.Context(), nil, all)
		if err != nil {
			t.Fatal(err)
		}
		for _, places := range groupByLine(all, found) {
			l := newFoundLine(body, places, struckPlaces{})
			if span, err := body.ResolveFragment(l.Fragment); err != nil || span != l.Span || l.StartByte > places[0].Start || utf8.RuneCountInString(l.Text) > shownBefore+shownAfter+morePieces*(2*shownAround+3)+(1+morePieces)*longestPlace+4 {
				t.Fatalf("%q in %q is shown as %+v, which reads back %+v, %v", look, all, l, span, err)
			}
			at := 0
			for _, r := range l.MatchRanges {
				if r.Start < at || r.End < r.Start || r.End > len(l.Text) {
					t.Fatalf("%q in %q is marked at %v in %q", look, all, l.MatchRanges, l.Text)
				}
				at = r.End
			}
			if len(l.MatchRanges) == 0 || l.MatchRanges[0].Start == l.MatchRanges[0].End {
				t.Fatalf("%q in %q is not marked in %q", look, all, l.Text)
			}
		}
	})
}

// TestFindStruck checks that places are found across the marks of struck-out text beside plain ones, and
// that lines say which are struck out and show no struck-out word without marks.
func TestFindStruck(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 60)
	n := indextest.NewNotesFolder(t, map[string]string{
		"dose.md":  "Dose: ~~40 mg~~ 20 mg daily, at most 40 mg.\n\n~~Dose: 20 mg weekly.~~\n",
		"plain.md": "Dose: 20 mg in winter.\n",
		"long.md":  "~~" + long + "the needle " + long + "another needle " + long + "end~~ a needle.\n\n~~" + long + "a thread~~ and no " + long + "other thread.\n",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	before, after := strings.Repeat("word ", 11), strings.Repeat(" word", 27)
	for _, c := range []struct {
		q                        FindQuery
		places, documents, lines int
		want                     []string
	}{
		{FindQuery{Text: "Dose: 20 mg"}, 3, 2, 3, []string{
			"dose.md#L1 <Dose: ~~40 mg~~ 20 mg> daily, at most 40 mg.", "dose.md#L3 ~~<Dose: 20 mg> weekly.~~ (struck out)", "plain.md#L1 <Dose: 20 mg> in winter."}},
		{FindQuery{Text: "dose: 40 mg"}, 1, 1, 1, []string{"dose.md#L1 <Dose: ~~40 mg>~~ 20 mg daily, at most 40 mg. (struck out)"}},
		{FindQuery{Text: "40 MG"}, 2, 1, 1, []string{"dose.md#L1 Dose: ~~<40 mg>~~ 20 mg daily, at most <40 mg>. (1 of 2 struck out)"}},
		{FindQuery{Text: "Dose 20 mg"}, 3, 2, 3, []string{
			"dose.md#L1 <Dose: ~~40 mg~~ 20 mg> daily, at most 40 mg.", "dose.md#L3 ~~<Dose: 20 mg> weekly.~~ (struck out)", "plain.md#L1 <Dose: 20 mg> in winter."}},
		{FindQuery{Text: "the needle"}, 1, 1, 1, []string{"long.md#L1 … ~~" + before + "<the needle>" + after + "~~ … (struck out)"}},
		{FindQuery{Text: "a thread"}, 1, 1, 1, []string{"long.md#L3 … ~~" + before + "<a thread>~~ and no" + strings.Repeat(" word", 26) + " … (struck out)"}},
	} {
		found := mustFind(t, ix, c.q)
		got := placesOf(found)
		i := 0
		for _, d := range found.Found {
			for _, l := range d.Lines {
				if note := l.StruckNote(); note != "" {
					got[i] += " (" + note.String() + ")"
				}
				i++
			}
		}
		if found.Occurrences != c.places || found.Documents != c.documents || found.Lines != c.lines || !slices.Equal(got, c.want) {
			t.Errorf("%+v is found %d times in %d documents on %d lines\n%q, want\n%q", c.q, found.Occurrences, found.Documents, found.Lines, got, c.want)
		}
	}
	blob, err := json.Marshal(mustFind(t, ix, FindQuery{Text: "dose: 40 mg"}).Found[0].Lines)
	const want = `[{"place":"line 1","fragment":"L1","text":"Dose: ~~40 mg~~ 20 mg daily, at most 40 mg.","marks":[{"start":0,"end":13}],"struck_out":1}]`
	if err != nil || string(blob) != want {
		t.Errorf("in JSON it is %s (%v), want %s", blob, err, want)
	}
}
