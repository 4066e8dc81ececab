package script

import (
	"strings"
	"testing"
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
		if n := EstimateTokens(tt.text); n < tt.least || n > tt.most {
			t.Errorf("%.40q: %d tokens, want %d to %d", tt.text, n, tt.least, tt.most)
		}
	}
}

func TestSize(t *testing.T) {
	const part, other = "Blood pressure 168/94 ", "高血压患者应当低盐饮食。"
	if TokenUnits(part)+TokenUnits(other) != TokenUnits(part+other) {
		t.Error("sizes do not add up")
	}
	if n := TokenUnits(strings.Repeat("盐", 100)) / UnitsPerToken; n != 120 {
		t.Errorf("100 characters are %d tokens", n)
	}
	if n := TokenUnits(strings.Repeat("a", 380)) / UnitsPerToken; n != 100 {
		t.Errorf("380 letters are %d tokens", n)
	}
}
