package script

import "testing"

func TestIsFunction(t *testing.T) {
	if len(EnglishFunctionWords()) < 100 {
		t.Fatalf("%d function words", len(EnglishFunctionWords()))
	}
	for _, word := range append(EnglishFunctionWords(), "的", "什么", "怎么样") {
		if !IsFunctionWord(word) {
			t.Errorf("%q is no function word", word)
		}
	}
	for _, word := range []string{"", "heart", "dose", "thesis", "血", "什么药", "ward"} {
		if IsFunctionWord(word) {
			t.Errorf("%q is a function word", word)
		}
	}
}

func TestSingular(t *testing.T) {
	for in, want := range map[string]string{
		"as": "as", "gas": "gas", "drugs": "drug", "therapies": "therapy", "diseases": "disease",
		"glass": "glass", "virus": "virus", "daies": "daie", "shoes": "shoes", "s": "s", "患s": "患s",
	} {
		w := []rune(in)
		if got := string(w[:TrimPlural(w)]); got != want {
			t.Errorf("Singular(%q) = %q, want %q", in, got, want)
		}
	}
}
