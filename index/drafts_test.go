package index

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync"
)

// answered is a question, of whose answer the paths are wanted.
type answered struct{ question, want string }

// answers reports questions about files that are not answered by the wanted paths, best first, each with
// the places of the whole and of a part of its text.
func answers(t *testing.T, files map[string]string, questions ...answered) {
	t.Helper()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	for _, q := range questions {
		var got []string
		for _, p := range mustSearch(t, ix, Query{Text: q.question, TopK: 5}).Passages {
			one := p.Path
			if same := notice.SameTextElsewhere(p.Copies, p.MoreCopies).String(); same != "" {
				one += " = " + same
			}
			if part := notice.SameTextElsewhere(p.SimilarPlaces, p.MoreSimilarPlaces).String(); part != "" {
				one += " ~ " + part
			}
			got = append(got, one)
		}
		if got := strings.Join(got, " | "); got != q.want {
			t.Errorf("%q is answered by\n%s, want\n%s", q.question, got, q.want)
		}
	}
}

// TestSameTextHasEachDose: a file that has the introduction and another dose is none with the same text,
// whatever was joined, and has a place of its own.
func TestSameTextHasEachDose(t *testing.T) {
	t.Parallel()
	protocol := func(daily string) string {
		return "# Enoxaparin on the ward\n\nEnoxaparin is given under the skin of the abdomen. It is used to prevent thrombosis after operations and to treat thrombosis of the deep veins. " +
			"Before the first injection the platelets are measured, and the weight of the patient is written on the chart. The injection is given in the evening, never into a muscle, and the site is changed each day. " +
			"The air bubble in the syringe stays where it is, because it makes sure that the whole content is injected.\n\n" +
			"## Dose of enoxaparin\n\nThe dose of enoxaparin for prevention is " + daily + " mg once daily, under the skin, begun twelve hours before the operation and given for seven to ten days. " +
			"Nurses write each dose with the time on the chart and tell the doctor of each haematoma that is larger than the palm of a hand. After hip replacement the injections go on for five weeks at home.\n"
	}
	chinese := func(daily string) string {
		return "# 依诺肝素病房用药规范\n\n依诺肝素是一种低分子肝素，腹壁皮下注射，用于预防术后血栓形成以及治疗深静脉血栓。首次注射前须测定血小板和肌酐，并把患者体重记录在病历上。" +
			"注射在晚间进行，不得肌内注射，每天更换注射部位。注射器内的气泡不必排出，以保证药液全部注入。护士应每日观察注射部位有无血肿、瘀斑，发现异常及时记录并汇报。\n\n" +
			"## 依诺肝素的剂量\n\n预防用依诺肝素的剂量为每日一次皮下注射" + daily + "毫克，术前十二小时开始，连续七至十天。护士须将每次给药的剂量和时间记录在病历上，血肿超过手掌大小时须报告医生。" +
			"髋关节置换术后出院在家继续注射五周，由患者本人或家属注射，事先由护士示范讲解。\n"
	}
	answers(t, map[string]string{"a.md": protocol("40"), "b.md": protocol("60")},
		answered{"what is the dose of enoxaparin to prevent thrombosis", "a.md ~ b.md, lines 1-3 | b.md"},
		answered{"air bubble in the syringe", "a.md = b.md, lines 1-3"})
	answers(t, map[string]string{"a.md": chinese("40"), "b.md": chinese("60")},
		answered{"依诺肝素预防血栓的剂量是多少", "a.md ~ b.md, lines 1-3 | b.md"},
		answered{"注射器内的气泡", "a.md = b.md, lines 1-3 | a.md | b.md"})
	answers(t, map[string]string{"a.md": protocol("40"), "b.md": protocol("40")},
		answered{"what is the dose of enoxaparin to prevent thrombosis", "a.md = b.md, lines 1-7"})
}

// TestPartIsOfWhatIsShown: a passage of which another has everything is named only where that is shown.
func TestPartIsOfWhatIsShown(t *testing.T) {
	t.Parallel()
	const monitoring = "Under vancomycin the creatinine is measured every second day, and the hearing is asked about by the nurse in the morning. The line is flushed before and after, and the chart is signed by both. " +
		"Redness of the face and chest means that the infusion ran too fast, so it is stopped for an hour and goes on at half the rate. Veins that hurt are a reason to change the site, and fever that stays is one to take further cultures.\n\n"
	answers(t, map[string]string{
		"best.md":  "# Loading dose of vancomycin\n\nThe loading dose of vancomycin is 25 mg per kg, at most 3 g.\n",
		"whole.md": monitoring + "Relatives are told at what hours they may come, and where they find the kitchen and the telephone.\n\nIn dialysis the loading dose of vancomycin is written by the nephrologist, who also says when the next one is due.\n",
		"part.md":  monitoring,
	},
		answered{"loading dose of vancomycin in dialysis", "best.md | whole.md"},
		answered{"hearing and redness under vancomycin", "whole.md ~ part.md, line 1 | best.md"})
}

// TestPageBeforeItsDraft: of a page and its draft, which say the same or nearly, the page is first, whatever
// the draft is called and wherever it lies, unless the question names the draft.
func TestPageBeforeItsDraft(t *testing.T) {
	t.Parallel()
	note := func(grams string) string {
		return "# Sepsis\n\nGive ceftriaxone " + grams + " g within sixty minutes of arrival, after blood cultures were taken, and fluids of 30 ml per kg over the first three hours.\n"
	}
	chinese := func(grams string) string {
		return "# 脓毒症\n\n到院六十分钟内给头孢曲松" + grams + "克，先抽血培养，前三小时补液每公斤30毫升，并测乳酸。\n"
	}
	for draft, page := range map[string]string{
		"drafts/sepsis.md":          "sepsis.md",
		"archive/2023/sepsis.md":    "ward/guides/internal/sepsis.md",
		"backup/a/sepsis.md":        "x/ward/sepsis.md",
		"sepsis (draft).md":         "sepsis.md",
		"sepsis - Copy (2).md":      "sepsis.md",
		"old sepsis.md":             "sepsis.md",
		"sepsis-bak-2023.md":        "sepsis.md",
		"copies/Guide of sepsis.md": "guides/Guide of sepsis.md",
	} {
		answers(t, map[string]string{draft: note("1"), page: note("2")}, answered{"how much ceftriaxone in sepsis", page + " | " + draft})
		answers(t, map[string]string{draft: note("2"), page: note("2")}, answered{"how much ceftriaxone in sepsis", page + " = " + draft + ", lines 1-3"})
	}
	for draft, page := range map[string]string{
		"草稿/脓毒症.md":   "脓毒症.md",
		"归档/脓毒症.md":   "科室/指南/脓毒症.md",
		"脓毒症（旧版）.md":  "脓毒症.md",
		"脓毒症 副本.md":   "脓毒症.md",
		"备份/脓毒症草稿.md": "指南/脓毒症.md",
	} {
		answers(t, map[string]string{draft: chinese("1"), page: chinese("2")}, answered{"脓毒症给头孢曲松多少", page + " | " + draft})
		answers(t, map[string]string{draft: chinese("2"), page: chinese("2")}, answered{"脓毒症给头孢曲松多少", page + " = " + draft + ", lines 1-3"})
	}
	answers(t, map[string]string{"drafts/sepsis.md": note("2"), "sepsis.md": note("2")},
		answered{"draft on ceftriaxone in sepsis", "drafts/sepsis.md = sepsis.md, lines 1-3"})
}

// TestLettersKeepTheirOrder: names of drafts that are not those of one text say nothing of letters from a
// template.
func TestLettersKeepTheirOrder(t *testing.T) {
	t.Parallel()
	letter := func(name, milligrams string) string {
		return fmt.Sprintf("# %s\n\n%s was seen on the ward for heart failure, and takes metoprolol %s mg in the morning and nothing else until we meet again in three months.\n", name, name, milligrams)
	}
	answers(t, map[string]string{"keller old.md": letter("Keller", "50"), "meier.md": letter("Meier", "25")},
		answered{"metoprolol for Keller", "keller old.md | meier.md"})
}

// TestDraftsLeavePlaces: of a page and its drafts and copies, which differ in each passage, the page has the
// passages that it would have alone, and its drafts have those that are left, unless one says what the page
// does not.
func TestDraftsLeavePlaces(t *testing.T) {
	t.Parallel()
	page := func(dose, rate, weeks string) string {
		const between = "## %s\n\nKetoconazole, clarithromycin and grapefruit juice are avoided with it, which %s tells the patient, and the chart is signed by both before the end of the visit on the ward, as each of them knows.\n\n"
		return "# Halvorin guideline\n\nHalvorin lowers the resting heart rate in chronic angina, and after " + weeks + " weeks the practitioner continues what the cardiologist has begun.\n\n" +
			"## Starting Halvorin\n\nStart with " + dose + " mg twice daily with meals. Patients over seventy-five start with half of it. The tablets may be split, and are kept in the dark.\n\n" + fmt.Sprintf(between, "Interactions", "the pharmacist") +
			"## Stopping Halvorin\n\nStop Halvorin when the rate stays under " + rate + " per minute, or when atrial fibrillation appears. There is no withdrawal effect, and nothing to wait for.\n\n" + fmt.Sprintf(between, "Food", "the dietician") +
			"## Visits under Halvorin\n\nSee the patient after " + weeks + " weeks, after three months, and then once a year with an electrocardiogram, when the pulse is counted for a minute.\n"
	}
	const own = "\n## Halvorin in dialysis\n\nDuring dialysis Halvorin is given after the session, never before it, because the membrane takes up most of it within an hour.\n"
	for _, drafts := range [][]string{
		{"drafts/halvorin.md"},
		{"halvorin_old.md", "halvorin (1).md"},
		{"Halvorin - Kopie.md", "Copy of halvorin.md", "archive/halvorin.md"},
		{"halvorin的副本.md", "旧版/halvorin.md"},
	} {
		files := map[string]string{"halvorin.md": page("5", "50", "two"), "torsivan.md": "# Torsivan\n\nHalvorin is not given with Torsivan.\n"}
		for i, d := range drafts {
			files[d] = page(fmt.Sprint(6+i), fmt.Sprint(41+i), []string{"four", "six", "nine"}[i])
		}
		files[drafts[0]] += own
		ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
		mustSync(t, ix, sync.Scope{})
		var shown, got string
		for _, p := range mustSearch(t, ix, Query{Text: "Halvorin: starting, stopping, visits", TopK: 5}).Passages {
			got += fmt.Sprintf(" %s:%d", p.Path, p.StartLine)
			if p.Path == "halvorin.md" {
				shown += p.Text
			}
		}
		for _, part := range []string{"Start with 5 mg", "under 50 per minute", "after two weeks, after"} {
			if !strings.Contains(shown, part) {
				t.Errorf("beside %q the page does not show %q:%s", drafts, part, got)
			}
		}
		if p := mustSearch(t, ix, Query{Text: "Halvorin in dialysis", TopK: 5}).Passages[0]; p.Path != drafts[0] || !strings.Contains(p.Text, "membrane") {
			t.Errorf("what only %s says is answered by %s: %s", drafts[0], p.Path, p.Text)
		}
	}
}

// TestPageBeforeDraftThatAnswersBetter: a page is before its draft even if a section of the draft has more words
// of the question, and both are shown, but not where only the draft says what is asked, or where another text
// has such a name.
func TestPageBeforeDraftThatAnswersBetter(t *testing.T) {
	t.Parallel()
	const page = "# Evacuation plan\n\nThe building is left by the north stairs. Everybody meets on car park B, and the warden counts heads with the list from reception.\n\n" +
		"## Alarm\n\nThe alarm is tested each Monday at nine. The lift is never used in an alarm.\n\n## Contacts\n\nThe warden of the second floor is Ms Lindqvist, extension 4411. Her deputy is in the lab.\n"
	draft := strings.NewReplacer("## Alarm\n\nThe alarm is tested each Monday at nine.", "## Alarm: evacuation alarm test\n\nThe evacuation alarm is tested each Friday at ten; the evacuation alarm test takes five minutes.", "4411", "4422").Replace(page) +
		"\n## Drill\n\nA drill for visitors with wheelchairs is held in spring.\n"
	other := "# Evacuation of wells\n\nGroundwater is pumped until the level is two metres below the pipe. The evacuation alarm test of the pump takes an hour.\n"
	const canteen = "# Canteen\n\nThe canteen is open from eleven to two. The menu is on the wall beside the alarm.\n"
	for _, name := range []string{"plan-draft.md", "plan (copy).md", "Kopie von plan.md", "drafts/plan.md", "plan_old.md", "草稿/plan.md"} {
		files := map[string]string{"plan.md": page, name: draft, "canteen.md": canteen}
		ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
		mustSync(t, ix, sync.Scope{})
		for question, want := range map[string]string{
			"evacuation alarm test":     "plan.md:5 " + name + ":5",
			"second floor extension":    "plan.md:9 " + name + ":9",
			"drill with wheelchairs":    name + ":13",
			"alarm of the floor warden": "",
		} {
			var got []string
			for _, p := range mustSearch(t, ix, Query{Text: question}).Passages {
				got = append(got, fmt.Sprintf("%s:%d", p.Path, p.StartLine))
			}
			if all := strings.Join(got, " "); !strings.HasPrefix(all, want) || want == "" && !strings.HasPrefix(all, "plan.md") {
				t.Errorf("beside %s, %q is answered by %s, want %s first", name, question, all, want)
			}
		}
		answers(t, map[string]string{"plan.md": page, name: other, "canteen.md": canteen}, answered{"evacuation alarm test of the pump", name + " | plan.md | canteen.md"})
	}
}

// TestEachDoseOnFirstPage: what copies of a page say otherwise stands beside it, before other passages of the
// copies.
func TestEachDoseOnFirstPage(t *testing.T) {
	t.Parallel()
	note := func(dose, degrees string) string {
		return "# Velprazole\n\n## Dosing\n\nAdults take " + dose + " of velprazole once daily before breakfast. The course lasts four weeks.\n\n" +
			"## Warnings\n\nDo not combine with methotrexate. Check magnesium every six months.\n\n## Storage\n\nKeep velprazole below " + degrees + " degrees.\n"
	}
	for _, otherDose := range []string{"60 mg", "20 g", "no 20 mg"} {
		files := map[string]string{
			"velprazole.md": note("20 mg", "25"), "Copy of velprazole.md": note("20 mg", "25"), "velprazole (1).md": note(otherDose, "25"),
			"drafts/velprazole.md": note("40 mg", "30"), "archive/velprazole_old.md": note("80 mg", "25"), "policy.md": "# Policy\n\nDoses are signed.\n",
		}
		ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
		mustSync(t, ix, sync.Scope{})
		passages := mustSearch(t, ix, Query{Text: "dose of velprazole"}).Passages
		shown := ""
		for _, p := range passages {
			shown += p.Text
		}
		if passages[0].Path != "velprazole.md" {
			t.Errorf("the first is %s", passages[0].Path)
		}
		for _, dose := range []string{"take 20 mg", "take " + otherDose, "take 40 mg", "take 80 mg"} {
			if !strings.Contains(shown, dose) {
				t.Errorf("%s is not on the first page:\n%s", dose, shown)
			}
		}
	}
}

// TestFarPageOfManyDocuments: a page beyond the candidates that are compared with drafts is empty or has others.
func TestFarPageOfManyDocuments(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 130 {
		files[fmt.Sprintf("memo%d.md", i)] = fmt.Sprintf("# Memo %d\n\nThe alarm of house %d rang at %d.\n", i, i, i)
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	if got := mustSearch(t, ix, Query{Text: "alarm of the house", TopK: 20, Page: 5}).Passages; len(got) == 0 {
		t.Error("page 6 of 130 notes is empty")
	}
}

// TestNewestVersionFirst: of short texts for three versions, of which one number differs, the newest answers first.
func TestNewestVersionFirst(t *testing.T) {
	t.Parallel()
	policy := func(rate, meal string) string {
		return "# Travel policy\n\n## Mileage\n\nThe allowance for a private car is " + rate + " EUR per kilometre.\n\n## Hotels\n\nUp to 120 EUR a night. Breakfast is " + meal + ".\n"
	}
	files := map[string]string{"Travel policy v1.0.md": policy("0.25", "reimbursed"), "Travel policy v2.0.md": policy("0.30", "reimbursed"), "Travel policy v2.1.md": policy("0.38", "not reimbursed")}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	passages := mustSearch(t, ix, Query{Text: "what is the current mileage allowance"}).Passages
	if len(passages) == 0 || passages[0].Path != "Travel policy v2.1.md" {
		t.Errorf("the first of %d passages is not of the newest version: %v", len(passages), passages)
	}
}
