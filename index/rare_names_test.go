package index

import (
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// doseNotes has three things that stand in one note each, among notes with the words with which people ask
// for doses.
var doseNotes = map[string]string{
	"halvorin.md":   "# Halvorin\n\nStart with 5 mg twice daily with meals. Stop it when the heart rate stays under 50.",
	"letter.md":     "# Letter\n\nWe changed the evening tablet to Xantril 20 mg at bedtime. Please see him in six weeks.",
	"药箱.md":         "# 家庭药箱\n\n退热止痛：布洛芬混悬液，按体重每公斤5到10，隔6小时，24小时里不超过4回。",
	"别嘌醇.md":        "# 别嘌醇\n\n起始剂量每次100毫克，一天一次，最大剂量每日600毫克，分两次服用。",
	"秋水仙碱.md":       "# 秋水仙碱\n\n一次剂量0.5毫克，每日两次，起始剂量可为1毫克。最常见的副作用是腹泻。",
	"换算.md":         "# 换算\n\n1克等于1000毫克。一次多少毫克、一天几次，以说明书为准。起始剂量宜小。",
	"colchicine.md": "# Colchicine\n\nStarting dose: 0.5 mg per day. Usual dose: 0.5 mg twice per day. Side effects: diarrhoea.",
	"penicillin.md": "# Penicillin\n\nDose: 500 mg four times per day for 10 days. The starting dose is the same.",
	"prednisone.md": "# Prednisone\n\nStarting dose 40 mg per day; how many mg per day later depends on the disease.",
}

// TestOneRareThing: a question about a thing that one note has finds this note, not those with its other
// words.
func TestOneRareThing(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, doseNotes).Dir)
	mustSync(t, ix, sync.Scope{})
	for question, want := range map[string]string{
		"Halvorin 起始剂量":                                                           "halvorin.md",
		"Halvorin 一次多少毫克":                                                         "halvorin.md",
		"starting dose of Halvorin in mg per day":                                 "halvorin.md",
		"Xantril starting dose how many mg per day":                               "letter.md",
		"Xantril 起始剂量多少毫克":                                                        "letter.md",
		"starting dose of Halvorin in mg per day? Can Halvorin be taken per day?": "halvorin.md",
		"布洛芬 dose":                                                                "药箱.md",
		"布洛芬一次多少毫克":                                                               "药箱.md",
		"布洛芬 maximum dose per day":                                                "药箱.md",
		"how many mg per day is the starting dose":                                "prednisone.md", // of nothing: as before
	} {
		a := mustSearch(t, ix, Query{Text: question})
		if len(a.Passages) == 0 || a.Passages[0].Path != want {
			t.Errorf("%s: found %+v, want %s first", question, a.Passages, want)
		}
		if want == "letter.md" && len(a.Notes) > 0 {
			t.Errorf("%s: has the notes %+v", question, a.Notes)
		}
	}
}
