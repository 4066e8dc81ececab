package metrics

import (
	"runtime"
	"strings"
	"testing"
)

func written(t *testing.T, s *Set) string {
	t.Helper()
	var out strings.Builder
	if err := s.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestWrite compares all kinds of metrics with their expected text.
func TestWrite(t *testing.T) {
	var s Set
	plain := s.Counter("ends_total", "How often it ended.")
	calls := s.Counter("calls_total", "Calls \\ of\nall kinds.", "tool", "outcome")
	s.GaugeFunc("open", "What is open.", []string{"of"}, func(r ReportFunc) { r(1.5, "a\"b\\c\nd") })
	s.CounterFunc("seen_total", "What others count.", nil, func(r ReportFunc) { r(1e9) })
	took := s.Histogram("seconds", "How long it took.", "tool", 0.1, 1)
	plain.Add(2)
	calls.Add(1, "b", "ok")
	calls.Add(1, "a", "ok")
	calls.Add(1, "a", "ok")
	for _, v := range []float64{0.1, 0.05, 1.5, 0.5} {
		took.Observe(v, "a")
	}
	const want = `# HELP ends_total How often it ended.
# TYPE ends_total counter
ends_total 2
# HELP calls_total Calls \\ of\nall kinds.
# TYPE calls_total counter
calls_total{tool="a",outcome="ok"} 2
calls_total{tool="b",outcome="ok"} 1
# HELP open What is open.
# TYPE open gauge
open{of="a\"b\\c\nd"} 1.5
# HELP seen_total What others count.
# TYPE seen_total counter
seen_total 1e+09
# HELP seconds How long it took.
# TYPE seconds histogram
seconds_bucket{tool="a",le="0.1"} 2
seconds_bucket{tool="a",le="1"} 3
seconds_bucket{tool="a",le="+Inf"} 4
seconds_sum{tool="a"} 2.15
seconds_count{tool="a"} 4
`
	if got := written(t, &s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestAddProcess checks that the metrics of the process are present and are numbers.
func TestAddProcess(t *testing.T) {
	var s Set
	s.AddProcessMetrics("1.2.3")
	got := written(t, &s)
	names := []string{`vademecum_build_info{version="1.2.3"} 1`, "\ngo_goroutines ", "\ngo_memstats_heap_alloc_bytes ", "\ngo_memstats_sys_bytes ", "\ngo_gc_cycles_total ", "\nprocess_start_time_seconds 1"}
	if runtime.GOOS == "linux" {
		names = append(names, "\nprocess_resident_memory_bytes ")
	}
	for _, name := range names {
		if !strings.Contains(got, name) {
			t.Errorf("%q is missing in\n%s", name, got)
		}
	}
	if strings.Contains(got, "NaN") {
		t.Errorf("the runtime does not tell all:\n%s", got)
	}
}
