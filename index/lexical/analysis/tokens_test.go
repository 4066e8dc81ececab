package analysis

import (
	"strings"
	"testing"
)

func TestAnalyse(t *testing.T) {
	for in, want := range map[string]string{
		"Blood Pressures":   "blood pressur",
		"therapies glass":   "therapi glass",
		"HbA1c 6.5%":        "hba1c hb a1c 6 5",
		"高血压":               "高 血 高血 压 血压",
		"ＡＢＣ１２３":            "abc123",
		"用β-blocker":        "用 beta blocker",
		"":                  "",
		"*** —":             "",
		"café":              "cafe",
		"(￣▽￣) haha":        "haha",
		`¯\_(ツ)_/¯`:         "ツ",
		"´quoted´ 5¨":       "quot 5",
		"a_\u0301_b":        "a__b a b",
		"糖尿病diabetes type2": "糖 尿 糖尿 病 尿病 diabet type2",
	} {
		if got := strings.Join(appendTerms(nil, normalize(in)), " "); got != want {
			t.Errorf("appendTerms(nil, normal(%q)) = %q, want %q", in, got, want)
		}
	}
	if got := appendTerms(nil, normalize(strings.Repeat("x", 1000)+" ok")); len(got) != 1 {
		t.Errorf("a run of a thousand letters is a term: %d terms", len(got))
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"ABC": "abc", "Été": "ete", "ΣΊΣΥΦΟΣ": "σισυφοσ", "Straße": "strase", "高血壓": "高血压", "cafe\u0301": "cafe", "Łódź": "lodz", "ยา": "ยา", "ひらがな": "ひらがな",
	} {
		if got := foldWord(in); got != want {
			t.Errorf("fold(%q) = %q, want %q", in, got, want)
		}
	}
	if FoldRune('髮') != '发' || FoldRune('發') != '发' || foldWord("裏面") != "里面" {
		t.Error("characters that became one differ when folded")
	}
}
