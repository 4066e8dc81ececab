package analysis

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
		if got := QuotedPhrases(`"` + tt.phrase + `"`).AreAllIn(tt.text); got != tt.want {
			t.Errorf("%q holds %q: %v", tt.text, tt.phrase, got)
		}
	}
}

// TestSought: what a text holds of a question word by word.
func TestSought(t *testing.T) {
	q := NewWordSequence("cannot borrow as mutable")
	for text, want := range map[string]float64{
		"error: cannot borrow `s` as mutable": 1. / 3,
		"you cannot borrow as mutable twice":  1,
		"mutable as borrow cannot":            0,
		"borrow":                              0,
		"":                                    0,
	} {
		if got := q.LongestRunShare(text); got != want {
			t.Errorf("%q has %.2f of the question, want %.2f", text, got, want)
		}
	}
	for british, american := range map[string]string{
		"oedema of the lungs": "Edema of the lungs", "paediatric doses": "pediatric doses", "coeliac disease": "celiac diseases",
	} {
		if NewWordSequence(british).LongestRunShare(american) != 1 || NewWordSequence(american).LongestRunShare(british) != 1 {
			t.Errorf("%q is not %q", british, american)
		}
	}
	if NewWordSequence("chmod") != nil || NewWordSequence("what is it") != nil || NewWordSequence("高血压饮食") != nil {
		t.Error("a word, function words or Chinese are a phrase")
	}
}
