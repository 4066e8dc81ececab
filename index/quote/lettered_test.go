package quote

import "testing"

// TestLetteredNouns: the full stop after "vitamin K" ends a sentence, which an ellipsis must not join with the next.
func TestLetteredNouns(t *testing.T) {
	q, err := New("Stop taking … need 5 mg daily")
	if err != nil {
		t.Fatal(err)
	}
	const text = "Stop taking vitamin K. Patients on warfarin need 5 mg daily."
	found := scan(t, text, q)
	if len(found) != 1 || len(found[0].Exact) != 2 {
		t.Fatalf("%+v", found)
	}
	if _, may := OmittedTexts(text, found[0].Exact); !may {
		t.Error("the ellipsis joins two sentences unseen")
	}
	q, err = New("Stop vitamin K. Give 5 mg daily.")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := q.SplitIntoSentences(); !ok {
		t.Error("two sentences are taken for one")
	}
}
