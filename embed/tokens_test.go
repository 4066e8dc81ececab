package embed

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTokens(t *testing.T) {
	const english = "The patient was admitted with shortness of breath and swelling of both ankles. Blood pressure on arrival was 168/94 mmHg, the heart rate 96 and irregular."
	for _, tt := range []struct {
		text        string
		least, most int
	}{
		{"", 0, 0},
		{" \n", 0, 1},
		{"a", 1, 1},
		{english, 33, 50}, // 33 in cl100k_base
		{strings.Repeat("the ", 1000), 1000, 1100},
		{strings.Repeat("Hello ", 1000), 1000, 2000},
		{"高血压患者应当低盐饮食。", 12, 12},
		{strings.Repeat("盐", 5000), 5000, 5000},
		{"Пациент поступил с одышкой", 8, 16},
		{"インスリンを注射する", 10, 10},
		{"0123456789", 4, 10},
		{strings.Repeat("deadBEEF42", 100), 400, 1000}, // hexadecimal
		{strings.Repeat("=", 80), 10, 80},
		{strings.Repeat(" ", 160), 1, 20},
		{"\xff\xfe", 1, 4},
	} {
		if n := Tokens(tt.text); n < tt.least || n > tt.most {
			t.Errorf("%.40q: %d tokens, want %d to %d", tt.text, n, tt.least, tt.most)
		}
	}
}

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
		if got := cut(tt.text, tt.most); got != tt.want {
			t.Errorf("cut(%q, %d) = %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("salt and 盐, a lot of it 🙂", 5)
	f.Add("\xff\xfe broken \xc3", 2)
	f.Fuzz(func(t *testing.T, text string, most int) {
		got := cut(text, most)
		if !strings.HasPrefix(text, got) || most >= 0 && Tokens(got) > most {
			t.Errorf("cut(%q, %d) = %q of %d tokens", text, most, got, Tokens(got))
		}
		if h := half(text); !strings.HasPrefix(text, h) || 2*len(h) > len(text) || utf8.ValidString(text) && !utf8.ValidString(h) {
			t.Errorf("half(%q) = %q", text, h)
		}
	})
}
