package index

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/ranking"
	"vademecum/index/sync"
)

// TestOtherFormsOfWords: what stands in another form is not said to be nowhere, forms of address count
// for nothing, and a code or stage of which only others stand is said to be nowhere.
func TestOtherFormsOfWords(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{
		"bp.md":          "# Blood pressure\n\nIn pregnancy, treatment starts at 140/90 mmHg.\n",
		"gout.md":        "# Gout\n\nOther patients take allopurinol for their joints.\n",
		"okafor.md":      "# Okafor\n\nALLERGY: penicillin. Seen by the dentist.\n",
		"oru.md":         "# Laboratory report\n\nMr^Brandt^Karl: potassium 4.1.\n",
		"hoffmann.md":    "# Medikationsplan Hoffmann\n\n| Wirkstoff | morgens |\n|---|---|\n| Ramipril | 1 |\n",
		"visit.md":       "# 随访\n\n2025年7月15日开了阿仑膦酸钠。\n",
		"resolutions.md": "# Board\n\nResolution 2025-07: the system is bought.\n",
		"meeting.md":     "# Calendar\n\nBoard meeting on 2025-09-15.\n",
		"birthdays.md":   "# Birthdays\n\nLaurence was born in May. Ada booked Room 12. Invoice INV-4712 is due in May, of 4,711 EUR.\n",
		"stock.md":       "# Stock\n\nBatch 17-B was ordered by Ada. Stage IIIb was reached.\n",
	}).Dir)
	mustSync(t, ix, sync.Scope{})
	for _, c := range []struct{ question, first, nowhere string }{
		{"pregnant patients", "", ""}, {"pregnant women", "bp.md", "women"},
		{"what is Mr Okafor allergic to", "okafor.md", ""},
		{"Was nimmt Frau Hoffmann morgens?", "hoffmann.md", ""},
		{"七月十五日开的什么药", "visit.md", ""},
		{"what happened on 15 July", "", ""},
		{"who ordered batch 17-C", "stock.md", "batch 17-C"},
		{"who ordered batch 17-B", "stock.md", ""},
		{"stage IIIa", "stock.md", "stage IIIa"},
		{"stage IIIb", "stock.md", ""},
		{"Resolution 2025-09", "", "Resolution 2025-09"},
		{"Resolution 2025-07", "resolutions.md", ""},
		{"What does resolution 2025/07 say?", "resolutions.md", ""},
		{"When is Laurent's birthday?", "birthdays.md", "Laurent"},
		{"When is invoice INV-4711 due?", "birthdays.md", "INV-4711"},
		{"Where is the room I booked?", "birthdays.md", ""},
	} {
		a := mustSearch(t, ix, Query{Text: c.question})
		if got := nowhereNotes(a); got != c.nowhere {
			t.Errorf("%q: nowhere %q, want %q", c.question, got, c.nowhere)
		}
		if len(a.Passages) == 0 || !strings.HasPrefix(a.Passages[0].Path, c.first) {
			t.Errorf("%q: %d passages, not %s first", c.question, len(a.Passages), c.first)
		}
	}
}

// TestChapterInChinese: a text that has the chapter as the question does is not left out for files named after it.
func TestChapterInChinese(t *testing.T) {
	t.Parallel()
	files := map[string]string{"Chapter 07.md": "# Chapter 7: Ferry\n\nMara gave him two crowns for the crossing.\n", "日记.md": "# 写作日记\n\n2024年1月8日：第七章写完，三千二百字。佩林的台词太长。\n\n2024年5月2日：第十五章重写。\n"}
	for i := range 20 {
		files[fmt.Sprintf("note %d.md", i)] = fmt.Sprintf("# Note %d\n\nThe bell rings %d times.\n", i, i+3)
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "第七章写了多少字", MinScoreShare: ranking.MinScoreShare})
	for _, p := range a.Passages {
		if p.Path == "日记.md" {
			return
		}
	}
	t.Errorf("found %v", a.Passages)
}
