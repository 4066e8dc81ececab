package ranking

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/vector"
)

// corpus is documents in memory, of which each paragraph is a chunk. One that begins with #
// is the heading of those that follow, in its place among others as in Markdown.
type corpus struct {
	search.View // there is none: what is not below is not asked
	t           *testing.T
	chunks      []search.Chunk // by slot
	texts       map[*search.Document]string
	postings    *lexical.Index
	vectors     *vector.GrowingIndex
	isSemantic  bool
	yields      int
	yield       error
}

func newCorpus(t *testing.T) *corpus {
	return &corpus{t: t, texts: make(map[*search.Document]string), postings: lexical.New(), vectors: vector.New(vector.Precision16Bits)}
}

// put adds a document, whose chunks have vectors as long as there are some.
func (c *corpus) put(path, content string, vectors ...[]float32) *search.Document {
	c.t.Helper()
	d := search.NewDocument(&catalog.Record{ID: int64(len(c.texts) + 1), Path: path}, 0)
	c.texts[d] = content
	folders := strings.Split(path, "/")
	names := analysis.ChunkNames{FileName: strings.TrimSuffix(folders[len(folders)-1], ".md"), Folders: folders[:len(folders)-1]}
	var heading []string
	at := 0
	for paragraph := range strings.SplitSeq(content, "\n\n") {
		if marks, title, is := strings.Cut(paragraph, "# "); is {
			heading = append(heading[:len(marks):len(marks)], title)
			at += len(paragraph) + len("\n\n")
			continue
		}
		if names.Heading = ""; len(heading) > 0 {
			names.Heading = heading[len(heading)-1]
		}
		s := rank.Slot(len(c.chunks))
		c.must(c.postings.Put(s, analysis.CountTerms(names, paragraph)))
		if n := len(d.Slots); n < len(vectors) {
			c.must(c.vectors.Put(s, vectors[n]))
		}
		c.chunks = append(c.chunks, search.Chunk{
			Document: d, Number: len(d.Slots), Heading: heading, ContentHash: rank.ChunkTextHashOf(paragraph),
			Span: text.Span{StartByte: at, EndByte: at + len(paragraph), StartLine: 1, EndLine: 1},
		})
		d.Slots = append(d.Slots, s)
		at += len(paragraph) + len("\n\n")
	}
	return d
}

func (c *corpus) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *corpus) ContentHash(s rank.Slot) rank.ChunkTextHash { return c.chunks[s].ContentHash }
func (c *corpus) Compare(a, b rank.Slot) int                 { return c.chunks[a].CompareLocation(&c.chunks[b]) }
func (c *corpus) Chunk(s rank.Slot) *search.Chunk            { return &c.chunks[s] }
func (c *corpus) DocumentSlotsOf(s rank.Slot) []rank.Slot    { return c.chunks[s].Document.Slots }
func (c *corpus) CountInDirectory(d *search.Document) (n int) {
	for other := range c.texts {
		if DirectoryOf(other) == DirectoryOf(d) {
			n++
		}
	}
	return n
}

func (c *corpus) CountDirectories() int {
	all := make(map[Directory]bool)
	for d := range c.texts {
		all[DirectoryOf(d)] = true
	}
	return min(len(all), 2)
}

func (c *corpus) ranked() *Corpus {
	weight := 0.1
	if c.isSemantic {
		weight = 0.5
	}
	return &Corpus{ChunkSource: c, Postings: c.postings, Vectors: c.vectors, HasSemanticVectors: c.isSemantic, VectorWeight: weight}
}

func (c *corpus) Search(ctx context.Context, phrasings []search.Phrasing, _ search.Filter, wanted int) (search.Result, error) {
	return c.ranked().Search(ctx, AnalysePhrasings(phrasings), nil, wanted, func() error { c.yields++; return c.yield })
}

func (c *corpus) AppendCopies(_ context.Context, to []search.Chunk, of map[rank.ChunkTextHash]bool, _ search.Filter) ([]search.Chunk, error) {
	for _, chunk := range c.chunks {
		if of[chunk.ContentHash] {
			to = append(to, chunk)
		}
	}
	search.SortByLocation(to)
	return to, nil
}

func (c *corpus) LoadBodies(_ context.Context, of []*search.Document) (map[*search.Document]text.Body, error) {
	bodies := make(map[*search.Document]text.Body)
	for _, d := range of {
		if content, there := c.texts[d]; there {
			bodies[d] = text.Body{Text: content}
		}
	}
	return bodies, nil
}

func phrasing(question string, vec ...float32) search.Phrasing {
	return search.Phrasing{Text: question, Weight: 1, Vector: vec}
}

// rank answers a question in some phrasings, the first of which it is.
func (c *corpus) rank(wanted int, phrasings ...search.Phrasing) (*Ranking, error) {
	of := shelf{documents: slices.Collect(maps.Keys(c.texts))}
	folders := NewSimilarFolders(of.paths)
	return Rank(c.t.Context(), c, Question{Text: phrasings[0].Text, Phrasings: phrasings, PassagesPerPage: wanted, SimilarFolders: func() *SimilarFolders { return folders }})
}

// answer is the places of the passages for a question, each with the numbers of its chunks
// and where else it stands.
func (c *corpus) answer(wanted int, phrasings ...search.Phrasing) string {
	c.t.Helper()
	r, err := c.rank(wanted, phrasings...)
	c.must(err)
	defer r.Release()
	var all []string
	for _, p := range r.Passages() {
		one := fmt.Sprintf("%s:%d", p.Document.Path, p.first)
		if p.last > p.first {
			one += fmt.Sprintf("-%d", p.last)
		}
		for _, copied := range p.Copies {
			one += "=" + copied.Document.Path
		}
		sum := 0.0
		for _, part := range p.Parts {
			sum += part
		}
		if !p.IsRelatedOnly && math.Abs(sum-p.Score) > 1e-9 {
			c.t.Errorf("the parts of %s come to %v, its score is %v", one, sum, p.Score)
		}
		if content := c.texts[p.Document]; p.Text != content[p.Span.StartByte:p.Span.EndByte] || p.Text == "" {
			c.t.Errorf("%s says %q, which is not what stands there", one, p.Text)
		}
		all = append(all, one)
	}
	return strings.Join(all, " ")
}

// TestRankWords: a question is answered by what has its words, in whatever a document is
// called, what its heading or its folder is, and by nothing where nothing has them.
func TestRankWords(t *testing.T) {
	c := newCorpus(t)
	c.put("medicine/warfarin.md", "Thins the blood and needs a weekly test.\n\nNothing of the kind.")
	c.put("medicine/insulin.md", "# At home\n\n## Storage\n\nKeep it below eight degrees.\n\n# In hospital\n\n## Dose\n\nTen units before each meal.")
	c.put("kitchen/bread.md", "Flour, water and salt, then an hour of rest.")
	for question, want := range map[string]string{
		"flour and salt":           "kitchen/bread.md:0",
		"weekly blood test":        "medicine/warfarin.md:0",
		"insulin storage":          "medicine/insulin.md:0",
		"insulin dose":             "medicine/insulin.md:1",
		"units before a meal":      "medicine/insulin.md:1",
		"what does the kitchen do": "kitchen/bread.md:0",
		"zeppelin":                 "",
	} {
		if got, _, _ := strings.Cut(c.answer(5, phrasing(question)), " "); got != want {
			t.Errorf("%q is answered by %q, want %q first", question, got, want)
		}
	}
}

// TestCopiesAreOne: what stands in several places answers once, at the place of the
// original, and the others are told.
func TestCopiesAreOne(t *testing.T) {
	c := newCorpus(t)
	const words = "A spacer helps with the inhaler and is washed once a week."
	c.put("drafts/old/spacer.md", words)
	c.put("spacer.md", words)
	c.put("other.md", "The inhaler is blue.")
	if got, want := c.answer(5, phrasing("inhaler")), "other.md:0 spacer.md:0=drafts/old/spacer.md"; got != want && got != "spacer.md:0=drafts/old/spacer.md other.md:0" {
		t.Errorf("the answer is %q, want %q in some order", got, want)
	}
}

// TestNeighboursAreJoined: chunks that follow each other are one passage, but not below
// different headings.
func TestNeighboursAreJoined(t *testing.T) {
	c := newCorpus(t)
	c.put("a.md", "Salt raises the pressure.\n\nSalt is in bread.\n\nSalt is in cheese.\n\nNothing else.")
	c.put("b.md", "# One\n\n## Taste\n\nPepper is hot.\n\n# Two\n\n## Looks\n\nPepper is black.")
	c.put("c.md", "# One\n\n## Taste\n\nGarlic is hot.\n\n## Looks\n\nGarlic is white.")
	if got := c.answer(5, phrasing("salt")); got != "a.md:0-2" {
		t.Errorf("neighbours are %q", got)
	}
	if got := strings.Fields(c.answer(5, phrasing("pepper"))); len(got) != 2 {
		t.Errorf("below two headings they are %q", got)
	}
	if got := c.answer(5, phrasing("garlic")); got != "c.md:0-1" {
		t.Errorf("below one heading they are %q", got)
	}
}

// TestOneDocumentLeavesPlaces: others have something to say, too, before a document has all
// places; what it has more takes those that are left.
func TestOneDocumentLeavesPlaces(t *testing.T) {
	c := newCorpus(t)
	var long []string
	for i := range 6 {
		long = append(long, fmt.Sprintf("Asthma asthma asthma number%d.", i), strings.Repeat(fmt.Sprintf("filler%d ", i), 40))
	}
	c.put("long.md", strings.Join(long, "\n\n"))
	c.put("short.md", "Of asthma there are many kinds that are not told apart by the cough alone.")
	answers := func(wanted int) (long int, all []string) {
		all = strings.Fields(c.answer(wanted, phrasing("asthma")))
		for _, p := range all {
			if strings.HasPrefix(p, "long.md") {
				long++
			}
		}
		return long, all
	}
	if long, all := answers(4); long > 3 || len(all) != 4 || !slices.Contains(all, "short.md:0") {
		t.Errorf("of four places one document has %d: %q", long, all)
	}
	if long, all := answers(6); long != 5 || len(all) != 6 {
		t.Errorf("of six places one document has %d, though nobody else wants them: %q", long, all)
	}
}

// TestQuotedFirst: what holds the words in quotation marks goes before what has more of the
// others.
func TestQuotedFirst(t *testing.T) {
	c := newCorpus(t)
	c.put("many.md", "Pressure: blood pressure, high pressure, low pressure, pressure of water, and blood.")
	c.put("exact.md", "A long text about this and that in which at some point the pressure of blood is mentioned, and much more of what nobody asks for here.")
	if got := c.answer(2, phrasing("blood pressure")); !strings.HasPrefix(got, "many.md") {
		t.Errorf("without quotation marks: %q", got)
	}
	if got := c.answer(2, phrasing(`blood "pressure of blood"`)); !strings.HasPrefix(got, "exact.md") {
		t.Errorf("with them: %q", got)
	}
}

// TestWordsInARow: of two that have the same words the one that has them in the order of
// the question stands first.
func TestWordsInARow(t *testing.T) {
	c := newCorpus(t)
	c.put("a.md", "rate one heart two resting three")
	c.put("b.md", "one two three resting heart rate")
	if got := c.answer(2, phrasing("resting heart rate")); got != "b.md:0 a.md:0" {
		t.Errorf("the answer is %q", got)
	}
}

// TestDirectoriesAddUp: a document among others that answer too goes before one that
// stands alone with the same words.
func TestDirectoriesAddUp(t *testing.T) {
	c := newCorpus(t)
	c.put("a/one.md", "the valve leaks in spring")
	c.put("a/two.md", "nothing of that")
	c.put("z/three.md", "the valve leaks in autumn")
	c.put("z/four.md", "the valve leaks in winter")
	if got := c.answer(1, phrasing("valve leaks")); !strings.HasPrefix(got, "z/") {
		t.Errorf("the answer is %q", got)
	}
	if at := (Directory{0, "a"}); DirectoryOf(documentAt("a/one.md")) != at || DirectoryOf(documentAt("one.md")) != (Directory{}) {
		t.Errorf("they are in %v and %v", DirectoryOf(documentAt("a/one.md")), DirectoryOf(documentAt("one.md")))
	}
}

func documentAt(path string) *search.Document {
	return search.NewDocument(&catalog.Record{Path: path}, 0)
}

// TestRelated: vectors that compare spelling fill what the words leave, below it, once for
// each wording, and nothing that is far from the question.
func TestRelated(t *testing.T) {
	c := newCorpus(t)
	c.put("found.md", "The doctor measures blood pressure.", []float32{0, 0, 1, 0})
	c.put("near.md", "Blutdruckmessung", []float32{0.6, 0, 0, 0.8})
	c.put("copy.md", "Blutdruckmessung", []float32{0.6, 0, 0, 0.8})
	c.put("far.md", "Zeppelin", []float32{0, 1, 0, 0})
	question := phrasing("pressure", 1, 0, 0, 0)
	if got := c.answer(5, question); !strings.HasPrefix(got, "found.md:0 ") || strings.Count(got, ".md:") != 2 || strings.Contains(got, "far.md") {
		t.Errorf("the answer is %q", got)
	}
	r, err := c.rank(5, question)
	c.must(err)
	defer r.Release()
	if p := r.Passages()[1]; !p.IsRelatedOnly || p.Score > r.Passages()[0].Score || p.VectorRank != 1 {
		t.Errorf("what is related has score %v, rank %d", p.Score, p.VectorRank)
	}
	if got := c.answer(1, question); got != "found.md:0" {
		t.Errorf("where the words find enough: %q", got)
	}
}

// TestSemantic: vectors of a model find what has no word of the question, and a chunk that
// has no vector yet is found by its words.
func TestSemantic(t *testing.T) {
	c := newCorpus(t)
	c.isSemantic = true
	c.put("meaning.md", "Hypertension", []float32{1, 0, 0, 0})
	c.put("other.md", "Gardening", []float32{0, 1, 0, 0})
	c.put("bare.md", "High pressure in the pipes")
	got := c.answer(5, phrasing("high pressure", 1, 0, 0, 0))
	if !strings.Contains(got, "meaning.md") || !strings.Contains(got, "bare.md") || strings.Contains(got, "other.md") {
		t.Errorf("the answer is %q", got)
	}
	if got := c.answer(5, phrasing("high pressure", 1, 0)); strings.Contains(got, "meaning.md") || !strings.Contains(got, "bare.md") {
		t.Errorf("by a vector of another length: %q", got)
	}
}

// TestPhrasings: what any phrasing finds answers, and between two of them whoever holds the
// corpus may take it back.
func TestPhrasings(t *testing.T) {
	c := newCorpus(t)
	c.put("a.md", "warfarin thins the blood")
	c.put("b.md", "insulin lowers the sugar")
	got := strings.Fields(c.answer(5, phrasing("warfarin"), phrasing("insulin")))
	if slices.Sort(got); !slices.Equal(got, []string{"a.md:0", "b.md:0"}) || c.yields == 0 {
		t.Errorf("after %d yields the answer is %q", c.yields, got)
	}
	c.yield = errors.New("others want it")
	if _, err := c.rank(5, phrasing("warfarin"), phrasing("insulin")); !errors.Is(err, c.yield) {
		t.Errorf("it goes on: %v", err)
	}
}

// TestReplacedMeanwhile: a document whose text is gone gives no passage, and the answer
// says that it may lack something; one whose passages do not lie in its text is damaged.
func TestReplacedMeanwhile(t *testing.T) {
	c := newCorpus(t)
	gone := c.put("gone.md", "asthma in spring")
	c.put("there.md", "asthma in autumn")
	whole, err := c.rank(5, phrasing("asthma"))
	c.must(err)
	if whole.IsStale() || len(whole.Passages()) != 2 || whole.BestCoverage() <= 0 {
		t.Errorf("there are %d passages, stale: %t", len(whole.Passages()), whole.IsStale())
	}
	if got := whole.Body(gone).Text; got != "asthma in spring" {
		t.Errorf("its text is %q", got)
	}
	whole.Release()
	delete(c.texts, gone)
	r, err := c.rank(5, phrasing("asthma"))
	c.must(err)
	if !r.IsStale() || len(r.Passages()) != 1 || r.Passages()[0].Document.Path != "there.md" {
		t.Errorf("there are %d passages, stale: %t", len(r.Passages()), r.IsStale())
	}
	r.Release()
	c.texts[gone] = "short"
	if _, err := c.rank(5, phrasing("asthma")); !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("of a text that is too short: %v", err)
	}
}

// TestExplain: the terms for which a chunk is found have shares that come to one, the
// weightiest first.
func TestExplain(t *testing.T) {
	c := newCorpus(t)
	c.put("a.md", "warfarin is taken in the evening")
	c.put("b.md", "sleep in the evening")
	c.put("c.md", "the evening sun")
	phrasings := AnalysePhrasings([]search.Phrasing{phrasing("evening warfarin"), {Text: "warfarin", Weight: 0.5}})
	weights, err := c.ranked().Explain(t.Context(), phrasings, 0)
	c.must(err)
	sum := 0.0
	for _, w := range weights {
		sum += w.WordScoreShare
	}
	if len(weights) != 2 || !strings.HasPrefix(weights[0].Term, "warfarin") || weights[0].WordScoreShare <= weights[1].WordScoreShare || math.Abs(sum-1) > 1e-9 {
		t.Errorf("it is found for %+v", weights)
	}
	if weights, err := c.ranked().Explain(t.Context(), phrasings, 2); err != nil || len(weights) != 1 || weights[0].WordScoreShare != 1 {
		t.Errorf("another is found for %+v, %v", weights, err)
	}
}

// TestCandidateScan: an index that comes in parts has the same candidates in each, in the
// numbers of the whole, and what is found is among them.
func TestCandidateScan(t *testing.T) {
	c := newCorpus(t)
	for i := range 15 {
		c.put(fmt.Sprintf("valve/%d.md", i), fmt.Sprintf("# Valve %d\n\nWater runs %s.\n\nThe pump has part%d and rest.", i, strings.Repeat("fast ", i%5), i%7))
	}
	asked := []search.Phrasing{phrasing("pump part3"), phrasing("valve 12")}
	phrasings := AnalysePhrasings(asked)
	look := func(firsts ...uint32) ScannedCandidates {
		t.Helper()
		p := NewCandidateScan(phrasings, 2)
		for _, first := range firsts {
			c.must(p.ScanIndex(t.Context(), c.postings, first, nil))
		}
		return p.Finish()
	}
	once := look(0)
	slices.Sort(once.Slots)
	if len(once.Slots) == 0 || len(slices.Compact(slices.Clone(once.Slots))) != len(once.Slots) {
		t.Errorf("candidates are %v", once.Slots)
	}
	const further = 1000
	want := slices.Clone(once.Slots)
	for _, s := range once.Slots {
		want = append(want, s+further)
	}
	if twice := look(0, further).Slots; !slices.Equal(slices.Sorted(slices.Values(twice)), want) {
		t.Errorf("of two parts there are %v, want %v", twice, want)
	}
	found, err := c.Search(t.Context(), asked, search.Filter{}, 5)
	c.must(err)
	for _, f := range found.Candidates {
		if s := f.Document.SlotOf(f.Number); !slices.Contains(once.Slots, s) {
			t.Errorf("chunk %d of %s is found, and is no candidate", f.Number, f.Document.Path)
		}
	}
	firsts := []rank.Slot{0, 2, 4}
	best, err := c.ranked().BestChunksInDocuments(t.Context(), phrasings, [][]rank.Slot{firsts, nil})
	if c.must(err); !slices.Equal(best, []rank.Slot{1, 3, 5}) {
		t.Errorf("of the documents that begin at %v the best are at %v", firsts, best)
	}
	if len(once.NamedDocumentSlots) != 2 || !slices.Contains(once.NamedDocumentSlots[1], 24) {
		t.Errorf("called like that are %v", once.NamedDocumentSlots)
	}
}

// TestEnoughCandidates: there is enough when as many differ as are looked at, or no more
// are there.
func TestEnoughCandidates(t *testing.T) {
	scanned := func(listed, looked int) ScannedCandidates {
		l := ScannedCandidates{lists: []boundedList{{wanted: 3, looked: looked}}}
		for s := range listed {
			l.lists[0].slots = append(l.lists[0].slots, rank.Slot(s))
		}
		return l
	}
	different := func(n int) func(rank.Slot) (rank.ChunkTextHash, bool) {
		return func(s rank.Slot) (rank.ChunkTextHash, bool) { return rank.ChunkTextHash{byte(int(s) % n)}, s != 100 }
	}
	for name, c := range map[string]struct {
		scanned ScannedCandidates
		apart   int
		want    bool
	}{
		"as many differ":                   {scanned(6, 6), 3, true},
		"too many are copies":              {scanned(6, 6), 2, false},
		"there are no more":                {scanned(5, 6), 2, true},
		"there are none":                   {scanned(0, 6), 2, true},
		"more are looked at than there is": {scanned(2, 6), 1, true},
	} {
		if got := c.scanned.HasEnoughDistinct(different(c.apart)); got != c.want {
			t.Errorf("%s: it is enough: %t", name, got)
		}
	}
	gone := scanned(6, 6)
	if gone.HasEnoughDistinct(func(s rank.Slot) (rank.ChunkTextHash, bool) { return rank.ChunkTextHash{byte(s)}, s < 2 }) {
		t.Error("chunks that are not there count")
	}
}
