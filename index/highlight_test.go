package index

import (
	"fmt"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// shownRuns is a text with [] around what is of a question, and () around what is
// beside it.
func shownRuns(runs []TextRun) (text string) {
	for _, r := range runs {
		switch {
		case r.IsQueryWord:
			text += "[" + r.Text + "]"
		case r.IsRelatedWord:
			text += "(" + r.Text + ")"
		default:
			text += r.Text
		}
	}
	return text
}

func TestRuns(t *testing.T) {
	t.Parallel()
	for want, w := range map[string]HighlightWords{
		"A [spacer] helps; [哮喘]儿童":     NewHighlightWords("spacer", "哮喘"),
		"A [spacer] (helps); 哮喘(儿)童":   NewHighlightWords("spacer").WithRelated("helps", "儿"),
		"A (spacer) helps; (哮)喘(儿)童":   HighlightWords{}.WithWordParts("spacers 哮吼的儿科"),
		"A (spacer) [helps]; 哮喘(儿)童":   NewHighlightWords("helping").WithWordParts("spac 儿科"),
		"A spacer helps; 哮喘儿童":         {},
		"A (spacer) (helps); (哮)喘(儿)童": HighlightWords{}.WithRelated("helps").WithWordParts("spacer 哮吼的儿科"),
	} {
		if got := shownRuns(w.SplitText("A spacer helps; 哮喘儿童")); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestTaken: what a misspelt word was taken for is reported and marked, and so are words
// that count beside those of the question, as far as an answer has them.
func TestTaken(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "Diabetes is common. A diabetic needs insulin.", "b.md": "A mammogram is a picture, and mammography makes it.", "c.md": "Nothing of that."})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for question, want := range map[string]string{
		"insulin for diabetis": "[{diabetis [diabetes diabetic]}] (Diabetes) is common. A (diabetic) needs [insulin].",
		"Diabetes":             "[] [Diabetes] is common. A [diabetic] needs insulin.",
		"mammography":          "[] A (mammogram) is a picture, and [mammography] makes it.",
		"insulin":              "[] Diabetes is common. A diabetic needs [insulin].",
	} {
		a := mustSearch(t, ix, Query{Text: question})
		if got := fmt.Sprint(a.Substitutions(question), " ", shownRuns(a.HighlightWords(question).SplitText(a.Passages[0].Text))); got != want {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
	}
}

// TestMarkedAsExplained: whatever is said to be why a passage is found is marked in it,
// but for function words and single characters.
func TestMarkedAsExplained(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "Diabetes is common. A diabetic needs insulin.", "b.md": "糖尿病患者的饮食"})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, question := range []string{"diabetis insulin", "diabetes", "糖尿病人饮食"} {
		a := mustSearch(t, ix, Query{Text: question, WithExplanations: true})
		for _, p := range a.Passages {
			marked := ""
			for _, r := range a.HighlightWords(question).SplitText(p.Text) {
				if r.IsQueryWord || r.IsRelatedWord {
					marked += " " + r.Text
				}
			}
			for _, term := range p.Explanation.Terms {
				if len(NewHighlightWords(term.Term).SplitText(marked)) < 2 && len([]rune(term.Term)) > 1 {
					t.Errorf("%s: found by %s, and marked is %s", question, term.Term, marked)
				}
			}
		}
	}
}
