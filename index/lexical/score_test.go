package lexical

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// reference scores texts by the formula, without an index.
type reference struct {
	tf      map[rank.Slot]map[string]int
	df      map[string]int
	lengths map[rank.Slot]int
	average float64
}

func newReference(all map[rank.Slot]string) reference {
	r := reference{tf: make(map[rank.Slot]map[string]int), df: make(map[string]int), lengths: make(map[rank.Slot]int)}
	for at, text := range all {
		r.tf[at] = make(map[string]int)
		_ = analysis.CountTerms(analysis.ChunkNames{}, text).Each(func(term []byte, n int) {
			r.tf[at][string(term)] += n
			r.lengths[at] += n
		})
		for t := range r.tf[at] {
			r.df[t]++
		}
		r.average += float64(r.lengths[at]) / float64(len(all))
	}
	return r
}

func (r reference) score(s rank.Slot, q analysis.Question) float64 {
	content := r.sum(s, q.ContentTerms)
	if content == 0 {
		return 0
	}
	covered, all := 0.0, 0.0
	for t := range q.ContentTerms {
		if r.tf[s][t] > 0 {
			covered += r.idf(t) * r.idf(t)
		}
	}
	for t := range q.ContentTerms {
		if r.df[t] > 0 {
			all += r.idf(t) * r.idf(t)
		}
	}
	part := coveragePart * (1 - float64(len(q.ContentTerms)-1)/coverageWords)
	return (content + r.sum(s, q.SupportingTerms)) * (1 - part + part*covered/all)
}

func (r reference) idf(t string) float64 {
	n, df := float64(len(r.tf)), float64(r.df[t])
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

func (r reference) sum(s rank.Slot, weights map[string]float64) (score float64) {
	for t, weight := range weights {
		f := float64(r.tf[s][t])
		score += weight * r.idf(t) * f * (bm25K1 + 1) / (f + bm25K1*(1-bm25B+bm25B*float64(r.lengths[s])/r.average))
	}
	return score
}

func TestScoresFollowTheFormula(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	vocabulary := strings.Fields("heart lung dose pill salt sugar 血 压 糖 心 病 the and")
	x := New()
	all := make(map[rank.Slot]string)
	var free []rank.Slot
	for step := range 3000 {
		if len(all) > 0 && rng.IntN(3) == 0 {
			victim := slices.Sorted(maps.Keys(all))[rng.IntN(len(all))]
			x.Delete(victim)
			delete(all, victim)
			free = append(free, x.Compact()...)
			continue
		}
		var words []string
		for range 1 + rng.IntN(12) {
			words = append(words, vocabulary[rng.IntN(len(vocabulary))])
		}
		s := rank.Slot(len(x.lengths))
		if n := len(free); n > 0 {
			s, free = free[n-1], free[:n-1]
		}
		all[s] = strings.Join(words, " ")
		if err := x.Put(s, analysis.CountTerms(analysis.ChunkNames{}, all[s])); err != nil {
			t.Fatal(err)
		}
		if step%97 != 0 {
			continue
		}
		query := analysis.NewQuestion("dose salt pill 血压 心")
		sc, err := x.Score(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		want := newReference(all)
		for at := range all {
			if got, want := sc.ScoreAt(at), want.score(at, query); math.Abs(got-want) > 1e-4 {
				t.Fatalf("step %d: slot %d scores %v, the formula says %v", step, at, got, want)
			}
		}
		for _, h := range top(t, sc, len(x.lengths), nil, distinct) {
			if _, ok := all[h.Slot]; !ok {
				t.Fatalf("step %d: removed slot %d is found", step, h.Slot)
			}
		}
		x.Release(sc)
	}
	if len(free) == 0 && len(x.lengths) > 2000 {
		t.Error("compaction never gave a slot back")
	}
}

// invented are words that are written like many others.
func invented(n int) string {
	syllables := []string{"ba", "ke", "lo", "mi", "nu", "ra", "se", "to"}
	words := make([]string, n)
	for i := range words {
		for at := i; len(words[i]) < 8; at /= len(syllables) {
			words[i] += syllables[at%len(syllables)]
		}
	}
	return strings.Join(words, " ")
}

func put(t testing.TB, x *Index, s rank.Slot, counts analysis.TermCounts) {
	t.Helper()
	if err := x.Put(s, counts); err != nil {
		t.Fatal(err)
	}
}

// TestManyWords: of too many words those that tell most stay, and of a question
// that people ask all.
func TestManyWords(t *testing.T) {
	x := New()
	for s := range 4 {
		put(t, x, rank.Slot(s), analysis.CountTerms(analysis.ChunkNames{}, "common", invented(600)))
	}
	put(t, x, 4, analysis.CountTerms(analysis.ChunkNames{}, "common rarity"))
	short := analysis.NewQuestion("common rarity nowhere")
	if got := x.limitWords(short); !maps.Equal(got.ContentTerms, short.ContentTerms) {
		t.Errorf("of three words stay %v", got.ContentTerms)
	}
	long := x.limitWords(analysis.NewQuestion("common rarity nowhere " + invented(600))).ContentTerms
	if long[term("rarity")] == 0 || long[term("nowhere")] == 0 || long[term("common")] != 0 || len(long) != mostTerms+1 {
		t.Errorf("of 603 words %d stay", len(long))
	}
	telling := x.wordsToExpand(long)
	if len(telling) != mostKindred || !slices.Contains(telling, term("rarity")) || telling[0] != term("nowhere") {
		t.Errorf("kin are looked for of %q", telling)
	}
}

// term is what a word counts as.
func term(word string) string {
	for t := range analysis.NewQuestion(word).ContentTerms {
		return t
	}
	return ""
}

// numbered are chunks whose places are in the order of their slots, and of which
// every n-th has the same wording.
type numbered int

func (n numbered) Compare(a, b rank.Slot) int { return cmp.Compare(a, b) }

func (n numbered) ContentHash(s rank.Slot) (w rank.ChunkTextHash) {
	binary.BigEndian.PutUint64(w[:], uint64(s)%uint64(n))
	return w
}

const distinct = numbered(MaxSlots) // each has a wording of its own

// TestTopIsOfAll: the list is that of all chunks by their scores, whatever is passed
// over on the way.
func TestTopIsOfAll(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	notes, rng := newTalk(), rand.New(rand.NewPCG(5, 6))
	for range 20 {
		x, slots := New(), rank.Slot(1+rng.IntN(600))
		for s := range slots {
			put(t, x, s, notes.counts(1+rng.IntN(60)))
		}
		for range rng.IntN(40) {
			if s := rank.Slot(rng.IntN(int(slots))); x.lengths[s] != 0 {
				x.Delete(s)
			}
		}
		for range 10 {
			sc, err := x.Score(t.Context(), notes.question(1+rng.IntN(8)))
			if err != nil {
				t.Fatal(err)
			}
			k, keep, chunks := rng.IntN(60), rank.NewFilter(int(slots)), numbered(1+rng.IntN(int(slots)))
			var all []rank.Hit
			for s := range slots {
				if rng.IntN(4) == 0 {
					continue
				}
				if keep.Add(s); sc.ScoreAt(s) > 0 {
					all = append(all, rank.Hit{Slot: s, Score: sc.ScoreAt(s)})
				}
			}
			if got, want := top(t, sc, k, keep, chunks), bestOf(all, k, chunks); !slices.Equal(got, want) {
				t.Fatalf("the best %d of %d: %v, want %v", k, len(all), got, want)
			}
			x.Release(sc)
			left := x.newSlotSums()
			if slices.ContainsFunc(left.value, func(n float32) bool { return n != 0 }) {
				t.Fatal("something is left of a question that is over")
			}
			x.recycleSums(left)
		}
	}
}

// TestTopOfFrequentTerms: the scores and the list are those of all chunks where words
// are frequent too, while chunks come and go.
func TestTopOfFrequentTerms(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	rng := rand.New(rand.NewPCG(7, 8))
	vocabulary := strings.Fields("heart lung dose pill salt sugar liver the and vein veins bone skin tooth nerve muscle")
	x, all := New(), make(map[rank.Slot]string)
	slot, free := rank.Slot(0), []rank.Slot(nil)
	add := func(n int) {
		for range n {
			words := make([]string, 1+rng.IntN(8))
			for i := range words {
				words[i] = vocabulary[min(rng.IntN(len(vocabulary)), rng.IntN(len(vocabulary)))]
			}
			if rng.IntN(50) == 0 {
				words[0] = []string{"scarce", "nerval", "liverish"}[rng.IntN(3)] // the others are kin
			}
			s := slot
			if last := len(free) - 1; last >= 0 {
				s, free = free[last], free[:last]
			} else {
				slot++
			}
			all[s] = strings.Join(words, " ")
			put(t, x, s, analysis.CountTerms(analysis.ChunkNames{}, all[s]))
		}
	}
	remove := func(n int) {
		for s := range all {
			if n--; n < 0 {
				break
			}
			x.Delete(s)
			delete(all, s)
			free = append(free, x.Compact()...)
		}
	}
	ask := func() {
		t.Helper()
		want, k := newReference(all), 1+rng.IntN(300)
		lookedUp := 0
		for _, text := range []string{"heart lung", "scarce heart", "scarce salt", "scarce liverish vein", "nerval nerve heart", "scarce heart nerve liver", "scarce dose vein and the bone", "nerve liver heart salt"} {
			q := analysis.NewQuestion(text)
			sc, err := x.Score(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			keep, chunks := rank.NewFilter(int(slot)), numbered(1+rng.IntN(int(slot)))
			var hits []rank.Hit
			for s := range slot {
				if got, want := sc.ScoreAt(s), want.score(s, q); !strings.Contains(text, "nerv") && !strings.Contains(text, "liver") && math.Abs(got-want) > 1e-4 {
					t.Fatalf("%q: slot %d, %q, scores %v, the formula says %v", text, s, all[s], got, want)
				}
				if rng.IntN(4) > 0 {
					if keep.Add(s); sc.ScoreAt(s) > 0 {
						hits = append(hits, rank.Hit{Slot: s, Score: sc.ScoreAt(s)})
					}
				}
			}
			lookedUp += min(len(sc.frequent), 1)
			if got, want := top(t, sc, k, keep, chunks), bestOf(hits, k, chunks); !slices.Equal(got, want) {
				t.Fatalf("%q: the best %d of %d: %v, want %v", text, k, len(hits), got, want)
			}
			x.Release(sc)
		}
		if lookedUp < 3 {
			t.Errorf("words of %d questions were looked up", lookedUp)
		}
	}
	add(20_000)
	ask()
	add(700)
	remove(300)
	ask()
	remove(9000)
	ask() // lists are shorter
	if len(free) == 0 {
		t.Fatal("no slot became free")
	}
	add(1000) // at slots that were free
	ask()
	add(len(free))
	ask()
	add(5000)
	ask()
}

// bestOf sorts all.
func bestOf(all []rank.Hit, k int, chunks numbered) []rank.Hit {
	slices.SortFunc(all, func(a, b rank.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), chunks.Compare(a.Slot, b.Slot))
	})
	seen, best := make(map[rank.ChunkTextHash]bool), []rank.Hit{}
	for _, h := range all {
		if w := chunks.ContentHash(h.Slot); !seen[w] && len(best) < k {
			seen[w], best = true, append(best, h)
		}
	}
	return best
}

func top(t *testing.T, sc *Scores, k int, keep rank.Filter, chunks rank.ChunkProperties) []rank.Hit {
	t.Helper()
	hits, err := sc.TopK(t.Context(), k, keep, chunks)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}
