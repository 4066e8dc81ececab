package index

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync"
)

// TestRelatedByWordParts: where the words find fewer passages than asked, those
// follow that have parts of them, and say so.
func TestRelatedByWordParts(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{
		"blutdruck.md":      "# Blutdruck\n\nDer Blutdruck wird morgens und abends gemessen. Werte über 140/90 sind zu hoch.",
		"urlaub.md":         "# Urlaub\n\nKoffer packen, Pass verlängern, Versicherung prüfen.",
		"krankenkasse.md":   "# Krankenversicherung\n\nDie Krankenkasse zahlt die Brille nicht.",
		"prednisone.md":     "Prednisone is given in the morning.",
		"old/prednisone.md": "Prednisone is given in the morning!",
		"tax.md":            "# Taxes\n\nThe tax return is due in May; keep the receipts of donations.",
		"血压.md":             "# 血压\n\n每天早晚测量血压,记录下来。",
		"旅行.md":             "# 旅行清单\n\n护照、充电器、换洗衣服。",
	}).Dir)
	mustSync(t, ix, sync.Scope{})
	for _, tt := range []struct {
		query, path, words, related string
		also                        []string
		topK                        int
	}{
		{query: "Blutdruckmessgerät", related: "blutdruck.md"},
		{query: "Bluthochdruck", related: "blutdruck.md"},
		{query: "Reiseversicherung", related: "urlaub.md"},
		{query: "taxation", related: "tax.md"},
		{query: "Blutdruckmessgerät", path: "*x.md"},
		{query: "Blutdruckmessgerät", path: "b*.md", related: "blutdruck.md"},
		{query: "taxation", also: []string{"Bluthochdruck", "Koffer"}, words: "urlaub.md", related: "tax.md blutdruck.md"},
		{query: "taxation", also: []string{"Bluthochdruck", "Koffer"}, words: "urlaub.md", related: "tax.md", topK: 2},
		{query: "taxation", also: []string{"Bluthochdruck", "Koffer"}, words: "urlaub.md", topK: 1},
		{query: "quantum chromodynamics"}, {query: "量子纠缠"}, {query: "the weather in Berlin"}, {query: "足球比赛"}, {query: "asdf qwer zxcv"},
	} {
		a := mustSearch(t, ix, Query{Text: tt.query, OtherWordings: tt.also, Filter: Filter{Path: tt.path}, TopK: tt.topK})
		var words, related []string
		for _, p := range a.Passages {
			switch {
			case !p.IsRelatedOnly:
				words = append(words, p.Path)
				if len(related) > 0 {
					t.Errorf("%s: %s stands below what is only related", tt.query, p.Path)
				}
			case p.Score > 0.1 || p.LexicalRank > 0 || p.VectorRank == 0:
				t.Errorf("%s: %s has the score %v and the ranks %d and %d", tt.query, p.Path, p.Score, p.LexicalRank, p.VectorRank)
			default:
				related = append(related, p.Path)
			}
		}
		if strings.Join(words, " ") != tt.words || strings.Join(related, " ") != tt.related {
			t.Errorf("%s %s: words find %q, want %q; related are %q, want %q", tt.query, tt.path, words, tt.words, related, tt.related)
		}
		if tt.related != "" && tt.words == "" && !a.HasLowCoverage {
			t.Errorf("%s: that is not called little", tt.query)
		}
	}
	// One of copies, which is not the old one, with the place of the other.
	if a := mustSearch(t, ix, Query{Text: "prednisolones"}); found(a) != "prednisone.md" || notice.SameTextElsewhere(a.Passages[0].Copies, a.Passages[0].MoreCopies).String() != "old/prednisone.md, line 1" {
		t.Errorf("%q, same text in %q", found(a), notice.SameTextElsewhere(a.Passages[0].Copies, a.Passages[0].MoreCopies))
	}
}

// TestLookalikesAreNotRelated: neither opposites nor other numbers are.
func TestLookalikesAreNotRelated(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{
		"a.md": "Hypertension, and nothing else.", "b.md": "Patient1506 is well.", "c.md": "Error E10003.", "d.md": "hypotension",
	}).Dir)
	mustSync(t, ix, sync.Scope{})
	for query, want := range map[string]string{"hypertension": "a.md", "hypotension": "d.md", "Patient1500": "", "E11000": "", "Error E11000": "c.md"} {
		if a := mustSearch(t, ix, Query{Text: query}); found(a) != want {
			t.Errorf("%s finds %q, want %q", query, found(a), want)
		}
	}
}

// TestRelatedIsNotForAModel: it finds by meaning as it is.
func TestRelatedIsNotForAModel(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), indextest.NewNotesFolder(t, map[string]string{"blutdruck.md": "Der Blutdruck wird gemessen."}).Dir)
	mustSync(t, ix, sync.Scope{})
	if a := mustSearch(t, ix, Query{Text: "Blutdruckmessgerät"}); len(a.Passages) != 1 || a.Passages[0].IsRelatedOnly || a.Passages[0].Score != 1 {
		t.Errorf("%+v", a.Passages)
	}
}

// TestRelatedIsNeverJoined: what has the words and what has parts of them are two
// passages, though they follow each other.
func TestRelatedIsNeverJoined(t *testing.T) {
	t.Parallel()
	text := "# Kidney\n\n" + strings.Repeat("nephrology ", 60) + "\n\n## Next\n\n" + strings.Repeat("nephrological ", 50)
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{"a.md": text}).Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "nephrology", TopK: 9})
	for _, p := range a.Passages {
		if strings.Contains(p.Text, "nephrology ") == p.IsRelatedOnly {
			t.Errorf("%v: %s", p.IsRelatedOnly, fmt.Sprintf("%.60q", p.Text))
		}
	}
}
