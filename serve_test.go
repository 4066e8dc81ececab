package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/embed"
	"vademecum/index"
)

// note is the text of the i-th of many notes, no two alike.
func note(i int) string {
	topics := []string{"warfarin", "insulin", "asthma", "sodium", "血压", "糖尿病", "心脏", "sleep"}
	return fmt.Sprintf("# Note %d on %s\n\nThe visit number%d of the patient was about %s and %s.\n\n%s",
		i, topics[i%len(topics)], i, topics[i%len(topics)], topics[(i/7)%len(topics)],
		strings.Repeat(fmt.Sprintf("A sentence of note %d that says little. ", i), 8))
}

func manyNotes(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		if i%100 == 0 {
			if err := os.MkdirAll(filepath.Join(dir, fmt.Sprint(i/100)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i/100), fmt.Sprintf("%d.md", i)), []byte(note(i)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func indexFile(t testing.TB) string { return filepath.Join(t.TempDir(), "x.db") }

func TestServeSurvivesBadLines(t *testing.T) {
	h := newHost(t, manyNotes(t, 5), "--index", indexFile(t))
	h.initialize()
	for _, line := range []string{`{"jsonrpc":`, `garbage`, `{"jsonrpc":"2.0","id":1,}`, "\x00\x01"} {
		h.write(line)
		if m := h.read(); m.Error == nil || m.Error.Code != -32700 {
			t.Errorf("%q is answered with %+v", line, m)
		}
	}
	h.write("")
	if m := h.call("no/such/method", `{}`); m.Error == nil || m.Error.Code != -32601 {
		t.Errorf("an unknown method: %+v", m)
	}
	if m := h.call("resources/read", `{"uri":"file:///a\u0001b\u0085"}`); m.Error == nil {
		t.Errorf("a URI with control characters: %+v", m)
	}
	if text, isError := h.tool("retrieve_docs", `{"query": "visit number3"}`); isError || !strings.Contains(text, "0/3.md") {
		t.Errorf("after all that: %s", text)
	}
}

func TestServeEndsWithItsHost(t *testing.T) {
	dir := manyNotes(t, 3000)
	for name, end := range map[string]func(h *host){
		"stdin closed":             func(h *host) { h.initialize(); h.tool("list_docs", `{}`); _ = h.in.Close() },
		"stdin closed at once":     func(h *host) { _ = h.in.Close() },
		"closed while it indexes":  func(h *host) { h.initialize(); _ = h.in.Close() },
		"terminated while it does": func(h *host) { h.initialize(); _ = h.cmd.Process.Signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.HasPrefix(name, "terminated") {
				t.Skip("no SIGTERM on Windows")
			}
			h := newHost(t, dir, "--index", indexFile(t))
			end(h)
			ended := make(chan error, 1)
			go func() {
				for h.lines.Scan() {
				}
				ended <- h.cmd.Wait()
			}()
			select {
			case err := <-ended:
				if err != nil {
					t.Errorf("ended with %v", err)
				}
			case <-time.After(5 * time.Second):
				t.Error("still running")
			}
		})
	}
}

// TestServeAnswersWhatWasAsked: a pipe that ends after the questions is how
// people try a server out.
func TestServeAnswersWhatWasAsked(t *testing.T) {
	c := vademecum(t, "serve", manyNotes(t, 20), "--index", indexFile(t))
	c.Stdin = strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":%s}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"resources/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"retrieve_docs","arguments":{"query":"visit number3"}}}`, initialize))
	out, err := c.Output()
	if err != nil || !strings.Contains(string(out), `"name":"0/3.md"`) || !strings.Contains(string(out), `"id":3`) || !strings.Contains(string(out), "0/3.md") {
		t.Errorf("%s, %v", out, err)
	}
}

// TestServeEndsWithoutAReader: a host that hangs must not keep the server.
func TestServeEndsWithoutAReader(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "long.txt"), []byte(strings.Repeat("A long line of text.\n", 50_000)), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]func(h *host){
		"stdin closed": func(h *host) { _ = h.in.Close() },
		"terminated":   func(h *host) { _ = h.cmd.Process.Signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && name == "terminated" {
				t.Skip("no SIGTERM on Windows")
			}
			h := newHost(t, dir, "--index", indexFile(t))
			h.initialize()
			h.tool("list_docs", `{}`)
			h.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":99,"method":"resources/read","params":{"uri":%q}}`, docs.FileURI(filepath.Join(dir, "long.txt"))))
			end(h)
			ended := make(chan struct{})
			go func() { _, _ = h.cmd.Process.Wait(); close(ended) }()
			select {
			case <-ended:
			case <-time.After(5 * time.Second):
				t.Error("still running")
			}
		})
	}
}

// TestServeWithoutAUsableIndex: where there can be no file, memory serves.
func TestServeWithoutAUsableIndex(t *testing.T) {
	dir, log := manyNotes(t, 1), new(bytes.Buffer)
	c := vademecum(t, "serve", dir, "--index", filepath.Join(dir, "0", "0.md", "x.db"))
	c.Stderr = log
	s := startTalk(t, c)
	blocks, err := s.tool("retrieve_docs", `{"query": "visit"}`)
	if err != nil || !strings.Contains(blocks[0].Text, "0/0.md") {
		t.Errorf("answers %v, %v", blocks, err)
	}
	s.kill()
	if text := log.String(); !strings.Contains(text, "kept in memory") || !strings.Contains(text, "not a directory") && !strings.Contains(text, "cannot find the path") {
		t.Errorf("logged %s", text)
	}
}

// TestKillWhileIndexing kills the indexer at random points, over edits, and
// then compares the index with one made anew.
func TestKillWhileIndexing(t *testing.T) {
	const notes = 800
	kills := 50
	if testing.Short() {
		kills = 10
	}
	dir, file := manyNotes(t, notes), indexFile(t)
	rng := rand.New(rand.NewPCG(8, 9))
	killed := 0
	for round := range kills {
		for range 40 { // so that there is always work to do
			i := rng.IntN(notes)
			p := filepath.Join(dir, fmt.Sprint(i/100), fmt.Sprintf("%d.md", i))
			if err := os.WriteFile(p, []byte(note(i)+fmt.Sprintf("\n\nEdited in round %d.\n", round)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c := vademecum(t, "index", dir, "--index", file)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.IntN(120)) * time.Millisecond) // the random point
		if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := c.Wait(); errors.As(err, &exit) {
			killed++
		}
	}
	if killed < kills/4 {
		t.Errorf("only %d of %d runs were killed before they were through", killed, kills)
	}
	if out, err := vademecum(t, "index", dir, "--index", file).CombinedOutput(); err != nil || !strings.Contains(string(out), fmt.Sprintf("%d in total", notes)) {
		t.Fatalf("the run after the kills: %s %v", out, err)
	}
	survivor, fresh := openIndex(t, dir, file), openIndex(t, dir, indexFile(t))
	if r, err := survivor.Sync(t.Context(), index.Scope{}); err != nil || r.Indexed != 0 || r.Total != notes || len(survivor.Freshness()) != 0 {
		t.Errorf("there was work left: %+v, %q, %v", r, survivor.Freshness(), err)
	}
	bringUpToDate(t, fresh)
	compare(t, survivor, fresh, notes)
}

func openIndex(t *testing.T, dir, file string) *index.Index {
	t.Helper()
	e, err := embed.New("builtin")
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.New(index.Options{Folders: []string{dir}, Files: []string{file}, Embedder: e})
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ix.Close() })
	return ix
}

func bringUpToDate(t *testing.T, ix *index.Index) {
	t.Helper()
	if _, err := ix.Sync(t.Context(), index.Scope{}); err != nil {
		t.Fatal(err)
	}
	if err := ix.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// compare checks every document: present once, the same text, and the same
// answers with the same scores, which need the same postings and vectors.
func compare(t *testing.T, got, want *index.Index, notes int) {
	t.Helper()
	documents, wanted := got.Documents(), want.Documents()
	if len(documents) != notes || len(wanted) != notes {
		t.Fatalf("%d documents, a fresh index has %d", len(documents), len(wanted))
	}
	for i, d := range documents {
		w := wanted[i]
		if d.Path != w.Path || d.Hash != w.Hash || d.Chunks != w.Chunks {
			t.Fatalf("%+v, a fresh index has %+v", d, w)
		}
		part, err := got.Read(t.Context(), d.Path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := want.Read(t.Context(), d.Path, nil); err != nil || part.Text != other.Text {
			t.Fatalf("%s reads %q, a fresh index %q, %v", d.Path, part.Text, other.Text, err)
		}
		if i%5 == 0 {
			compareAnswers(t, got, want, strings.TrimPrefix(strings.SplitN(part.Text, "\n", 2)[0], "# "))
		}
	}
}

func compareAnswers(t *testing.T, got, want *index.Index, query string) {
	t.Helper()
	var answers [2]string
	for i, ix := range []*index.Index{got, want} {
		a, err := ix.Search(t.Context(), index.Query{Text: query, TopK: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range a.Passages {
			answers[i] += fmt.Sprintf("%s %d %d %.4f\n", p.URI, p.LexicalRank, p.VectorRank, p.Score)
		}
	}
	if answers[0] != answers[1] {
		t.Fatalf("%s finds\n%sa fresh index\n%s", query, answers[0], answers[1])
	}
}

// BenchmarkColdStart serves 10,000 notes that have no index yet, and reports
// the milliseconds to the answer of initialize and of the first retrieve_docs
// meanwhile.
func BenchmarkColdStart(b *testing.B) {
	dir := manyNotes(b, 10_000)
	var initialized, retrieved float64
	for b.Loop() {
		start := time.Now()
		h := newHost(b, dir, "--index", filepath.Join(b.TempDir(), "x.db"))
		h.initialize()
		initialized += float64(time.Since(start).Microseconds()) / 1000
		text, isError := h.tool("retrieve_docs", `{"query": "warfarin visit"}`)
		retrieved += float64(time.Since(start).Microseconds()) / 1000
		if isError {
			b.Fatal(text)
		}
		_ = h.in.Close()
		_ = h.cmd.Wait()
	}
	b.ReportMetric(initialized/float64(b.N), "ms/initialize")
	b.ReportMetric(retrieved/float64(b.N), "ms/first-answer")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkWarmStart is the same with an index that is up to date.
func BenchmarkWarmStart(b *testing.B) {
	dir, file := manyNotes(b, 10_000), indexFile(b)
	if out, err := vademecum(b, "index", dir, "--index", file).CombinedOutput(); err != nil {
		b.Fatalf("%s %v", out, err)
	}
	var initialized, retrieved float64
	for b.Loop() {
		start := time.Now()
		h := newHost(b, dir, "--index", file)
		h.initialize()
		initialized += float64(time.Since(start).Microseconds()) / 1000
		h.tool("retrieve_docs", `{"query": "warfarin visit"}`)
		retrieved += float64(time.Since(start).Microseconds()) / 1000
		_ = h.in.Close()
		_ = h.cmd.Wait()
	}
	b.ReportMetric(initialized/float64(b.N), "ms/initialize")
	b.ReportMetric(retrieved/float64(b.N), "ms/first-answer")
	b.ReportMetric(0, "ns/op")
}
