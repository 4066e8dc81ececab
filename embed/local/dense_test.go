package local

import (
	"math"
	"slices"
	"strings"
	"testing"

	"vademecum/embed/local/localtest"
	"vademecum/embed/local/transformer"
)

// A Dense module maps the pooled vector, which has unit length only after it.
func TestDense(t *testing.T) {
	dir := localtest.Write(t, "bert", localtest.SmallShape)
	m := open(t, dir)
	if err := m.awaitWeights(t.Context()); err != nil {
		t.Fatal(err)
	}
	identity := m.Identity()
	tokens := m.tokenize(false, "salt in bread")
	states, err := m.encoder.Run([][]int32{tokens}, new(transformer.Workspace), func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	pooled := m.pooling.poolStates(len(tokens), states.Row)

	const outputs = 70
	weights, bias := localtest.AddDense(t, dir, localtest.SmallShape, outputs)
	want := slices.Clone(bias)
	for i := range want {
		for j, x := range pooled {
			want[i] += weights[i*len(pooled)+j] * x
		}
		want[i] = float32(math.Tanh(float64(want[i])))
	}
	if err := normalise(want); err != nil {
		t.Fatal(err)
	}
	m = open(t, dir)
	got, err := m.Embed(t.Context(), false, []string{"salt in bread"})
	if err != nil || len(got[0]) != outputs || farthest(got[0], want) > 1e-5 {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if m.Identity() == identity || !strings.HasPrefix(m.Identity(), "bert-70-") {
		t.Errorf("the identity is %s, and was %s without the map", m.Identity(), identity)
	}
	for _, c := range []struct {
		key   string
		value any
		want  string
	}{
		{"activation_function", "torch.nn.modules.activation.ReLU", "is not supported"},
		{"in_features", 41, "a map of 41 to 70 numbers, after vectors of 40"},
		{"out_features", 71, "has the shape [70 40], want [71 40]"},
	} {
		before := read(t, dir, "2_Dense/config.json")
		set("2_Dense/config.json", c.key, c.value)(t, dir)
		if _, err := ReadModelFolder(dir, Prefixes{}); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "2_Dense") {
			t.Errorf("%s %v: error %v, want %q", c.key, c.value, err, c.want)
		}
		write(t, dir, "2_Dense/config.json", before)
	}
}
