package index

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/embed"
	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/rank"
	"vademecum/index/sync"
)

// corpus has what the questions of TestRanking look for, among notes that are
// near it.
var corpus = map[string]string{
	"癌症.md":             "# 肺癌的筛查\n\n五十岁以上的吸烟者每年做一次低剂量CT，早期肺癌可以手术。",
	"感冒.md":             "# 感冒\n\n多喝水，多休息，一周左右好转。",
	"大桥.txt":            "这座大桥于2018年10月24日正式通车，全长五十五公里。",
	"公路.txt":            "这条公路仍在修建，车辆须绕行，预计明年完工。",
	"高血压简体.md":          "# 血压控制\n\n高血压患者应当减少钠盐摄入，并按时服药。",
	"繁體筆記.md":           "# 糖尿病飲食\n\n糖尿病患者應當少吃甜食，選擇粗糧，並且監測血糖。",
	"errors.md":         "# Database errors\n\nMongoDB raises E11000 when a unique index is violated. Retry with another key.",
	"errors2.md":        "# Network errors\n\nThe driver raises E10003 when the host is unreachable.",
	"code.md":           "# Fuzzing\n\nThe method `run_target` of DiffExecutor starts the secondary target and compares exit codes.",
	"labs.md":           "# Laboratory values\n\nHbA1c below 7 % is the goal for most adults. Measure it every three months.",
	"beta.md":           "# Heart rate\n\nA β-blocker slows the heart. Start with bisoprolol 2.5 mg in the morning.",
	"phrase.md":         "# Discharge\n\nThe patient was advised to rest in bed and to call when the fever returns.",
	"phrase2.md":        "# Bed\n\nIn the rest of the ward a bed was free; rest is advised to every patient when fever returns, in bed.",
	"asthma.md":         "# Asthma\n\nAn attack of asthma is treated with salbutamol by inhaler.",
	"anaemia.md":        "# Anaemia\n\nIron tablets are taken on an empty stomach.",
	"cafe.md":           "# Réunion au café\n\nLe médecin préfère une discussion brève.",
	"metformin.md":      "# Metformin\n\nMetformin is taken with meals to spare the stomach; stop it before contrast imaging.",
	"体温.txt":            "体温超过38.5度时可以服用退烧药，小儿按体重计算。",
	"gōng.md":           "Τα φάρμακα λαμβάνονται το πρωί.",
	"bedding.md":        "# Deer\n\nDeer rest in bedding of leaves.",
	"coffee.md":         "# 飲み物\n\nコーヒーのデータを毎日記録する。",
	"tea.md":            "# お茶\n\nヒーターの近くに置かない。",
	"thai.md":           "ผู้ป่วยควรวัดความดันโลหิตทุกวันและลดเกลือ",
	"retrieval-note.md": "Nothing about medicine: the garden needs water.",
}

func TestRanking(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, corpus).Dir)
	mustSync(t, ix, sync.Scope{})
	for _, tt := range []struct {
		name, query, want string
		also              []string
	}{
		{name: "one character", query: "癌", want: "癌症.md"},
		{name: "two characters", query: "通车", want: "大桥.txt"},
		{name: "traditional for simplified", query: "高血壓患者的鈉鹽攝入", want: "高血压简体.md"},
		{name: "simplified for traditional", query: "糖尿病患者选择粗粮", want: "繁體筆記.md"},
		{name: "full-width digits", query: "体温超过３８．５度", want: "体温.txt"},
		{name: "full-width letters", query: "ＨｂＡ１ｃ", want: "labs.md"},
		{name: "code", query: "E11000", want: "errors.md"},
		{name: "code in lower case", query: "what does e11000 mean", want: "errors.md"},
		{name: "snake case", query: "run_target", want: "code.md"},
		{name: "snake case in words", query: "how does run target work", want: "code.md"},
		{name: "camel case in words", query: "diff executor", want: "code.md"},
		{name: "camel case", query: "diffExecutor", want: "code.md"},
		{name: "Greek letter by its name", query: "beta blocker", want: "beta.md"},
		{name: "Greek letter", query: "β-blocker", want: "beta.md"},
		{name: "number and unit in one", query: "bisoprolol 2.5mg", want: "beta.md"},
		{name: "quoted phrase", query: `"rest in bed" fever`, want: "phrase.md"},
		{name: "quoted phrase, Chinese marks", query: "「正式通车」 公路", want: "大桥.txt"},
		{name: "misspelt", query: "salbutmol inhaler", want: "asthma.md"},
		{name: "misspelt alone", query: "metfromin", want: "metformin.md"},
		{name: "swapped letters", query: "ashtma", want: "asthma.md"},
		{name: "phrase at the borders of words", query: `"rest in bed"`, want: "phrase.md"},
		{name: "Japanese long vowel", query: "コーヒー", want: "coffee.md"},
		{name: "Thai", query: "ความดันโลหิต", want: "thai.md"},
		{name: "inflected", query: "measuring", want: "labs.md"},
		{name: "accents left out", query: "reunion cafe medecin", want: "cafe.md"},
		{name: "accents put in", query: "anaémia", want: "anaemia.md"},
		{name: "Greek accents and sigma", query: "ΦΑΡΜΑΚΑ ΠΡΩΙ", want: "gōng.md"},
		{name: "by the file's name", query: "retrieval note", want: "retrieval-note.md"},
		{name: "Chinese question, English note", query: "二甲双胍什么时候吃", also: []string{"when to take metformin"}, want: "metformin.md"},
	} {
		a := mustSearch(t, ix, Query{Text: tt.query, OtherWordings: tt.also, TopK: 3})
		if got, _, _ := strings.Cut(found(a), " "); got != tt.want {
			t.Errorf("%s: %q finds %q first, want %s (%q)", tt.name, tt.query, found(a), tt.want, a.Notes)
		}
	}
}

// TestNoDocument: of a folder without documents that is said, not that other wordings may
// find more.
func TestNoDocument(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{"photo.jpg": "\xff\xd8"}).Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "asthma"})
	if got := notice.EnglishLines(a.Notes); len(got) == 0 || !strings.HasPrefix(got[0], "There is no document to search") || a.HasLowCoverage {
		t.Errorf("it is answered with the notes %q, little: %t", got, a.HasLowCoverage)
	}
	ix = open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{"n.pdf": "%PDF-1.4\ncut off", "m.pdf": "%PDF-1.4\ncut off here"}).Dir)
	mustSync(t, ix, sync.Scope{})
	a = mustSearch(t, ix, Query{Text: "asthma"})
	if got := notice.EnglishLines(a.Notes); len(got) == 0 || got[0] != "There is no document to search: there are 2 files, but none is indexed." {
		t.Errorf("of a folder of damaged files it is answered with the notes %q", got)
	}
}

func TestNothingMatches(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, corpus).Dir)
	mustSync(t, ix, sync.Scope{})
	for query, note := range map[string]string{
		"quantum chromodynamics": "Not found anywhere in the documents: quantum, chromodynamics.",
		"量子纠缠":                   "Not found anywhere in the documents: 量子纠缠.",
		"the weather in Berlin":  "Not found anywhere in the documents: weather, Berlin.",
		"asthma in Schrödinger":  "Not found anywhere in the documents: Schrödinger. What follows matches only other words of the question and may be unrelated.",
		"asthma":                 "",
		"how is asthma treated with an inhaler when switched": "",
		"华法林能和什么一起吃，糖尿病患者":                                    "Not found anywhere in the documents: 华法林. What follows matches only other words of the question and may be unrelated.",
		"what is the dose for 1999":                           "Not found anywhere in the documents: 1999, dose.",
	} {
		a := mustSearch(t, ix, Query{Text: query})
		if got := strings.Join(notice.EnglishLines(a.Notes), " "); got != note {
			t.Errorf("%q is answered with the notes %q, want %q", query, got, note)
		}
		if expect := strings.Contains(query, "asthma") || strings.Contains(query, "糖尿病"); expect != (len(a.Passages) > 0) {
			t.Errorf("%q finds %q", query, found(a))
		}
	}
}

func TestNeighboursCopiesAndPlaces(t *testing.T) {
	t.Parallel()
	section := func(topic string, n int) string {
		return fmt.Sprintf("## Part %d on %s\n\n%s\n\n", n, topic, strings.Repeat(fmt.Sprintf("The %s number %d needs care and patience. ", topic, n), 8))
	}
	var long strings.Builder
	for n := range 30 {
		topic := "warfarin"
		if n%3 == 0 {
			topic = "garden"
		}
		long.WriteString(section(topic, n))
	}
	n := indextest.NewNotesFolder(t, map[string]string{
		"long.md":  long.String(),
		"one.md":   "# One\n\nWarfarin and food: keep the vitamin K steady, and tell the clinic of every new medicine that you take.\n",
		"copy.md":  "# One\n\nWarfarin and food: keep the vitamin K steady, and tell the clinic of every new medicine that you take!\n",
		"two.md":   "# Two\n\nWarfarin tablets come in several colours.\n",
		"three.md": "# Three\n\nPatients on warfarin carry a card.\n",
		"gap.md": "# Gap\n\n## A\n\nThe axolotl, the axolotl and the axolotl. " + strings.Repeat("It lives in a lake. ", 7) +
			"\n\n## B\n\nThe axolotl and the axolotl. " + strings.Repeat("It lives in a lake. ", 8) +
			"\n\n## C\n\nThe axolotl, the axolotl and the axolotl. " + strings.Repeat("It lives in a lake. ", 7) + "\n",
		"joined.md": "# Joined\n\n## First\n\nThe zebrafish " + strings.Repeat("swims in clear water every day. ", 8) + "\n\n## Second\n\nThe zebrafish " + strings.Repeat("eats small prey every night. ", 8) + "\n",
	})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})

	a := mustSearch(t, ix, Query{Text: "warfarin", TopK: 6})
	count := make(map[string]int)
	for _, p := range a.Passages {
		count[p.Path]++
	}
	if len(a.Passages) != 6 || count["long.md"] > 3 || count["two.md"] != 1 || count["three.md"] != 1 || count["one.md"]+count["copy.md"] != 1 {
		t.Errorf("places: %v", count)
	}
	for _, p := range a.Passages {
		if isOne := p.Path == "one.md" || p.Path == "copy.md"; isOne && (len(p.Copies) != 1 || !strings.Contains(p.Copies[0].Message().String(), ".md, lines 1-3")) {
			t.Errorf("the copy of %s is told as %q", p.Path, p.Copies)
		}
	}
	if a := mustSearch(t, ix, Query{Text: "warfarin", TopK: 20, Filter: Filter{Path: "long.md"}}); len(a.Passages) < 8 {
		t.Errorf("one document alone has only %d passages", len(a.Passages))
	}

	a = mustSearch(t, ix, Query{Text: "zebrafish", TopK: 5})
	if len(a.Passages) != 1 {
		t.Fatalf("neighbours are not joined: %q", found(a))
	}
	// The one in the middle joins those around it.
	a = mustSearch(t, ix, Query{Text: "axolotl", TopK: 5})
	if len(a.Passages) != 1 || !strings.Contains(a.Passages[0].Text, "## A") || !strings.Contains(a.Passages[0].Text, "## C") {
		t.Errorf("a gap is left open: %d passages", len(a.Passages))
	}

	a = mustSearch(t, ix, Query{Text: "zebrafish", TopK: 5})
	p := a.Passages[0]
	if !strings.Contains(p.Text, "## First") || !strings.Contains(p.Text, "## Second") || strings.Join(p.Heading, ">") != "Joined" {
		t.Errorf("joined passage under %q: %.60s", p.Heading, p.Text)
	}
	if part, err := ix.Read(t.Context(), ReadQuery{Ref: p.URI}); err != nil || part.Text != p.Text {
		t.Errorf("the joined passage does not read back: %v", err)
	}
}

// TestOppositesAreNotTakenForEachOther: many medical words of opposite meaning
// are two letters apart.
func TestOppositesAreNotTakenForEachOther(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "Hypertension is treated with amlodipine.", "b.md": "Hyperthyroidism is treated with carbimazole.", "c.md": "Prednisone is given in the morning."})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, query := range []string{"hypotension", "hypothyroidism"} {
		a := mustSearch(t, ix, Query{Text: query})
		if len(a.Passages) > 0 || strings.Join(notice.EnglishLines(a.Notes), " ") != "Not found anywhere in the documents: "+query+"." {
			t.Errorf("%s finds %q, with the notes %q", query, found(a), a.Notes)
		}
	}
}

// TestTemplatesAreNoCopies: letters from one template differ by the words that
// matter.
func TestTemplatesAreNoCopies(t *testing.T) {
	t.Parallel()
	letter := "# Discharge\n\n" + strings.Repeat("The patient was seen on the ward and left in good health. ", 12) + "Troponin was %s."
	n := indextest.NewNotesFolder(t, map[string]string{"jones.md": fmt.Sprintf(letter, "negative"), "smith.md": fmt.Sprintf(letter, "positive"), "twin.md": fmt.Sprintf(letter, "POSITIVE") + "\n"})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "troponin of the patient"})
	if len(a.Passages) != 2 {
		t.Fatalf("found %q", found(a))
	}
	for _, p := range a.Passages {
		if isCopied := p.Path != "jones.md"; isCopied != (len(p.Copies) == 1) {
			t.Errorf("%s has the copies %q", p.Path, p.Copies)
		}
	}
}

// TestCopiesDoNotCrowdOut: as many passages come as there are different ones,
// however often they were copied, in words or in meaning.
func TestCopiesDoNotCrowdOut(t *testing.T) {
	t.Parallel()
	const copies, topics = 60, 8
	files := make(map[string]string)
	for i := range copies {
		for topic := range topics {
			text := fmt.Sprintf("# Warfarin, part %d\n\nWarfarin and food, warfarin and drink, warfarin and number %d of the list.\n", topic, topic)
			if i%3 == 1 {
				text = strings.ReplaceAll(strings.ToUpper(text), ",", ";  ")
			}
			files[fmt.Sprintf("backup %02d/%d.md", i, topic)] = text
		}
	}
	files["card.md"] = "# Card\n\nWho takes a thinner carries a card on which stands when it was begun, and whether it is warfarin."
	n := indextest.NewNotesFolder(t, files)
	for _, e := range []embed.Embedder{indextest.Builtin(t), indextest.NewCountingModel(t)} {
		model, ix := e.ModelIdentity(), open(t, t.TempDir(), e, n.Dir)
		mustSync(t, ix, sync.Scope{})
		for _, also := range [][]string{nil, {"drink and food", "the list of warfarin"}} {
			a := mustSearch(t, ix, Query{Text: "warfarin and food", OtherWordings: also, TopK: topics + 1})
			texts := make(map[string]bool)
			for _, p := range a.Passages {
				texts[strings.ToLower(p.Text)] = true
				if p.LexicalRank == 0 || p.LexicalRank > topics+1 || p.VectorRank == 0 || p.VectorRank > topics+1 {
					t.Errorf("%s: %s has the ranks %d and %d", model, p.Path, p.LexicalRank, p.VectorRank)
				}
				if p.Path == "card.md" {
					continue
				}
				if named := notice.SameTextElsewhere(p.Copies, 0).String(); len(p.Copies) != 5 || p.MoreCopies != copies-6 ||
					notice.SameTextElsewhere(p.Copies, p.MoreCopies).String() != fmt.Sprintf("%s; and %d more", named, copies-6) || strings.Contains(named, p.Path) {
					t.Errorf("%s: %s has the same text in %s", model, p.Path, notice.SameTextElsewhere(p.Copies, p.MoreCopies))
				}
			}
			if len(texts) != topics+1 || found(a) == "" || !strings.Contains(found(a), "card.md") {
				t.Errorf("%s: %d different passages of %d: %q", model, len(texts), topics+1, found(a))
			}
		}
		// Only copies that the path admits are reported.
		a := mustSearch(t, ix, Query{Text: "warfarin and food", TopK: 1, Filter: Filter{Path: "backup 0*/**"}})
		if p := a.Passages[0]; len(p.Copies)+p.MoreCopies != 9 {
			t.Errorf("%s: in ten folders: same text in %s", model, notice.SameTextElsewhere(p.Copies, p.MoreCopies))
		}
	}
}

// TestDisclaimersHideNothing: the same paragraph stands below another heading
// in each of many mails.
func TestDisclaimersHideNothing(t *testing.T) {
	t.Parallel()
	files := map[string]string{"policy.md": "# Policy\n\nOur lawyer says that the footer on confidential messages binds nobody but us, whoever the recipient is."}
	for i := range 250 {
		files[fmt.Sprintf("mail %d.md", i)] = fmt.Sprintf("# Visit %d\n\n%s\n\n## Footer\n\nConfidential message, for the intended recipient of this confidential message.\n",
			i, strings.Repeat(fmt.Sprintf("Room %d was visited on day %d. ", i, 3*i), 5))
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "confidential message recipient", TopK: 2})
	if len(a.Passages) != 2 || a.Passages[1].Path != "policy.md" {
		t.Fatalf("found %q", found(a))
	}
	if p := a.Passages[0]; len(p.Copies) != 5 || p.MoreCopies != 244 {
		t.Errorf("same text in: %s", notice.SameTextElsewhere(p.Copies, p.MoreCopies))
	}
}

// TestCopyOfTheRightDocument: of sections with the same text, the one below the
// heading that is asked for is shown.
func TestCopyOfTheRightDocument(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for _, drug := range []string{"aspirin", "metformin", "warfarin"} {
		files[drug+".md"] = fmt.Sprintf("# %s\n\n%s\n\n## Stopping\n\nNever stop it without a word to the ward.\n", drug, strings.Repeat("It is taken daily. ", 20))
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	for drug := range files {
		drug = strings.TrimSuffix(drug, ".md")
		a := mustSearch(t, ix, Query{Text: "stopping " + drug, OtherWordings: []string{"ward"}, TopK: 1})
		if p := a.Passages[0]; p.Path != drug+".md" || len(p.Copies) != 2 || p.MoreCopies != 0 {
			t.Errorf("stopping %s: %s, same text in %s", drug, p.Path, notice.SameTextElsewhere(p.Copies, p.MoreCopies))
		}
	}
}

// TestCopiesOfNeighbours: passages that were joined have a copy in one place.
func TestCopiesOfNeighbours(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for _, name := range []string{"a", "b", "c"} {
		files[name+".md"] = "# Fish\n\n## First\n\nThe zebrafish " + strings.Repeat("swims in clear water every day. ", 8) + "\n\n## Second\n\nThe zebrafish " + strings.Repeat("eats small prey every night. ", 8) + "\n"
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "zebrafish", TopK: 3})
	if len(a.Passages) != 1 || notice.SameTextElsewhere(a.Passages[0].Copies, a.Passages[0].MoreCopies).String() != "b.md, lines 1-9; c.md, lines 1-9" {
		t.Errorf("found %q, the same text in %q", found(a), notice.SameTextElsewhere(a.Passages[0].Copies, a.Passages[0].MoreCopies))
	}
}

// TestTiesAreOrderedByPlace: the order of indexing must not show.
func TestTiesAreOrderedByPlace(t *testing.T) {
	t.Parallel()
	var answers []string
	for _, descending := range []bool{false, true} {
		n := indextest.NewNotesFolder(t, nil)
		ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
		for i := range 6 {
			for k := range 100 {
				name := 100*i + k
				if descending {
					name = 599 - name
				}
				n.Write(fmt.Sprintf("n%03d.md", name), "warfarin visit")
			}
			mustSync(t, ix, sync.Scope{})
		}
		answers = append(answers, found(mustSearch(t, ix, Query{Text: "warfarin visit", TopK: 5})))
	}
	if answers[0] != answers[1] {
		t.Errorf("%q, and in the other order %q", answers[0], answers[1])
	}
}

func TestNumberInAnIdentifierMeansWhatItSays(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	table.WriteString("Id,Patient,Creatinine\n")
	for i := range 1000 {
		fmt.Fprintf(&table, "%d,Patient%04d Surname%d,%d\n", i, i+1, (i+1)%97, 2*i)
	}
	n := indextest.NewNotesFolder(t, map[string]string{"a.csv": table.String()})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for i := 7; i < 1000; i += 31 {
		id := fmt.Sprintf("Patient%04d", i)
		a := mustSearch(t, ix, Query{Text: id + " creatinine", TopK: 1})
		if !strings.Contains(a.Passages[0].Text, id) {
			t.Errorf("%s is not in the first passage, lines %d to %d", id, a.Passages[0].StartLine, a.Passages[0].EndLine)
		}
	}
}

// TestOppositesAreNoCopies: what a sign, a bracket or a point changes is another
// text, however alike the words are.
func TestOppositesAreNoCopies(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"乙肝表面抗原 HBsAg (+)", "乙肝表面抗原 HBsAg (-)"}, {"Digoxin .125 mg daily", "Digoxin 125 mg daily"}, {"Digoxin 0.125 mg", "Digoxin 0,125 mg"},
		{"Target INR 2-3", "Target INR 2.3"}, {"Potassium < 3.5", "Potassium > 3.5"}, {"Base excess -5", "Base excess +5"}, {"1/2 mg", "1.2 mg"}, {"1-2 mg", "1.2 mg"},
		{"5 mg", ".5 mg"}, {"5 mg", "<5 mg"}, {"5 mg", "~ 5 mg"}, {"10² cells", "102 cells"}, {"metastases?", "metastases."}, {"~~penicillin~~", "penicillin"},
		{"go if !ready", "go if ready"}, {"!keep.log", "keep.log"}, {"delete .env", "delete env"},
	} {
		if rank.ChunkTextHashOf(pair[0]) == rank.ChunkTextHashOf(pair[1]) {
			t.Errorf("%q is taken for a copy of %q", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{
		{"Take care, please.", "take care please"}, {"**Take** “care”:\nplease", "Take care please"}, {"高血压患者，饮食要少盐。", "高血压患者 饮食要少盐"}, {"5 mg daily.", "5  mg daily"}, {"## Food", "Food"},
		{"Wait...and see!Then go", "Wait and see then go"}, {"好！我来", "好 我来"},
	} {
		if rank.ChunkTextHashOf(pair[0]) != rank.ChunkTextHashOf(pair[1]) {
			t.Errorf("%q is not taken for a copy of %q", pair[0], pair[1])
		}
	}
	n := indextest.NewNotesFolder(t, map[string]string{"王.md": "# 化验单\n\n乙肝表面抗原 HBsAg (+)\n", "李.md": "# 化验单\n\n乙肝表面抗原 HBsAg (-)\n"})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	if a := mustSearch(t, ix, Query{Text: "HBsAg"}); len(a.Passages) != 2 {
		t.Errorf("%d passages, want both: %+v", len(a.Passages), a.Passages)
	}
}

// TestRecordsOfOthersHideNothing: what patients have in common is much, and who is
// asked for may stand in the path alone.
func TestRecordsOfOthersHideNothing(t *testing.T) {
	t.Parallel()
	letter := "# Discharge\n\nAmlodipine 5 mg in the morning, ramipril 5 mg in the evening, aspirin 100 mg at noon. All tablets with water."
	allergies := "# Allergies\n\nPenicillin: rash as a child, no other allergies are known to us."
	list := "# 用药\n\n氨氯地平每日一次五毫克，阿司匹林每日一次一百毫克，二甲双胍每日两次。"
	n := indextest.NewNotesFolder(t, map[string]string{
		"Anna Adler/discharge.md": letter, "Bob Baker/discharge.md": letter + " Simvastatin 20 mg at night.",
		"Anna Adler/d.md": allergies, "Carl/d.md": allergies,
		"张伟.md": list, "李娜.md": list + "华法林每晚三毫克。",
		"smith/meds.md":   "# Meds\n\nTakes metoprolol 50 mg every morning and apixaban 5 mg twice a day.",
		"mueller/meds.md": "# Meds\n\nNimmt metoprolol 100 mg am Morgen und apixaban 2.5 mg zweimal am Tag, mit einem Glas Wasser und nicht zu spät.",
		"smith/plan.md":   "# Plan\n\nThe plan is to see the patient in the next week and not later.",
		"mueller/plan.md": "# Plan\n\nDer Plan ist, den Patienten in der nächsten Woche und nicht später zu sehen.",
		"smith/labs.md":   "# Labs\n\nThe values of the patient are to be taken again in a week.",
		"mueller/labs.md": "# Labs\n\nDie Werte des Patienten sind in der nächsten Woche noch einmal zu nehmen.",
	})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for question, want := range map[string]string{
		"Anna Adler ramipril": "Anna Adler/discharge.md", "Anna Adler penicillin": "Anna Adler/d.md",
		"张伟用药": "张伟.md", "mueller meds": "mueller/meds.md",
	} {
		if a := mustSearch(t, ix, Query{Text: question}); a.Passages[0].Path != want {
			t.Errorf("%s: the first of %q is not %s", question, found(a), want)
		}
	}
	for question, also := range map[string]string{"apixaban": "mueller/meds.md", "metoprolol": "smith/meds.md", "Simvastatin aspirin": "Bob Baker/discharge.md"} {
		if a := mustSearch(t, ix, Query{Text: question}); !strings.Contains(found(a), also) {
			t.Errorf("%s: %s is not among %q", question, also, found(a))
		}
	}
}

// TestCopiesAfterAStart: an index that is loaded, and joined with that of another
// folder, knows what says the same.
func TestCopiesAfterAStart(t *testing.T) {
	t.Parallel()
	const text = "# Axolotl\n\nThe axolotl keeps its gills.\n"
	one := indextest.NewNotesFolder(t, map[string]string{"a.md": text, "b/a.md": text})
	other := indextest.NewNotesFolder(t, map[string]string{"c.md": text, "newt.md": "# Newt\n\nA newt loses them.\n"})
	files := t.TempDir()
	ix := open(t, files, indextest.Builtin(t), one.Dir, other.Dir)
	mustSync(t, ix, sync.Scope{})
	for i := range 2 {
		indextest.Must(t, ix.store.SaveSnapshot(t.Context(), i))
	}
	for _, ix := range []*Index{ix, open(t, files, indextest.Builtin(t), one.Dir, other.Dir)} {
		a := mustSearch(t, ix, Query{Text: "axolotl gills"})
		if len(a.Passages) == 0 {
			t.Fatal("nothing is found")
		}
		if p := a.Passages[0]; len(p.Copies) != 2 {
			t.Errorf("%s is told to stand in %q, too", p.Path, p.Copies)
		}
	}
}
