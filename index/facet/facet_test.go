package facet

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"vademecum/docs/meta"
)

var (
	words = []string{"a", "A", "a/b", "a/b/c", "ab", "b", "b/a", "Ä", "标签/子", "标签"}
	days  = []meta.Date{0, 20230000, 20240000, 20240200, 20240229, 20241231, 20250101}
)

func some(random *rand.Rand, of []string) (all []string) {
	for range random.IntN(4) {
		all = append(all, of[random.IntN(len(of))])
	}
	return all
}

func randomEntry(random *rand.Rand) DocumentMetadata {
	e := DocumentMetadata{Data: meta.Data{Tags: some(random, words)}, Date: days[random.IntN(len(days))], OwnLinkNames: some(random, words), LinkedNames: some(random, words)}
	for _, key := range some(random, []string{"type", "状态"}) {
		e.Fields = append(e.Fields, meta.Field{Key: key, Values: some(random, words)})
	}
	return e
}

func randomConditions(random *rand.Rand) meta.Conditions {
	var c meta.Conditions
	for _, tag := range some(random, words) {
		c = append(c, meta.Condition{Tag: tag})
	}
	if random.IntN(2) == 0 {
		c = append(c, meta.Condition{Key: "Type", Value: words[random.IntN(len(words))]})
	}
	if random.IntN(2) == 0 {
		c = append(c, meta.Condition{NotBefore: days[1+random.IntN(len(days)-1)]}, meta.Condition{NotAfter: days[1+random.IntN(len(days)-1)]})
	}
	return c
}

// TestMatchIsAdmit: whatever was put and deleted, a match is what a plain scan of
// the entries admits.
func TestMatchIsAdmit(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 5))
	x, held := New(), make(map[DocumentNumber]DocumentMetadata)
	matched := 0
	for step := range 3000 {
		n := DocumentNumber(random.IntN(60))
		if e, there := held[n]; there {
			x.Delete(n, e)
			delete(held, n)
		} else {
			held[n] = randomEntry(random)
			x.Put(n, held[n])
		}
		if e, there := held[n]; there && random.IntN(3) == 0 {
			e.Date = days[random.IntN(len(days))]
			x.SetDate(n, e.Date)
			held[n] = e
		}
		c := randomConditions(random)
		var want []DocumentNumber
		for _, n := range slices.Sorted(maps.Keys(held)) {
			if c.Folded().Match(held[n].Data, held[n].Date) {
				want = append(want, n)
			}
		}
		if got := x.Match(c); !slices.Equal(got, want) {
			t.Fatalf("step %d, %+v: matched %d, want %d", step, c, got, want)
		}
		matched += len(want)
		keys := make(map[string]int)
		for _, e := range held {
			for _, key := range keysOf(e) {
				keys[key]++
			}
		}
		if got := maps.Collect(x.FrontMatterKeys); !maps.Equal(got, keys) {
			t.Fatalf("step %d: keys are %v, want %v", step, got, keys)
		}
	}
	if matched < 1000 {
		t.Errorf("only %d were matched at all", matched)
	}
	for n, e := range held {
		x.Delete(n, e)
	}
	for name, v := range map[string]*invertedLists{"tags": x.tags, "names": x.names, "links": x.links} {
		if len(v.one) > 0 {
			t.Errorf("nothing is held, and of %s there are %v", name, v.one)
		}
	}
	if len(x.fields) > 0 {
		t.Errorf("nothing is held, and of fields there are %v", x.fields)
	}
}

// keysOf lists the keys that an entry assigns to, each once.
func keysOf(e DocumentMetadata) (keys []string) {
	for _, f := range e.Fields {
		if !slices.Contains(keys, f.Key) {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

func TestCounts(t *testing.T) {
	x := New()
	x.Put(0, DocumentMetadata{Data: meta.Data{Tags: []string{"a/b", "A"}, Fields: []meta.Field{{Key: "type", Values: []string{"x", "y"}}}}, OwnLinkNames: []string{"One"}})
	x.Put(1, DocumentMetadata{Data: meta.Data{Tags: []string{"a/c"}, Fields: []meta.Field{{Key: "type", Values: []string{"X"}}, {Key: "type", Values: []string{"y", "z"}}, {Key: "status", Values: []string{"a", "b"}}}}, OwnLinkNames: []string{"two"}, LinkedNames: []string{"one"}})
	if got := maps.Collect(x.Tags); !maps.Equal(got, map[string]int{"a": 2, "a/b": 1, "a/c": 1}) {
		t.Errorf("tags are %v", got)
	}
	values := maps.Collect(func(yield func(string, int) bool) { x.FrontMatterValues("type", yield) })
	if keys := maps.Collect(x.FrontMatterKeys); !maps.Equal(keys, map[string]int{"type": 2, "status": 1}) || !maps.Equal(values, map[string]int{"x": 2, "y": 2, "z": 1}) {
		t.Errorf("keys are %v, values %v", keys, values)
	}
	if !slices.Equal(x.WithOwnLinkName("ONE"), []DocumentNumber{0}) || !slices.Equal(x.LinkingTo("One"), []DocumentNumber{1}) || x.WithOwnLinkName("three") != nil {
		t.Errorf("named are %d, linking %d", x.WithOwnLinkName("ONE"), x.LinkingTo("One"))
	}
}

// BenchmarkMatch asks an index of 100,000 documents with 50,000 tags, half of which
// are rare.
func BenchmarkMatch(b *testing.B) {
	const documents, tags = 100_000, 50_000
	random := rand.New(rand.NewPCG(1, 2))
	x := New()
	for n := range DocumentNumber(documents) {
		e := DocumentMetadata{Date: meta.Date(20000101 + random.IntN(25)*10000), Data: meta.Data{Tags: []string{
			fmt.Sprintf("t/%d", int(n)%tags), fmt.Sprintf("common/%d", random.IntN(20)),
		}, Fields: []meta.Field{{Key: "status", Values: []string{[]string{"draft", "done"}[random.IntN(2)]}}}}}
		x.Put(n, e)
	}
	for name, c := range map[string]meta.Conditions{
		"rare tag":       {meta.Condition{Tag: "t/77"}},
		"common tag":     {meta.Condition{Tag: "common/7"}},
		"tag of all":     {meta.Condition{Tag: "t"}},
		"dates":          {meta.Condition{NotBefore: 20100000}, meta.Condition{NotAfter: 20120000}},
		"value of half":  {meta.Condition{Key: "status", Value: "draft"}},
		"all of it":      {meta.Condition{Tag: "t"}, meta.Condition{Tag: "common"}, meta.Condition{Key: "status", Value: "draft"}, meta.Condition{NotBefore: 20100000}},
		"that is no tag": {meta.Condition{Tag: "none"}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				x.Match(c)
			}
		})
	}
}
