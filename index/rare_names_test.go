package index

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/notice"
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

// TestNamesAlike: where there is only a longer or similar name, the note that the one asked for is nowhere comes
// first; where it is there, none does.
func TestNamesAlike(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{
		"泼尼松龙.md": "# 泼尼松龙\n\n泼尼松龙片，每次5毫克，每日两次，饭后服用。", "长春新碱.md": "# 长春新碱\n\n长春新碱，每次2毫克，每周一次。",
		"头孢克肟.md":  "# 头孢克肟\n\n头孢克肟片，每次100毫克，每日两次。",
		"rooms.md": "# Rooms\n\nRoom 101 has a projector; ask the porter for the key. Room 204B has none.", "permits.md": "# Permits\n\nType 10 vehicles need a permit; type 2 vehicles need none.",
	}).Dir)
	mustSync(t, ix, sync.Scope{})
	for question, missing := range map[string]string{
		"泼尼松剂量": "泼尼松", "长春碱剂量": "长春碱", "头孢克洛 dose": "头孢克洛", "projector in Room 101B": "Room 101B", "Type 1 permit": "Type 1",
		"泼尼松龙剂量": "", "长春新碱剂量": "", "头孢克肟 dose": "", "projector in Room 101": "", "Type 10 permit": "", "room 204B": "",
	} {
		a := mustSearch(t, ix, Query{Text: question})
		var words []string
		for _, n := range a.Notes {
			if n.Kind == notice.QuestionSubjectNotFound {
				words = append(words, n.Words...)
			}
		}
		if got := strings.Join(words, ", "); got != missing || len(a.Passages) == 0 {
			t.Errorf("%s: nowhere is said to be %q, want %q: %v", question, got, missing, a.Notes)
		}
	}
}

// TestNamesOfCommonWords: the card of a person whose name is a common word comes before notes with the
// other words of the question.
func TestNamesOfCommonWords(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"phones.md":    "# Telephones\n\nThe telephone number of the desk is 7000. You will mark each call in the telephone book; you may call after ten. Telephone numbers change in May.",
		"telephone.md": "# Telephone list\n\nA telephone number will be given to each room. The telephone number may be long.",
	}
	for i, name := range []string{"Will", "Mark", "May", "Grace Long"} {
		files[fmt.Sprintf("card%d.md", i)] = "# Staff card\n\n" + name + ": telephone 7001, room 12. Works in the north wing since 2019.\n"
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	for question, want := range map[string]string{
		"telephone number of Will": "card0.md", "what is Will's telephone number": "card0.md", "Mark's telephone number": "card1.md", "telephone number of May": "card2.md",
		"telephone number of Grace Long": "card3.md", "do telephone numbers change in May": "phones.md",
	} {
		if got := mustSearch(t, ix, Query{Text: question}).Passages[0].Path; got != want {
			t.Errorf("%s: %s is first, want %s", question, got, want)
		}
	}
}

// TestOtherSubjectsBesideName: of a question with one name and other subjects, the notes called by these
// are shown after that with the name.
func TestOtherSubjectsBesideName(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{
		"axolotl.md":  "# Axolotl\n\n" + strings.Repeat("The axolotl lives in fresh water at 16 degrees, and breathes through feathery gills all its life. Its tank has no gravel, because the axolotl swallows stones. ", 3),
		"salt.md":     "# Salt\n\nSalt raises blood pressure in many people; less than 5 g of salt a day is advised. Bread holds much of the salt that people eat, and so do cheese and sausages.",
		"pressure.md": "# Pressure\n\nThe pressure of the blood is measured sitting, after five minutes of rest, on both arms. The cuff must fit the arm.", "travel.md": "# Travel\n\nThe train leaves at seven. Its pressure gauge is new.",
	}).Dir)
	mustSync(t, ix, sync.Scope{})
	var got []string
	for _, p := range mustSearch(t, ix, Query{Text: "axolotl, salt and travel"}).Passages {
		got = append(got, p.Path)
	}
	if want := "axolotl.md travel.md salt.md"; strings.Join(got, " ") != want {
		t.Errorf("shown are %q, want %s", got, want)
	}
}

// TestBriefLineOfEachName: a brief answer to a question with two names has a line for each, also where
// both are in one list.
func TestBriefLineOfEachName(t *testing.T) {
	t.Parallel()
	var list strings.Builder
	list.WriteString("# Doses\n\n")
	for i, name := range []string{"Velbutrine", "Torsivan", "Halvorin", "Amoxaline", "Xantril"} {
		fmt.Fprintf(&list, "- %s: maximum dose %d mg\n", name, 10*i+15)
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{"list.md": list.String(), "visit.md": "# Visits\n\nThe dose is written on the chart."}).Dir)
	mustSync(t, ix, sync.Scope{})
	shown := ""
	for _, p := range mustSearch(t, ix, Query{Text: "max dose of velbutrine and Amoxaline", SingleLines: true}).Passages {
		shown += p.Text + "\n"
	}
	for _, want := range []string{"Velbutrine: maximum dose 15 mg", "Amoxaline: maximum dose 45 mg"} {
		if strings.Count(shown, want) != 1 {
			t.Errorf("%q is not shown once:\n%s", want, shown)
		}
	}
	if strings.Contains(shown, "Torsivan") {
		t.Errorf("a line that was not asked for is shown:\n%s", shown)
	}
}
