package metrics

import (
	"bytes"
	"math"
	"os"
	"runtime/metrics"
	"strconv"
	"time"
)

// AddProcess adds what is known of the process itself, under the names that other
// programs of this language have for it.
func (s *Set) AddProcess(version string) {
	began := float64(time.Now().UnixMilli()) / 1000
	s.Gauge("vademecum_build_info", "The version that runs.", []string{"version"}, func(r Report) { r(1, version) })
	s.Gauge("process_start_time_seconds", "When the process began to serve, in seconds since 1970.", nil, func(r Report) { r(began) })
	s.Gauge("process_resident_memory_bytes", "Memory of the process, where the system tells.", nil, func(r Report) {
		if held, ok := residentMemory(); ok {
			r(held)
		}
	})
	s.runtime("go_goroutines", "Goroutines that exist.", "/sched/goroutines:goroutines")
	s.runtime("go_memstats_heap_alloc_bytes", "Memory in objects, in use or not collected yet.", "/memory/classes/heap/objects:bytes")
	s.runtime("go_memstats_sys_bytes", "Memory that the runtime has of the system, that it has given back among it.", "/memory/classes/total:bytes")
	s.Total("go_gc_cycles_total", "Runs of the garbage collector.", nil, func(r Report) { r(sample("/gc/cycles/total:gc-cycles")) })
}

// runtime adds what the runtime tells of itself.
func (s *Set) runtime(name, help, key string) {
	s.Gauge(name, help, nil, func(r Report) { r(sample(key)) })
}

// sample reads a number of the runtime, without stopping it.
func sample(key string) float64 {
	all := []metrics.Sample{{Name: key}}
	metrics.Read(all)
	if all[0].Value.Kind() != metrics.KindUint64 {
		return math.NaN() // this version of the language does not have it
	}
	return float64(all[0].Value.Uint64())
}

// residentMemory is what the process has in memory, where there is Linux's file that
// tells.
func residentMemory() (bytesHeld float64, ok bool) {
	text, err := os.ReadFile("/proc/self/statm")
	fields := bytes.Fields(text)
	if err != nil || len(fields) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseFloat(string(fields[1]), 64)
	return pages * float64(os.Getpagesize()), err == nil
}
