package lexical

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestQuestion(t *testing.T) {
	q := NewQuestion("what is the dose, the dose? 什么剂量")
	if q.content["dose"] != 2 || q.content["剂量"] != 1 || q.support["the"] != 2*functionPart || q.support["什么"] != askingPart || q.support["剂"] != 1 || q.content["the"] != 0 {
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
		"how do I reset": "reset",
		"what is it":     "",
		"多少":             "",
	} {
		q := NewQuestion(question)
		if got := strings.Join(slices.Sorted(maps.Keys(q.content)), " "); want != "" && got != want || want == "" && len(q.support) > 0 {
			t.Errorf("%q is about %q, want %q", question, got, want)
		}
	}
}

// TestParts: the parts of a date and the like count less than the whole, and those
// on both sides of a seam count in either writing.
func TestParts(t *testing.T) {
	date := NewQuestion("2024-11-05")
	if date.content[string(wholeField)+"2024-11-05"] != 1 || date.content["11"] != wholePart {
		t.Errorf("a date is %+v", date)
	}
	article := NewQuestion("刑法第三十五条")
	if article.content[string(placeField)+"article 35"] != placePart || article.content["三十"] != wholePart || article.content["刑法"] != 1 {
		t.Errorf("an article is %+v", article)
	}
	if q := NewQuestion("gpt4 prices"); q.content["gpt4"] != 1 || q.seams["gpt"] != seamPart || q.support["4"] != seamPart || q.names["gpt"] != 1 || q.names["gpt4"] != 0 {
		t.Errorf("in one word: %+v", q)
	}
	if q := NewQuestion("gpt 4 prices"); q.seams["gpt4"] != seamPart {
		t.Errorf("in two words: %+v", q)
	}
}
