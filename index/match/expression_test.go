package match

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

// checkFoundAll checks that an expression is found in a text where package regexp finds it.
func checkFoundAll(t *testing.T, look, text string) {
	t.Helper()
	tree, err := syntax.Parse(look, syntax.Perl&^syntax.OneLine)
	if err != nil || countInstructions(tree) > 1000 {
		return
	}
	e, err := compile(tree)
	if err != nil {
		t.Fatalf("%q: %v", look, err)
	}
	got, err := e.findAll(t.Context(), []byte(text))
	var want []Range
	for _, m := range regexp.MustCompile(tree.String()).FindAllStringIndex(text, -1) {
		if m[0] < m[1] {
			want = append(want, Range{m[0], m[1]})
		}
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q in %q is at %v (%v), as regexp has it at %v", look, text, got, err, want)
	}
}

// foundAll are expressions and texts for checkFoundAll.
var foundAll = []struct{ look, text string }{
	{`a`, "aba"},
	{`^a`, "aa\na"},
	{`\Aa`, "aa\na"},
	{`a\z`, "a\naa"},
	{`\ba`, "a aa ba"},
	{`\Ba`, "a aa ba"},
	{`a*`, "aabcaa"},
	{`a*?`, "aab"},
	{`(?:a|ab)(?:c|bcd)?`, "abcd abc ac"},
	{`dose (\d+)mg`, "dose dose 5mg dose 5 dose 10mgdose 7mg"},
	{`ab(?s:.*)z`, strings.Repeat("ab", 200) + "z" + strings.Repeat("ab", 200)},
	{`ab(?s:.*)z|abb`, strings.Repeat("ab", 200) + "b"},
	{`高(?:血压)?$`, "高血压\n高高血压"},
	{`\b\pL+é\b`, "café é cafés"},
	{`x(?:\W+\w+){0,3}?\W+y`, "x a b c y x a b c d y x y"},
	{`^`, "a\nb"},
	{`$`, ""},
}

func TestFindAll(t *testing.T) {
	for _, c := range foundAll {
		checkFoundAll(t, c.look, c.text)
	}
}

// FuzzFindAll: places are those that package regexp finds.
func FuzzFindAll(f *testing.F) {
	for _, c := range foundAll {
		f.Add(c.look, c.text)
	}
	f.Fuzz(func(t *testing.T, look, text string) {
		if len(look) < 100 && len(text) < 1000 {
			checkFoundAll(t, look, text)
		}
	})
}

// countdown is a context that ends when it has been looked at so many times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestFindStops: a context that ends in the middle of a text ends the search there, whatever is
// looked for, and what was found before is reported.
func TestFindStops(t *testing.T) {
	const lines, looks = 20_000, 20
	text := strings.Repeat("warfarin and é amiodarone\n", lines)
	for look, isFound := range map[string]bool{
		`warfarin(?:\W+\w+){0,900}?\W+zebra`:     false,
		`(?:\w+\W+){1,900}zebra`:                 false,
		`(?s).{1000}`:                            true,
		`(?:war|far|in)+ and|zebra`:              true,
		`warfarin (?:.|\s)*zebra`:                false,
		`(?:a|b|c|d|e|[^z]){1,1000}z|\bwarfarin`: true,
	} {
		m, err := NewPattern(look, false)
		if err != nil {
			t.Fatal(err)
		}
		places, err := m.Find(&countdown{t.Context(), looks + lines/foldedBetween}, nil, text) // the text is folded before
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%q is looked for to the end: %v", look, err)
		}
		if (len(places) > 0) != isFound {
			t.Errorf("%q is found at %v by then", look, places)
		}
		checkPlaces(t, text, places)
	}
	literal, err := NewLiteral("zebra", false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := literal.Find(&countdown{t.Context(), 1}, nil, text); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a text is looked for to the end: %v", err)
	}
}

// TestPrefixLinear: what follows the prefix is not read again for each place that has it.
func TestPrefixLinear(t *testing.T) {
	m, err := NewPattern(`ab(?s:.*)z`, false)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("ab", 100_000)
	read := 3 * len(text) / m.(patternMatcher).interval
	if places, err := m.Find(&countdown{t.Context(), read}, nil, text); err != nil || places != nil {
		t.Errorf("%v is found, %v", places, err)
	}
}

// TestCountInstructions: the estimate is near the length of the program.
func TestCountInstructions(t *testing.T) {
	for _, look := range []string{`abc`, `a{100}`, `(?:ab|c[de]){0,500}x`, `(?:(?:a{10}){10}){10}`, `\w+(?:\W+\w+){1,900}`, `a{7,}`} {
		tree, err := syntax.Parse(look, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		prog, err := syntax.Compile(tree.Simplify())
		if n := countInstructions(tree); err != nil || len(prog.Inst) > 2*n+4 || n > 2*len(prog.Inst) {
			t.Errorf("%s has %d instructions, estimated at %d", look, len(prog.Inst), n)
		}
	}
}

func BenchmarkPattern(b *testing.B) {
	text := strings.Repeat("Warfarin is an anticoagulant used to prevent blood clots,\nstroke and heart attack in people with a-\ntrial fibrillation. ", 500)
	for _, look := range []string{`\bAKI\b`, `dose \d+`, `blood \d+`, `clots|stroke`, `prevent(?:\W+\w+){0,20}?\W+zebra`} {
		b.Run(fmt.Sprint(look), func(b *testing.B) {
			m, err := NewPattern(look, false)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_, _ = m.Find(b.Context(), nil, text)
			}
		})
	}
}
