package lexical

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// talk makes up notes and questions whose words are as unevenly distributed as in
// real ones.
type talk struct {
	words []string
	zipf  *rand.Zipf
}

func newTalk() talk {
	rng := rand.New(rand.NewPCG(10, 11))
	t := talk{zipf: rand.NewZipf(rng, 1.1, 20, 29_999)}
	for range 30_000 {
		word := make([]byte, 3+rng.IntN(9))
		for i := range word {
			word[i] = "etaoinshrdlucmfwypvbgkjqxz"[min(rng.IntN(26), rng.IntN(26))]
		}
		t.words = append(t.words, term(string(word)))
	}
	return t
}

// counts returns the counts of a note of n words.
func (t talk) counts(n int) (out analysis.TermCounts) {
	terms := make([]string, n)
	for i := range terms {
		terms[i] = t.words[t.zipf.Uint64()]
	}
	slices.Sort(terms)
	for len(terms) > 0 {
		n := 1
		for n < len(terms) && terms[n] == terms[0] {
			n++
		}
		out = append(binary.AppendUvarint(out, uint64(len(terms[0]))), terms[0]...)
		out = binary.AppendUvarint(out, uint64(n))
		terms = terms[n:]
	}
	return out
}

func (t talk) question(n int) analysis.Question {
	words := make([]string, n)
	for i := range words {
		words[i] = t.words[t.zipf.Uint64()]
	}
	return analysis.NewQuestion(strings.Join(words, " "))
}

// BenchmarkScore asks notes of 60 words questions of three to eight, and reports the
// median and what one of a hundred takes.
func BenchmarkScore(b *testing.B) {
	for _, chunks := range []int{1000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(chunks), func(b *testing.B) {
			x, notes := New(), newTalk()
			for s := range chunks {
				put(b, x, rank.Slot(s), notes.counts(60))
			}
			questions := make([]analysis.Question, 200)
			for i := range questions {
				questions[i] = notes.question(3 + i%6)
			}
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				sc, err := x.Score(b.Context(), questions[i%len(questions)])
				if err != nil {
					b.Fatal(err)
				}
				if _, err := sc.TopK(b.Context(), 200, nil, distinct); err != nil {
					b.Fatal(err)
				}
				x.Release(sc)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms/p50")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms/p99")
		})
	}
}

// BenchmarkReadList reads the list of a term that 200,000 of a million chunks have.
func BenchmarkReadList(b *testing.B) {
	random := rand.New(rand.NewPCG(5, 6))
	var l listWriter
	for slot := uint32(0); slot < 1_000_000; slot += 1 + random.Uint32N(9) {
		l.add(slot, 1+random.IntN(10)/8, 60+random.IntN(100))
	}
	list, buffer := StoredList{l.count, l.bytes}, make([]slotPosting, 256)
	b.SetBytes(int64(len(l.bytes)))
	for b.Loop() {
		r, err := list.readerWithout(nil)
		for err == nil && r.left > 0 {
			_, err = r.readNext(buffer)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(l.count), "ns/posting")
}
