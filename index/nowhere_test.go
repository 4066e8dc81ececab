package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync"
	"vademecum/internal/base/message"
)

// nowhereNotes returns the words that an answer says are nowhere.
func nowhereNotes(a Answer) string {
	var words []string
	for _, n := range a.Notes {
		if n.Kind == notice.UnknownWords || n.Kind == notice.QuestionSubjectNotFound {
			words = append(words, n.Words...)
		}
	}
	return strings.Join(words, " ")
}

// TestNowhereIsTrue: what another document has than those of a filter, or than the best hundred, is not said to
// be nowhere, nor a dose that is written with its unit.
func TestNowhereIsTrue(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{
		"a/1.md": "# 泼尼松龙\n\n泼尼松龙片剂量，每次5毫克。\n", "b/2.md": "# 泼尼松\n\n泼尼松片剂量，每次10毫克。\n",
		"c/3.md": "# Amlodipine\n\nAmlodipine 10mg daily; in the elderly 5mg are enough.\n\nThe notice after 14 days ends the offer.\n",
		"c/4.md": "# Intake\n\nFrom 1500–3000 mg are safe for adults.\n\nif a && b\n",
	}).Dir)
	mustSync(t, ix, sync.Scope{})
	for _, q := range []Query{
		{Text: "泼尼松剂量", Filter: Filter{Path: "a/**"}}, {Text: "泼尼松剂量"}, {Text: "is Amlodipine 5 mg enough in the elderly"},
		{Text: "After 30 days the offer ends"}, {Text: "is 1500-3000 mg safe for adults"}, {Text: "&&"},
	} {
		a := mustSearch(t, ix, q)
		if got := nowhereNotes(a); got != "" {
			t.Errorf("%q: nowhere %s", q.Text, got)
		}
		if len(a.Passages) == 0 {
			t.Errorf("%q: nothing", q.Text)
		}
	}
	if got := nowhereNotes(mustSearch(t, ix, Query{Text: "泼尼龙松剂量"})); got == "" {
		t.Error("nothing is nowhere")
	}
}

// TestNameBehindOthersAlike: a name of one document is not nowhere because many have one that is alike.
func TestNameBehindOthersAlike(t *testing.T) {
	t.Parallel()
	files := map[string]string{"z.md": "# 病历\n\n" + strings.Repeat("病人今天上午散步，下午休息，晚上听广播。", 20) + "停用泼尼松。" + strings.Repeat("护士记录体温和血压，家属送来水果。", 20) + "\n"}
	for i := range 130 {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("# 泼尼松龙 %d\n\n泼尼松龙剂量：%d号病人每次%d毫克。\n", i, i, i+3)
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	if got := nowhereNotes(mustSearch(t, ix, Query{Text: "泼尼松剂量"})); got != "" {
		t.Errorf("nowhere: %s", got)
	}
}

// TestFoldedPathIsNoDeeperOne: a path in the other Chinese writing is not said to match only deeper in a path.
func TestFoldedPathIsNoDeeperOne(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{"人物/陳玄禮.md": "他住在長安。\n"}).Dir)
	mustSync(t, ix, sync.Scope{})
	for _, n := range mustSearch(t, ix, Query{Text: "长安", Filter: Filter{Path: "人物/陈*"}}).Notes {
		if n.Kind == notice.PathMatchedDeeper {
			t.Errorf("note: %v", n.Message())
		}
	}
}

// TestNamesKeepToPage: lines of names are no more than what is wanted of a page.
func TestNamesKeepToPage(t *testing.T) {
	t.Parallel()
	names := strings.Fields("zorbadil velbutrine amoxaline quintarol fexibrate drolanide pyrexone kolvarin tremadol-x ostavin")
	var table strings.Builder
	for _, name := range names {
		fmt.Fprintf(&table, "The drug %s is given at %d o'clock by the nurse, who writes it on the chart of the ward.\n\n", name, len(name))
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{"a.md": "# Drugs\n\n" + table.String()}).Dir)
	mustSync(t, ix, sync.Scope{})
	if a := mustSearch(t, ix, Query{Text: strings.Join(names, " "), SingleLines: true, TopK: 2}); len(a.Passages) > 2 {
		t.Errorf("%d passages", len(a.Passages))
	}
}

// TestRespelledNameIsAnother: a name that only looks like one without umlauts is said to be nowhere, with the
// name that was taken for it.
func TestRespelledNameIsAnother(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{
		"team.md": "# Michal\n\nMichal leads the warehouse in Gdansk. His phone extension is 4471.\n\n# Joanna\n\nJoanna leads accounts. Her phone extension is 4480.\n",
		"alt.md":  "# Störung\n\nBei Störungen der Pumpe ist Herr Müller zu rufen, oder Sørensen. Die Größe des Tanks ist 400 Liter.\n",
		"ada.md":  "# Raeder\n\nAda Raeder keeps the boats.\n",
	}).Dir)
	mustSync(t, ix, sync.Scope{})
	for question, want := range map[string]string{
		"What is Michael's phone extension?": "Michael (Michal)",
		"Does Michael lead the warehouse?":   "Michael (Michal)",
		"Who is Ada Rader?":                  "Rader ()",
		"Stoerung der Pumpe":                 "", "Herr Mueller": "", "Groesse des Tanks": "", "Soerensen": "", "Who is Ada Raeder?": "",
	} {
		got := ""
		for _, n := range mustSearch(t, ix, Query{Text: question}).Notes {
			if n.Kind == notice.UnknownWords || n.Kind == notice.QuestionSubjectNotFound {
				got = fmt.Sprintf("%s (%v)", strings.Join(n.Words, " "), message.Join(n.Details...))
			}
		}
		if got != want {
			t.Errorf("%q: nowhere %s, want %s", question, got, want)
		}
	}
}

// TestDoseNowhere: a dose of which texts have only others is said to be nowhere, but is not the subject of the
// question, and one that is there in another unit is not.
func TestDoseNowhere(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{
		"ibex.md":  "# Ibex\n\nIbex tablets come in 20 mg and 40 mg. The tablets are white.\n\n# Kudu\n\nKudu tablets come in 150 mg.\n",
		"visit.md": "# Visitors\n\nStaff and 30 visitors came.\n", "boat.md": "# Boats\n\nThe boats are red.\n",
	}).Dir)
	mustSync(t, ix, sync.Scope{})
	for question, want := range map[string]string{
		"Are there Ibex tablets of 30 mg?": "30 mg", "Ibex tablets of 20 mg": "", "Kudu tablets of 0.15 g": "",
	} {
		a := mustSearch(t, ix, Query{Text: question})
		if got := nowhereNotes(a); got != want {
			t.Errorf("%q: nowhere %s, want %s", question, got, want)
		}
		for _, n := range a.Notes {
			if n.Kind == notice.QuestionSubjectNotFound {
				t.Errorf("%q: %v", question, n.Message())
			}
		}
	}
}

// TestNumberInOtherForm: a number that is written with a word, a version that goes on and a day without its year are
// not said to be nowhere without a word.
func TestNumberInOtherForm(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{
		"n.md": "# Meeting\n\nOn 14 March the board met at 9:02 and closed the shop.\n\n# Revenue\n\nThe revenue was 1.3 million euro.\n\n# 工厂\n\n工厂投资130万元。\n\n# Audit\n\nThe audit was on 5 June 2025.\n",
		"p.md": "# Runtimes\n\nOur servers run Python 3.12.1 since March.\n",
	}).Dir)
	mustSync(t, ix, sync.Scope{})
	for question, want := range map[string]string{
		"revenue of 1,300,000 euro": "", "revenue 1300000": "", "投资1300000元": "", "revenue of 1,400,000 euro": "nothing of it 1,400,000 euro ()",
		"What happened on 14 March 2026?": "unknown words 14 March 2026 (14 March)", "board met 14 March 2025": "unknown words 14 March 2025 (14 March)",
		"the audit on 5 June 2024": "nothing of it 5 June 2024 ()", "Which servers run Python 3.12?": "unknown words 3.12 (3.12.1)", "Which servers run Python 3.13?": "unknown words 3.13 ()",
	} {
		got := ""
		for _, n := range mustSearch(t, ix, Query{Text: question}).Notes {
			if n.Kind == notice.UnknownWords || n.Kind == notice.QuestionSubjectNotFound {
				got = fmt.Sprintf("%s %s (%v)", n.Kind, strings.Join(n.Words, " "), message.Join(n.Details...))
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", question, got, want)
		}
	}
}

// TestQuestionNamesNothing: a question that has only function words is told so, in place of the advice for questions
// of which little was found.
func TestQuestionNamesNothing(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{
		"a.md": "# Boats\n\nWhat the boat house is for: it is about the boats.\n", "b.md": "# 船\n\n船是什么？船停在港口。\n",
	}).Dir)
	mustSync(t, ix, sync.Scope{})
	for question, want := range map[string]bool{"what is it about?": true, "是什么": true, "What is the boat about?": false, "船是什么": false, "What is IT?": false, "Who is Will?": false, "&&": false, "§ 5": false} {
		a := mustSearch(t, ix, Query{Text: question})
		got := slices.ContainsFunc(a.Notes, func(n notice.Note) bool { return n.Kind == notice.QuestionNamesNothing })
		if got != want || want && a.HasLowCoverage {
			t.Errorf("%q: %v, %v", question, a.Notes, a.HasLowCoverage)
		}
	}
	a := mustSearch(t, ix, Query{Text: "what is it about?", OtherWordings: []string{"purpose of the boat house"}})
	if len(a.Notes) > 0 {
		t.Errorf("another wording names the subject: %v", a.Notes)
	}
}
