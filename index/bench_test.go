package index

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// The benchmarks use texts of about 600 bytes, three English and one Chinese
// out of four, whose words are as unevenly distributed as in real texts.
type babbler struct {
	rng     *rand.Rand
	zipf    *rand.Zipf
	english []string
	han     []string // words of two characters
}

func newBabbler() *babbler {
	rng := rand.New(rand.NewPCG(10, 11))
	b := &babbler{rng: rng, zipf: rand.NewZipf(rng, 1.1, 20, 19_999)}
	for range 20_000 {
		word := make([]byte, 3+rng.IntN(9))
		for i := range word {
			word[i] = "etaoinshrdlucmfwypvbgkjqxz"[min(rng.IntN(26), rng.IntN(26))]
		}
		b.english = append(b.english, string(word))
		b.han = append(b.han, string([]rune{rune(0x4e00 + rng.IntN(3000)), rune(0x4e00 + rng.IntN(3000))}))
	}
	return b
}

func (b *babbler) words(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = b.english[b.zipf.Uint64()]
	}
	return strings.Join(out, " ")
}

func (b *babbler) characters(n int) string {
	var out strings.Builder
	for range n / 2 {
		out.WriteString(b.han[b.zipf.Uint64()])
	}
	return out.String()
}

func (b *babbler) text(i int) string {
	if i%4 == 3 {
		return "# " + b.characters(8) + "\n\n" + b.characters(190) + "。"
	}
	return "# " + b.words(4) + "\n\n" + b.words(85) + "."
}

func (b *babbler) query(i int) string {
	if i%4 == 3 {
		return b.characters(10)
	}
	return b.words(8)
}

func babbleFolder(b *testing.B, n int) string { return babbleBooks(b, n, 1) }

// babbleBooks makes a folder of n documents of so many texts each.
func babbleBooks(b *testing.B, n, texts int) string {
	b.Helper()
	dir, talk := b.TempDir(), newBabbler()
	past := time.Now().Add(-time.Hour)
	for i := range n {
		file := filepath.Join(dir, fmt.Sprint(i/500), fmt.Sprintf("%d.md", i))
		if i%500 == 0 {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				b.Fatal(err)
			}
		}
		var all []string
		for t := range texts {
			all = append(all, talk.text(i+t))
		}
		if err := os.WriteFile(file, []byte(strings.Join(all, "\n\n")), 0o644); err != nil {
			b.Fatal(err)
		}
		if err := os.Chtimes(file, past, past); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

func benchIndex(b testing.TB, dir, file string) *Index {
	b.Helper()
	ix, err := New(Options{Folders: []string{dir}, IndexPaths: []string{file}, Embedder: indextest.Builtin(b), Logger: indextest.QuietLog})
	if err != nil {
		b.Fatal(err)
	}
	if err := ix.Load(b.Context()); err != nil {
		b.Fatal(err)
	}
	return ix
}

func benchSync(b testing.TB, ix *Index) int {
	b.Helper()
	if _, err := ix.Sync(b.Context(), sync.Scope{}); err != nil {
		b.Fatal(err)
	}
	if err := ix.Embed(b.Context()); err != nil {
		b.Fatal(err)
	}
	chunks, bare := ix.store.CountChunks()
	if bare > 0 {
		b.Fatalf("%d chunks without a vector", bare)
	}
	return chunks
}

// BenchmarkIndexing reports chunks a second from files to a saved index, of notes and
// of books.
func BenchmarkIndexing(b *testing.B) {
	for _, folder := range []struct {
		name             string
		documents, texts int
	}{{"notes", 5000, 1}, {"books", 50, 100}} {
		b.Run(folder.name, func(b *testing.B) {
			dir := babbleBooks(b, folder.documents, folder.texts)
			chunks, spent := 0, time.Duration(0)
			for b.Loop() {
				start := time.Now()
				ix := benchIndex(b, dir, filepath.Join(b.TempDir(), "x.db"))
				chunks += benchSync(b, ix)
				spent += time.Since(start)
				if err := ix.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(chunks)/spent.Seconds(), "chunks/s")
		})
	}
}

// BenchmarkQuery reports the median and the 99th percentile of hybrid queries,
// passages read included, and the memory that the index holds.
func BenchmarkQuery(b *testing.B) {
	for _, n := range []int{232, 1000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("%dchunks", n), func(b *testing.B) {
			if n > 10_000 && testing.Short() {
				b.Skip("takes a minute to set up")
			}
			before := heap()
			ix := benchIndex(b, babbleFolder(b, n), filepath.Join(b.TempDir(), "x.db"))
			defer ix.Close()
			benchSync(b, ix)
			held := heap() - before
			talk := newBabbler()
			var times []time.Duration
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				if _, err := ix.Search(b.Context(), Query{Text: talk.query(i)}); err != nil {
					b.Fatal(err) // now and then a question of rare words has no answer
				}
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms/p50")
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "ms/p99")
			b.ReportMetric(float64(held)/1e6, "MB")
		})
	}
}

// heap returns the bytes in use. What a sync.Pool keeps is let go by the second collection.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkFind finds a word, a phrase and a pattern to the letter in 5,000 documents,
// beside a question to them.
func BenchmarkFind(b *testing.B) {
	bab := newBabbler()
	files := make(map[string]string)
	for i := range 5000 {
		files[fmt.Sprintf("%04d.md", i)] = bab.text(i)
	}
	n := indextest.NewNotesFolder(b, files)
	ix := open(b, b.TempDir(), indextest.Builtin(b), n.Dir)
	mustSync(b, ix, sync.Scope{})
	phrase := strings.Join(strings.Fields(files["0000.md"])[10:13], " ")
	for name, q := range map[string]FindQuery{
		"word": {Text: bab.english[300]}, "phrase": {Text: phrase}, "Chinese": {Text: bab.han[50]},
		"pattern": {Text: `\b` + bab.english[300] + `\w*\s`, IsRegexp: true},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := ix.Find(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, count := range []int{1, MaxQuotes} {
		b.Run(fmt.Sprintf("quotations-%d", count), func(b *testing.B) {
			var q QuoteQuery
			for i := range count {
				text := []rune(files[fmt.Sprintf("%04d.md", i)])
				q.Quotes = append(q.Quotes, Quote{Text: string(text[20:80]) + string(text[95:150])}) // some of it is missing
			}
			for b.Loop() {
				if checked, err := ix.checkQuotes(b.Context(), q); err != nil || checked.Quotes[0].Verdict != QuoteDiffers {
					b.Fatal(checked, err)
				}
			}
		})
	}
	b.Run("question", func(b *testing.B) {
		for b.Loop() {
			mustSearch(b, ix, Query{Text: phrase})
		}
	})
}

// BenchmarkOpen reports the milliseconds from opening an existing index to the
// first answer, and to the end of the first scan, which finds nothing changed.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("%dchunks", n), func(b *testing.B) {
			dir, file := babbleFolder(b, n), filepath.Join(b.TempDir(), "x.db")
			ix := benchIndex(b, dir, file)
			benchSync(b, ix)
			if err := ix.Close(); err != nil {
				b.Fatal(err)
			}
			talk := newBabbler()
			var answered, scanned time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				ix := benchIndex(b, dir, file)
				if _, err := ix.Search(b.Context(), Query{Text: talk.query(i)}); err != nil {
					b.Fatal(err)
				}
				answered += time.Since(start)
				benchSync(b, ix)
				scanned += time.Since(start)
				if err := ix.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(answered.Microseconds())/1000/float64(b.N), "ms/first-answer")
			b.ReportMetric(float64(scanned.Microseconds())/1000/float64(b.N), "ms/scanned")
		})
	}
}

// BenchmarkSharedPhrases reports the medians of questions for 5 and 20 passages to
// notes of a template, which have a third of their sentences in common with others:
// no sketch tells them apart, and how many texts are read and compared is the time.
func BenchmarkSharedPhrases(b *testing.B) {
	dir, talk := b.TempDir(), newBabbler()
	phrases := make([]string, 40)
	for i := range phrases {
		phrases[i] = talk.words(8) + ". "
	}
	for i := range 2000 {
		var note strings.Builder
		for range 5 {
			note.WriteString(talk.words(16) + ". " + phrases[talk.rng.IntN(len(phrases))])
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.md", i)), []byte(note.String()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	ix := benchIndex(b, dir, filepath.Join(b.TempDir(), "x.db"))
	defer ix.Close()
	benchSync(b, ix)
	times := make(map[int][]time.Duration) // by the passages wanted
	for b.Loop() {
		question := talk.words(8)
		for _, wanted := range []int{5, 20} {
			start := time.Now()
			if _, err := ix.Search(b.Context(), Query{Text: question, TopK: wanted}); err != nil {
				b.Fatal(err)
			}
			times[wanted] = append(times[wanted], time.Since(start))
		}
	}
	for wanted, all := range times {
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, fmt.Sprintf("ms/p50-of-%d", wanted))
	}
}
