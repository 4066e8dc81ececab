package analysis

import "testing"

// TestNearForm checks which forms texts have of versions and days that occur nowhere as such.
func TestNearForm(t *testing.T) {
	for _, c := range []struct{ word, text, want string }{
		{"3.12", "Python 3.12.1 since March.", "3.12.1"},
		{"3.12", "Python 13.12.1 and 3.120, x3.12.1", ""},
		{"3.1", "See 3.1.", ""},
		{"14 March 2026", "On 14 March the board met.", "14 March"},
		{"2026-03-14", "On March 14th the board met.", "March 14th"},
		{"14 March 2026", "On 14 March 2024 the board met on 15 March.", ""},
		{"14. März 2026", "Am 14. März war Sitzung.", "14. März"},
		{"2026年3月14日", "3月14日开会，2025年3月14日也开会", "3月14日"},
		{"2026年3月14日", "2025年3月14日开会", ""},
		{"March 2026", "On 14 March", ""},
		{"1,300,000", "1.3 million", ""},
	} {
		if got := NearFormIn(c.word, c.text); got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.word, c.text, got, c.want)
		}
		if c.want != "" && !HasNearForms(c.word) {
			t.Errorf("%q has no near forms", c.word)
		}
	}
}
