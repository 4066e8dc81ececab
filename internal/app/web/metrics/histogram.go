package metrics

import (
	"maps"
	"slices"
	"sync"
)

// Histogram records the distribution of values, separately for each value of its label.
type Histogram struct {
	bounds []float64

	mu sync.Mutex
	of map[string]*bucketCounts
}

// bucketCounts holds the values recorded for one value of the label.
type bucketCounts struct {
	counts []uint64 // by the lowest bound that the values do not exceed; the last is for those above all bounds
	sum    float64
}

// Histogram adds a histogram with one label to the set. bounds are the upper bounds of its buckets,
// in ascending order.
func (s *Set) Histogram(name, help, labelName string, bounds ...float64) *Histogram {
	h := &Histogram{bounds: bounds, of: make(map[string]*bucketCounts)}
	s.addFamily(metricFamily{name: name, help: help, kind: "histogram", labels: []string{labelName}, write: h.writeSamples})
	return h
}

// Observe records a value.
func (h *Histogram) Observe(value float64, labelValue string) {
	at, _ := slices.BinarySearch(h.bounds, value)
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.of[labelValue]
	if s == nil {
		s = &bucketCounts{counts: make([]uint64, len(h.bounds)+1)}
		h.of[labelValue] = s
	}
	s.counts[at]++
	s.sum += value
}

func (h *Histogram) writeSamples(line func(string, float64, ...string)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, label := range slices.Sorted(maps.Keys(h.of)) {
		s := h.of[label]
		all := uint64(0)
		for i, n := range s.counts {
			all += n
			bound := "+Inf"
			if i < len(h.bounds) {
				bound = formatNumber(h.bounds[i])
			}
			line("_bucket", float64(all), label, "le", bound)
		}
		line("_sum", s.sum, label)
		line("_count", float64(all), label)
	}
}
