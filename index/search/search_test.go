package search

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"vademecum/docs/meta"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

func documentAt(folder int, path string) *Document {
	return NewDocument(&catalog.Record{Path: path}, folder)
}

// shuffled are the same in another order.
func shuffled[T any](all []T, random *rand.Rand) []T {
	other := slices.Clone(all)
	random.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
	return other
}

// TestSortByPlace: chunks stand by folder, path and position, whatever their order was,
// also those of documents of the same place that are not the same.
func TestSortByPlace(t *testing.T) {
	a, again, b := documentAt(0, "a.md"), documentAt(0, "a.md"), documentAt(0, "b.md")
	want := []Chunk{{Document: documentAt(NoFolder, "z.md")}, {Document: a}, {Document: again, Number: 1}, {Document: a, Number: 2}, {Document: a, Number: 10}, {Document: b}, {Document: documentAt(1, "a.md")}}
	same := func(x, y Chunk) bool { return x.Document == y.Document && x.Number == y.Number }
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		got := shuffled(want, random)
		SortByLocation(got)
		if !slices.EqualFunc(got, want, same) {
			t.Fatalf("the order is %v, want %v", got, want)
		}
	}
	if !slices.IsSortedFunc(want, CompareLocations) {
		t.Error("what is sorted by place is not by what compares places")
	}
}

// TestSort: the best stands first, what is only related after all else, and of equal
// scores the one whose place comes first.
func TestSort(t *testing.T) {
	candidate := func(path string, number int, score float64, related bool) Candidate {
		return Candidate{Chunk: Chunk{Document: documentAt(0, path), Number: number}, Score: score, IsRelatedOnly: related}
	}
	want := []Candidate{
		candidate("z.md", 0, 2, false), candidate("a.md", 1, 1, false), candidate("a.md", 2, 1, false), candidate("b.md", 0, 1, false), candidate("c.md", 0, 0.5, false),
		candidate("a.md", 7, 9, true), candidate("c.md", 7, 3, true),
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		got := shuffled(want, random)
		SortCandidates(got)
		if !slices.EqualFunc(got, want, func(x, y Candidate) bool { return x.Document == y.Document && x.Number == y.Number }) {
			t.Fatalf("the order is %v, want %v", got, want)
		}
	}
}

// TestPartsComeToScore: whatever changes a score says which part of it that is.
func TestPartsComeToScore(t *testing.T) {
	const words, name, kind ScorePart = 0, 1, 2
	var c Candidate
	c.AddScore(words, 0.5)
	c.AddScore(name, 0.25)
	c.SetScore(kind, 0.375)
	c.AddScore(words, 0.125)
	if want := (ScoreParts{words: 0.625, name: 0.25, kind: -0.375}); c.Parts != want {
		t.Errorf("the parts are %v, want %v", c.Parts, want)
	}
	sum := 0.0
	for _, p := range c.Parts {
		sum += p
	}
	if math.Abs(sum-c.Score) > 1e-12 || c.Score != 0.5 {
		t.Errorf("the parts come to %v, the score is %v", sum, c.Score)
	}
}

// TestReleasedCandidates: what was given back holds no document, and nothing of it is in
// what is found next.
func TestReleasedCandidates(t *testing.T) {
	found := NewResult()
	found.Candidates = append(found.Candidates, Candidate{Chunk: Chunk{Document: documentAt(0, "a.md")}, Score: 1})
	list := found.Candidates
	found.Release()
	if found.Candidates != nil || list[0].Document != nil {
		t.Errorf("after it was given back there is %v, and %v is kept", found.Candidates, list[0].Document)
	}
	if next := NewResult(); len(next.Candidates) != 0 {
		t.Errorf("what is found next begins with %v", next.Candidates)
	}
	found.Release() // twice, which gives nothing back
	if next := NewResult(); len(next.Candidates) != 0 {
		t.Errorf("after a second time: %v", next.Candidates)
	}
}

// TestSlots: chunks are where the searcher has them, or else in a run of the catalogue.
func TestSlots(t *testing.T) {
	inMemory := documentAt(0, "a.md")
	inMemory.Slots = []rank.Slot{7, 3}
	stored := NewDocument(&catalog.Record{Path: "b.md", SlotRange: lexical.SlotRange{First: 40, Count: 3}}, 0)
	for _, c := range []struct {
		d    *Document
		want []rank.Slot
	}{{inMemory, []rank.Slot{7, 3}}, {stored, []rank.Slot{40, 41, 42}}, {documentAt(0, "none.md"), nil}} {
		var got []rank.Slot
		for n := range c.d.CountChunks() {
			got = append(got, c.d.SlotOf(n))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("the slots of %s are %v, want %v", c.d.Path, got, c.want)
		}
	}
}

// TestDay: what a document says of its date goes before its name, and that before its file.
func TestDay(t *testing.T) {
	modified := time.Date(2021, 3, 4, 12, 0, 0, 0, time.Local)
	for _, c := range []struct {
		path string
		says meta.Date
		want string
	}{
		{"2022-05-06 visit.md", meta.Date(20240102), "2024-01-02"},
		{"2022-05-06 visit.md", 0, "2022-05-06"},
		{"visit.md", 0, "2021-03-04"},
	} {
		d := NewDocument(&catalog.Record{Path: c.path, Modified: modified, Meta: meta.Data{Date: c.says}}, 0)
		if got := d.EffectiveDate().String(); got != c.want {
			t.Errorf("%s that says %v is of %s, want %s", c.path, c.says, got, c.want)
		}
	}
}

func TestAdmitsAll(t *testing.T) {
	if !(Filter{}).MatchesAll() {
		t.Error("no filter keeps something out")
	}
	if (Filter{Locations: map[Location]bool{}}).MatchesAll() {
		t.Error("a filter of no places admits all")
	}
	if (Filter{Conditions: make(meta.Conditions, 1)}).MatchesAll() {
		t.Error("a condition admits all")
	}
}

func TestMisfit(t *testing.T) {
	if err := NewChunkOutsideTextError(documentAt(0, "a.md")); !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("passages outside of a text are no damage: %v", err)
	}
}

// TestGuessedCharset: an encoding is reported with whether anything in the file says so, and a
// file that could not be read is not taken for one without text.
func TestGuessedCharset(t *testing.T) {
	for saved, isGuess := range map[string]bool{"GBK": false, catalog.MarkGuessedEncoding("GBK"): true} {
		d := NewDocument(&catalog.Record{Encoding: saved}, 0)
		if name, guess := d.Charset(); name != "GBK" || guess != isGuess {
			t.Errorf("%q is %s, guessed: %t", saved, name, guess)
		}
	}
	for skip, want := range map[message.Message]bool{"it is no text": false, catalog.ReadFailureReason(errors.New("permission denied")): true, "": false} {
		if got := NewDocument(&catalog.Record{SkipReason: skip}, 0).IsReadFailure(); got != want {
			t.Errorf("skipped for %q it is unread: %t", skip, got)
		}
	}
}
