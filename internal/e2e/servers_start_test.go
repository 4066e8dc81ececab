package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkStart reports, for a folder that is indexed already, the time from
// the start of the process to the answer of initialize and to that of the
// first question, and the memory that the server holds when it has come to rest.
// With -short the largest folders are left out.
func BenchmarkStart(b *testing.B) {
	for _, chunks := range []int{1000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("%dchunks", chunks), func(b *testing.B) {
			if chunks > 10_000 && testing.Short() {
				b.Skip("takes minutes to set up")
			}
			folder, index := writeNotes(b, chunks), indexFile(b)
			if out, err := vademecum(b, "index", folder, "--index", index).CombinedOutput(); err != nil {
				b.Fatalf("%v, %s", err, out)
			}
			var initialized, answered time.Duration
			for b.Loop() {
				start := time.Now()
				h := newHost(b, folder, "--index", index)
				h.initialize()
				initialized += time.Since(start)
				firstAnswer(b, h)
				answered += time.Since(start)
				_ = h.cmd.Process.Kill()
				_ = h.cmd.Wait() // the error is that it was killed
			}
			memory := memoryAtRest(b, folder, index)
			b.ReportMetric(float64(initialized.Microseconds())/1000/float64(b.N), "ms/initialize")
			b.ReportMetric(float64(answered.Microseconds())/1000/float64(b.N), "ms/first-answer")
			b.ReportMetric(float64(memory)/1e6, "MB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func firstAnswer(b *testing.B, h *host) {
	b.Helper()
	text, failed := h.tool("retrieve_docs", `{"query":"`+notes().words(6)+`"}`)
	if failed || !strings.HasPrefix(text, "[1]") {
		b.Fatalf("no answer: %.200s", text)
	}
}

// memoryAtRest returns the memory of a server some seconds after its first answer, when
// it has compared the folder and freed what it needed to load the index.
func memoryAtRest(b *testing.B, folder, index string) (bytes int) {
	b.Helper()
	h := newHost(b, folder, "--index", index)
	h.initialize()
	firstAnswer(b, h)
	time.Sleep(8 * time.Second)
	status, _ := statusOf(h.cmd.Process.Pid)
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait() // the error is that it was killed
	return status["VmRSS"] << 10
}

// mostNotes is from how many files on a folder gets longer ones instead of more.
const mostNotes = 100_000

// writeNotes makes a folder of so many chunks, in notes of one each, or in mostNotes
// documents with as many headings as it takes.
func writeNotes(b testing.TB, chunks int) string {
	b.Helper()
	dir, talk, past := b.TempDir(), notes(), time.Now().Add(-time.Hour)
	for i := range min(chunks, mostNotes) {
		file := filepath.Join(dir, fmt.Sprint(i/500), fmt.Sprintf("%d.md", i))
		if i%500 == 0 {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				b.Fatal(err)
			}
		}
		text := "# " + talk.words(4) + "\n"
		for part := range max(1, chunks/mostNotes) {
			if part > 0 {
				text += "\n## " + talk.words(3) + "\n"
			}
			text += "\n" + talk.words(85) + ".\n"
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
		if err := os.Chtimes(file, past, past); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// talker generates texts whose words are as unevenly distributed as in real ones.
type talker struct {
	vocabulary []string
	zipf       *rand.Zipf
}

func notes() talker {
	rng := rand.New(rand.NewPCG(10, 11))
	t := talker{zipf: rand.NewZipf(rng, 1.1, 20, 29_999)}
	for i := range 30_000 {
		if i%4 == 3 {
			t.vocabulary = append(t.vocabulary, string([]rune{rune(0x4e00 + rng.IntN(3000)), rune(0x4e00 + rng.IntN(3000))}))
			continue
		}
		word := make([]byte, 3+rng.IntN(9))
		for i := range word {
			word[i] = "etaoinshrdlucmfwypvbgkjqxz"[min(rng.IntN(26), rng.IntN(26))]
		}
		t.vocabulary = append(t.vocabulary, string(word))
	}
	return t
}

func (t talker) words(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = t.vocabulary[t.zipf.Uint64()]
	}
	return strings.Join(out, " ")
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
