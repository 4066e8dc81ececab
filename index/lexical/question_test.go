package lexical

import "testing"

func TestQuestion(t *testing.T) {
	q := NewQuestion("what is the dose, the dose? 什么剂量")
	if q.content["dose"] != 2 || q.content["剂量"] != 1 || q.support["the"] != 2*functionPart || q.support["什么"] != functionPart || q.support["剂"] != 1 || q.content["the"] != 0 {
		t.Errorf("question %+v", q)
	}
}
