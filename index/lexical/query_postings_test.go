package lexical

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/internal/base/script"
)

// kept is chunks as somebody keeps them who is asked for lists: in segments, some of
// the chunks gone.
type kept struct {
	whole    CorpusStats
	segments []map[string]StoredList
	words    []string // by number
	gone     *slotSet
}

// keep saves texts, so many in a segment, each with its names, and none that are gone
// among the numbers.
func keep(t *testing.T, texts []string, perSegment int, gone ...SlotRange) *kept {
	t.Helper()
	k := &kept{whole: CorpusStats{DeletedSlots: gone}, gone: newSlotSet(gone)}
	numbered := make(map[string]bool)
	for some := range slices.Chunk(texts, perSegment) {
		st := NewStoredPostings()
		for _, text := range some {
			length, err := st.Put(k.whole.AssignedSlots, countsOf(text))
			if err != nil {
				t.Fatal(err)
			}
			if k.gone == nil || !k.gone.has(k.whole.AssignedSlots) {
				k.whole.Chunks++
				k.whole.Terms += uint64(length)
			}
			k.whole.AssignedSlots++
		}
		fresh := make(map[uint32]string)
		for _, w := range st.Words() {
			if !numbered[w] {
				numbered[w] = true
				fresh[k.whole.AssignedWordNumbers] = w
				k.words = append(k.words, w)
				k.whole.AssignedWordNumbers++
			}
		}
		st.AddWords(fresh)
		segment := make(map[string]StoredList)
		for term, l := range st.Lists() {
			segment[term] = l
		}
		k.segments = append(k.segments, segment)
	}
	return k
}

func countsOf(text string) analysis.TermCounts {
	name, _, _ := strings.Cut(text, " ")
	return analysis.CountTermsInLanguage(script.LanguageOf(text), analysis.ChunkNames{FileName: name, Heading: text[:len(text)/2], Folders: []string{name[:1]}}, text)
}

func (k *kept) add(t *testing.T, e *QueryPostings, terms []string) {
	t.Helper()
	for _, s := range k.segments {
		for _, term := range terms {
			if l, ok := s[term]; ok {
				if err := e.Add(0, term, l); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// postings asks for what questions need.
func (k *kept) postings(t *testing.T, questions ...analysis.Question) *QueryPostings {
	t.Helper()
	whole := k.whole
	e := NewQueryPostings(questions, []*CorpusStats{&whole})
	k.add(t, e, Terms(questions))
	k.add(t, e, TrigramListNames(questions))
	numbers, err := e.SimilarTermIDs(0)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, n := range numbers {
		words = append(words, k.words[n])
	}
	k.add(t, e, e.ExpansionTerms(words))
	return e
}

// vocabularyOf is words, many of which are written like others.
func vocabularyOf(random *rand.Rand, n int) []string {
	stems := []string{"warfarin", "asthma", "inhal", "press", "hypertens", "cardio", "thrombo", "insulin", "glucos", "renal"}
	words := make([]string, n)
	for i := range words {
		s := stems[random.IntN(len(stems))]
		at := random.IntN(len(s))
		words[i] = s[:at] + string(rune('a'+random.IntN(26))) + s[at:] + []string{"", "e", "ing", "ation", "7", "高血", "_x"}[random.IntN(7)]
	}
	return words
}

// TestQueryPostingsScoreAsAll: the postings of a question give each chunk the scores that an index of
// everything gives it, in however many segments the lists are, merged or not, and
// whatever chunks are gone.
func TestQueryPostingsScoreAsAll(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	vocabulary := vocabularyOf(random, 600)
	texts := make([]string, 400)
	for i := range texts {
		var words []string
		for range 5 + random.IntN(60) {
			words = append(words, vocabulary[min(random.IntN(len(vocabulary)), random.IntN(len(vocabulary)))])
		}
		texts[i] = strings.Join(words, " ")
	}
	gone := []SlotRange{{First: 3, Count: 1}, {First: 120, Count: 40}, {First: 398, Count: 2}}
	all, isGone := New(), newSlotSet(gone)
	for i, text := range texts {
		if isGone.has(uint32(i)) {
			continue
		}
		if err := all.Put(rank.Slot(i), countsOf(text)); err != nil {
			t.Fatal(err)
		}
	}
	k := keep(t, texts, 23, gone...)
	merged := k.merge(t)
	for n := range 60 {
		text := vocabulary[random.IntN(600)] + " " + vocabulary[random.IntN(600)] + " the wafarin " + vocabularyOf(random, 1)[0]
		q := analysis.NewQuestion(text)
		want, err := all.Score(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for name, of := range map[string]*kept{"segments": k, "merged": merged} {
			e := of.postings(t, q)
			var weighed *WeightedQuestion // in the first window, for all
			compare := func(what string, x *Index, slots []uint32, at func(slot uint32) rank.Slot) {
				var err error
				if weighed == nil {
					if weighed, err = x.WeightQuestion(t.Context(), q); err != nil {
						t.Fatal(err)
					}
				}
				got, err := x.ScoreWeighted(t.Context(), weighed)
				if err != nil {
					t.Fatal(err)
				}
				defer x.Release(got)
				if got.FullMatchScore != want.FullMatchScore {
					t.Fatalf("%q in %s: %v is fair, want %v", text, what, got.FullMatchScore, want.FullMatchScore)
				}
				show := func(sc *Scores, s rank.Slot) string {
					return fmt.Sprint(sc.ScoreAt(s), sc.WordScore(s), sc.NameScore(s), sc.HeadingScore(s), sc.FolderScore(s))
				}
				for _, s := range slots {
					if got, want := show(got, at(s)), show(want, rank.Slot(s)); got != want {
						t.Fatalf("question %d, %q in %s: slot %d has %s, want %s", n, text, what, s, got, want)
					}
				}
			}
			e.window = 61
			seen := uint32(0)
			err := e.EachSlotWindow(func(first uint32, x *Index) error {
				var slots []uint32
				for s := first; s < min(first+e.window, uint32(len(texts))); s++ {
					slots = append(slots, s)
				}
				seen += uint32(len(slots))
				compare("windows of "+name, x, slots, func(s uint32) rank.Slot { return rank.Slot(s - first) })
				return nil
			})
			if err != nil || seen != uint32(len(texts)) {
				t.Fatalf("windows have %d slots of %d: %v", seen, len(texts), err)
			}
			e.IncludeChunks(100, 50)
			e.IncludeChunks(3, 1)
			x, numbers, err := e.Index()
			if err != nil || len(numbers.Slots()) != 51 {
				t.Fatalf("%d slots are included: %v", len(numbers.Slots()), err)
			}
			weighed = nil
			compare("the postings of "+name, x, numbers.Slots(), numbers.LocalSlotOrNone)
			e.Release()
		}
		known := k.known(analysis.UnknownWordLookupTerms(text))
		has := func(term string) bool { return slices.Contains(known, term) }
		if got, want := analysis.UnknownWords(text, has), analysis.UnknownWords(text, all.HasTerm); !slices.Equal(got, want) {
			t.Errorf("of %q unknown are %q, want %q", text, got, want)
		}
	}
}

// merge makes two segments of all, and one of these.
func (k *kept) merge(t *testing.T) *kept {
	t.Helper()
	join := func(segments []map[string]StoredList) map[string]StoredList {
		lists := make(map[string][]StoredList)
		for _, s := range segments {
			for term, l := range s {
				lists[term] = append(lists[term], l)
			}
		}
		one := make(map[string]StoredList)
		for term, all := range lists {
			l, err := MergeLists(term, all, k.whole.DeletedSlots)
			if err != nil {
				t.Fatal(err)
			}
			one[term] = l
		}
		return one
	}
	half := len(k.segments) / 2
	m := *k
	m.segments = []map[string]StoredList{join([]map[string]StoredList{join(k.segments[:half]), join(k.segments[half:])})}
	m.whole.DeletedSlots = nil
	return &m
}

// known is those of some terms that live chunks have.
func (k *kept) known(terms []string) (known []string) {
	for _, term := range terms {
		for _, s := range k.segments {
			if all, err := s[term].parse(nil, k.gone); err == nil && len(all) > 0 {
				known = append(known, term)
				break
			}
		}
	}
	return known
}

// TestStoredDamage: whatever the bytes are, a list is refused or has as many postings
// as it says.
func TestStoredDamage(t *testing.T) {
	st := NewStoredPostings()
	for s := range uint32(20) {
		if _, err := st.Put(7*s, analysis.CountTerms(analysis.ChunkNames{}, "warfarin warfarin blood")); err != nil {
			t.Fatal(err)
		}
	}
	for _, list := range st.Lists() {
		for n := range list.Bytes {
			if all, err := (StoredList{list.PostingCount, list.Bytes[:n]}).parse(nil, nil); err == nil {
				t.Errorf("%d of %d bytes give %d postings", n, len(list.Bytes), len(all))
			}
		}
		if _, err := (StoredList{list.PostingCount - 1, list.Bytes}).parse(nil, nil); err == nil {
			t.Error("bytes are left over")
		}
	}
}
