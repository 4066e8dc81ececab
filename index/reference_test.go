package index

import (
	"fmt"
	"math"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestScoredLikeAmongOthers: a note in an index of its own has the score that it has among others, if
// it is scored by their score reference.
func TestScoredLikeAmongOthers(t *testing.T) {
	t.Parallel()
	notes := map[string]string{
		"digoxin.md": "# Digoxin\n\nDigoxin slows the heart in atrial fibrillation. The level is measured six hours after the last tablet. Nausea and yellow vision are signs of poisoning.\n",
		"地高辛.md":     "# 地高辛\n\n地高辛用于心房颤动，减慢心率。末次给药六小时后测血药浓度，恶心和黄视是中毒的表现。\n",
	}
	all := map[string]string{
		"heart.md":     "# The heart\n\nThe heart has four chambers, and its rate is measured at the wrist.\n",
		"poison.md":    "# Poisoning\n\nSigns of poisoning are looked for in the eyes, on the skin and in the breath for six hours.\n",
		"kidney.md":    "# The kidney\n\nIn renal failure the level of many drugs rises, and tablets are given less often.\n",
		"心脏.md":        "# 心脏\n\n心脏有四个腔，心率在手腕处测量。\n",
		"肾功能不全.md":     "# 肾功能不全\n\n肾功能不全时许多药物的血药浓度升高，应减少给药次数。\n",
		"visitors.txt": "Visitors come in the afternoon, and no more than two at once sit with a patient.\n",
	}
	for i := range 20 {
		all[fmt.Sprintf("ward%d.md", i)] = fmt.Sprintf("# Ward %d\n\nThe nurse of ward %d is called in the night, and the level of the water is looked at in the morning.\n", i, i)
	}
	for file, text := range notes {
		all[file] = text
	}
	among := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, all).Dir)
	mustSync(t, among, sync.Scope{})
	for file, text := range notes {
		alone := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{file: text}).Dir)
		mustSync(t, alone, sync.Scope{})
		for _, q := range []Query{
			{Text: "when is the level of digoxin measured"},
			{Text: "digoxin in renal failure of patients at the ward"},
			{Text: "signs of poisoning", OtherWordings: []string{"yellow vision by digoxin and amiodarone", "地高辛中毒的表现"}},
			{Text: "地高辛血药浓度什么时候测"},
			{Text: "肾功能不全患者的地高辛", OtherWordings: []string{"digoxin and the kidney"}},
		} {
			q.TopK, q.WithScoreReference = 50, true
			a := mustSearch(t, among, q)
			q.ScoreReference = a.ScoreReference
			b := mustSearch(t, alone, q)
			for _, p := range b.Passages {
				for _, o := range a.Passages {
					got, want := p.Score*b.ScoreReference.BestScore, o.Score*a.ScoreReference.BestScore
					if o.Path == p.Path && !o.IsRelatedOnly && !p.IsRelatedOnly && math.Abs(got-want) > 1e-9 {
						t.Errorf("%q: %s has %.4f alone and %.4f among others", q.Text, p.Path, got, want)
					}
				}
			}
		}
	}
}
