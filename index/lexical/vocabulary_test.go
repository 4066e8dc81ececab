package lexical

import "testing"

func TestSlips(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "abc", 0}, {"abc", "ab", 1}, {"ab", "abc", 1}, {"abc", "axc", 1}, {"ashtma", "asthma", 1}, {"kitten", "sitting", 3}, {"心脏病", "心病", 1},
	} {
		if got := slips([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("slips(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
