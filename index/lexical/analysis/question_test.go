package analysis

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestQuestion(t *testing.T) {
	q := NewQuestion("what is the dose, the dose? 什么剂量")
	if q.ContentTerms["dose"] != 2 || q.ContentTerms["剂量"] != 1 || q.SupportingTerms["the"] != 2*functionPart || q.SupportingTerms["什么"] != askingPart || q.SupportingTerms["剂"] != 1 || q.ContentTerms["the"] != 0 {
		t.Errorf("question %+v", q)
	}
}

// TestAsking: what only asks is no reason to answer, in either script, and what
// else stands beside it is.
func TestAsking(t *testing.T) {
	for question, want := range map[string]string{
		"年假有几天":          "年假",
		"請問年假有多少天":       "年假",
		"糖尿病怎么办":         "尿病 糖尿",
		"如何去腥":           "去腥",
		"简历怎么写":          "简历",
		"多久复查一次":         "复查",
		"血糖隔几周测一次":       "糖隔 血糖",
		"一次性手套":          "一次 性手 手套 次性",
		"how do I reset": "reset",
		"what is it":     "",
		"多少":             "",
	} {
		q := NewQuestion(question)
		if got := strings.Join(slices.Sorted(maps.Keys(q.ContentTerms)), " "); want != "" && got != want || want == "" && len(q.SupportingTerms) > 0 {
			t.Errorf("%q is about %q, want %q", question, got, want)
		}
	}
}

// TestParts: the parts of a date and the like count less than the whole, and those
// on both sides of a seam count in either writing.
func TestParts(t *testing.T) {
	date := NewQuestion("2024-11-05")
	if date.ContentTerms[string(specialField)+"2024-11-05"] != 1 || date.ContentTerms["11"] != specialPart {
		t.Errorf("a date is %+v", date)
	}
	article := NewQuestion("刑法第三十五条")
	if article.ContentTerms[string(placeField)+"article 35"] != placePart || article.ContentTerms["三十"] != specialPart || article.ContentTerms["刑法"] != 1 {
		t.Errorf("an article is %+v", article)
	}
	if q := NewQuestion("gpt4 prices"); q.ContentTerms["gpt4"] != 1 || q.OtherSpellings["gpt"] != seamPart || q.SupportingTerms["4"] != seamPart || q.NameTerms["gpt"] != 1 || q.NameTerms["gpt4"] != 0 {
		t.Errorf("in one word: %+v", q)
	}
	if q := NewQuestion("gpt 4 prices"); q.OtherSpellings["gpt4"] != seamPart {
		t.Errorf("in two words: %+v", q)
	}
}

// TestEmbeddedWeights: a word in a query in Chinese weighs as much as a Chinese word with its
// characters, and one in an English query does not.
func TestEmbeddedWeights(t *testing.T) {
	for question, want := range map[string]float64{
		"TSH 多久复查一次":              embeddedPart,
		"多久复查 tsh":                embeddedPart,
		"TSH の検査はいつですか":           embeddedPart,
		"how often is TSH 复查":     1,
		"TSH free T4 antibody 复查": 1,
		"TSH":                     1,
	} {
		if got := NewQuestion(question).ContentTerms["tsh"]; got != want {
			t.Errorf("%q: tsh weighs %v, want %v", question, got, want)
		}
	}
	q := NewQuestion("GPT4 多少钱 2024-11-05 去哪里可以买")
	if q.OtherSpellings["gpt"] != embeddedPart*seamPart || q.ContentTerms[string(specialField)+"2024-11-05"] != 1 {
		t.Errorf("variants and special tokens are weighed %+v", q)
	}
}
