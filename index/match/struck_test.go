package match

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// TestFindStruck checks that matches are found across the marks of struck-out text, each once, and which
// of them have words that are struck out.
func TestFindStruck(t *testing.T) {
	const dose = "Dose: ~~40 mg~~ 20 mg, not 40 mg.\n"
	for _, c := range []struct {
		text, find string
		isPattern  bool
		want       []string // each match, with a ! if it is struck out
	}{
		{dose, "dose: 20 mg", false, []string{"Dose: ~~40 mg~~ 20 mg"}},
		{dose, "dose: 40 mg", false, []string{"!Dose: ~~40 mg"}},
		{dose, "40 mg", false, []string{"!40 mg", "40 mg"}},
		{dose, "mg", false, []string{"!mg", "mg", "mg"}},
		{dose, "40 mg 20 mg", false, []string{"!40 mg~~ 20 mg"}},
		{dose, "~~40 mg~~", false, []string{"!~~40 mg~~"}},
		{dose, "~~ 20", false, []string{"~~ 20"}},
		{dose, `Dose: \d+ mg`, true, []string{"Dose: ~~40 mg~~ 20 mg"}}, // once, as it holds
		{dose, `Dose.*?mg`, true, []string{"Dose: ~~40 mg~~ 20 mg"}},
		{dose, `: ~~.*?mg`, true, []string{"!: ~~40 mg"}},
		{dose, `\d+ mg`, true, []string{"!40 mg", "20 mg", "40 mg"}},
		{"Take 1~~0~~5 mg.", "15 mg", false, []string{"1~~0~~5 mg"}},
		{"Take 1~~0~~5 mg.", "105", false, []string{"!1~~0~~5"}},
		{"Take 1~~0~~5 mg ~~daily~~.", "5 mg.", false, []string{"5 mg ~~daily~~."}},
		{"每日~~两~~三次", "每日三次", false, []string{"每日~~两~~三次"}},
		{"One ~~two\nthree~~ four.\n\nOne four.", "one four", false, []string{"One ~~two\nthree~~ four", "One four"}},
		{"`~~a~~ b` and ~~~c", "a b", false, nil},
		{"好~\u2060~明天~\u2060~见", "好~~明天~~见", false, []string{"好~\u2060~明天~\u2060~见"}},
		{"Nothing 20 mg.", "20 mg", false, []string{"20 mg"}},
	} {
		m, err := NewLiteral(c.find, false)
		if c.isPattern {
			m, err = NewPattern(c.find, false)
		}
		if err != nil {
			t.Fatal(err)
		}
		already := []Range{{0, 1}}
		all, struckOut, err := FindIncludingStruck(t.Context(), m, already, c.text)
		if err != nil || len(all) == 0 || all[0] != already[0] {
			t.Fatalf("%s: %v, %v", c.find, all, err)
		}
		var got []string
		for i, r := range all[1:] {
			text := c.text[r.Start:r.End]
			if slices.Contains(struckOut, r) {
				text = "!" + text
			}
			if got = append(got, text); i > 0 && r.Start < all[i].End {
				t.Errorf("%s: %v overlap", c.find, all)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s in %q: %q, want %q", c.find, c.text, got, c.want)
		}
	}
}

// TestFindStruckStops checks that a search that runs out of time returns its error.
func TestFindStruckStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, err := NewPattern("b+", false)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := FindIncludingStruck(ctx, m, nil, "a ~~b~~ c"); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestFindStruckCancelled checks that no further reading of a text is searched after ctx has ended, even if the
// search of a short text does not notice that.
func TestFindStruckCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	searches := 0
	m := matcherFunc(func() { searches++; cancel() })
	if _, _, err := FindIncludingStruck(ctx, m, nil, "Dose: ~~40 mg~~ 20 mg"); !errors.Is(err, context.Canceled) || searches != 1 {
		t.Errorf("%d searches, %v", searches, err)
	}
}

// matcherFunc is a Matcher that finds nothing and is called for each text.
type matcherFunc func()

func (f matcherFunc) Find(_ context.Context, to []Range, _ string) ([]Range, error) {
	f()
	return to, nil
}
