package page

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"vademecum/index"
	"vademecum/index/evaluate"
	"vademecum/internal/base/message"
)

// figuresView is the page that shows how well the judged questions are answered.
type figuresView struct {
	evaluate.Measures
	Bars      []bar
	Questions []questionRank
	Problem   message.Message
	More      int    // number of judged questions that were not asked
	Command   string // command that prints the same in a terminal
}

// bar is a bar of the chart. Wide is its length, at most 500, and Top its vertical position.
type bar struct {
	Name  string
	Value float64
	Wide  int
	Top   int
}

// questionRank is a question and the rank of the first right document, 0 if none was found.
type questionRank struct {
	Text  string
	Place int
	To    string
}

// mostAsked is the maximum number of judged questions that the page asks.
const mostAsked = 200

// figures shows the measures that the command vademecum eval prints.
func (v *request) figures() {
	var view figuresView
	queries, qrels := v.judgements()
	j, err := evaluate.ReadJudgements(queries, qrels)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && queries != "" { // otherwise there are no files yet
			view.Problem = message.FromError(err)
		}
		v.show("figures", view)
		return
	}
	if v.isHere() {
		view.Command = shellLine(slices.Concat([]string{v.program(), "eval"}, v.view.Library.Folders(), []string{"--queries", queries, "--qrels", qrels}))
	}
	view.More = max(0, len(j.Questions)-mostAsked)
	j.Questions = j.Questions[:len(j.Questions)-view.More]
	if err := view.measure(v, j); err != nil {
		_, view.Problem = v.explain(err)
	}
	v.show("figures", view)
}

// measure asks the judged questions and measures the results.
func (view *figuresView) measure(v *request, j evaluate.Judgements) error {
	ctx, cancel := v.timed()
	defer cancel()
	all, err := v.view.Library.List(ctx, index.Filter{})
	if err != nil {
		return err
	}
	paths := make([]string, len(all))
	for i, d := range all {
		paths[i] = d.Path
	}
	grades := make(map[string]map[string]float64)
	for _, q := range j.Questions {
		grades[q.Text] = j.Grades[q.ID]
	}
	view.Measures, err = evaluate.Evaluate(ctx, j, paths, func(ctx context.Context, question string) ([]string, error) {
		found, err := index.Ask(ctx, v.view.Library, index.Query{Text: question, TopK: index.MaxTopK})
		var paths []string
		for _, p := range found.Passages {
			paths = append(paths, p.Path)
		}
		view.Questions = append(view.Questions, questionRank{question, placeOf(paths, grades[question]), searchForm{Question: question, Most: passagesShown}.link("/try")})
		return paths, err
	})
	for i, b := range []bar{
		{Name: "nDCG@10", Value: view.NDCG10}, {Name: "MRR@10", Value: view.MRR10},
		{Name: "Recall@5", Value: view.Recall5}, {Name: "Recall@10", Value: view.Recall10}, {Name: "Recall@20", Value: view.Recall20},
	} {
		b.Wide, b.Top = int(500*b.Value), 28*i
		view.Bars = append(view.Bars, b)
	}
	return err
}

// placeOf returns the rank of the first right document, counting each document once; 0 if there is
// none.
func placeOf(paths []string, grades map[string]float64) int {
	seen := make(map[string]bool)
	for _, p := range paths {
		seen[p] = true
		if grades[p] > 0 {
			return len(seen)
		}
	}
	return 0
}

// nameOfFolders returns a file name that identifies a list of folders.
func nameOfFolders(folders []string) string {
	sum := sha256.Sum256([]byte(strings.Join(folders, "\x00")))
	name := "none"
	if len(folders) > 0 {
		name = filepath.Base(folders[0])
	}
	safe := func(r rune) rune {
		if r == '-' || r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r >= 0x80 {
			return r
		}
		return '-'
	}
	return strings.Map(safe, name) + "-" + hex.EncodeToString(sum[:4])
}
