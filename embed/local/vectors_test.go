package local

import (
	"encoding/json"
	"os"
	"testing"

	"vademecum/embed/local/localtest"
)

// TestVectors holds vectors to those that PyTorch gives for the same weights and tokens:
// its TransformerEncoderLayer for what is like BERT, and for ModernBERT the formulas of
// its authors in float32.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var known struct {
		Texts   []string
		Vectors map[string][][]float32
	}
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	for _, architecture := range localtest.Architectures {
		for _, exact := range []bool{true, false} {
			m := open(t, localtest.Write(t, architecture, localtest.SmallShape))
			m.keepsFloat32 = exact
			vectors, err := m.Embed(t.Context(), false, known.Texts)
			if err != nil {
				t.Fatal(err)
			}
			want := known.Vectors[architecture]
			if len(want) != len(vectors) {
				t.Fatalf("%d vectors are known, and %d there", len(want), len(vectors))
			}
			for i := range want {
				if d := farthest(vectors[i], want[i]); exact && !(d < 1e-5) {
					t.Errorf("%s: %.20q is %v away", architecture, known.Texts[i], d)
				}
				if c := cosine(vectors[i], want[i]); !(c > 0.999) {
					t.Errorf("%s, in 8 bits: %.20q has a cosine of %v", architecture, known.Texts[i], c)
				}
			}
		}
	}
}

func open(t testing.TB, dir string) *Model {
	t.Helper()
	f, err := ReadModelFolder(dir, Prefixes{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.OpenLazily()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// farthest is how far two vectors are apart where they are most.
func farthest(a, b []float32) float32 {
	most := float32(0)
	for i := range a {
		most = max(most, a[i]-b[i], b[i]-a[i])
	}
	return most
}

func cosine(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
