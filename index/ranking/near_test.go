package ranking

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/kind"
	"vademecum/docs/text"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// counting counts the texts that are read of documents without a catalogue.
type counting struct {
	search.View
	read, statements int
}

func (c *counting) LoadBodies(_ context.Context, of []*search.Document) (map[*search.Document]text.Body, error) {
	c.statements++
	c.read += len(of)
	bodies := make(map[*search.Document]text.Body)
	for _, d := range of {
		bodies[d] = *d.Body
	}
	return bodies, nil
}

// extracts are candidates whose texts are parts of few texts, so that many hold
// others, with scores that some share.
func extracts(random *rand.Rand, n int) []search.Candidate {
	const sentences = 12
	var sentence [sentences]string
	for i := range sentence {
		words := make([]string, 8)
		for w := range words {
			words[w] = fmt.Sprintf("w%d", random.IntN(60))
		}
		sentence[i] = strings.Join(words, " ") + ". "
	}
	all := make([]search.Candidate, n)
	for i := range all {
		from := random.IntN(sentences - 4)
		content := strings.Join(sentence[from:from+2+random.IntN(3)], "")
		d := search.NewDocument(&catalog.Record{Path: fmt.Sprintf("%d/%d.md", random.IntN(30), i)}, 0)
		d.Body = &text.Body{Text: content}
		span := text.Span{EndByte: len(content), StartLine: 1, EndLine: 1}
		all[i] = search.Candidate{Chunk: search.Chunk{Document: d, Span: span, Traits: kind.Traits{MinHash: kind.MinHashOf(content)}}, Score: float64(random.IntN(n/10 + 1)), IsRelatedOnly: random.IntN(9) == 0}
	}
	search.SortCandidates(all)
	return all
}

func rankingOf(most int, candidates []search.Candidate) (*Ranking, *counting) {
	searcher := &counting{}
	return newRanking(Question{PassagesPerPage: most}, searcher, slices.Clone(candidates)), searcher
}

// given has the candidates given without those that say no more than another.
func given(t *testing.T, r *Ranking) *nearDuplicateFilter {
	t.Helper()
	if err := foldNearDuplicates(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return &r.distinct
}

// foldAll compares each candidate with all that stand before it.
func foldAll(t *testing.T, r *Ranking) []*search.Candidate {
	t.Helper()
	depth := min(len(r.candidates), nearDepth)
	var kept []comparedCandidate
	for i := range r.candidates[:depth] {
		one := comparedCandidate{Candidate: &r.candidates[i]}
		isFolded := false
		for i := 0; i < len(kept) && !isFolded; i++ {
			if kept[i].mayBeDuplicate(one) {
				if err := r.readCandidates(t.Context(), &kept[i], &one); err != nil {
					t.Fatal(err)
				}
				isFolded = r.foldInto(&kept[i], one)
			}
		}
		if !isFolded {
			kept = append(kept, one)
		}
	}
	var out []*search.Candidate
	for _, o := range kept {
		out = append(out, o.Candidate)
	}
	for i := range r.candidates[depth:] {
		out = append(out, &r.candidates[depth+i])
	}
	slices.SortFunc(out, (*search.Candidate).Compare)
	moveOriginalsFirst(out, 0)
	return out
}

// TestOriginals: to compare only what is given comes to the same as to compare all.
func TestOriginals(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	folded := 0
	for _, n := range []int{0, 1, 2, 10, 40, nearDepth, nearDepth + 30} {
		for range 20 {
			candidates := extracts(random, n)
			all, _ := rankingOf(5, candidates)
			want := foldAll(t, all)
			folded += n - len(want)
			s, _ := rankingOf(5, candidates)
			from := given(t, s)
			for i := range want {
				got, err := from.nextDistinct(t.Context())
				if err != nil || got == nil || got.Document != want[i].Document || got.Score != want[i].Score {
					t.Fatalf("%d of %d: %s with %f, %v, want %s with %f", i, n, got.Document.Path, got.Score, err, want[i].Document.Path, want[i].Score)
				}
				at := chunkAt{got.Document, got.Number}
				if !reflect.DeepEqual(s.near[at], all.near[at]) {
					t.Fatalf("%d of %d: %v is near, want %v", i, n, s.near[at], all.near[at])
				}
			}
			if c, err := from.nextDistinct(t.Context()); c != nil || err != nil {
				t.Fatalf("one more of %d: %+v, %v", n, c, err)
			}
		}
	}
	if folded < 1000 {
		t.Errorf("%d candidates were folded", folded)
	}
}

// TestOriginalsReadLittle: of what nothing may be near to, only what is given is read,
// by one statement.
func TestOriginalsReadLittle(t *testing.T) {
	candidates := extracts(rand.New(rand.NewPCG(7, 8)), nearDepth)
	for i := range candidates {
		candidates[i].Traits.MinHash = kind.MinHash{}
		candidates[i].Score = float64(nearDepth - i)
	}
	s, searcher := rankingOf(5, candidates)
	from := given(t, s)
	for range 5 {
		if c, err := from.nextDistinct(t.Context()); c == nil || err != nil {
			t.Fatal(c, err)
		}
	}
	if searcher.read != 5 || searcher.statements != 1 {
		t.Errorf("%d texts were read by %d statements", searcher.read, searcher.statements)
	}
}

// TestDrafts: the final page is shown, though its draft has a sentence more, unless that
// sentence is what is asked for.
func TestDrafts(t *testing.T) {
	const final = "Take one tablet in the morning with a glass of water, and no more than two on any day. "
	const draft = final + "Ask the doctor whether this is still true of children."
	for _, c := range []struct {
		name           string
		better, worse  string // their paths
		drafted        string // that of the draft
		scores         [2]float64
		shown, foldsIn string
	}{
		{"the draft is first", "drafts/leaflet.md", "pages/2024/leaflet.md", "drafts/leaflet.md", [2]float64{1, .95}, "pages/2024/leaflet.md", "drafts/leaflet.md"},
		{"the final is first", "pages/2024/leaflet.md", "leaflet (copy).md", "leaflet (copy).md", [2]float64{1, .95}, "pages/2024/leaflet.md", "leaflet (copy).md"},
		{"the sentence is asked for", "药品/草稿.md", "药品/说明.md", "药品/草稿.md", [2]float64{1, .5}, "药品/草稿.md", "药品/说明.md"},
		{"none is called a draft", "longer.md", "leaflet.md", "longer.md", [2]float64{1, .95}, "longer.md", "leaflet.md"},
	} {
		var found []search.Candidate
		for i, p := range []string{c.better, c.worse} {
			content := final
			if p == c.drafted {
				content = draft
			}
			d := search.NewDocument(&catalog.Record{Path: p}, 0)
			d.Body = &text.Body{Text: content}
			span := text.Span{EndByte: len(content), StartLine: 1, EndLine: 1}
			found = append(found, search.Candidate{Chunk: search.Chunk{Document: d, Span: span, Traits: kind.Traits{MinHash: kind.MinHashOf(content)}}, Score: c.scores[i], Parts: search.ScoreParts{byWords: c.scores[i]}})
		}
		s, _ := rankingOf(5, found)
		shown, err := given(t, s).nextDistinct(t.Context())
		near := s.near[chunkAt{shown.Document, 0}]
		if err != nil || shown.Document.Path != c.shown || len(near) != 1 || near[0].Document.Path != c.foldsIn {
			t.Errorf("%s: %s is shown, with %d folded in (%v)", c.name, shown.Document.Path, len(near), err)
		}
	}
}
