package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

// testEmbedder checks the contract of Embedder. Every provider passes it.
func testEmbedder(t *testing.T, e Embedder) {
	ctx := context.Background()
	embed := func(t *testing.T, kind TextKind, texts ...string) [][]float32 {
		t.Helper()
		vectors, err := e.Embed(ctx, kind, texts)
		if err != nil {
			t.Fatal(err)
		}
		if len(vectors) != len(texts) {
			t.Fatalf("%d vectors for %d texts", len(vectors), len(texts))
		}
		return vectors
	}
	length := len(embed(t, Passage, "a text")[0])

	t.Run("identity", func(t *testing.T) {
		if first, second := e.ModelIdentity(), e.ModelIdentity(); first == "" || first != second {
			t.Errorf("Model() = %q and then %q, want something constant", first, second)
		}
	})
	t.Run("properties", func(t *testing.T) {
		p := e.Properties()
		if p.IsWorthStoring() != IsWorthStoring(e.ModelIdentity()) || !(0 <= p.Weight && p.Weight <= 1) {
			t.Errorf("%+v, and by its name %s is stored: %v", p, e.ModelIdentity(), IsWorthStoring(e.ModelIdentity()))
		}
	})
	t.Run("no texts", func(t *testing.T) { embed(t, Passage) })
	t.Run("any text has a unit vector", func(t *testing.T) {
		for _, text := range oddTexts() {
			for _, kind := range []TextKind{Passage, Query} {
				v := embed(t, kind, text)[0]
				if len(v) != length {
					t.Errorf("%.20q: %d dimensions, want %d", text, len(v), length)
				}
				if n := vectorNorm(v); !(math.Abs(n-1) < 1e-5) {
					t.Errorf("%.20q: length %v, want 1", text, n)
				}
			}
		}
	})
	t.Run("order", func(t *testing.T) {
		texts := manyTexts(200)
		together := embed(t, Passage, texts...)
		for _, i := range []int{0, 1, 63, 64, 65, 127, 128, 199} {
			alone := embed(t, Passage, texts[i])[0]
			if !slices.Equal(together[i], alone) {
				t.Errorf("text %d has another vector among 200 texts than alone", i)
			}
		}
	})
	t.Run("different texts differ", func(t *testing.T) {
		v := embed(t, Passage, "blood pressure", "a recipe for bread")
		if slices.Equal(v[0], v[1]) {
			t.Error("two texts have one vector")
		}
	})
	t.Run("vectors belong to the caller", func(t *testing.T) {
		first := embed(t, Passage, "mine")[0]
		want := slices.Clone(first)
		clear(first)
		if !slices.Equal(embed(t, Passage, "mine")[0], want) {
			t.Error("clearing a vector changed later ones")
		}
	})
	t.Run("concurrent use", func(t *testing.T) {
		texts := manyTexts(70)
		want := embed(t, Passage, texts...)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				got, err := e.Embed(ctx, Passage, texts)
				if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
					t.Errorf("different vectors under concurrent use (error %v)", err)
				}
			})
		}
		wg.Wait()
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		vectors, err := e.Embed(ctx, Passage, manyTexts(3))
		if !errors.Is(err, context.Canceled) || vectors != nil {
			t.Errorf("got %d vectors and error %v, want none and context.Canceled", len(vectors), err)
		}
	})
}

// oddTexts are what a folder of notes may hold besides prose.
func oddTexts() []string {
	return []string{
		"", " ", "\n\t", ".", "!?—…", "***", "a", "I", "的", "药", "あ", "한", "1", "é", "ß", "€", "🙂", "\x00",
		"\xff\xfe broken \xc3", "\u200b", "\u0301", "to be or not to be", "的了是",
		"高血压患者 should avoid salt。", strings.Repeat("盐", 5000),
		strings.Repeat("x", 1<<20), strings.Repeat("salt and 盐 ", 1<<16),
	}
}

func manyTexts(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("note %d about patient %d, 第%d页", i, i*7919, i)
	}
	return texts
}

func vectorNorm(v []float32) float64 { return math.Sqrt(cosine(v, v)) }

// cosine returns the cosine of unit vectors.
func cosine(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
