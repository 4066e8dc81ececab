package ranking

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vademecum/index/search"
)

// rerankedBy answers a question as a reranker would have it that gives a score to a text.
func (c *corpus) rerankedBy(score func(text string) float64, wanted int, phrasings ...search.Phrasing) (places []string, r *Ranking) {
	c.t.Helper()
	q := Question{Text: phrasings[0].Text, Phrasings: phrasings, PassagesPerPage: wanted, SimilarFolders: noFolders}
	texts, err := RerankTexts(c.t.Context(), c, q)
	c.must(err)
	q.RerankScoresByText = make(map[string]float64)
	for _, text := range texts {
		q.RerankScoresByText[text] = score(text)
	}
	r, err = Rank(c.t.Context(), c, q)
	c.must(err)
	for _, p := range r.Passages() {
		places = append(places, p.Document.Path)
	}
	return places, r
}

func noFolders() *SimilarFolders { return NewSimilarFolders(new(shelf).paths) }

// medicines are documents that answer a question about dose the worse the longer they are.
func medicines(t *testing.T, n int) *corpus {
	c := newCorpus(t)
	for i := range n {
		c.put(fmt.Sprintf("%02d.md", i), "The dose of number"+fmt.Sprint(i)+" is given"+strings.Repeat(fmt.Sprintf(" word%d", i), 3*i+1)+".")
	}
	return c
}

// byLength prefers long texts.
func byLength(text string) float64 { return float64(len(text)) }

// TestRerankTurnsAround: a reranker that turns the order around turns it around here, on
// the same scale of scores, and says by how much.
func TestRerankTurnsAround(t *testing.T) {
	c := medicines(t, 5)
	plain, before := c.rerankedBy(func(string) float64 { return 0 }, 5, phrasing("dose"), phrasing("dosage"))
	turned, after := c.rerankedBy(byLength, 5, phrasing("dose"), phrasing("dosage"))
	if want := []string{"00.md", "01.md", "02.md", "03.md", "04.md"}; !slices.Equal(plain, want) {
		t.Fatalf("with equal scores the order is %q, want that of the words, %q", plain, want)
	}
	if slices.Reverse(plain); !slices.Equal(turned, plain) {
		t.Errorf("the order is %q, want %q", turned, plain)
	}
	for i := range before.Passages() {
		was, is := before.Passages()[i].Score, after.Passages()[i].Score
		if diff := was - is; diff > 1e-6 || diff < -1e-6 {
			t.Errorf("at place %d the score is %v, not %v", i, is, was)
		}
	}
	first, last := &after.Passages()[0].Candidate, &after.Passages()[4].Candidate
	if first.Parts[byReranker] <= 0 || last.Parts[byReranker] >= 0 {
		t.Errorf("the first is told %v, the last %v", first.Parts, last.Parts)
	}
	var told []string
	for _, p := range append(PartScores(first, first.Score), PartScores(last, first.Score)...) {
		told = append(told, p.Sentence.String())
	}
	if all := strings.Join(told, " "); !strings.Contains(all, "raised by") || !strings.Contains(all, "lowered by") || !strings.Contains(all, "to where the reranker puts it") {
		t.Errorf("it is told %q", told)
	}
}

// TestRerankTies: where scores are equal the reranker says which comes first, and not the
// paths.
func TestRerankTies(t *testing.T) {
	c := newCorpus(t)
	for i := range rerankDepth + 10 {
		c.put(fmt.Sprintf("%02d.md", i), fmt.Sprintf("The dose of number%02d is given.", i))
	}
	judged := 0
	last := func(text string) float64 {
		var n float64
		judged++
		_, err := fmt.Sscanf(text, "The dose of number%f", &n)
		c.must(err)
		return n
	}
	got, _ := c.rerankedBy(last, 3, phrasing("dose"))
	if want := []string{"29.md", "28.md", "27.md"}; !slices.Equal(got, want) || judged != rerankDepth {
		t.Errorf("of %d the first are %q, want %q of %d", judged, got, want, rerankDepth)
	}
}

// TestRerankLeaves: what the other stages have put together stays so: phrases in quotation
// marks come first, copies are one, what only has parts of the words comes last, and what
// the reranker has not seen is not lost.
func TestRerankLeaves(t *testing.T) {
	c := medicines(t, 4)
	c.put("quoted.md", "Take the dose at night.")
	got, _ := c.rerankedBy(byLength, 5, phrasing(`"at night" dose`))
	if want := []string{"quoted.md", "03.md", "02.md", "01.md", "00.md"}; !slices.Equal(got, want) {
		t.Errorf("with quotation marks the order is %q, want %q", got, want)
	}

	c = medicines(t, 3)
	c.put("drafts/copy.md", c.texts[c.chunks[1].Document])
	got, r := c.rerankedBy(byLength, 5, phrasing("dose"))
	if want := []string{"02.md", "01.md", "00.md"}; !slices.Equal(got, want) || len(r.Passages()[1].Copies) != 1 {
		t.Errorf("with a copy the order is %q, want %q", got, want)
	}

	c = medicines(t, 3)
	got, _ = c.rerankedBy(func(string) float64 { return 0 }, 5, phrasing("dose"))
	q := Question{Text: "dose", Phrasings: []search.Phrasing{phrasing("dose")}, PassagesPerPage: 5, SimilarFolders: noFolders}
	q.RerankScoresByText = map[string]float64{c.texts[c.chunks[2].Document]: -7}
	r, err := Rank(t.Context(), c, q)
	c.must(err)
	if len(got) != 3 || len(r.Passages()) != 3 || r.Passages()[0].Document.Path != "02.md" || r.Passages()[1].Document.Path != "00.md" {
		t.Errorf("with one that was judged the first is %s of %d", r.Passages()[0].Document.Path, len(r.Passages()))
	}
}

// TestRerankRelated: what has no word of the question stays behind what has.
func TestRerankRelated(t *testing.T) {
	candidate := func(path string, score float64, related bool) search.Candidate {
		c := search.Candidate{Score: score, IsRelatedOnly: related}
		c.Document = &search.Document{Path: path, InternedFields: &search.InternedFields{}}
		return c
	}
	r := &Ranking{candidates: []search.Candidate{candidate("a", 1, false), candidate("b", 1, false), candidate("c", 0.4, true), candidate("d", 0.4, true)}}
	scores := r.distinctScores(4)
	if scores[0] <= scores[1] || scores[1] != 1 || scores[2] <= scores[3] || scores[3] != 0.4 {
		t.Errorf("the scores are %v", scores)
	}
	if compareRelated(&r.candidates[0], &r.candidates[2]) >= 0 || compareRelated(&r.candidates[3], &r.candidates[1]) <= 0 || compareRelated(&r.candidates[2], &r.candidates[3]) != 0 {
		t.Error("what is related does not stand behind")
	}
}
