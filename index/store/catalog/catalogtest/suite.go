// Package catalogtest holds the test suite that each implementation of a catalogue must pass.
package catalogtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/docs/extract"
	"vademecum/docs/kind"
	"vademecum/docs/meta"
	"vademecum/docs/text"
	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// Test runs the suite. folder prepares empty storage for the catalogue of one folder and returns a
// function that opens it with a model, each time anew as another process would. The suite closes
// the catalogues it opens.
func Test(t *testing.T, folder func(t *testing.T) (open func(model string) catalog.Catalog)) {
	for name, test := range map[string]func(*testing.T, func(string) catalog.Catalog){
		"documents come back as they were put": testPutAndRead,
		"texts come back whatever they hold":   testAnyText,
		"a document replaces that of its path": testReplace,
		"several documents are one commit":     testPutSeveral,
		"several are removed in one commit":    testRemoveSeveral,
		"commits are numbered":                 testChangeNumbers,
		"changes are told to others":           testChangesToOthers,
		"each commit is noticed by others":     testNoticed,
		"many changes come in pages":           testPages,
		"changes that are no longer listed":    testReset,
		"vectors are by model":                 testVectors,
		"vectors out of use go in the end":     testPrune,
		"values":                               testValues,
		"requests and answers":                 testMailbox,
		"who gave up changes nothing":          testCancelled,
		"many at once":                         testConcurrent,
	} {
		t.Run(name, func(t *testing.T) {
			open := folder(t)
			test(t, func(model string) catalog.Catalog {
				c := open(model)
				t.Cleanup(func() { must(t, c.Close()) })
				return c
			})
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// entryOf returns a document with two chunks, with every field set.
func entryOf(path, content string) catalog.RecordWithBody {
	at := time.Unix(1_700_000_000, 123456789)
	half := len(content) / 2
	return catalog.RecordWithBody{
		Record: catalog.Record{
			Path: path, Size: 77, Modified: at, ChangeTime: at.Add(time.Second), ReadAt: at.Add(time.Minute),
			Hash: [32]byte{1, byte(len(content))}, TextHash: [32]byte{2, byte(len(content))},
			Title: "Title of " + path, MIME: "text/markdown", TextMIME: "text/plain", Encoding: "GB18030", ExtractionNote: "a page is missing",
			Meta: meta.Data{Tags: []string{"心血管/药", "b c"}, Date: 20241100, LinkTargets: []string{"Note"}, Fields: []meta.Field{{Key: "type", Values: []string{"x", "y"}}, {Key: "状态", Values: []string{"草稿"}}}},
			Chunks: []catalog.Chunk{
				{Span: text.Span{StartByte: 0, EndByte: half, StartLine: 1, EndLine: 2}, Heading: []string{"A", "", "血压"}, Key: catalog.EmbeddingKey{3}, ContentHash: rank.ChunkTextHash{4}, Traits: kind.Traits{Kind: kind.LinkList, Language: 3}, Terms: analysis.CountTerms(analysis.ChunkNames{}, content)},
				{Span: text.Span{StartByte: half, EndByte: len(content), StartLine: 2, EndLine: 3}, Key: catalog.EmbeddingKey{5}, ContentHash: rank.ChunkTextHash{6}, Terms: analysis.TermCounts{}},
			},
		},
		Body: text.Body{Text: content, Parts: []extract.Part{
			{Kind: extract.Page, Number: 1, PackedLayout: "\x00\xff"}, {Kind: extract.Sheet, Number: 2, Name: "Budget", FirstRow: 3, StartByte: half},
		}},
	}
}

func putEntry(t *testing.T, c catalog.Catalog, path, content string) catalog.CommitResult {
	t.Helper()
	w, err := c.Put(t.Context(), entryOf(path, content))
	must(t, err)
	return w
}

// Records lists all documents of a catalogue.
func Records(ctx context.Context, c catalog.Catalog) (all []catalog.Record, err error) {
	err = c.EachPage(ctx, func(page []catalog.Record) error {
		all = append(all, page...)
		return nil
	})
	return all, err
}

// LastChange returns the number of the last change of a catalogue.
func LastChange(ctx context.Context, c catalog.Catalog) (int64, error) {
	d, err := c.Changes(ctx, catalog.NoKnownChange)
	if err == nil && (!d.MustReload || d.HasMore || len(d.Records)+len(d.RemovedIDs) > 0) {
		err = fmt.Errorf("one that knows nothing is told %+v", d)
	}
	return d.LastChange, err
}

// Paths lists the paths of the documents of a catalogue that have a text, in row order.
func Paths(ctx context.Context, c catalog.Catalog) (paths []string, err error) {
	all, err := Records(ctx, c)
	for _, r := range all {
		if r.SkipReason == "" {
			paths = append(paths, r.Path)
		}
	}
	return paths, err
}

// recordPaths lists the paths of the documents of a catalogue, in row order.
func recordPaths(t *testing.T, c catalog.Catalog) (all []string) {
	t.Helper()
	last := int64(0)
	must(t, c.EachPage(t.Context(), func(page []catalog.Record) error {
		if len(page) == 0 || len(page) > catalog.PageRows {
			t.Errorf("a page of %d", len(page))
		}
		for _, r := range page {
			if r.ID <= last {
				t.Fatalf("row %d follows row %d", r.ID, last)
			}
			last, all = r.ID, append(all, r.Path)
		}
		return nil
	}))
	return all
}

// slotsOf returns the slots assigned to document i, if the catalogue assigns any.
func slotsOf(w catalog.CommitResult, i int) (none lexical.SlotRange) {
	if w.SlotRanges == nil {
		return none
	}
	return w.SlotRanges[i]
}

func testPutAndRead(t *testing.T, open func(string) catalog.Catalog) {
	c := open("m")
	put := entryOf("a/b.md", "one two 三四")
	w, err := c.Put(t.Context(), put)
	must(t, err)
	id, want, body := w.IDs[0], put.Record, put.Body
	want.ID, want.SlotRange = id, slotsOf(w, 0)
	for name, c := range map[string]catalog.Catalog{"who put it": c, "another": open("m")} {
		got, err := c.Record(t.Context(), id)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s reads\n%+v, %v\nwant\n%+v", name, got, err, want)
		}
		read, err := c.LoadBodies(t.Context(), map[int64][32]byte{id: want.TextHash, id + 1: want.TextHash})
		if err != nil || !reflect.DeepEqual(read, map[int64]text.Body{id: body}) {
			t.Errorf("%s reads the texts %+v, %v", name, read, err)
		}
	}
	if r, err := c.Record(t.Context(), id+1); err != nil || r.ID != 0 {
		t.Errorf("a row that there never was: %+v, %v", r, err)
	}
	_, err = c.Put(t.Context(), catalog.RecordWithBody{Record: catalog.Record{Path: "none.bin", SkipReason: "it is no text"}})
	must(t, err)
	if rows, err := c.RowsWithText(t.Context()); err != nil || !slices.Equal(rows, []int64{id}) {
		t.Errorf("with a text there are %d, %v; want %d", rows, err, id)
	}
	if _, err := c.LoadBodies(t.Context(), map[int64][32]byte{id: {9}}); !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("the text of another hash: %v", err)
	}
	if none, err := c.LoadBodies(t.Context(), nil); len(none) > 0 || err != nil {
		t.Errorf("the texts of no documents: %v, %v", none, err)
	}
}

// testAnyText checks texts that a database may not accept, such as those with zero bytes.
func testAnyText(t *testing.T, open func(string) catalog.Catalog) {
	c := open("m")
	for _, s := range []string{"\x00", "a\x00b\x00", "\uFDD0", "\uFDD0\uFDD1\x00\uFDD2", "'; DROP TABLE documents; --", `\x41 \\ "`, "\U0001F9E0\u200B\r\n", strings.Repeat("long/", 900)} {
		put := entryOf("a/"+s, "text "+s+" end")
		put.Title, put.MIME, put.TextMIME, put.Encoding, put.ExtractionNote = s, s, s, s, message.Message(s)
		put.Meta.Tags, put.Chunks[0].Heading = []string{s}, []string{s}
		w, err := c.Put(t.Context(), put)
		must(t, err)
		put.ID, put.SlotRange = w.IDs[0], slotsOf(w, 0)
		got, err := c.Record(t.Context(), put.ID)
		if err != nil || !reflect.DeepEqual(got, put.Record) {
			t.Errorf("%q: reads\n%+v, %v\nwant\n%+v", s, got, err, put.Record)
		}
		if b, err := c.LoadBodies(t.Context(), map[int64][32]byte{put.ID: put.TextHash}); err != nil || !reflect.DeepEqual(b[put.ID], put.Body) {
			t.Errorf("%q: reads the text %+v, %v", s, b, err)
		}
		must(t, c.SetValue(t.Context(), "key", s))
		number, err := catalog.NewRequestMailbox(c).SubmitRequest(t.Context(), s)
		must(t, err)
		value, err := c.Value(t.Context(), "key")
		must(t, err)
		asked, err := catalog.NewRequestMailbox(c).PendingRequests(t.Context())
		must(t, err)
		if value != s || asked[number] != s {
			t.Errorf("%q: the value %q, asked %q", s, value, asked[number])
		}
		if gone, err := c.Remove(t.Context(), put.Path); err != nil || gone.FirstChange == 0 {
			t.Errorf("%q: removed %+v, %v", s, gone, err)
		}
	}
}

// testPutSeveral checks that documents put together are stored together, each at its path, and that
// the last of two documents with the same path is kept.
func testPutSeveral(t *testing.T, open func(string) catalog.Catalog) {
	c := open("m")
	old := putEntry(t, c, "b.md", "old")
	skipped := catalog.RecordWithBody{Record: catalog.Record{Path: "c.md", SkipReason: "it is empty"}}
	w, err := c.Put(t.Context(), entryOf("a.md", "alpha"), entryOf("b.md", "beta"), skipped, entryOf("a.md", "alpha again"))
	must(t, err)
	if len(w.IDs) != 4 || w.FirstChange != old.LastChange+1 || w.LastChange != old.LastChange+6 {
		t.Fatalf("written %+v after %+v", w, old)
	}
	if got := fmt.Sprint(recordPaths(t, open("m"))); got != "[b.md c.md a.md]" {
		t.Errorf("there are %s", got)
	}
	for i, want := range map[int]catalog.RecordWithBody{1: entryOf("b.md", "beta"), 3: entryOf("a.md", "alpha again")} {
		r, err := c.Record(t.Context(), w.IDs[i])
		must(t, err)
		want.ID, want.SlotRange = w.IDs[i], slotsOf(w, i)
		bodies, err := c.LoadBodies(t.Context(), map[int64][32]byte{r.ID: r.TextHash})
		if err != nil || !reflect.DeepEqual(catalog.RecordWithBody{Record: r, Body: bodies[r.ID]}, want) {
			t.Errorf("number %d is\n%+v, %v\nwant\n%+v", i, r, err, want)
		}
	}
	if none, err := c.Put(t.Context()); err != nil || none.FirstChange != 0 || len(none.IDs) != 0 {
		t.Errorf("none at all: %+v, %v", none, err)
	}
}

// testReplace checks that a skipped file has no text, and that the row of a replaced document is
// gone.
func testReplace(t *testing.T, open func(string) catalog.Catalog) {
	c := open("m")
	old := putEntry(t, c, "a.md", "first")
	putEntry(t, c, "b.md", "beside")
	skipped, err := c.Put(t.Context(), catalog.RecordWithBody{Record: catalog.Record{Path: "a.md", SkipReason: "it is empty"}})
	must(t, err)
	if skipped.IDs[0] == old.IDs[0] {
		t.Error("the row is used again")
	}
	if r, err := c.Record(t.Context(), old.IDs[0]); err != nil || r.ID != 0 {
		t.Errorf("the old row holds %+v, %v", r, err)
	}
	if r, err := c.Record(t.Context(), skipped.IDs[0]); err != nil || r.SkipReason != "it is empty" || len(r.Chunks) > 0 {
		t.Errorf("the new row holds %+v, %v", r, err)
	}
	if w, err := c.Put(t.Context(), catalog.RecordWithBody{Record: catalog.Record{Path: "none.md"}}); err != nil || w.IDs[0] == 0 {
		t.Errorf("a document without chunks: %+v, %v", w, err)
	}
	if got := fmt.Sprint(recordPaths(t, c)); got != "[b.md a.md none.md]" {
		t.Errorf("there are %s", got)
	}
	w, err := c.Remove(t.Context(), "a.md")
	must(t, err)
	if again, err := c.Remove(t.Context(), "a.md"); err != nil || again.FirstChange != 0 || w.FirstChange == 0 {
		t.Errorf("removed %+v, and again %+v, %v", w, again, err)
	}
	if next := putEntry(t, c, "a.md", "third"); next.IDs[0] <= skipped.IDs[0] {
		t.Errorf("row %d after row %d", next.IDs[0], skipped.IDs[0])
	}
}

// testRemoveSeveral checks that documents removed together disappear together, whether or not all
// of them exist, and that a follower sees each removal.
func testRemoveSeveral(t *testing.T, open func(string) catalog.Catalog) {
	c, other := open("m"), open("m")
	var all []int64
	for _, p := range []string{"a.md", "b.md", "c.md", "d.md"} {
		all = append(all, putEntry(t, c, p, "text of "+p).IDs[0])
	}
	before, err := LastChange(t.Context(), other)
	must(t, err)
	w, err := c.Remove(t.Context(), "d.md", "none.md", "b.md", "d.md")
	if err != nil || w.FirstChange != before+1 || w.LastChange != before+2 {
		t.Errorf("removed %+v after change %d, %v", w, before, err)
	}
	d, err := other.Changes(t.Context(), before)
	if err != nil || d.MustReload || d.HasMore || d.LastChange != w.LastChange || len(d.Records) > 0 || !slices.Equal(d.RemovedIDs, []int64{all[1], all[3]}) {
		t.Errorf("changes are %+v, %v", d, err)
	}
	if got := fmt.Sprint(recordPaths(t, other)); got != "[a.md c.md]" {
		t.Errorf("there are %s", got)
	}
	if texts, err := other.LoadBodies(t.Context(), map[int64][32]byte{all[1]: {}, all[3]: {}}); err != nil || len(texts) > 0 {
		t.Errorf("texts are left: %v, %v", texts, err)
	}
	for _, paths := range [][]string{nil, {"b.md", "none.md"}} {
		if none, err := c.Remove(t.Context(), paths...); err != nil || none.FirstChange != 0 {
			t.Errorf("%q once more: %+v, %v", paths, none, err)
		}
	}
}

func testVectors(t *testing.T, open func(string) catalog.Catalog) {
	ctx, c, other := t.Context(), open("m"), open("n")
	must(t, c.SaveVectors(ctx, "", map[catalog.EmbeddingKey][]float32{{1}: {0.6, 0.8}, {2}: {1, 0}}))
	must(t, c.SaveVectors(ctx, "", map[catalog.EmbeddingKey][]float32{{1}: {0, 1}, {3}: {0, 1}})) // the first stays
	must(t, other.SaveVectors(ctx, "", map[catalog.EmbeddingKey][]float32{{1}: {0, 0, 1}}))
	must(t, other.SaveVectors(ctx, "m", map[catalog.EmbeddingKey][]float32{{4}: {1, 0}}))
	want := map[catalog.EmbeddingKey][]float32{{1}: {0.6, 0.8}, {2}: {1, 0}, {3}: {0, 1}, {4}: {1, 0}}
	for name, c := range map[string]catalog.Catalog{"who saved them": c, "another": open("m")} {
		if got, _, err := c.VectorsSavedAfter(ctx, 0); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s reads %v, %v", name, got, err)
		}
		if got, err := c.FindVectors(ctx, []catalog.EmbeddingKey{{3}, {9}}); err != nil || len(got) != 1 || !slices.Equal(got[catalog.EmbeddingKey{3}], want[catalog.EmbeddingKey{3}]) {
			t.Errorf("%s finds %v, %v", name, got, err)
		}
		if model := c.Describe().Model; model != "m" {
			t.Errorf("%s has the model %q", name, model)
		}
	}
	_, last, err := c.VectorsSavedAfter(ctx, 0)
	must(t, err)
	if got, again, err := c.VectorsSavedAfter(ctx, last); err != nil || len(got) > 0 || last <= 0 || again != last {
		t.Errorf("after the last, %d, there are %v up to %d, %v", last, got, again, err)
	}
	must(t, c.SaveVectors(ctx, "", map[catalog.EmbeddingKey][]float32{{5}: {1, 0}}))
	if got, next, err := open("m").VectorsSavedAfter(ctx, last); err != nil || len(got) != 1 || next <= last {
		t.Errorf("after %d there are %v up to %d, %v", last, got, next, err)
	}
	must(t, c.DeleteVectors(ctx))
	mine, _, err := c.VectorsSavedAfter(ctx, 0)
	must(t, err)
	if theirs, _, err := other.VectorsSavedAfter(ctx, 0); err != nil || len(mine) > 0 || len(theirs) != 1 {
		t.Errorf("dropped, there are %v, and of the other model %v, %v", mine, theirs, err)
	}
}

func testPrune(t *testing.T, open func(string) catalog.Catalog) {
	ctx, now := t.Context(), time.Now()
	putEntry(t, open("m"), "a.md", "alpha") // with chunks of the keys 3 and 5
	inUse := map[catalog.EmbeddingKey]bool{{3}: true, {5}: true}
	used := func() map[catalog.EmbeddingKey]bool { return inUse }
	for after, want := range map[time.Duration]int{0: 2, catalog.UnusedVectorTTL / 2: 2, catalog.UnusedVectorTTL + catalog.PruneInterval: 1} {
		c := open("m after " + after.String())
		must(t, c.SaveVectors(ctx, "", map[catalog.EmbeddingKey][]float32{{3}: {1}, {9}: {1}}))
		must(t, c.PruneVectors(ctx, now, used))
		must(t, c.PruneVectors(ctx, now.Add(after), used))
		if left, _, err := c.VectorsSavedAfter(ctx, 0); err != nil || len(left) != want || left[catalog.EmbeddingKey{3}] == nil {
			t.Errorf("after %s there are %v, %v", after, left, err)
		}
	}
	for _, again := range []time.Duration{time.Second, catalog.PruneInterval + time.Minute} { // seconds may be all that is kept
		c, asked := open("n after "+again.String()), 0
		for _, at := range []time.Time{now, now.Add(again)} {
			must(t, c.PruneVectors(ctx, at, func() map[catalog.EmbeddingKey]bool { asked++; return inUse }))
		}
		if want := 1 + int(again/catalog.PruneInterval); asked != 0 && asked != want { // 0: it knows what is in use
			t.Errorf("pruned again after %s: %d times, want %d", again, asked, want)
		}
	}
}

func testValues(t *testing.T, open func(string) catalog.Catalog) {
	ctx, c, other := t.Context(), open("m"), open("n")
	if v, err := c.Value(ctx, "key of a test"); err != nil || v != "" {
		t.Errorf("at first %q, %v", v, err)
	}
	must(t, c.SetValue(ctx, "key of a test", "first"))
	must(t, other.SetValue(ctx, "key of a test", "second 血压"))
	if v, err := c.Value(ctx, "key of a test"); err != nil || v != "second 血压" {
		t.Errorf("then %q, %v", v, err)
	}
	must(t, c.SetValue(ctx, "key of another test", "x"))
	if all, err := other.Values(ctx, "key of a "); err != nil || !maps.Equal(all, map[string]string{"key of a test": "second 血压"}) {
		t.Errorf("with the prefix there are %q, %v", all, err)
	}
	must(t, other.SetValue(ctx, "key of a test", ""))
	if all, err := c.Values(ctx, "key of "); err != nil || !maps.Equal(all, map[string]string{"key of another test": "x"}) {
		t.Errorf("when one is removed there are %q, %v", all, err)
	}
	if a, b := c.Describe().ModelScopedKey("x"), other.Describe().ModelScopedKey("x"); a == b || a != open("m").Describe().ModelScopedKey("x") || a == c.Describe().ModelScopedKey("y") {
		t.Errorf("keys of models are %q and %q", a, b)
	}
}

func testMailbox(t *testing.T, open func(string) catalog.Catalog) {
	ctx, c, other := t.Context(), catalog.NewRequestMailbox(open("m")), catalog.NewRequestMailbox(open("m"))
	one, err := c.SubmitRequest(ctx, "one")
	must(t, err)
	two, err := other.SubmitRequest(ctx, "two")
	must(t, err)
	waiting, err := other.PendingRequests(ctx)
	if err != nil || !maps.Equal(waiting, map[int64]string{one: "one", two: "two"}) {
		t.Errorf("waiting are %v, %v", waiting, err)
	}
	if asked, err := other.UpdateRequest(ctx, one, "one again"); err != nil || !asked {
		t.Errorf("amended: %t, %v", asked, err)
	}
	if a, err := c.ReadAnswer(ctx, one); err != nil || a != "" {
		t.Errorf("answered too early: %q, %v", a, err)
	}
	must(t, other.AnswerRequest(ctx, one, "done"))
	if a, err := c.ReadAnswer(ctx, one); err != nil || a != "done" {
		t.Errorf("answered: %q, %v", a, err)
	}
	if asked, err := other.UpdateRequest(ctx, one, "too late"); err != nil || asked {
		t.Errorf("amended after the answer: %t, %v", asked, err)
	}
	must(t, other.CancelRequest(ctx, two))
	if _, err := other.ReadAnswer(ctx, two); !errors.Is(err, catalog.ErrRequestNotFound) {
		t.Errorf("what was taken back: %v", err)
	}
	if waiting, err := c.PendingRequests(ctx); err != nil || len(waiting) > 0 {
		t.Errorf("in the end waiting are %v, %v", waiting, err)
	}
	var more []int64
	for range 30 { // nobody fetches these
		number, err := c.SubmitRequest(ctx, "more")
		must(t, err)
		more = append(more, number)
		must(t, other.AnswerRequest(ctx, number, "done"))
	}
	kept := 0
	for _, number := range more {
		switch answer, err := c.ReadAnswer(ctx, number); {
		case answer == "done":
			kept++
		case !errors.Is(err, catalog.ErrRequestNotFound):
			t.Errorf("an old answer: %q, %v", answer, err)
		}
	}
	if kept == 0 || kept == len(more) {
		t.Errorf("of the answers that nobody fetches %d are kept", kept)
	}
}

// testCancelled checks that a call with a cancelled context fails and changes nothing.
func testCancelled(t *testing.T, open func(string) catalog.Catalog) {
	c := open("m")
	putEntry(t, c, "a.md", "first")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Put(ctx, entryOf("b.md", "second")); !errors.Is(err, context.Canceled) {
		t.Errorf("put: %v", err)
	}
	if _, err := c.Remove(ctx, "a.md"); !errors.Is(err, context.Canceled) {
		t.Errorf("removed: %v", err)
	}
	if got := fmt.Sprint(recordPaths(t, open("m"))); got != "[a.md]" {
		t.Errorf("there are %s", got)
	}
	putEntry(t, c, "c.md", "third") // the catalogue still works
}

// testConcurrent checks that everything that several processes commit at once is stored exactly
// once, and that concurrent readers see whole documents.
func testConcurrent(t *testing.T, open func(string) catalog.Catalog) {
	const processes, each = 4, 20
	faults := make(chan error, 2*processes)
	for p := range processes {
		writer, reader := open("m"), open("m")
		go func() {
			for i := range each {
				e := entryOf(fmt.Sprintf("%d/%d.md", p, i%10), fmt.Sprintf("text %d of %d", i, p))
				if _, err := writer.Put(t.Context(), e); err != nil {
					faults <- err
					return
				}
			}
			faults <- nil
		}()
		go func() {
			for range each {
				page, err := Records(t.Context(), reader)
				for _, r := range page {
					if err == nil && len(r.Chunks) != 2 {
						err = fmt.Errorf("%s has %d chunks", r.Path, len(r.Chunks))
					}
				}
				if err != nil {
					faults <- err
					return
				}
			}
			faults <- nil
		}()
	}
	for range cap(faults) {
		if err := <-faults; err != nil {
			t.Error(err)
		}
	}
	c := open("m")
	all := recordPaths(t, c)
	slices.Sort(all)
	if n := len(all); n != 10*processes || len(slices.Compact(all)) != n {
		t.Errorf("there are %d documents: %v", n, all)
	}
	if last, err := LastChange(t.Context(), c); err != nil || last != processes*(10+2*(each-10)) {
		t.Errorf("the last change is %d, %v", last, err)
	}
}
