package analysis

import (
	"strings"
	"testing"
)

func TestReferencesBehindWords(t *testing.T) {
	for in, want := range map[string]string{
		"hypoglycaemia¹²":        "hypoglycemia 12",
		"hypoglycaemia¹²,¹³ and": "hypoglycemia 12 13 and",
		"études⁴":                "etud 4",
		"2 x 10⁶ cells":          "2 x 106 cell",
		"m² cm³ mm²":             "m2 cm3 mm2",
		"CO₂ vitamin₁₂":          "co2 vitamin12",
		"患者¹":                    "患 者 患者 1",
	} {
		if got := strings.Join(appendTerms(nil, normalize(in)), " "); got != want {
			t.Errorf("%q has the terms %q, want %q", in, got, want)
		}
	}
}
