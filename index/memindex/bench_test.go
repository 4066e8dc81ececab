package memindex

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/docs/meta"
	"vademecum/docs/text"
	"vademecum/index/indextest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// tagged is a store of so many documents that say much of themselves: two tags of
// 50,000 and 20, a value and a date each.
func tagged(b *testing.B, documents int) *live.Store {
	b.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	zipf := rand.NewZipf(random, 1.1, 20, 19_999)
	st := New(0, indextest.NewCountingModel(b))
	for i := range documents {
		words := make([]string, 60)
		for w := range words {
			words[w] = fmt.Sprintf("w%d", zipf.Uint64())
		}
		content := strings.Join(words, " ")
		r := catalog.Record{
			Path: fmt.Sprintf("%d/%d.md", i/500, i), Chunks: []catalog.Chunk{{Span: text.Span{EndByte: len(content), StartLine: 1, EndLine: 1}, ContentHash: rank.ChunkTextHashOf(content), Terms: analysis.CountTerms(analysis.ChunkNames{}, content)}},
			Meta: meta.Data{
				Tags: []string{fmt.Sprintf("t/%d", i%50_000), fmt.Sprintf("common/%d", random.IntN(20))}, Date: meta.Date(20000101 + random.IntN(25)*10000),
				Fields: []meta.Field{{Key: "status", Values: []string{[]string{"draft", "done"}[random.IntN(2)]}}},
			},
		}
		must(b, st.PutClientText(b.Context(), catalog.RecordWithBody{Record: r, Body: text.Body{Text: content}}))
	}
	return st
}

// BenchmarkFilter asks the same question of 100,000 documents with a filter and
// without one by turns, and reports the ratio of the medians.
func BenchmarkFilter(b *testing.B) {
	st := tagged(b, 100_000)
	folders := make(map[search.Location]bool)
	for i := range 10_000 {
		folders[search.Location{Folder: search.NoFolder, Path: fmt.Sprintf("%d/%d.md", i/500, i)}] = true
	}
	draft := meta.Condition{Key: "status", Value: "draft"}
	for name, only := range map[string]search.Filter{
		"rare tag":              {Conditions: meta.Conditions{meta.Condition{Tag: "t/77"}}},
		"tag of every 20th":     {Conditions: meta.Conditions{meta.Condition{Tag: "common/7"}}},
		"tag of all":            {Conditions: meta.Conditions{meta.Condition{Tag: "t"}}},
		"dates of a fifth":      {Conditions: meta.Conditions{meta.Condition{NotBefore: 20100000}, meta.Condition{NotAfter: 20140000}}},
		"tag, value and date":   {Conditions: meta.Conditions{meta.Condition{Tag: "common"}, draft, meta.Condition{NotBefore: 20100000}}},
		"places of every tenth": {Locations: folders},
	} {
		b.Run(name, func(b *testing.B) {
			var with, without []time.Duration
			for i := 0; b.Loop(); i++ {
				question := []search.Phrasing{{Text: fmt.Sprintf("w%d w%d w%d w%d w%d", i%50, i%300, i%1000, i%3000, i%9000), Weight: 1}}
				for _, f := range []search.Filter{{}, only} {
					start := time.Now()
					must(b, st.View(b.Context(), func(ctx context.Context, v search.View) error {
						_, err := v.Search(ctx, question, f, 5)
						return err
					}))
					if took := time.Since(start); f.MatchesAll() {
						without = append(without, took)
					} else {
						with = append(with, took)
					}
				}
			}
			slices.Sort(with)
			slices.Sort(without)
			before, after := without[len(without)/2], with[len(with)/2]
			b.ReportMetric(float64(after)/float64(before), "times")
			b.ReportMetric(float64(before.Microseconds())/1000, "ms/without")
			b.ReportMetric(float64(after.Microseconds())/1000, "ms/with")
		})
	}
}
