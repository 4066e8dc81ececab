package embed

import (
	"strings"
	"testing"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{"short", 10, "short"},
		{"one two three four five six seven eight nine ten", 9, "one two three four five six seven eight nine"},
		{"seven wonders of the world", 5, "seven wonders of the"},
		{"Donaudampfschifffahrtsgesellschaft", 3, "Donaudampfschif"},
		{"盐盐盐盐", 3, "盐盐盐"},
		{"盐", 0, ""},
	} {
		if got := cutToTokens(tt.text, tt.most); got != tt.want {
			t.Errorf("cut(%q, %d) = %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("salt and 盐, a lot of it 🙂", 5)
	f.Add("\xff\xfe broken \xc3", 2)
	f.Fuzz(func(t *testing.T, text string, most int) {
		got := cutToTokens(text, most)
		if !strings.HasPrefix(text, got) || most >= 0 && script.EstimateTokens(got) > most {
			t.Errorf("cut(%q, %d) = %q of %d tokens", text, most, got, script.EstimateTokens(got))
		}
		if h := firstHalf(text); !strings.HasPrefix(text, h) || 2*len(h) > len(text) || utf8.ValidString(text) && !utf8.ValidString(h) {
			t.Errorf("half(%q) = %q", text, h)
		}
	})
}
