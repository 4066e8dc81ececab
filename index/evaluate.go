package index

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/present"
)

// Evaluation is how well questions were answered, as means over those that
// have judgements; one without an answer counts 0. The measures are those of
// trec_eval, nDCG with linear gain.
type Evaluation struct {
	Queries  int           `json:"queries"`
	NDCG10   float64       `json:"ndcg@10"`
	Recall5  float64       `json:"recall@5"`
	Recall10 float64       `json:"recall@10"`
	Recall20 float64       `json:"recall@20"`
	MRR10    float64       `json:"mrr@10"`
	P50      time.Duration `json:"p50_ns"` // time of a query
	P99      time.Duration `json:"p99_ns"`
}

// Evaluate asks every judged question as retrieve_docs would, and compares the
// documents of the passages, each at its best, with the judgements.
func (ix *Index) Evaluate(ctx context.Context, j Judgements) (Evaluation, error) {
	if err := ix.checkPaths(j); err != nil {
		return Evaluation{}, err
	}
	var e Evaluation
	var times []time.Duration
	for _, q := range j.Queries {
		grades := j.Grades[q.ID]
		if !hasRelevant(grades) {
			continue
		}
		start := time.Now()
		a, err := ix.Search(ctx, Query{Text: q.Text, TopK: MaxTopK})
		if err != nil {
			return Evaluation{}, fmt.Errorf("query %s: %w", q.ID, err)
		}
		times = append(times, time.Since(start))
		e.add(rankedDocuments(a), grades)
	}
	if e.Queries == 0 {
		return e, fmt.Errorf("no query has a judgement: the first column of both files must be the same names")
	}
	e.finish(times)
	return e, nil
}

// checkPaths catches judgements of another folder.
func (ix *Index) checkPaths(j Judgements) error {
	have := make(map[string]bool)
	for _, d := range ix.Documents() {
		have[norm.NFC.String(d.Path)] = true
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
	return fmt.Errorf("no judged document is in the folder, %s for one: paths are relative to the folder", present.Name(missing))
}

func hasRelevant(grades map[string]float64) bool {
	for _, g := range grades {
		if g > 0 {
			return true
		}
	}
	return false
}

// rankedDocuments lists the documents of an answer, each at its best passage.
func rankedDocuments(a Answer) []string {
	var paths []string
	for _, p := range a.Passages {
		if path := norm.NFC.String(p.Path); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

func (e *Evaluation) add(ranked []string, grades map[string]float64) {
	e.Queries++
	e.NDCG10 += gain(ranked, grades) / idealGain(grades)
	e.Recall5 += recall(ranked, grades, 5)
	e.Recall10 += recall(ranked, grades, 10)
	e.Recall20 += recall(ranked, grades, 20)
	for i, path := range ranked[:min(len(ranked), 10)] {
		if grades[path] > 0 {
			e.MRR10 += 1 / float64(i+1)
			break
		}
	}
}

func (e *Evaluation) finish(times []time.Duration) {
	for _, sum := range []*float64{&e.NDCG10, &e.Recall5, &e.Recall10, &e.Recall20, &e.MRR10} {
		*sum /= float64(e.Queries)
	}
	slices.Sort(times)
	e.P50, e.P99 = times[len(times)/2], times[len(times)*99/100]
}

// gain is the discounted cumulative gain of the first ten (Järvelin and
// Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002).
func gain(ranked []string, grades map[string]float64) (sum float64) {
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

func recall(ranked []string, grades map[string]float64, depth int) float64 {
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
