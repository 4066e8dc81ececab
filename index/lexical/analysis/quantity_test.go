package analysis

import "testing"

// TestQuantityStanding checks how texts have a quantity: itself, in another unit, in a list or a range, or only
// others.
func TestQuantityStanding(t *testing.T) {
	for _, c := range []struct {
		asked, text string
		want        NamePresence
	}{
		{"30 mg", "Tablets of 20 mg and 40 mg. 30 people came.", OnlySimilarName},
		{"30mg", "Tablets of 20, 30 and 40 mg.", NamePresent},
		{"30 mg", "From 20-40 mg daily", NamePresent},
		{"30 mg", "From 20 mg to 40 mg daily", NamePresent},
		{"30 mg", "20 mg, 40 mg", OnlySimilarName},
		{"50 mg", "From 20 mg to 40 mg daily", OnlySimilarName},
		{"0.5 g", "500 mg", NamePresent},
		{"1 g", "1,000 mg", NamePresent},
		{"1 g", "100 mg", OnlySimilarName},
		{"2.5 mg", "2,5 mg", NamePresent},
		{"30 mg", "| dose (mg) |\n|---|\n| 30 |\nnot 20 mg", NamePresent},
		{"30 mg", "Drug,30,daily\nnot 20 mg", NamePresent},
		{"30毫克", "每次20毫克，每日40毫克", OnlySimilarName},
		{"30毫克", "每次0.03克", NamePresent},
		{"30 mg", "每次30毫克", NamePresent},
		{"30 ml", "20 mg", NameAbsent},
		{"500 IU", "500 IE", NamePresent},
	} {
		names := AskedNames("Is " + c.asked + " enough?")
		if len(names) != 1 || !names[0].IsQuantity() {
			t.Errorf("%q: %v", c.asked, names)
			continue
		}
		if got := names[0].PresenceIn(c.text); got != c.want {
			t.Errorf("%q in %q: %d, want %d", c.asked, c.text, got, c.want)
		}
	}
	for _, question := range []string{"20-30 mg", "5 days", "version 3.0", "3 gates", "a 5-litre can", "2 mgs", "10 000 000 000 000 000 000 000 mg"} {
		for _, name := range AskedNames(question) {
			if name.IsQuantity() {
				t.Errorf("%q has the quantity %q", question, name.Text)
			}
		}
	}
	if names := numberedNames("where is the room I booked"); len(names) > 0 {
		t.Errorf("the pronoun I is a number in %v", names)
	}
	if NamesSingleThing("30 mg") || NamesSingleThing("1000 mg") || !NamesSingleThing("Room 30") {
		t.Error("a quantity is taken for the name of a thing, or a room is not")
	}
}
