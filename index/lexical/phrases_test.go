package lexical

import "testing"

func TestPhrases(t *testing.T) {
	for _, tt := range []struct {
		text, phrase string
		want         bool
	}{
		{"Rest in bed, please.", "rest in bed", true},
		{"Deer rest in bedding.", "rest in bed", false},
		{"Forest in bed.", "rest in bed", false},
		{"于24日正式\n通车。", "正式通车", true},
		{"正式的通车", "正式通车", false},
		{"用β-blocker治疗", "β-blocker治疗", true},
	} {
		if got := Quoted(`"` + tt.phrase + `"`).AllIn(tt.text); got != tt.want {
			t.Errorf("%q holds %q: %v", tt.text, tt.phrase, got)
		}
	}
}
