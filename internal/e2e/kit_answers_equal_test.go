package e2e

import "testing"

// TestAnswersEqual: answers of two stores are equal except for rounding.
func TestAnswersEqual(t *testing.T) {
	t.Parallel()
	a, b := foundPassage{URI: "a", Text: "Note 1 on sleep", Score: 1, VectorRank: 1}, foundPassage{URI: "b", Text: "Note 2 on sodium", Score: 0.5, VectorRank: 9}
	c, d := foundPassage{URI: "c", Text: "Note 3 on insulin", Score: 0.500004, VectorRank: 11}, foundPassage{URI: "d", Score: 0.2}
	g := foundPassage{URI: "g", Text: "Note 14 on sodium", Score: 0.500004, VectorRank: 90}
	e, f := foundPassage{URI: "e", Score: 0.200001}, foundPassage{URI: "a", Text: a.Text, Score: 1, VectorRank: 5}
	answer := func(passages ...foundPassage) found { return found{Passages: passages} }
	for name, test := range map[string]struct {
		first, second found
		equal         bool
	}{
		"the same":                     {answer(a, b, d), answer(a, b, d), true},
		"equally good ones swapped":    {answer(a, c, b, d), answer(a, b, c, d), true},
		"another of equals as last":    {answer(a, d), answer(a, e), true},
		"another edition":              {answer(a, b, d), answer(a, g, d), true},
		"another where it is not last": {answer(a, b, d), answer(a, c, d), false},
		"better and worse swapped":     {answer(b, a, d), answer(a, b, d), false},
		"another rank":                 {answer(f, b, d), answer(a, b, d), false},
		"one more":                     {answer(a, b, d), answer(a, b), false},
		"another note":                 {found{Notes: []string{"old"}}, found{}, false},
	} {
		if test.first.equals(test.second) != test.equal {
			t.Errorf("%s: equal is %t", name, !test.equal)
		}
	}
}
