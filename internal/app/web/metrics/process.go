package metrics

import (
	"bytes"
	"math"
	"os"
	"runtime/metrics"
	"strconv"
	"time"
)

// AddProcessMetrics adds metrics of the process, under the names usual for Go programs.
func (s *Set) AddProcessMetrics(version string) {
	began := float64(time.Now().UnixMilli()) / 1000
	s.GaugeFunc("vademecum_build_info", "The version that runs.", []string{"version"}, func(r ReportFunc) { r(1, version) })
	s.GaugeFunc("process_start_time_seconds", "When the process began to serve, in seconds since 1970.", nil, func(r ReportFunc) { r(began) })
	s.GaugeFunc("process_resident_memory_bytes", "Memory of the process, where the system tells.", nil, func(r ReportFunc) {
		if held, ok := residentMemory(); ok {
			r(held)
		}
	})
	s.addRuntimeMetric("go_goroutines", "Goroutines that exist.", "/sched/goroutines:goroutines")
	s.addRuntimeMetric("go_memstats_heap_alloc_bytes", "Memory in objects, in use or not collected yet.", "/memory/classes/heap/objects:bytes")
	s.addRuntimeMetric("go_memstats_sys_bytes", "Memory that the runtime has of the system, that it has given back among it.", "/memory/classes/total:bytes")
	s.CounterFunc("go_gc_cycles_total", "Runs of the garbage collector.", nil, func(r ReportFunc) { r(runtimeValue("/gc/cycles/total:gc-cycles")) })
}

// addRuntimeMetric adds a metric that the Go runtime provides under a key.
func (s *Set) addRuntimeMetric(name, help, key string) {
	s.GaugeFunc(name, help, nil, func(r ReportFunc) { r(runtimeValue(key)) })
}

// runtimeValue reads a metric of the Go runtime without stopping the world; NaN if it does not
// exist.
func runtimeValue(key string) float64 {
	all := []metrics.Sample{{Name: key}}
	metrics.Read(all)
	if all[0].Value.Kind() != metrics.KindUint64 {
		return math.NaN() // this version of Go does not have the metric
	}
	return float64(all[0].Value.Uint64())
}

// residentMemory returns the resident memory of the process in bytes; ok is false on systems other
// than Linux.
func residentMemory() (bytesHeld float64, ok bool) {
	text, err := os.ReadFile("/proc/self/statm")
	fields := bytes.Fields(text)
	if err != nil || len(fields) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseFloat(string(fields[1]), 64)
	return pages * float64(os.Getpagesize()), err == nil
}
