// Package evaluate measures the quality of search results with judgements, which state the
// documents relevant to each query. It is independent of the index: it is given the paths of the
// documents and a search function, and opens no files except those of the judgements.
package evaluate

import (
	"context"
	"math"
	"slices"
	"time"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// SearchFunc returns the paths of the documents found for a query, best first. A path may be repeated.
type SearchFunc func(ctx context.Context, question string) (paths []string, err error)

// Measures are means over the queries with judgements; a query without results counts 0. They are
// defined as in trec_eval, nDCG with linear gain.
type Measures struct {
	Queries    int           `json:"queries"`
	NDCG10     float64       `json:"ndcg@10"`
	Recall5    float64       `json:"recall@5"`
	Recall10   float64       `json:"recall@10"`
	Recall20   float64       `json:"recall@20"`
	MRR10      float64       `json:"mrr@10"`
	MedianTime time.Duration `json:"p50_ns"` // median time of a query
	P99Time    time.Duration `json:"p99_ns"`
}

// Evaluate runs every judged query, one after the other, and compares the documents found, each at
// its best rank, with the judgements. It fails if none of the judged documents exists.
func Evaluate(ctx context.Context, j Judgements, documents []string, search SearchFunc) (Measures, error) {
	if err := j.check(documents); err != nil {
		return Measures{}, err
	}
	var m Measures
	var times []time.Duration
	for _, q := range j.Questions {
		grades := j.Grades[q.ID]
		if !hasRelevant(grades) {
			continue
		}
		start := time.Now()
		paths, err := search(ctx, q.Text)
		if err != nil {
			return Measures{}, message.Errorf("query %s: %v", q.ID, err)
		}
		times = append(times, time.Since(start))
		m.addQuestion(distinctPaths(paths), grades)
	}
	if m.Queries == 0 {
		return m, message.Errorf("no query has a judgement: the first column of both files must be the same names")
	}
	m.finishMeans(times)
	return m, nil
}

// check fails if the judgements seem to belong to another folder.
func (j Judgements) check(documents []string) error {
	have := make(map[string]bool)
	for _, path := range documents {
		have[norm.NFC.String(path)] = true
	}
	missing := ""
	for _, grades := range j.Grades {
		for path := range grades {
			if have[path] {
				return nil
			}
			missing = path
		}
	}
	return message.Errorf("none of the judged documents is in the folder, for example %s: paths are relative to the folder", present.QuoteName(missing))
}

func hasRelevant(grades map[string]float64) bool {
	for _, g := range grades {
		if g > 0 {
			return true
		}
	}
	return false
}

// distinctPaths removes repeated paths, and normalizes paths to NFC.
func distinctPaths(paths []string) (ranked []string) {
	for _, path := range paths {
		if path = norm.NFC.String(path); !slices.Contains(ranked, path) {
			ranked = append(ranked, path)
		}
	}
	return ranked
}

func (m *Measures) addQuestion(ranked []string, grades map[string]float64) {
	m.Queries++
	m.NDCG10 += discountedGain(ranked, grades) / idealGain(grades)
	m.Recall5 += recallAt(ranked, grades, 5)
	m.Recall10 += recallAt(ranked, grades, 10)
	m.Recall20 += recallAt(ranked, grades, 20)
	for i, path := range ranked[:min(len(ranked), 10)] {
		if grades[path] > 0 {
			m.MRR10 += 1 / float64(i+1)
			break
		}
	}
}

func (m *Measures) finishMeans(times []time.Duration) {
	for _, sum := range []*float64{&m.NDCG10, &m.Recall5, &m.Recall10, &m.Recall20, &m.MRR10} {
		*sum /= float64(m.Queries)
	}
	slices.Sort(times)
	m.MedianTime, m.P99Time = times[len(times)/2], times[len(times)*99/100]
}

// discountedGain returns the discounted cumulative gain of the first ten results (Järvelin and
// Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002).
func discountedGain(ranked []string, grades map[string]float64) (sum float64) {
	for i, path := range ranked[:min(len(ranked), 10)] {
		sum += grades[path] / math.Log2(float64(i)+2)
	}
	return sum
}

func idealGain(grades map[string]float64) (sum float64) {
	var best []float64
	for _, g := range grades {
		best = append(best, g)
	}
	slices.Sort(best)
	slices.Reverse(best)
	for i, g := range best[:min(len(best), 10)] {
		sum += g / math.Log2(float64(i)+2)
	}
	return sum
}

func recallAt(ranked []string, grades map[string]float64, depth int) float64 {
	found, relevant := 0.0, 0.0
	for _, path := range ranked[:min(len(ranked), depth)] {
		if grades[path] > 0 {
			found++
		}
	}
	for _, g := range grades {
		if g > 0 {
			relevant++
		}
	}
	return found / relevant
}
