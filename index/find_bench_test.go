package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vademecum/index/sync"
)

// heavyPatterns are 40 patterns with large repetitions or alternations, as a model writes them to
// find two words near each other.
func heavyPatterns(words []string) (all []string) {
	for i := range 8 {
		first, second := words[2*i], words[2*i+1]
		all = append(all,
			fmt.Sprintf(`%s(?:\W+\w+){0,%d}?\W+%s`, first, 100*(i+1), second),
			fmt.Sprintf(`\b(?:%s\W+(?:\w+\W+){0,%d}%s|%[3]s\W+(?:\w+\W+){0,%[2]d}%[1]s)\b`, first, 100*(i+1), second),
			fmt.Sprintf(`(?s)%s.{0,%d}%s`, first, 125*(i+1), second),
			fmt.Sprintf(`(?:\w+\W+){1,%d}%sx`, 125*(i+1), second),
			fmt.Sprintf(`(?:%s)+\W+%sx`, strings.Join(words[i:i+40], "|"), second),
		)
	}
	return all
}

// BenchmarkFindPatterns reports how long each of some heavy patterns takes at most, how long until
// one that is cancelled after half a second ends, and how long somebody else waits meanwhile.
func BenchmarkFindPatterns(b *testing.B) {
	folders := map[string]func() string{
		"16 MB": func() string {
			dir, talk := b.TempDir(), newBabbler()
			var text strings.Builder
			for i := 0; text.Len() < 16<<20; i++ {
				text.WriteString(talk.text(i) + "\n\n")
			}
			if err := os.WriteFile(filepath.Join(dir, "big.md"), []byte(text.String()), 0o644); err != nil {
				b.Fatal(err)
			}
			return dir
		},
		"20,000 documents": func() string { return babbleFolder(b, 20_000) },
	}
	for name, folder := range folders {
		b.Run(name, func(b *testing.B) {
			ix := benchIndex(b, folder(), filepath.Join(b.TempDir(), "index"))
			mustSync(b, ix, sync.Scope{})
			b.Cleanup(func() { _ = ix.Close() })
			for b.Loop() {
				var slowest, latest, longest time.Duration
				ended := 0
				for _, p := range heavyPatterns(newBabbler().english[20:]) {
					meanwhile := make(chan time.Duration)
					go func() {
						start := time.Now()
						_, err := ix.Find(b.Context(), FindQuery{Text: "zebra"})
						if err != nil {
							b.Error(err)
						}
						meanwhile <- time.Since(start)
					}()
					start := time.Now()
					found, err := ix.Find(b.Context(), FindQuery{Text: p, IsRegexp: true})
					if err != nil {
						b.Fatal(err)
					}
					slowest = max(slowest, time.Since(start))
					longest = max(longest, <-meanwhile)
					if !found.Incomplete {
						ended++
					}
					ctx, cancel := context.WithCancel(b.Context())
					ends := time.Now().Add(time.Second / 2)
					timer := time.AfterFunc(time.Second/2, cancel)
					if _, err := ix.Find(ctx, FindQuery{Text: p, IsRegexp: true}); err != nil {
						latest = max(latest, time.Since(ends))
					}
					timer.Stop()
					cancel()
				}
				b.ReportMetric(slowest.Seconds(), "s/slowest")
				b.ReportMetric(float64(ended), "complete")
				b.ReportMetric(latest.Seconds()*1000, "ms/cancel")
				b.ReportMetric(longest.Seconds(), "s/meanwhile")
			}
		})
	}
}
