package kind

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"The Wind, the rain":         "the wind the rain",
		"Listing 04-05: main":        "listing 4 5 main",
		"血压130高":                     "血 压 130 高",
		"x86 and 00":                 "x86 and 0",
		"\xff broken \xe4":           "broken",
		"99999999999999999999 large": "99999999999999999999 large",
	} {
		if got := strings.Join(splitWords(text), " "); got != want {
			t.Errorf("%q has the words %q, want %q", text, got, want)
		}
	}
}

// TestSketches compares a text with others that have more and more of it.
func TestSketches(t *testing.T) {
	text := strings.Fields(numbered("w", 200))
	whole := MinHashOf(strings.Join(text, " "))
	if !whole.MayBeSimilar(MinHashOf(strings.ToUpper(strings.Join(text, ",  ")))) {
		t.Error("case and punctuation make another sketch")
	}
	if !whole.MayBeSimilar(MinHashOf(strings.Join(slices.Concat(text, strings.Fields(numbered("x", 40))), " "))) {
		t.Error("a text and the same with an end are not near")
	}
	if !whole.IsSimilar(MinHashOf(strings.Join(text[:180], " "))) || whole.IsSimilar(MinHashOf(strings.Join(slices.Concat(text[:40], strings.Fields(numbered("x", 160))), " "))) {
		t.Error("nine tenths of a text are not near it, or a fifth is")
	}
	if other := MinHashOf(numbered("y", 200)); whole.MayBeSimilar(other) || whole.IsSimilar(other) {
		t.Error("two texts without a word in common are near")
	}
	if short := MinHashOf("to be or not to be"); short != (MinHash{}) || short.MayBeSimilar(short) || short.IsSimilar(short) {
		t.Error("a short text is compared")
	}
}

// TestSketchesAreStored guards the numbers that indexes hold.
func TestSketchesAreStored(t *testing.T) {
	want := MinHash{0xd80b, 0x4561, 0xf7c3, 0xe9cb, 0x76d7, 0xfaff, 0x363d, 0x68ff}
	if got := MinHashOf(numbered("w", 20)); got != want {
		t.Errorf("it is %#v, want %#v", got, want)
	}
}

func numbered(stem string, n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(stem + strings.Repeat("i", i) + " ")
	}
	return out.String()
}

func BenchmarkSketchOf(b *testing.B) {
	text := strings.Repeat("Some words of a passage which are of no particular meaning, and 12 numbers. ", 15)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		MinHashOf(text)
	}
}
