package index

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vademecum/docs"
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
		for _, t := range terms(text) {
			r.tf[at][t]++
			r.lengths[at]++
		}
		for t := range r.tf[at] {
			r.df[t]++
		}
		r.average += float64(r.lengths[at]) / float64(len(all))
	}
	return r
}

func (r reference) score(s rank.Slot, q question) float64 {
	content := r.sum(s, q.content)
	if content == 0 {
		return 0
	}
	return content + r.sum(s, q.support)
}

func (r reference) sum(s rank.Slot, weights map[string]float64) (score float64) {
	n := float64(len(r.tf))
	for t, weight := range weights {
		f := float64(r.tf[s][t])
		idf := math.Log(1 + (n-float64(r.df[t])+0.5)/(float64(r.df[t])+0.5))
		score += weight * idf * f * (bm25K1 + 1) / (f + bm25K1*(1-bm25B+bm25B*float64(r.lengths[s])/r.average))
	}
	return score
}

func TestScoresFollowTheFormula(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	vocabulary := strings.Fields("heart lung dose pill salt sugar 血 压 糖 心 病 the and")
	p := newPostings()
	all := make(map[rank.Slot]string)
	var free []rank.Slot
	for step := range 3000 {
		if len(all) > 0 && rng.IntN(3) == 0 {
			victim := slices.Sorted(maps.Keys(all))[rng.IntN(len(all))]
			p.remove(victim)
			delete(all, victim)
			free = append(free, p.compact()...)
			continue
		}
		var words []string
		for range 1 + rng.IntN(12) {
			words = append(words, vocabulary[rng.IntN(len(vocabulary))])
		}
		s := rank.Slot(len(p.lengths))
		if n := len(free); n > 0 {
			s, free = free[n-1], free[:n-1]
		}
		all[s] = strings.Join(words, " ")
		if err := p.add(s, countTerms(all[s])); err != nil {
			t.Fatal(err)
		}
		if step%97 != 0 {
			continue
		}
		query := newQuestion("dose salt pill 血压 心")
		sc, err := p.score(t.Context(), query)
		mustDo(t, err)
		want := newReference(all)
		for at := range all {
			if got, want := sc.at(at), want.score(at, query); math.Abs(got-want) > 1e-4 {
				t.Fatalf("step %d: slot %d scores %v, the formula says %v", step, at, got, want)
			}
		}
		for _, h := range sc.top(len(p.lengths), nil, distinct) {
			if _, ok := all[h.Slot]; !ok {
				t.Fatalf("step %d: removed slot %d is found", step, h.Slot)
			}
		}
		p.release(sc)
	}
	if len(free) == 0 && len(p.lengths) > 2000 {
		t.Error("compaction never gave a slot back")
	}
}

func TestTerms(t *testing.T) {
	for in, want := range map[string]string{
		"Blood Pressures":   "blood pressur",
		"therapies glass":   "therapi glass",
		"HbA1c 6.5%":        "hba1c hb a1c 6 5",
		"高血压":               "高 血 高血 压 血压",
		"ＡＢＣ１２３":            "abc123",
		"用β-blocker":        "用 beta blocker",
		"":                  "",
		"*** —":             "",
		"café":              "cafe",
		"(￣▽￣) haha":        "haha",
		`¯\_(ツ)_/¯`:         "ツ",
		"´quoted´ 5¨":       "quot 5",
		"a_\u0301_b":        "a__b a b",
		"糖尿病diabetes type2": "糖 尿 糖尿 病 尿病 diabet type2",
	} {
		if got := strings.Join(terms(in), " "); got != want {
			t.Errorf("terms(%q) = %q, want %q", in, got, want)
		}
	}
	if got := terms(strings.Repeat("x", 1000) + " ok"); len(got) != 1 {
		t.Errorf("a run of a thousand letters is a term: %d terms", len(got))
	}
}

// insertTerms puts a document of one chunk into memory, in place of the one at
// its path.
func insertTerms(t testing.TB, st *store, path string, terms termCounts) {
	t.Helper()
	r := record{path: path, chunks: []chunkRecord{{terms: terms}}}
	if err := st.insert(t.Context(), 0, nil, r, docs.Body{}, nil); err != nil {
		t.Fatal(err)
	}
}

func pictureOf(st *store) *picture {
	p := &picture{}
	p.take(st, 0)
	p.number()
	return p
}

// loadPicture saves a picture as a snapshot and loads that.
func loadPicture(t testing.TB, p *picture, dir string) (*memory, error) {
	t.Helper()
	file := filepath.Join(dir, "x"+snapshotSuffix)
	if err := writeSnapshot(file, p.sections); err != nil {
		t.Fatal(err)
	}
	s, err := openSnapshot(file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := &loading{ctx: t.Context(), file: s, memory: newMemory()}
	err = l.run()
	return l.memory, err
}

// terminology lists the terms with their live postings.
func terminology(p *postings) string {
	var all []string
	for id, name := range p.terms.names {
		if n := p.frequency(p.lists[id]); n > 0 {
			all = append(all, fmt.Sprintf("%q %d found by %d", name, n, findTerm(p.terms, name)-int32(id)))
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// FuzzTerms: no term is empty, and the same terms are there after most of the
// documents have gone and a snapshot was saved and loaded.
func FuzzTerms(f *testing.F) {
	for _, text := range []string{"(￣▽￣) haha", `¯\_(ツ)_/¯`, "´quoted´", "5¨", "a_\u0301_b", "\u0345", "高血压 ㋐ﾞ", "❤\ufe0f x\u030c", "_", "\x00\xff"} {
		f.Add(text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		counts := countTerms(text)
		if err := counts.each(func(term []byte, n int) {
			if len(term) == 0 || n < 1 {
				t.Errorf("%q has the term %q %d times", text, term, n)
			}
		}); err != nil {
			t.Fatal(err)
		}
		st := newStore(1, true)
		for round := range 2 { // all of the first is replaced, which compacts
			for i := range 300 {
				insertTerms(t, st, fmt.Sprintf("%d.md", i), countTerms(fmt.Sprintf("round%d of%d", round, i), text))
			}
		}
		loaded, err := loadPicture(t, pictureOf(st), dir)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := terminology(loaded.postings), terminology(st.postings); got != want {
			t.Errorf("loaded\n%s\nwant\n%s", got, want)
		}
	})
}

func TestQuestion(t *testing.T) {
	q := newQuestion("what is the dose, the dose? 什么剂量")
	if q.content["dose"] != 2 || q.content["剂量"] != 1 || q.support["the"] != 2*functionPart || q.support["什么"] != functionPart || q.support["剂"] != 1 || q.content["the"] != 0 {
		t.Errorf("question %+v", q)
	}
}

// numbered are chunks whose places are in the order of their slots, and of which
// every n-th has the same wording.
type numbered int

func (n numbered) Compare(a, b rank.Slot) int { return cmp.Compare(a, b) }

func (n numbered) Wording(s rank.Slot) (w rank.Wording) {
	binary.BigEndian.PutUint64(w[:], uint64(s)%uint64(n))
	return w
}

const distinct = numbered(maxSlots) // each has a wording of its own
