// Package metrics keeps the metrics of a running server, and writes them in version 0.0.4 of the
// text format of Prometheus, which OpenTelemetry collectors, VictoriaMetrics and Grafana's agents
// read too. The official client library would add eight modules and 4 MB to each binary.
package metrics

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ContentType is the HTTP content type of what Write writes.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Set is the metrics of a server, in the order in which they were added. It and its metrics are
// safe for concurrent use.
type Set struct {
	mu       sync.Mutex
	families []metricFamily
}

// metricFamily is all metrics with one name, which differ in the values of labels.
type metricFamily struct {
	name, help, kind string
	labels           []string
	write            func(line func(suffix string, value float64, labels ...string))
}

func (s *Set) addFamily(f metricFamily) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.families = append(s.families, f)
}

// ReportFunc reports a value of a metric for some values of its labels.
type ReportFunc func(value float64, labelValues ...string)

// GaugeFunc adds a gauge to the set. Each time the metrics are written, collect is called, and
// reports the present values.
func (s *Set) GaugeFunc(name, help string, labelNames []string, collect func(ReportFunc)) {
	s.addFunc("gauge", name, help, labelNames, collect)
}

// CounterFunc adds a counter to the set. Each time the metrics are written, collect is called, and
// reports the present values.
func (s *Set) CounterFunc(name, help string, labelNames []string, collect func(ReportFunc)) {
	s.addFunc("counter", name, help, labelNames, collect)
}

func (s *Set) addFunc(kind, name, help string, labels []string, read func(ReportFunc)) {
	s.addFamily(metricFamily{name: name, help: help, kind: kind, labels: labels, write: func(line func(string, float64, ...string)) {
		read(func(value float64, labels ...string) { line("", value, labels...) })
	}})
}

// Write writes all metrics of the set.
func (s *Set) Write(w io.Writer) error {
	s.mu.Lock()
	families := slices.Clone(s.families)
	s.mu.Unlock()
	out := bufio.NewWriter(w)
	for _, f := range families {
		fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", f.name, escapeHelp(f.help), f.name, f.kind)
		f.write(func(suffix string, value float64, labels ...string) {
			fmt.Fprintf(out, "%s%s%s %s\n", f.name, suffix, formatLabels(f.labels, labels), formatNumber(value))
		})
	}
	return out.Flush()
}

// formatLabels formats labels. values contains a value for each of names, followed by pairs of a
// further name and its value.
func formatLabels(names, values []string) string {
	if len(values) == 0 {
		return ""
	}
	var pairs []string
	for i, name := range names {
		pairs = append(pairs, name+`="`+escape.Replace(values[i])+`"`)
	}
	for rest := values[len(names):]; len(rest) > 1; rest = rest[2:] {
		pairs = append(pairs, rest[0]+`="`+escape.Replace(rest[1])+`"`)
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

var escape = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func escapeHelp(text string) string {
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(text)
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Counter counts events, separately for each combination of values of its labels.
type Counter struct {
	mu     sync.Mutex
	counts map[string]*labelledCount
}

type labelledCount struct {
	labels []string
	n      float64
}

// Counter adds a counter to the set. Its labels must have few distinct values, as each combination
// is kept forever.
func (s *Set) Counter(name, help string, labelNames ...string) *Counter {
	c := &Counter{counts: make(map[string]*labelledCount)}
	s.addFamily(metricFamily{name: name, help: help, kind: "counter", labels: labelNames, write: c.writeSamples})
	if len(labelNames) == 0 {
		c.Add(0)
	}
	return c
}

// Add adds n to the counter for some values of its labels.
func (c *Counter) Add(n float64, labelValues ...string) {
	key := strings.Join(labelValues, "\x00")
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.counts[key]
	if of == nil {
		of = &labelledCount{labels: labelValues}
		c.counts[key] = of
	}
	of.n += n
}

func (c *Counter) writeSamples(line func(string, float64, ...string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(c.counts)) {
		of := c.counts[key]
		line("", of.n, of.labels...)
	}
}
