package analysis

import (
	"strings"
	"testing"
)

// TestCommonWordName: a name of common words is known by its capital in question and text.
func TestCommonWordName(t *testing.T) {
	for question, want := range map[string]string{
		"telephone number of Will":         "Will",
		"what is Will's telephone number":  "Will",
		"Mark's telephone number":          "Mark",
		"the telephone of Grace Long":      "Grace Long",
		"telephone number of May":          "May",
		"opening hours in May":             "",
		"the price on May 2024":            "",
		"Will it rain in the morning":      "",
		"the dose of Abrine and of Will":   "",
		"What Is The Price Of Gold":        "",
		"the Bank of England in the north": "",
		"Is it done? Will it be done?":     "",
	} {
		name, ok := CommonWordNameIn(question)
		if got := strings.Join(name.words, " "); got != want || ok != (want != "") {
			t.Errorf("the name in %q is %q, want %q", question, got, want)
		}
	}
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"Will", "Will: telephone 7001", true},
		{"Will", "ask Will about it", true},
		{"Will", "you will mark it", false},
		{"Will", "Will you come?", false},
		{"Will", "It is done. Will it be?", false},
		{"Will", "Williams", false},
		{"May", "numbers change in May.", false},
		{"May", "May 2024", false},
		{"May", "May: telephone 7", true},
		{"Grace Long", "Grace Long is out", true},
	} {
		name, _ := CommonWordNameIn("telephone number of " + c.name)
		if got := name.IsIn(c.text); got != c.want {
			t.Errorf("%q has %s: %v", c.text, c.name, got)
		}
	}
}
