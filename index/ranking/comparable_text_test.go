package ranking

import (
	"strings"
	"testing"
)

const leaflet = "Take one tablet of 5 mg in the morning with a glass of water, and no more than two on any day. Stop at once and see a doctor if a rash appears (+), or if the skin turns yellow."

func TestHolds(t *testing.T) {
	added := " There is more to say of this."
	for _, c := range []struct {
		name, long, short string
		want              bool
	}{
		{"the same", leaflet, leaflet, true},
		{"other signs and case", leaflet, strings.ToUpper(strings.ReplaceAll(leaflet, ",", ";")), true},
		{"sentences before and after", added + leaflet + added, leaflet, true},
		{"a sentence between", strings.Replace(leaflet, "day.", "day."+added, 1), leaflet, true},
		{"two between", strings.Replace(strings.Replace(leaflet, "day.", "day."+added, 1), "water,", "water,"+added, 1), leaflet, true},
		{"repeated", strings.Repeat("Take one tablet of it. ", 3) + leaflet, leaflet, true},
		{"code of a language", "```rust,ignore\n" + leaflet + "\n```", "```\n" + leaflet + "\n```", true},
		{"the longer of both", leaflet, leaflet + added, false},
		{"another dose", leaflet + added, strings.Replace(leaflet, "5 mg", "10 mg", 1), false},
		{"a word more", strings.Replace(leaflet, "and see", "and not see", 1), leaflet, false},
		{"a word is another", leaflet + added, strings.Replace(leaflet, "at once", "immediately", 1), false},
		{"another sign", leaflet + added, strings.Replace(leaflet, "(+)", "(-)", 1), false},
		{"answers exchanged", "Fever was seen: no. Cough was seen: yes. Rash was seen: no." + added, "Fever was seen: yes. Cough was seen: no. Rash was seen: no.", false},
		{"another article", "第三十五条 中华人民共和国公民有言论、出版、集会的自由。" + added, "第三十六条 中华人民共和国公民有言论、出版、集会的自由。", false},
		{"the same article", "第三十五条 中华人民共和国公民有言论、出版、集会的自由。第三十六条 另有规定。", "第三十五条　中华人民共和国公民有言论，出版，集会的自由", true},
		{"nothing", leaflet, "", false},
	} {
		if got := ComparableTextOf(c.long).Contains(ComparableTextOf(c.short)); got != c.want {
			t.Errorf("%s: it holds the other: %t", c.name, got)
		}
	}
}

// FuzzHolds: a text holds itself and its parts, and is held by nothing that is shorter.
func FuzzHolds(f *testing.F) {
	f.Add("one two three four five six seven", "a b c d")
	f.Add("血压 130/80 mmHg, 每天", "x")
	f.Fuzz(func(t *testing.T, a, b string) {
		one, other := ComparableTextOf(a), ComparableTextOf(b)
		if len(one) >= leastStretch && !one.Contains(one) {
			t.Errorf("%q does not hold itself", a)
		}
		if one.Contains(other) && len(one) < len(other) {
			t.Errorf("%q holds %q, which is longer", a, b)
		}
	})
}

func TestResembles(t *testing.T) {
	whole := ComparableTextOf(leaflet)
	if !whole.hasSimilarLength(whole) || whole.hasSimilarLength(ComparableTextOf(leaflet[:len(leaflet)/3])) {
		t.Error("a third of a text can stand for the whole")
	}
}
