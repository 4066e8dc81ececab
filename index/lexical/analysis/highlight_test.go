package analysis

import (
	"strings"
	"testing"
)

// marked is a text with brackets around what is marked in it.
func marked(text string, questions ...string) string {
	var out strings.Builder
	at := 0
	for _, s := range NewHighlightTerms(questions...).SpansIn(text) {
		out.WriteString(text[at:s[0]] + "[" + text[s[0]:s[1]] + "]")
		at = s[1]
	}
	return out.String() + text[at:]
}

// TestMarks: what a question is about is seen in a text, in any form of the words,
// and nothing of what only asks.
func TestMarks(t *testing.T) {
	for _, c := range []struct{ question, text, want string }{
		{"when may one drive after low blood sugar", "Driving: may one after sugars fell?", "[Driving]: may one after [sugars] fell?"},
		{"高血压患者饮食要注意什么", "四、高血压患者的饮食：什么都要少盐", "四、[高血压患者]的[饮食]：什么都要少盐"},
		{"糖", "红糖和白糖", "红[糖]和白[糖]"},
		{"run target", "call runTarget(x)", "call [runTarget](x)"},
		{"cafe", "Café, ＣＡＦＥ and cafe\u0301s", "[Café], [ＣＡＦＥ] and [cafe\u0301s]"},
		{"what is the", "What is the matter?", "[What] [is] [the] matter?"},
		{"劳动合同法第三十五条", "第三十五条 依照第三十二条、第四十五条的劳动合同，第三十五条", "[第三十五条] 依照第三十二条、第四十五条的[劳动合同]，[第三十五条]"},
		{"第35条", "见第三十五条和第35条第三十章，第三十四条", "见[第三十五条]和[第35条]第三十章，第三十四条"},
		{"三十五天", "第三十五条", "第[三十五]条"},
		{"", "nothing", "nothing"},
		{"\xff", "a\xffb", "a\xffb"},
	} {
		if got := marked(c.text, c.question); got != c.want {
			t.Errorf("%s: %s, want %s", c.question, got, c.want)
		}
	}
	if got := marked("spacer for children", "spacers", "children"); got != "[spacer] for [children]" {
		t.Errorf("two wordings: %s", got)
	}
}

func FuzzMarks(f *testing.F) {
	f.Add("高血压 low blood sugar", "Low 血压 \xff sugar")
	f.Fuzz(func(t *testing.T, question, text string) {
		last := -1
		for _, s := range NewHighlightTerms(question).SpansIn(text) {
			if s[0] <= last || s[1] <= s[0] || s[1] > len(text) {
				t.Fatalf("%v in %q", s, text)
			}
			last = s[1]
		}
	})
}
