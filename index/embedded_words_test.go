package index

import (
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// mixedNotes has what the questions of TestEmbeddedWords look for, among notes with the common words
// of these questions.
var mixedNotes = map[string]string{
	"clinic/thyroid.md":         "# Thyroid clinic\n\nMeasure TSH and free T4. Recheck TSH six to eight weeks after each change of the dose.",
	"clinic/discharge.md":       "# Discharge summary\n\nFurosemide 40 mg in the morning. Ramipril was stopped.",
	"clinic/anticoagulation.md": "# Anticoagulation\n\nApixaban: 5 mg twice daily. Warfarin: by the INR, which is measured weekly.",
	"随访/高血压.md":                 "# 高血压随访\n\n达标之后每三个月复诊一次，每年查一次肾功能和眼底。",
	"随访/糖尿病.md":                 "# 糖尿病随访\n\n糖化血红蛋白每三个月查一次，稳定后半年复查一次。",
	"用药/药箱.md":                  "# 家庭药箱\n\n每半年查一次有效期。布洛芬每天吃多少次要看说明书，小儿的剂量按体重计算。",
	"用药/降压药.md":                 "# 降压药\n\n两种药小剂量合用，每天吃一次。夜里血压高的人在睡前吃。",
}

// TestEmbeddedWords: a question in Chinese about one drug or laboratory value finds the document with
// that word, not those with its common words.
func TestEmbeddedWords(t *testing.T) {
	t.Parallel()
	for dir, questions := range map[string]map[string]string{
		indextest.NewNotesFolder(t, mixedNotes).Dir: {
			"TSH 多久复查一次":            "clinic/thyroid.md",
			"INR 多久查一次":             "clinic/anticoagulation.md",
			"apixaban 每天吃几次":        "clinic/anticoagulation.md",
			"furosemide 每天吃多少次":     "clinic/discharge.md",
			"ramipril 每天什么时候吃":      "clinic/discharge.md",
			"糖化血红蛋白多久复查一次":          "随访/糖尿病.md",
			"90 岁的人血压夜里高什么时候吃药":     "用药/降压药.md",
			"how often to check 眼底": "随访/高血压.md",
			"daily dose of 布洛芬":     "用药/药箱.md",
		},
		"../sample_docs": {
			"TSH 多久复查一次":                         "notes/thyroid clinic 甲状腺.md",
			"INR 多久查一次":                          "notes/anticoagulation.md",
			"apixaban 的剂量是多少":                    "notes/anticoagulation.md",
			"furosemide 每天吃多少次":                  "notes/discharge summary.md",
			"methimazole 多久查一次血":                 "notes/thyroid clinic 甲状腺.md",
			"CT 检查前二甲双胍要停吗":                      "糖尿病.txt",
			"支架术后 week 1 复查什么":                   "随访/术后复查.md",
			"how often should 糖化血红蛋白 be checked": "糖尿病.txt",
		},
	} {
		ix := open(t, t.TempDir(), indextest.Builtin(t), dir)
		mustSync(t, ix, sync.Scope{})
		for question, want := range questions {
			passages := mustSearch(t, ix, Query{Text: question}).Passages
			if len(passages) == 0 || passages[0].Path != want {
				var found []string
				for _, p := range passages {
					found = append(found, p.Path)
				}
				t.Errorf("%s: found %q, want %s first", question, found, want)
			}
		}
	}
}
