package analysis

import (
	"fmt"
	"testing"

	"vademecum/internal/base/script"
)

// TestUnknown: what is named as being nowhere is a word, and is nowhere in any form.
func TestUnknown(t *testing.T) {
	has := make(map[string]bool)
	take := func(code, text string) {
		err := CountTermsInLanguage(script.LanguageByCode(code), ChunkNames{}, text).Each(func(term []byte, _ int) { has[string(term)] = true })
		if err != nil {
			t.Fatal(err)
		}
	}
	take("zh", "暑期实习 最好 简历 剂量 月 份 投 布 洛 芬")
	take("en", "an e-mail on PPIs")
	take("de", "die Zelle und das Haus")
	take("ja", "判断 を する 契約書")
	for question, want := range map[string]string{
		"暑期实习几月份投简历最好":                     "[]",
		"实习月份投简历":                          "[]",
		"布洛芬剂量":                            "[布洛芬]",
		"量子纠缠":                             "[量子纠缠]",
		"月妇的剂量":                            "[月妇]", // of which 月 is a word of its own
		"妇月的剂量":                            "[妇月]",
		"email about a PPI":                "[]",
		"a CCB":                            "[CCB]",
		"why isn't an email":               "[]",
		"she won’t, can't, DON'T email":    "[]",
		"what does it say about an email":  "[]",
		"who won the email":                "[won]",
		"wie sind die Zellen":              "[]",
		"契約書を判断する":                         "[]",
		"wie für Pflanzen mit":             "[Pflanzen]",
		"wie viel sollte die Zelle wiegen": "[wiegen]",
	} {
		if got := fmt.Sprint(UnknownWords(question, func(term string) bool { return has[term] })); got != want {
			t.Errorf("of %q nowhere is %s, want %s", question, got, want)
		}
	}
}

// TestUnknownNames: a name is reported as it is written, not the pairs that other names lack, and what is
// asked of a name that is known is not reported.
func TestUnknownNames(t *testing.T) {
	has := make(map[string]bool)
	text := "华法林 格雷 兰索拉唑 酮洛芬 布洛芬 青 霉 素 头 孢 氯 奥 剂 量 买 阿胶 尼莫地平 多巴酚 Xantril"
	if err := CountTerms(ChunkNames{}, text).Each(func(term []byte, _ int) { has[string(term)] = true }); err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{
		"氯吡格雷一次多少毫克":            "[氯吡格雷]",
		"氯吡格雷 Xantril 一次多少毫克":   "[氯吡格雷]",
		"奥美拉唑 dose":             "[奥美拉唑 dose]",
		"头孢 dose":               "[头孢 dose]",
		"青霉素 剂量":                "[青霉素]",
		"青黴素的劑量":                "[青黴素]",
		"头孢一次剂量":                "[头孢]",
		"Xantril 剂量多少毫克":        "[]",
		"Xantril starting dose": "[]",
		"Halvorin 剂量":           "[Halvorin]",
		"Halvorin or Xantril":   "[Halvorin]",
		"华法林一次多少毫克":             "[]",
		"布洛芬混悬液剂量":              "[混悬液]",
		"硝苯地平剂量":                "[硝苯地平]",
		"硝苯地剂量":                 "[硝苯地]",
		"多巴胺剂量":                 "[多巴胺]",
		"买阿胶":                   "[买阿胶]",
		"买阿胶剂量":                 "[]",
		"氨氯地平的起始剂量是多少":          "[氨氯地平]",
	} {
		if got := fmt.Sprint(UnknownWords(question, func(term string) bool { return has[term] })); got != want {
			t.Errorf("of %q nowhere is %s, want %s", question, got, want)
		}
	}
}

// TestUnknownIdentifiers: an identifier of which a part with digits is nowhere is reported as it is written.
func TestUnknownIdentifiers(t *testing.T) {
	has := make(map[string]bool)
	text := "the implant HX-204b, the R2-K8 key opened it, Wi-Fi, room 19, COVID 19 month"
	if err := CountTerms(ChunkNames{}, text).Each(func(term []byte, _ int) { has[string(term)] = true }); err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{
		"implant HX-205":             "[HX-205]",
		"implant HX-204b":            "[]",
		"implant HX204b":             "[]",
		"what does the R2-K9 key do": "[R2-K9]",
		"what does the R2-K8 key do": "[]",
		"COVID-19 key":               "[]",
		"12-month key":               "[]",
		"R2-K9钥匙":                    "[R2-K9 钥匙]",
	} {
		if got := fmt.Sprint(UnknownWords(question, func(term string) bool { return has[term] })); got != want {
			t.Errorf("of %q nowhere is %s, want %s", question, got, want)
		}
	}
}

// TestAmount: a word counts what a Chinese word of two characters does, and what says
// nothing does not count.
func TestAmount(t *testing.T) {
	for question, want := range map[string]int{"what is asthma": 2, "哮喘怎么治疗": 4, "was ist mit der Zelle": 2, "": 0} {
		if got := ContentHalfWords(question); got != want {
			t.Errorf("%q asks for %d, want %d", question, got, want)
		}
	}
}

// TestFragmentsAreNotUnknown: no fragment of a name or of a word before a verb is named as being nowhere, nor a
// word that asks for an edition.
func TestFragmentsAreNotUnknown(t *testing.T) {
	nothing := func(string) bool { return false }
	for question, want := range map[string]string{
		"李如意葬在哪里":                   "[李如意]",
		"张可心的电话":                    "[张可心]",
		"李雷住在哪里":                    "[李雷]",
		"asthma guideline latest":   "[asthma guideline]",
		"最新哮喘指南":                    "[哮喘]",
		"aktuelle Leitlinie Asthma": "[Leitlinie Asthma]",
	} {
		if got := fmt.Sprint(UnknownWords(question, nothing)); got != want {
			t.Errorf("unknown in %q: %s, want %s", question, got, want)
		}
	}
}

// TestNamesOfQuestions: what stands beside a name, or is a compound with a common last part, is no second name.
func TestNamesOfQuestions(t *testing.T) {
	for question, want := range map[string]string{
		"Amlodipine besylate starting dose":                "[[amlodipin]]",
		"Anfangsdosis Halvorin bei Nierenfunktionsstörung": "[[halvorin]]",
		"Lagerungstemperatur von Torsivan":                 "[[torsivan]]",
		"李如意的电话":                                           "[[李如 如意]]",
		"盐如何保存":                                            "[]",
	} {
		if got := fmt.Sprint(NewQuestion(question).PossibleNames); got != want {
			t.Errorf("the names in %q are %s, want %s", question, got, want)
		}
	}
}
