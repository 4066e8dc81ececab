package e2e

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var lookFor = flag.Duration("look", 0, "how long 100 browsers look at a folder of 100,000 documents in TestPageCost while nothing changes; 0: for a moment, 10 and 300")

// TestPageCost: all browsers that show the state are notified of a change. With -look it
// logs what they cost while nothing changes, and how long the pages of a large folder
// take.
func TestPageCost(t *testing.T) {
	browsers, documents := 10, 300
	if *lookFor > 0 {
		browsers, documents = 100, 100_000
	}
	dir := manyNotes(t, documents)
	s := serveHTTP(t, ownIndex(t), dir)
	if !poll(longestWait*time.Duration(1+documents/2000), s.isReady) {
		t.Fatal("the documents are not indexed")
	}
	told := make(chan int, 100*browsers)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for i := range browsers {
		s.watch(t, ctx, func() { told <- i })
	}
	if *lookFor > 0 {
		s.timePages(t)
		s.timeSilence(t, told)
	}
	writeText(t, filepath.Join(dir, "new.md"), "# New\n\nThe axolotl.\n")
	waiting := make(map[int]bool)
	for i := range browsers {
		waiting[i] = true
	}
	limit := time.After(longestWait)
	for len(waiting) > 0 {
		select {
		case i := <-told:
			delete(waiting, i)
		case <-limit:
			t.Fatalf("%d browsers are not told of a new document", len(waiting))
		}
	}
}

// page returns the page at a path.
func (s *httpServer) page(t testing.TB, path string) string {
	t.Helper()
	answer, err := http.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v\n%s", path, answer.Status, err, all)
	}
	return string(all)
}

// isReady reports whether all files are indexed and embedded, and the folder was scanned.
func (s *httpServer) isReady() bool {
	answer, err := http.Get(s.url + "/metrics")
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	all, _ := io.ReadAll(answer.Body)
	return strings.Contains(string(all), "\nvademecum_index_behind{folders=\"1\"} 0\n")
}

// watch follows the events of a page until ctx ends.
func (s *httpServer) watch(t testing.TB, ctx context.Context, changed func()) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, "GET", s.url+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("/events: %+v %v", answer, err)
	}
	go func() {
		defer answer.Body.Close()
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "event: changed") {
				changed()
			}
		}
	}()
}

// timeSilence logs the resources of a server while nothing changes and no notifications
// are sent.
func (s *httpServer) timeSilence(t *testing.T, told <-chan int) {
	t.Helper()
	for quiet := false; !quiet; {
		select {
		case <-told:
		case <-time.After(5 * time.Second):
			quiet = true
		}
	}
	before, _ := processorTime(s.cmd.Process.Pid)
	time.Sleep(*lookFor)
	after, known := processorTime(s.cmd.Process.Pid)
	if n := len(told); n > 0 {
		t.Errorf("browsers were told %d times while nothing changed", n)
	}
	if known {
		t.Logf("while nothing changes for %v: %.2f %% of a processor", *lookFor, 100*(after-before).Seconds()/lookFor.Seconds())
	}
}

// timePages logs how long pages take, the first time and at the median.
func (s *httpServer) timePages(t *testing.T) {
	t.Helper()
	for _, path := range []string{"/", "/library", "/library/documents", "/library/skipped", "/search?q=" + url.QueryEscape("warfarin and sleep"), "/doc?path=" + url.QueryEscape("0/1.md"), "/add", "/try?q=warfarin"} {
		var took []time.Duration
		for range 20 {
			start := time.Now()
			s.page(t, path)
			took = append(took, time.Since(start))
		}
		first := took[0]
		slices.Sort(took)
		t.Logf("%-32s first %6.1f ms, median %6.1f ms", path, float64(first.Microseconds())/1000, float64(took[len(took)/2].Microseconds())/1000)
	}
}

// processorTime returns the processor time of a process, where the system reports it
// (proc_pid_stat(5)).
func processorTime(pid int) (time.Duration, bool) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	_, rest, _ := strings.Cut(string(line), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, false
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 on all that Go runs on
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick, true
}
