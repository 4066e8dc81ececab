package e2e

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	pageBefore    = flag.String("before", "", "a program of another version, beside which TestPageSpeeds measures the pages of this one")
	pageDocuments = flag.Int("documents", 100_000, "how many documents TestPageSpeeds has, with -before")
)

// TestPageSpeeds logs how long pages take compared with those of another program, on the same
// folder and in turn, so that other load slows down both, and the processor time of each where
// the system reports it: the first page, results while typing, a document of 5,000 lines; and
// what 100 pages cost that are open while nothing changes.
func TestPageSpeeds(t *testing.T) {
	if *pageBefore == "" {
		t.Skip("measures: give -before PROGRAM")
	}
	dir := manyNotes(t, *pageDocuments)
	writeText(t, filepath.Join(dir, "long.md"), "# Long\n\n"+strings.Repeat("A line of a *long* note about [[sleep]] and `code`.\n\n- an item\n", 1_250))
	var servers []*httpServer
	for _, program := range []string{*pageBefore, ""} { // one after the other, as each uses the whole machine
		c := vademecum(t, "serve", "--http=127.0.0.1:0", ownIndex(t), dir)
		if program != "" {
			other := exec.CommandContext(t.Context(), program, c.Args[1:]...)
			other.Env = c.Env
			c = other
		}
		start := time.Now()
		s := startHTTP(t, c)
		poll(time.Hour, s.isReady)
		t.Logf("%s has indexed %d documents after %v", c.Args[0], *pageDocuments, time.Since(start).Round(time.Second))
		servers = append(servers, s)
	}
	t.Logf("%-26s %32s %32s", "ms: first, median, slowest", "before", "now")
	var typed []string
	for _, question := range []string{"warfarin and sleep", "how long after surgery", "blood pressure at night"} {
		for i := 3; i <= len(question); i++ {
			typed = append(typed, "/search?part=results&typing=1&q="+url.QueryEscape(question[:i]))
		}
	}
	for _, m := range []struct {
		name  string
		paths []string
	}{
		{"the first page", slices.Repeat([]string{"/"}, 40)}, {"results while typing", typed}, {"a document of 5,000 lines", slices.Repeat([]string{"/doc?path=long.md"}, 40)},
		{"a short document", slices.Repeat([]string{"/doc?path=" + url.QueryEscape("0/1.md")}, 40)}, {"the library", slices.Repeat([]string{"/library"}, 20)}, {"a list of documents", slices.Repeat([]string{"/library/documents"}, 20)},
	} {
		took, used := make([][]time.Duration, len(servers)), make([]time.Duration, len(servers))
		for i, s := range servers {
			before, _ := processorTime(s.cmd.Process.Pid)
			used[i] = -before
		}
		for _, path := range m.paths {
			for i, s := range servers {
				took[i] = append(took[i], s.timePage(t, path))
			}
		}
		said := make([]string, len(servers))
		for i, s := range servers {
			after, _ := processorTime(s.cmd.Process.Pid)
			said[i] = fmt.Sprintf("%s; CPU %.1f", spread(took[i]), (used[i]+after).Seconds()*1000/float64(len(m.paths)))
		}
		t.Logf("%-26s %32s %32s", m.name, said[0], said[1])
	}
	for i, s := range servers {
		for range 100 {
			s.watch(t, t.Context(), func() {})
		}
		time.Sleep(3 * time.Second) // until the work at the start has ended
		before, _ := processorTime(s.cmd.Process.Pid)
		time.Sleep(30 * time.Second)
		after, known := processorTime(s.cmd.Process.Pid)
		t.Logf("100 open pages, %s: %.2f %% of a processor (known: %v)", []string{"before", "now"}[i], 100*(after-before).Seconds()/30, known)
	}
}

// timePage returns how long it takes to load a page completely, on an open connection.
func (s *httpServer) timePage(t *testing.T, path string) time.Duration {
	t.Helper()
	start := time.Now()
	answer, err := http.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v", path, answer.Status, err)
	}
	return time.Since(start)
}

// spread formats the first, the median and the longest of some durations.
func spread(all []time.Duration) string {
	first := all[0]
	slices.Sort(all)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return fmt.Sprintf("%.1f, %.1f, %.1f", ms(first), ms(all[len(all)/2]), ms(all[len(all)-1]))
}
