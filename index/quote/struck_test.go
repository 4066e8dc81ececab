package quote

import (
	"strings"
	"testing"
)

// checkStruck is what a text has of a quotation: exactly, or else with words that are struck out, or else
// something like it, first in what holds.
func checkStruck(t *testing.T, quotation, text string) string {
	t.Helper()
	q, err := New(quotation)
	if err != nil {
		t.Fatal(err)
	}
	var exact, out, all []string
	for _, m := range scan(t, text, q) {
		for _, r := range m.Exact {
			exact = append(exact, "exact: "+text[r.Start:r.End])
		}
		for _, r := range m.StruckOut {
			out = append(out, "struck: "+text[r.Start:r.End])
		}
		for i, l := range m.Parts {
			how := "differs"
			if l.ComparesStruckText {
				how += " with struck"
			}
			w, err := q.NearestWording(t.Context(), i, text, l)
			switch {
			case err != nil:
				t.Fatal(err)
			case l.SeedCount == 0 || l.ComparesStruckText && len(all) > 0 || w.SharedFraction < MinSharedFraction:
				continue
			case l.Exact.End > 0:
				all = append(all, "exact part: "+text[w.Start:w.End])
			case l.StruckOut.End > 0:
				all = append(all, "struck part: "+text[w.Start:w.End])
			default:
				if w.IsStruckOut {
					how += " (out)"
				}
				all = append(all, how+": "+FormatDifferences(w.Runs)+" at "+text[w.Start:w.End])
			}
		}
	}
	for _, found := range [][]string{exact, out} {
		if len(found) > 0 {
			all = found
			break
		}
	}
	return strings.Join(all, "; ")
}

// TestStruckOut checks that only what holds of a text is quoted exactly, unless a quotation has the marks of
// the text.
func TestStruckOut(t *testing.T) {
	const dose = "Dose: ~~40 mg~~ 20 mg daily. Do ~~not~~ take it with food.\n"
	const sentences = "Aspirin is recommended. ~~Clopidogrel is given for\nthe whole year. It is safe.~~ Rest.\n\n- ~~Stop smoking at once.~~\n\n| Drug | Dose |\n| --- | --- |\n| Warfarin | ~~50 mg~~ 5 mg |\n"
	for _, c := range []struct{ text, quotation, want string }{
		{dose, "Dose: 40 mg", "struck: Dose: ~~40 mg"},
		{dose, "40 mg", "struck: 40 mg"},
		{dose, "Dose: 20 mg daily", "exact: Dose: ~~40 mg~~ 20 mg daily"},
		{dose, "dose: 20 mg daily. Do take it", "exact: Dose: ~~40 mg~~ 20 mg daily. Do ~~not~~ take it"},
		{dose, "Dose: ~~40 mg~~ 20 mg daily", "exact: Dose: ~~40 mg~~ 20 mg daily"},
		{dose, "40 mg~~ 20 mg daily", "exact: 40 mg~~ 20 mg daily"},
		{dose, "Dose: ~~40", "exact: Dose: ~~40"},
		{dose, "Dose: 40 mg 20 mg daily", "struck: Dose: ~~40 mg~~ 20 mg daily"},
		{dose, "Dose: ~~40 mg~~ 20 mg daily. Do not take it", "struck: Dose: ~~40 mg~~ 20 mg daily. Do ~~not~~ take it"},
		{dose, "Do not take it with food", "struck: Do ~~not~~ take it with food"},
		{dose, "Dose: 40 mg … take it with food", "struck: Dose: ~~40 mg; struck: take it with food"},
		{dose, "Dose: 20 mg … take it with food", "exact: Dose: ~~40 mg~~ 20 mg; exact: take it with food"},
		{dose, "Dose: 30 mg daily", "differs: Dose: ⟦quotation: 30 | document: 20⟧ mg daily at Dose: ~~40 mg~~ 20 mg daily"},
		{"Dose: 40 mg 20 mg daily\n", "Dose: ~~40 mg~~ 20 mg daily", "differs: Dose: ⟦quotation: ~~40 mg~~ | document: 40 mg⟧ 20 mg daily at Dose: 40 mg 20 mg daily"},
		{"Take 1~~0~~5 mg now.\n", "Take 15 mg now", "exact: Take 1~~0~~5 mg now"},
		{"Take 1~~0~~5 mg now.\n", "Take 105 mg now", "struck: Take 1~~0~~5 mg now"},
		{"Take 1~~0~~5 mg now.\n", "Take 1~~0~~5 mg now", "exact: Take 1~~0~~5 mg now"},
		{"每日服用~~两~~三次，饭后。\n", "每日服用三次", "exact: 每日服用~~两~~三次"},
		{"每日服用~~两~~三次，饭后。\n", "每日服用两", "struck: 每日服用~~两"},
		{sentences, "Clopidogrel is given for the whole year.", "struck: Clopidogrel is given for\nthe whole year"},
		{sentences, "Aspirin is recommended. Rest.", "exact: Aspirin is recommended. ~~Clopidogrel is given for\nthe whole year. It is safe.~~ Rest"},
		{sentences, "Clopidogrel is given for the whole month. It is safe.", "differs with struck (out): ⟦quotation: Clopidogrel is given for the whole month. It is safe | document: ~~Clopidogrel is given for the whole year. It is safe~~⟧ at Clopidogrel is given for\nthe whole year. It is safe"},
		{sentences, "Stop smoking at once.", "struck: Stop smoking at once"},
		{sentences, "Warfarin 50 mg", "struck: Warfarin | ~~50 mg"},
		{sentences, "Warfarin 5 mg", "exact: Warfarin | ~~50 mg~~ 5 mg"},
		{"Strike out with `~~old text~~` in it.\n\n~~~\n~~old code~~\n~~~\n", "out with old text in it", "exact: out with `~~old text~~` in it"},
		{"Strike out with `~~old text~~` in it.\n\n~~~\n~~old code~~\n~~~\n", "old code", "exact: old code"},
		{"Strike out with `~~old text~~` in it.\n\n~~~\n~~old code~~\n~~~\n", "~~old code~~", "exact: old code"},
		{"好呀~\u2060~明天见~\u2060~ 带药。\n", "好呀~~明天见~~", "exact: 好呀~\u2060~明天见"},
		{"好呀~\u2060~明天见~\u2060~ 带药。\n", "明天见~~ 带药", "exact: 明天见~\u2060~ 带药"},
		{"See you~\u2060~tomorrow~\u2060~ at six.\n", "See you~~tomorrow~~ at six", "exact: See you~\u2060~tomorrow~\u2060~ at six"},
		{"See you~\u2060~tomorrow~\u2060~ at six.\n", "tomorrow at six", "exact: tomorrow~\u2060~ at six"},
		{"See you~\u2060~ at ~~six~~ seven.\n", "See you~~ at ~~six~~ seven", "exact: See you~\u2060~ at ~~six~~ seven"},
		{"See you~\u2060~ at ~~six~~ seven.\n", "See you~~ at six", "struck: See you~\u2060~ at ~~six"},
		{"Drink H~2~O and 5~10 mg of it.\n", "Drink H2O and 5~10 mg", "exact: Drink H~2~O and 5~10 mg"},
	} {
		if got := checkStruck(t, c.quotation, c.text); got != c.want {
			t.Errorf("%q in %q: %s, want %s", c.quotation, c.text, got, c.want)
		}
	}
}

// TestReading checks that what is left out, and a negation before it, are looked for in what holds.
func TestReading(t *testing.T) {
	const text = "Do not ~~ever~~ take it ~~without food~~ at night, or at noon.\n"
	for quotation, want := range map[string]string{
		"take it … or at noon":               "not; [at night]",
		"take it ~~without food~~ … at noon": "; [at night, or]",
	} {
		q, err := New(quotation)
		if err != nil {
			t.Fatal(err)
		}
		found := scan(t, text, q)
		if len(found) != 1 || found[0].Exact == nil {
			t.Fatalf("%s: %+v", quotation, found)
		}
		read, places := q.ComparedText(text, found[0].Exact)
		omitted, _ := OmittedTexts(read, places)
		if got := NegationBefore(read, places[0].Start) + "; [" + strings.Join(omitted, "|") + "]"; got != want {
			t.Errorf("%s: %s, want %s", quotation, got, want)
		}
	}
}
