package evaluate

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var documents = []string{"a.md", "b.md", "sub/c.md"}

// search answers from a table, with a document again as a second passage has it.
func search(_ context.Context, question string) ([]string, error) {
	if question == "broken" {
		return nil, errors.New("out of order")
	}
	return map[string][]string{"alpha": {"a.md", "sub/c.md", "a.md"}, "beta": {"b.md", "b.md", "sub/c.md"}}[question], nil
}

func TestRun(t *testing.T) {
	grades := map[string]map[string]float64{"1": {"a.md": 1}, "2": {"b.md": 1}, "3": {"sub/c.md": 2, "b.md": 1, "a.md": 0}}
	questions := []Question{{"1", "alpha"}, {"2", "zeta"}, {"3", "beta"}, {"4", "not judged"}}
	m, err := Evaluate(t.Context(), Judgements{questions, grades}, documents, search)
	if err != nil {
		t.Fatal(err)
	}
	// Question 1 is right, 2 has no answer, 3 has b.md before sub/c.md.
	second := (1 + 2/math.Log2(3)) / (2 + 1/math.Log2(3))
	if want := (1 + 0 + second) / 3; m.Queries != 3 || math.Abs(m.NDCG10-want) > 1e-9 {
		t.Errorf("nDCG %v of %d questions, want %v", m.NDCG10, m.Queries, want)
	}
	if m.MRR10 != 2.0/3 || m.Recall5 != 2.0/3 || m.P99Time < m.MedianTime {
		t.Errorf("%+v", m)
	}
	for want, j := range map[string]Judgements{
		"no query has a judgement":            {[]Question{{"9", "alpha"}}, grades},
		"none of the judged documents is in the folder": {questions, map[string]map[string]float64{"1": {"z.md": 1}}},
		"query 1: out of order":               {[]Question{{"1", "broken"}}, grades},
	} {
		if _, err := Evaluate(t.Context(), j, documents, search); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	j, err := ReadJudgements(file("queries", "\uFEFFq1\twhat\tis it\r\n\nq2\t糖\n"), file("qrels", "q1\t./sub\\cafe\u0301.md\t2\nq2\ta.md\t0\n"))
	if err != nil || len(j.Questions) != 2 || j.Questions[0] != (Question{"q1", "what\tis it"}) || j.Grades["q1"]["sub/café.md"] != 2 || j.Grades["q2"]["a.md"] != 0 {
		t.Errorf("%+v, %v", j, err)
	}
	for want, tables := range map[string][2]string{
		"line 2: the name q1 was used before": {"q1\tone\nq1\ttwo", "q1\ta.md\t1"},
		"contains no judgements":                  {"q1\tone", ""},
		"line 1: 2 columns, expected 3":           {"q1\tone", "q1\ta.md"},
		`the grade must be a number, got "x"`: {"q1\tone", "q1\ta.md\tx"},
	} {
		if _, err := ReadJudgements(file("queries", tables[0]), file("qrels", tables[1])); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// TestKeep: what is kept is read again; the later of two judgements counts, and no
// question forges a line.
func TestKeep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "judged")
	queries, qrels := filepath.Join(dir, "queries.tsv"), filepath.Join(dir, "qrels.tsv")
	for _, k := range []struct {
		question, path string
		grade          int
	}{{"alpha", "a.md", 1}, {"糖\tb\nq9\tx", "b.md", 0}, {" alpha ", "sub/c.md", 1}, {"alpha", "a.md", 0}} {
		if err := AddJudgement(queries, qrels, k.question, k.path, k.grade); err != nil {
			t.Fatal(err)
		}
	}
	j, err := ReadJudgements(queries, qrels)
	if err != nil || len(j.Questions) != 2 || j.Questions[1] != (Question{"q2", "糖 b q9 x"}) {
		t.Fatalf("%+v, %v", j, err)
	}
	if g := j.Grades["q1"]; g["a.md"] != 0 || g["sub/c.md"] != 1 || len(g) != 2 || len(j.Grades) != 2 {
		t.Errorf("%+v", j.Grades)
	}
	if kept, err := os.ReadFile(qrels); err != nil || string(kept) != "q2\tb.md\t0\nq1\tsub/c.md\t1\nq1\ta.md\t0\n" {
		t.Errorf("judgements pile up: %q, %v", kept, err)
	}
	for _, taken := range [][2]string{{"alpha", "sub/c.md"}, {"alpha", "a.md"}, {"alpha", "never.md"}, {"never", "a.md"}} {
		if err := RemoveJudgement(queries, qrels, taken[0], taken[1]); err != nil {
			t.Error(err)
		}
	}
	if j, err := ReadJudgements(queries, qrels); err != nil || len(j.Grades) != 1 || len(j.Questions) != 2 {
		t.Errorf("what is taken back: %+v, %v", j, err)
	}
	if err := RemoveJudgement(queries, qrels, "糖 b q9 x", "b.md"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(qrels); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of no judgement a file is left: %v", err)
	}
	for _, bad := range [][2]string{{"", "a.md"}, {"alpha", ""}, {"alpha", "a\tb"}, {"alpha", "a\nq1\tb\t1"}} {
		if err := AddJudgement(queries, qrels, bad[0], bad[1], 1); err == nil {
			t.Errorf("%q is kept", bad)
		}
	}
	if err := os.WriteFile(qrels, make([]byte, mostKept+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := AddJudgement(queries, qrels, "alpha", "a.md", 1); !errors.Is(err, errFileTooLarge) {
		t.Errorf("a file without an end: %v", err)
	}
}
