package lexical

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// TestSharedTitles: a title that many documents have, as those of a series or of a
// template do, is the name of none of them. Copies keep theirs.
func TestSharedTitles(t *testing.T) {
	for docs, want := range map[int]string{2: "deck0, deck1, Web engineering", 9: "Web engineering"} {
		x := New()
		names := []analysis.ChunkNames{{FileName: "Web engineering"}}
		for i := range docs {
			names = append(names, analysis.ChunkNames{FileName: fmt.Sprintf("deck%d", i), Title: "Web engineering"})
		}
		for s, n := range names {
			put(t, x, rank.Slot(s), analysis.CountTerms(n, fmt.Sprintf("text number %d about nothing", s)))
		}
		sc, err := x.Score(t.Context(), analysis.NewQuestion("web engineering"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range sc.TopDocumentsByName(20, nil, distinct) {
			got = append(got, names[h.Slot].FileName)
		}
		x.Release(sc)
		slices.Sort(got)
		if sorted := strings.Split(want, ", "); strings.Join(got, ", ") != strings.Join(slices.Sorted(slices.Values(sorted)), ", ") {
			t.Errorf("with %d decks of one title it names %q, want %q", docs, got, want)
		}
	}
}

// TestNames asks documents of one chunk by what they are called.
func TestNames(t *testing.T) {
	x := New()
	names := []analysis.ChunkNames{
		{FileName: "chmod"},
		{FileName: "git-chmod-all", Title: "Change all files"},
		{FileName: "pep-0484", Title: "Type hints"},
		{FileName: "java17"},
		{FileName: "Kyoto", Aliases: []string{"京都", "Old Capital"}},
		{FileName: "2023-09-12", Folders: []string{"Daily", "vegetable_dish"}},
		{FileName: "notes", Title: "notes", Heading: "Blind baking"},
		{FileName: "如何去腥"},
		{FileName: "2023_10_13"},
	}
	for s, n := range names {
		put(t, x, rank.Slot(s), analysis.CountTerms(n, fmt.Sprintf("text number %d about nothing", s)))
	}
	for question, want := range map[string]string{
		"chmod":                     "chmod 1.50, git-chmod-all 0.25",
		"PEP 484":                   "pep-0484 1.50",
		"java 17":                   "java17 1.50",
		"Java17":                    "java17 1.50",
		"京都":                        "Kyoto 1.50",
		"the old capital":           "Kyoto 1.50",
		"12 Sep 2023":               "2023-09-12 1.50",
		"去腥":                        "如何去腥 1.50",
		"change all files":          "git-chmod-all 1.50",
		"13.10.2023":                "2023_10_13 1.50",
		"chmdo":                     "",
		"what is it called":         "",
		"about nothing that counts": "",
	} {
		sc, err := x.Score(t.Context(), analysis.NewQuestion(question))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range sc.TopDocumentsByName(5, nil, distinct) {
			got = append(got, fmt.Sprintf("%s %.2f", names[h.Slot].FileName, h.Score))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q is the name of %q, want %q", question, got, want)
		}
		x.Release(sc)
	}
	sc, err := x.Score(t.Context(), analysis.NewQuestion("blind baking of a vegetable dish"))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Release(sc)
	if sc.HeadingScore(6) < 0.3 || sc.HeadingScore(5) != 0 || sc.FolderScore(5) < 0.3 || sc.FolderScore(6) != 0 {
		t.Errorf("headings %.2f %.2f, folders %.2f %.2f", sc.HeadingScore(6), sc.HeadingScore(5), sc.FolderScore(5), sc.FolderScore(6))
	}
	if unknown := analysis.UnknownWords("daily kyoto nowhere", x.HasTerm); fmt.Sprint(unknown) != "[kyoto nowhere]" { // the text of a document holds its names
		t.Errorf("unknown are %q", unknown)
	}
}

func TestExplain(t *testing.T) {
	x := New()
	put(t, x, 0, analysis.CountTerms(analysis.ChunkNames{}, "salt raises the blood pressure, salt does, on 2024-11-05"))
	put(t, x, 1, analysis.CountTerms(analysis.ChunkNames{}, "pressure of the air"))
	weights, err := x.Explain(t.Context(), analysis.NewQuestion("salt and the pressure on 5 Nov 2024"), 0)
	if err != nil || len(weights) < 4 {
		t.Fatalf("%v, %v", weights, err)
	}
	sum, terms := 0.0, make(map[string]bool)
	for i, w := range weights {
		sum += w.Score
		terms[w.Term] = true
		if i > 0 && w.Score > weights[i-1].Score {
			t.Errorf("not in order: %v", weights)
		}
	}
	sc, err := x.Score(t.Context(), analysis.NewQuestion("salt and the pressure on 5 Nov 2024"))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Release(sc)
	if words := sc.WordScore(0); words-sum > 1e-4 || sum-words > 1e-4 || !terms["salt"] || !terms["2024-11-05"] || terms["air"] {
		t.Errorf("%v come to %.4f, the score is %.4f", weights, sum, words)
	}
}
