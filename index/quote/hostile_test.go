package quote

import (
	"strings"
	"testing"
)

// TestMeanings: what changes the sense of a quotation is never exact, however small it is.
func TestMeanings(t *testing.T) {
	for _, c := range [][2]string{ // what a text says, and what is said of it
		{"The effect of the drug is notable in children.", "The effect of the drug is not able in children."},
		{"Patients are nowhere near recovery.", "Patients are now here near recovery."},
		{"It is an aesthetic drug.", "It is anaesthetic drug."},
		{"Warfarin should be stopped if the INR", "W arfarin should be stop ped if the I N R"},
		{"The code is `a_b != c` and `x >= 3 && !done`", "x >= 3 && done"},
		{"The code is `a_b != c` and `x >= 3 && !done`", "The code is a_b = c and x >= 3"},
		{"The code is `a_b != c`", "The code is ab != c"},
		{"HER2− tumour", "HER2 tumour"}, {"HER2- tumour", "HER2 tumour"}, {"HER2+ tumour", "HER2 tumour"},
		{"Aspirin is safe?", "Aspirin is safe."}, {"Is aspirin safe? Yes.", "Is aspirin safe. Yes."}, {"Heparin is safe.", "Heparin is safe?"},
		{"No, surgery is needed.", "No surgery is needed."}, {"No, patients died of this.", "No patients died of this."},
		{"Doses of 2, 500 mg each, were used.", "Doses of 2,500 mg each were used."}, {"Give 1 to 2. 5 patients died.", "Give 1 to 2.5 patients died."},
		{"The co-op chicken coop.", "The coop chicken co-op."}, {"resign or re-sign", "re-sign or resign"}, {"A man eating shark", "A man-eating shark"},
		{"¬A. A → B", "A. A → B"},
		{"Lower it by -.25 mg", "Lower it by 25 mg"}, {"The change was − 7 kg in group Z", "The change was 7 kg in group Z"}, {"Weight change: - 5 kg in a week", "Weight change: 5 kg in a week"}, {"a drop of -\n5 kg", "a drop of 5 kg"},
		{"剂量为-5℃至+5℃", "剂量为5℃至+5℃"}, {"变化−4公斤", "变化4公斤"}, {"a loss of -$33 in all", "$33 in all"},
		{"The test was (+).", "The test was (-)."}, {"The (–) enantiomer works and the (+) enantiomer fails", "The (+) enantiomer works and the (+) enantiomer fails"}, {"Reflexes ++.", "Reflexes +."},
		{"Flow 5 ml·min⁻¹", "Flow 5 ml·min¹"}, {"Flow 5 ml·min⁻¹", "Flow 5 ml·min"}, {"an area of 5 m²", "an area of 5 m"}, {"below 50 × 10^9/L", "below 50 × 10"},
		{"those <65 years received drug B", "65 years received drug B"}, {"5 ± 2 kg lost", "2 kg lost"}, {"increased by 5 %", "increased by 5"},
		{"We're ill after the visit", "Were ill after the visit"}, {"I'll rest today", "Ill rest today"}, {"The doctors' orders count.", "The doctor's orders count."},
		{"if (!ready) { stop(); }", "if (ready) { stop(); }"}, {"rm -rf ./build", "rm -rf /build"}, {"value = -value; path", "value = value; path"}, {"2**3 is 8", "2*3 is 8"}, {"2*3 is 6", "2 3 is 6"},
		{`C:\temp\new`, "C:tempnew"}, {"user@host.com", "user@hostcom"}, {"cmd --no-cache -v", "cmd no-cache -v"}, {"CYP2C19*2 is null", "CYP2C19 2 is null"}, {"5_000 rows", "5 000 rows"},
		{"Never double up.", "Double up"}, {"Do *not* give it to patients", "Give it to patients"}, {"No further dose is needed!", "Further dose is needed!"}, {"it was not approved by the board", "Approved by the board."}, {"You can't drive home", "Drive home"},
		{"give **2.5** mg bid", ".5 mg bid"}, {"Take not<br>able tablets", "Take notable tablets"}, {"每次约1~2片", "每次约12片"}, {"剂量0.5~1克", "剂量0.51克"}, {"take x || y now", "take x y now"}, {"at most −\n7 mmol of it", "7 mmol of it"},
		{"Il ne faut jamais arrêter le traitement.", "Arrêter le traitement."}, {"Ne prenez pas ce médicament.", "Prenez pas ce médicament."}, {"Es darf nicht gegeben werden, wenn", "Gegeben werden, wenn"},
		{"Step 1. 5 mg. Step 2. 10 mg.", "Step 1.5 mg. Step 2.10 mg"}, {"He weighed 70. 5 kg were lost.", "He weighed 70.5 kg"},
		{"10⁵ cells", "105 cells"}, {"10<sup>6</sup> cells", "106 cells"}, {"10^5^ cells", "105 cells"}, {"1-3 tablets", "13 tablets"}, {"I48.0 is the code", "I480 is the code"},
	} {
		if got := check(t, c[1], "Before it.\n\n"+c[0]+"\n"); strings.HasPrefix(got, "exact") {
			t.Errorf("%q is %s in %q", c[1], got, c[0])
		}
	}
}

// TestSameMeaning: what readers take for the same is exact.
func TestSameMeaning(t *testing.T) {
	for _, c := range [][2]string{
		{"1. Stop the infusion.\n2. Wait 10 minutes.\n3. Measure the aPTT.", "Stop the infusion. Wait 10 minutes. Measure the aPTT."},
		{"1. Stop the infusion.\n2. Wait 10 minutes.", "1. Stop the infusion. 2. Wait 10 minutes."},
		{"- Stop the infusion.\n- Wait 10 minutes.", "Stop the infusion. Wait 10 minutes."},
		{"1. 先停药\n2. 再观察十分钟\n3. 然后复查", "先停药 再观察十分钟 然后复查"},
		{"Vitamin B~12~ and H~2~O", "Vitamin B12 and H2O"}, {"an area of 5 m<sup>2</sup>", "an area of 5 m2"}, {"<b>Never</b> stop.", "Never stop."},
		{"Weight change: - 5 kg in a week", "Weight change: -5 kg in a week"},
		{"> Never give a\n> double dose.", "Never give a double dose."}, {"> Never give a\n> double dose.", "Never give a > double dose."},
		{"a hyper-\ntension clinic", "a hypertension clinic"}, {"a well-\nknown drug", "a well-known drug"}, {"a hypertension clinic", "a hyper-\ntension clinic"}, {"a hyper\u00ad\ntension clinic", "a hyper-tension clinic"},
		{"a drug — the first — works", "a drug, the first, works"}, {"The *very* **bold** `word`", "The very bold word"}, {"5 mg of it", "5mg of it"}, {"5–10 mg", "5 - 10 mg"},
		{"“We know,” he said.", "\"We know\", he said"}, {"the patient (a man) left", "the patient a man left"}, {"Is it safe? Yes.", "is it safe? Yes"},
		{"高血壓，患者應當少吃鹽。", "高血压 患者应当少吃盐"}, {"END.Next sentence", "END. Next sentence"}, {"see [1] and [2]", "see 1 and 2"},
		{"Take not<br>able tablets", "Take not able tablets"}, {"It was given orally.¹ It worked.²", "It was given orally. It worked."}, {"It was given orally.¹ It worked.²", "It was given orally.¹ It worked.²"}, {"每次约1~2片", "每次约1～2片"},
		{"| Apixaban | 5 mg | twice |", "Apixaban 5 mg twice"},
	} {
		if got := check(t, c[1], "Before it.\n\n"+c[0]+"\n\nAfter it."); !strings.HasPrefix(got, "exact") {
			t.Errorf("%q is %s in %q", c[1], got, c[0])
		}
	}
}

// TestWordings: what differs is shown as the document has it, in whole words and numbers.
func TestWordings(t *testing.T) {
	for _, c := range [][3]string{
		{"The usual starting dose is **5–10 mg** once daily.", "The usual starting dose is 5 mg once daily.", "The usual starting dose is **⟦quotation: 5 | document: 5–10⟧ mg** once daily"},
		{"must stay below −20 °C.", "must stay below −20 °F.", "must stay below −20 °⟦quotation: F | document: C⟧"},
		{"(Child-Pugh C) is rare", "(Child-Pugh B)", "Child-Pugh ⟦quotation: B | document: C⟧"},
		{"intake should be *steady*, not low.", "intake should be low, not steady.", "intake should be ⟦quotation: low, not⟧ *steady"},
		{"Date 2024-11-05", "Date 20241105", "Date ⟦quotation: 20241105 | document: 2024-11-05⟧"},
		{"ICD code I48.0", "ICD code I480", "ICD code ⟦quotation: I480 | document: I48.0⟧"},
		{"治疗了1,000例患者", "治疗了1000例患者", "治疗了⟦quotation: 1000 | document: 1,000⟧例患者"},
		{"the range is 1-3 tablets a day", "the range is 13 tablets a day", "the range is ⟦quotation: 13 | document: 1-3⟧ tablets a day"},
		{"some 3.000 patients died", "some 3000 patients died", "some ⟦quotation: 3000 | document: 3.000⟧ patients died"},
		{"We start tablets when it stays above 135/85 after six weeks. From the second page on, that is done.", "We start tablets when it stays above 135/85 after three months.", "We start tablets when it stays above 135/85 after ⟦quotation: three months | document: six weeks⟧"},
		{"If all is well recheck the INR within two days.", "If all is well recheck the INR in one week.", "If all is well recheck the INR ⟦quotation: in one week | document: within two days⟧"},
		{"Do *not* give it to patients with asthma", "Do give it to patients with asthma", "Do *⟦document: not⟧* give it to patients with asthma"},
		{"This person never gives it to patients", "This person gives it to patients", "This person ⟦document: never⟧ gives it to patients"},
		{"Never double up the pills.", "Double up the pills.", "⟦document: Never⟧ double up the pills"},
		{"Aspirin is a safe drug?", "Aspirin is a safe drug.", "Aspirin is a safe ⟦quotation: drug. | document: drug?⟧"},
		{"The effect is notable in children.", "The effect is not able in children.", "The effect is ⟦quotation: not able | document: notable⟧ in children"},
		{"患者每天服用 5 毫克", "患者每天服用50毫克", "患者每天服用 ⟦quotation: 50 | document: 5⟧ 毫克"},
		{"布洛芬等止痛药会抵消降压效果", "布洛芬等止痛药会升压", "布洛芬等止痛药会⟦quotation: 升压 | document: 抵消⟧"},
		{"孕妇禁用该药", "孕妇慎用该药", "孕妇⟦quotation: 慎 | document: 禁⟧用该药"},
	} {
		if got := check(t, c[1], "Before it.\n\n"+c[0]+"\n\nAfter it there is more."); got != "differs: "+c[2] {
			t.Errorf("%q in %q: %s, want %s", c[1], c[0], got, c[2])
		}
	}
}

// TestHostileTexts: texts of nothing but signs take no time that grows with their square.
func TestHostileTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	for _, sign := range []string{"> ", ">", "~", "^", "# ", "=", "- 1", "*", ".", "!", "[", "[[", "](", "<b", "1. ", "a.", "'", "“", "\u0301"} {
		t.Run(sign, func(t *testing.T) {
			text := "begin " + strings.Repeat(sign, 300_000) + " end"
			check(t, "begin end", text)
			check(t, strings.Repeat(sign, 100)+" end", text)
		})
	}
}
