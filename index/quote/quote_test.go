package quote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// fold is the folded form of a text.
func fold(text string) string { return string(newQuotedPart(text, foldingOptions{}).folded) }

func TestFold(t *testing.T) {
	for _, same := range [][]string{
		{"the blood pressure", "the blood\n  pressure", "“The blood pressure.”", "the *blood* pressure", "theblood pressure", "THE BLOOD PRESSURE", "# The blood\u00ad pressure", "> the blood\n> pressure"},
		{"hypertension", "hyper-\ntension", "hyper\u00ad\ntension", "hyper- tension"},
		{"well-known", "well-\nknown", "wellknown", "well known"},
		{"高血压，患者", "高血壓,患者", "高血\n压 患者", "「高血压」患者"},
		{"5 mg", "5mg", "５ｍｇ", "5 mg."},
		{"35 %", "35%", "35％"},
		{"CO2", "CO₂"},
		{"20 °C", "20℃", "20°C"},
		{"see the note", "see [the note](https://x.y/z)", "see [[notes/a|the note]]", "see the note[^1]"},
		{"5–10", "5-10", "5 − 10"},
		{"doses of 1, 2 and 3", "doses of 1,  2 and 3"},
		{"days 0, 3, 7, 14", "days 0,3,7,14", "days 0、3、7、14", "days 0，3，7，14"},
		{"days 1, 2", "days 1、2"},
		{"don't", "don’t"},
		{"µg", "μg"},
		{"a. 5 b", "a 5 b"},
	} {
		for _, other := range same[1:] {
			if fold(same[0]) != fold(other) {
				t.Errorf("%q is %q, %q is %q", same[0], fold(same[0]), other, fold(other))
			}
		}
	}
	for _, differ := range [][2]string{
		{"3.5 mg", "35 mg"}, {"3,500", "3500"}, {"1 000", "1000"}, {"2, 3", "23"}, {"2, 3", "2,3"}, {"1, 234, 567", "1,234,567"}, {"1, 23, 456", "1,23,456"}, {"共123、456、789", "共123,456,789"}, {"0, 3, 7", "0,37"}, {"5-10", "510"}, {"-5 °C", "5 °C"}, {"dose of .5 mg", "dose of 5 mg"},
		{"10⁵", "105"}, {"5½", "512"}, {"35 %", "35"}, {"5 mg/l", "5 mg l"}, {"> 5 mg of it", "5 mg of it"}, {"5 ± 2", "5 2"}, {"10:30", "1030"}, {"C++", "C"}, {"$5", "€5"},
	} {
		if fold("x "+differ[0]) == fold("x "+differ[1]) {
			t.Errorf("%q and %q are both %q", differ[0], differ[1], fold(differ[0]))
		}
	}
}

// scan looks through a text for quotations.
func scan(t *testing.T, text string, of ...Quotation) []Match {
	t.Helper()
	found, err := NewScanner(of).Scan(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// check is what a text has of a quotation, in one line.
func check(t *testing.T, quotation, text string) string {
	t.Helper()
	q, err := New(quotation)
	if err != nil {
		return err.Error()
	}
	found := scan(t, text, q)
	if len(found) == 0 {
		return "nowhere"
	}
	var all []string
	for _, r := range found[0].Exact {
		all = append(all, "exact: "+text[r.Start:r.End])
	}
	for i, l := range found[0].Parts {
		if l.SeedCount == 0 {
			all = append(all, "nowhere")
			continue
		}
		if l.Exact.End > 0 {
			all = append(all, "exact")
			continue
		}
		w, err := q.NearestWording(t.Context(), i, text, l)
		if err != nil {
			t.Fatal(err)
		}
		if w.SharedFraction < MinSharedFraction {
			all = append(all, "nowhere")
			continue
		}
		all = append(all, "differs: "+FormatDifferences(w.Runs))
	}
	return strings.Join(all, "; ")
}

// TestTables checks that what separates the cells of a table need not be quoted, and that commas within
// cells and in prose count.
func TestTables(t *testing.T) {
	const semicolons = "Wert;Ergebnis;Einheit\nKalium;5,7;mmol/l\nNatrium;\"139; high\";mmol/l\n"
	for _, c := range []struct{ text, quotation, want string }{
		{semicolons, "Kalium 5,7 mmol/l", "Kalium;5,7;mmol/l"},
		{semicolons, "Kalium;5,7;mmol/l", "Kalium;5,7;mmol/l"},
		{semicolons, "Kalium 57 mmol/l", ""},
		{semicolons, "Kalium 5 7 mmol/l", ""},
		{semicolons, "Wert Ergebnis Einheit", "Wert;Ergebnis;Einheit"},
		{semicolons, "Natrium 139; high mmol/l", "Natrium;\"139; high\";mmol/l"},
		{"drug,dose\nwarfarin,5\n", "warfarin 5", "warfarin,5"},
		{"drug,remark\nwarfarin,\"No, patients died\"\n", "No patients died", ""},
		{"drug\nNo, patients died\n", "No patients died", ""},
	} {
		q, err := New(c.quotation)
		if err != nil {
			t.Fatal(err)
		}
		found, err := NewScanner([]Quotation{q}).ScanTable(t.Context(), c.text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, m := range found {
			for _, r := range m.Exact {
				got += c.text[r.Start:r.End]
			}
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.quotation, got, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	const english = "Title\n\nWarfarin thins the blood. The usual dose is 5 mg daily, and it is not safe in pregnancy;\npatients who are unable to attend Dr. Miller's clin-\nic should take 25 mg of the other. Stop at -5 °C.\n"
	const linked = "Intro.[^1] See [the guide](https://x.y/1) for more.\n"
	const chinese = "# 高血压\n\n患者每天服用 5 毫克氨氯地平，\n不得与葡萄柚汁同服。王医生建议每周测量血压三次。\n"
	for _, c := range []struct{ text, quotation, want string }{
		{english, "The usual dose is 5 mg daily", "exact: The usual dose is 5 mg daily"},
		{english, "the usual dose is 5mg daily and it is not safe in pregnancy: patients", "exact: The usual dose is 5 mg daily, and it is not safe in pregnancy;\npatients"},
		{english, "the usual dose is 50 mg daily", "differs: The usual dose is ⟦quotation: 50 | document: 5⟧ mg daily"},
		{english, "the usual dose is 5 g daily", "differs: The usual dose is 5 ⟦quotation: g | document: mg⟧ daily"},
		{english, "and it is safe in pregnancy", "differs: and it is ⟦document: not⟧ safe in pregnancy"},
		{english, "able to attend Dr. Miller's clinic", "differs: ⟦quotation: able | document: unable⟧ to attend Dr. Miller's clin- ic"},
		{english, "to attend Dr. Muller's clinic", "differs: to attend Dr. ⟦quotation: Muller's | document: Miller's⟧ clin- ic"},
		{english, "5 mg of the other", "differs: ⟦quotation: 5 | document: 25⟧ mg of the other"},
		{english, "Stop at -5 C", "differs: Stop at -5 ⟦quotation: C | document: °C⟧"},
		{english, "Stop at 5 °C", "differs: Stop at ⟦quotation: 5 | document: -5⟧ °C"},
		{english, "Warfarin thins the blood ... it is not safe in pregnancy", "exact: Warfarin thins the blood; exact: it is not safe in pregnancy"},
		{english, "it is not safe in pregnancy [...] Warfarin thins the blood", "exact; exact"},
		{english, "Warfarin thins the blood … it is safe in pregnancy", "exact; differs: it is ⟦document: not⟧ safe in pregnancy"},
		{english, "Aspirin is taken after meals with a glass of water", "nowhere"},
		{english, "blood", "exact: blood"},
		{english, "lood", "differs: ⟦quotation: lood | document: blood⟧"},
		{english, "Warfarin thins THE blood", "differs: Warfarin thins ⟦quotation: THE | document: the⟧ blood"},
		{english, "The usual dose is daily", "differs: The usual dose is ⟦document: 5 mg⟧ daily"},
		{english, "", "there is nothing to check: it contains no words"},
		{linked, "See the guide for more", "exact: See [the guide](https://x.y/1) for more"},
		{linked, "See [the guide](https://x.y/1) for more", "exact: See [the guide](https://x.y/1) for more"},
		{linked, "See [the guide](https://x.y/2) for more", "differs: See [the guide](https://x.y⟦quotation: /2 | document: /1⟧) for more"},
		{english, "…", "there is nothing to check: it contains no words"},
		{chinese, "患者每天服用5毫克氨氯地平,不得与葡萄柚汁同服", "exact: 患者每天服用 5 毫克氨氯地平，\n不得与葡萄柚汁同服"},
		{chinese, "患者每天服用50毫克氨氯地平", "differs: 患者每天服用 ⟦quotation: 50 | document: 5⟧ 毫克氨氯地平"},
		{chinese, "得与葡萄柚汁同服", "differs: ⟦document: 不⟧得与葡萄柚汁同服"},
		{chinese, "氨氯地平，可与葡萄柚汁同服", "differs: 氨氯地平， ⟦quotation: 可 | document: 不得⟧与葡萄柚汁同服"},
		{chinese, "李医生建议每周测量血压三次", "differs: ⟦quotation: 李 | document: 王⟧医生建议每周测量血压三次"},
		{chinese, "糖尿病患者应当少吃甜食，多运动", "nowhere"},
	} {
		if got := check(t, c.quotation, c.text); got != c.want {
			t.Errorf("%q: %s, want %s", c.quotation, got, c.want)
		}
	}
}

func TestInAnswer(t *testing.T) {
	const answer = "The notes say “the usual dose is 5 mg” and \"not in\npregnancy\" (a.md). It's called \"warfarin\".\r\n\r\n> Stop it before\r\n> an operation.\n\n据记载，「每天五克盐」，即“少盐”。 An odd \" mark.\n\nAnd 'single' ones"
	want := []string{"the usual dose is 5 mg", "not in\npregnancy", "Stop it before\nan operation.", "每天五克盐", "少盐"}
	if got := QuotesInAnswer(answer); !slices.Equal(got, want) {
		t.Errorf("in the answer is quoted %q, want %q", got, want)
	}
	if got := QuotesInAnswer(""); len(got) > 0 {
		t.Errorf("in nothing is quoted %q", got)
	}
}

// TestNearestOfTwo: of paragraphs that are much alike the nearest one is shown, not those in
// which more of it stands together.
func TestNearestOfTwo(t *testing.T) {
	const one = "In the United States, medical insurance is provided through Blue Cross. The company pays 75% of the premium and the employee pays the other 25%. Open enrollment is in November every year, with new coverage beginning December 1. Domestic partnerships are covered. You are eligible for coverage on your first day of employment. If you resign, your coverage will end on the last day of the month of your separation date and you may be eligible for continued coverage after that, by law.\n\n"
	const other = "Dental insurance in the US is provided through MetLife. The company pays 100% of the premium. Open enrollment is in November every year, with new coverage beginning December 1. Domestic partnerships are covered equally. You are eligible for coverage on your first day of employment. If you resign, your coverage will end on the last day of the month of your separation date and you may be eligible for continued coverage after that, by law.\n\n"
	said := strings.TrimSpace(strings.Replace(one, "75%", "57%", 1))
	for before := range 90 {
		text := strings.Repeat("x", 5*before) + "\n\n" + one + strings.Repeat("- the medical coverage of a family: 197.27\n", before%9) + "\n" + other + strings.ReplaceAll(other, "Dental", "Vision")
		if got := check(t, said, text); !strings.Contains(got, "pays ⟦quotation: 57 | document: 75⟧% of") {
			t.Errorf("after %d characters: %s", before, got)
		}
	}
}

func TestLeftOut(t *testing.T) {
	for _, c := range []struct {
		text string
		may  bool
	}{
		{"It is safe, in most people, and cheap.", false},
		{"It is safe for some. It is new and cheap.", true},               // a sentence that nobody wrote
		{"* It is safe: 5\n* It is dear: 9\n* It was and cheap: 7", true}, // nor this
		{"It is safe, unless one is old, and cheap.", true},
		{"It is safe and does not cost much and cheap.", true},
		{"It is safe" + strings.Repeat(" very", 200) + " and cheap.", true},
	} {
		q, err := New("it is safe … and cheap")
		if err != nil {
			t.Fatal(err)
		}
		found := scan(t, c.text, q)
		if len(found) != 1 || len(found[0].Exact) != 2 {
			t.Fatalf("in %q there is %+v", c.text, found)
		}
		if left, may := OmittedTexts(c.text, found[0].Exact); may != c.may || len(left) != 1 {
			t.Errorf("of %q %q is left out, which may change it: %t", c.text, left, may)
		}
	}
}

// TestLeftOutConditions: what an ellipsis leaves out may change what is quoted if it is a condition or an
// exception, in any of the languages.
func TestLeftOutConditions(t *testing.T) {
	for _, c := range []struct{ quotation, text string }{
		{"The Tenant may sublet rooms … to students of the college", "The Tenant may sublet rooms, %s, to students of the college."},
		{"Der Käufer zahlt den Preis … an den Verkäufer", "Der Käufer zahlt den Preis, %s, an den Verkäufer."},
		{"Le preneur peut sous-louer les chambres … aux étudiants", "Le preneur peut sous-louer les chambres, %s, aux étudiants."},
		{"甲方应当支付违约金……给乙方", "甲方应当支付违约金，%s，给乙方。"},
	} {
		for _, omitted := range []struct {
			text string
			may  bool
		}{
			{"provided that it is asked", true}, {"subject to clause nine", true}, {"save for the cellar", true}, {"other than the attic", true}, {"with the exception of one", true}, {"until May", true}, {"hardly ever", true}, {"Only in May", true},
			{"es sei denn die Ware ist mangelhaft", true}, {"mit Ausnahme der Fracht", true}, {"sofern er geliefert wurde", true}, {"ausgenommen die Fracht", true}, {"vorbehaltlich der Prüfung", true}, {"Soweit fällig", true},
			{"sous réserve d’un accord", true}, {"à l’exception d’une", true}, {"à moins d'un refus", true}, {"à condition d'un accord", true},
			{"如果乙方守约", true}, {"仅在五月", true}, {"只要乙方守约", true}, {"除地图外", true}, {"免除利息", true}, {"以十万元为限", true}, {"但可分期", true},
			{"by the month", false}, {"provided by the landlord", false}, {"each of the others", false}, {"in Raten", false}, {"wie vereinbart", false}, {"par mois", false}, {"例如十万元", false}, {"删除后", false}, {"一只", false},
		} {
			q, err := New(c.quotation)
			if err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprintf(c.text, omitted.text)
			found := scan(t, text, q)
			if len(found) != 1 || len(found[0].Exact) != 2 {
				t.Fatalf("in %q there is %+v", text, found)
			}
			if _, may := OmittedTexts(text, found[0].Exact); may != omitted.may {
				t.Errorf("of %q, leaving out %q may change it: %t", text, omitted.text, may)
			}
		}
	}
}

// TestDatesAreNoSentenceEnds: the full stop of an ordinal or an abbreviation divides neither a quotation nor
// a text.
func TestDatesAreNoSentenceEnds(t *testing.T) {
	for quotation, want := range map[string]int{
		"Das Angebot gilt bis zum 30. Dezember 2024":                     1,
		"Die Zahlung ist gem. § 12 Abs. 3 fällig. Die Ware bleibt hier.": 2,
		"Tannhof GmbH & Co. KG liefert das Holz. Dr. Vogt nimmt es ab.":  2,
		"The price is fixed. It holds until May. The rest is open.":      3,
	} {
		q, err := New(quotation)
		if err != nil {
			t.Fatal(err)
		}
		sentences, ok := q.SplitIntoSentences()
		if got := max(1, len(sentences.parts)); got != want || ok != (want > 1) {
			t.Errorf("%q has %d sentences, want %d", quotation, got, want)
		}
	}
	const offer = "Die Pumpe kostet 1.190,00 EUR. Das Angebot gilt bis zum 30.11.2024.\n\nMit freundlichen Grüßen"
	if got, want := check(t, "Das Angebot gilt bis zum 30. Dezember 2024", offer), "differs: Das Angebot gilt bis zum ⟦quotation: 30. Dezember 2024 | document: 30.11.2024⟧"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	q, err := New("Das Angebot gilt … November 2024 für alle Pumpen")
	if err != nil {
		t.Fatal(err)
	}
	text := "Das Angebot gilt bis zum 30. November 2024 für alle Pumpen."
	if _, may := OmittedTexts(text, scan(t, text, q)[0].Exact); may {
		t.Error("a date that is left out in part is taken for the end of a sentence")
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "nothing to check",
		" … \n\"":                   "nothing to check",
		strings.Repeat("a", 20_000): "too long to check (20000 characters",
		strings.Repeat("高血压", 1000): "too long to check (3000 characters",
	} {
		if _, err := New(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
}

// FuzzCheck: whatever is quoted and whatever a text is, a quotation is found in itself, places
// lie in the text, and the wordings put together are those compared.
func FuzzCheck(f *testing.F) {
	f.Add("the usual dose is 5 mg", "The usual\ndose is 50 mg daily")
	f.Add("高血压患者…少吃盐", "高血壓患者應當少吃鹽")
	f.Add("see [a](b) -5 ½ ①", "[[x|see]] a[^1] - 5 1/2")
	f.Add("ha ha ha ha ha ha", "ha ha ha ha ha ha ha ha")
	f.Fuzz(func(t *testing.T, quotation, text string) {
		if !utf8.ValidString(quotation) || !utf8.ValidString(text) || len(text) > 5000 {
			return
		}
		q, err := New(quotation)
		if err != nil {
			return
		}
		hasSign := strings.ContainsFunc(quotation, func(r rune) bool { c := charClassOf(r); return c == sign || c == dash || unicode.Is(unicode.No, r) }) // which may belong to what is beyond the ends
		if found := scan(t, quotation, q); len(found) == 0 || found[0].Exact == nil && !hasSign {
			t.Fatalf("%q is not found in itself: %+v", quotation, found)
		}
		for _, found := range scan(t, text, q, q) {
			end := 0
			for _, r := range found.Exact {
				if r.Start < end || r.End <= r.Start || r.End > len(text) {
					t.Fatalf("%q in %q is at %v", quotation, text, found.Exact)
				}
				end = r.End
			}
			for i, l := range found.Parts {
				if l.SeedCount == 0 {
					continue
				}
				w, err := q.NearestWording(t.Context(), i, text, l)
				if err != nil {
					t.Fatal(err)
				}
				if w.Start < 0 || w.End > len(text) || w.End < w.Start || w.SharedFraction < 0 || w.SharedFraction > 1 {
					t.Fatalf("%q in %q comes near at %+v", quotation, text, w)
				}
			}
		}
	})
}

// TestHostileQuotations: quotations that are all alike take no time that grows with the square
// of a text.
func TestHostileQuotations(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	var all []Quotation
	for range 30 {
		q, err := New(strings.Repeat("ha ", 600))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, q)
	}
	text := strings.Repeat("ha ", 300_000)
	found := scan(t, text, all...)
	if len(found) != 30 || found[29].Exact == nil {
		t.Errorf("%d are found", len(found))
	}
}

// TestScanStops: a context that ends in the middle of a text ends the search there.
func TestScanStops(t *testing.T) {
	q, err := New("Warfarin is an anticoagulant")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	text := strings.Repeat("Варфарин, ", foldedBetween)
	if found, err := NewScanner([]Quotation{q}).Scan(ctx, text); !errors.Is(err, context.Canceled) {
		t.Errorf("quotations are looked for to the end: %v, %v", found, err)
	}
	if places, err := NewWordMatcher("Warfarin is").Find(ctx, nil, text); !errors.Is(err, context.Canceled) {
		t.Errorf("words are looked for to the end: %v, %v", places, err)
	}
}

// TestTimesOfSubtitles: a quotation goes over the time before a paragraph of subtitles, but not over one
// within a line.
func TestTimesOfSubtitles(t *testing.T) {
	const text = "## 00:00:01\n\nWe knew it.\n\n[00:00:40] We said nothing, [00:10:00] is late.\n"
	for quotation, want := range map[string]string{
		"We knew it. We said nothing": "exact: We knew it.\n\n[00:00:40] We said nothing",
		"nothing, [00:10:00] is late": "exact: nothing, [00:10:00] is late",
		"We said nothing, is late":    "differs",
		"[00:00:41] We said nothing":  "differs",
	} {
		if got := check(t, quotation, text); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", quotation, got, want)
		}
	}
}
