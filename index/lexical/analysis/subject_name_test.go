package analysis

import "testing"

// TestHasUnknownSubject: a question is about its unknown name however much else it says, but not about a
// verb or another word that is nowhere, if it has a known name too.
func TestHasUnknownSubject(t *testing.T) {
	for _, c := range []struct {
		question string
		unknown  []string
		want     bool
	}{
		{"dose of Zanupril in renal impairment", []string{"Zanupril"}, true},
		{"dose of zanupril", []string{"zanupril"}, true},
		{"Zanupril maximum dose", []string{"Zanupril"}, true},
		{"Dosis von Zanupril", []string{"Zanupril"}, true},
		{"Does alcohol increase drowsiness with Zanupril?", []string{"Zanupril"}, true},
		{"Zanupril肾功能不全剂量", []string{"Zanupril"}, true},
		{"赞努普利肾功能不全剂量", []string{"赞努普利"}, true},
		{"dose of Abrine for elephants", []string{"elephants"}, false},
		{"vincristin Dosis", []string{"Dosis"}, false},
		{"how much per day can I deduct for working from home", []string{"deduct"}, false},
		{"腰痛在家做什么动作锻炼", []string{"家做"}, false},
		{"What does the R2-K9 key open?", []string{"R2-K9"}, true},
		{"硝苯地平剂量", []string{"硝苯地平"}, true},
		{"dose of Abrine", nil, false},
	} {
		if got := HasUnknownSubject(c.question, c.unknown); got != c.want {
			t.Errorf("subject of %q unknown: %v", c.question, got)
		}
	}
}

// TestIsCommonWord: words with which people ask are common in both languages, names are not.
func TestIsCommonWord(t *testing.T) {
	for word, want := range map[string]bool{"often": true, "Number": true, "allowed": true, "\u89c4\u5b9a": true, "Zanupril": false} {
		if IsCommonWord(word) != want {
			t.Errorf("%q is common: %v", word, !want)
		}
	}
}
