package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"vademecum/index"
	"vademecum/index/evaluate"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

func (p *program) eval() *cobra.Command {
	var queries, qrels string
	var asJSON bool
	c := &cobra.Command{
		Use:     "eval FOLDER... --queries FILE --qrels FILE",
		Short:   "measure how well your own questions are answered",
		Example: `  vademecum eval notes --queries queries.tsv --qrels qrels.tsv`,
		Args:    p.requireFolders(message.New("give the folder to ask")),
		RunE: func(c *cobra.Command, folders []string) error {
			if err := errors.Join(checkQuestionFile(folders, "queries", queries), checkQuestionFile(folders, "qrels", qrels), checkFolders(folders)); err != nil {
				return err
			}
			j, err := evaluate.ReadJudgements(queries, qrels)
			if err != nil {
				return err
			}
			p.patience, p.asks = index.QueryWaitTimeout, true
			return p.withIndex(c.Context(), folders, func(ctx context.Context, ix *index.Index) error {
				if _, err := p.sync(ctx, ix, index.Scope{}); err != nil {
					return err
				}
				m, err := p.measureSearch(ctx, ix, j)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(m)
				}
				p.printEvaluation(m)
				return nil
			})
		},
	}
	p.reranker.define(c.Flags())
	c.Flags().StringVar(&queries, "queries", "", "`FILE` of questions: name, tab, question")
	c.Flags().StringVar(&qrels, "qrels", "", "`FILE` of judgements: name, tab, path, tab, grade (0 is not relevant)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// evaluationResult holds the measures without a reranker and, if there is one, with it.
type evaluationResult struct {
	evaluate.Measures
	Reranked *evaluate.Measures `json:"reranked,omitempty"`
	// NotReranked is the number of questions for which the reranker failed. They count with the order
	// that they had before.
	NotReranked int `json:"not_reranked,omitempty"`
}

// measureSearch measures the answers to all questions, and measures them again with the reranker if
// there is one.
func (p *program) measureSearch(ctx context.Context, ix *index.Index, j evaluate.Judgements) (evaluationResult, error) {
	all, err := ix.List(ctx, index.Filter{})
	if err != nil {
		return evaluationResult{}, err
	}
	var documents []string
	for _, d := range all {
		documents = append(documents, d.Path)
	}
	var notes []notice.Note
	searching := func(plain bool) evaluate.SearchFunc {
		return func(ctx context.Context, question string) (paths []string, err error) {
			a, err := ix.Search(ctx, index.Query{Text: question, TopK: index.MaxTopK, WithoutReranker: plain})
			for _, p := range a.Passages {
				paths = append(paths, p.Path)
			}
			notes = append(notes, a.Notes...)
			return paths, err
		}
	}
	var m evaluationResult
	if m.Measures, err = evaluate.Evaluate(ctx, j, documents, searching(true)); err != nil || p.reranker.spec == "" {
		return m, err
	}
	reranked, err := evaluate.Evaluate(ctx, j, documents, searching(false))
	m.Reranked, m.NotReranked = &reranked, p.tellNotReranked(notes, reranked.Queries)
	return m, err
}

// tellNotReranked adds a note on the questions for which the reranker failed, with the reason for
// the first one, and returns their number.
func (p *program) tellNotReranked(notes []notice.Note, questions int) int {
	failed := slices.DeleteFunc(notes, func(n notice.Note) bool {
		return n.Kind != notice.RerankerSlow && n.Kind != notice.RerankerFailed
	})
	if len(failed) > 0 {
		p.notes = append(p.notes, p.localise("%d of %d questions were not reranked, the first of them so: %s", len(failed), questions, p.translateLine(failed[0].Message())))
	}
	return len(failed)
}

// printEvaluation prints a line of measures without the reranker, and one with it.
func (p *program) printEvaluation(m evaluationResult) {
	fmt.Fprint(&p.out, p.localise("queries  nDCG@10  Recall@5  Recall@10  Recall@20  MRR@10     p50     p99\n"))
	if m.Reranked == nil {
		p.printMeasures(m.Measures, "")
		return
	}
	p.printMeasures(m.Measures, p.localise("  without reranker"))
	p.printMeasures(*m.Reranked, p.localise("  reranked"))
}

func (p *program) printMeasures(m evaluate.Measures, of string) {
	fmt.Fprintf(&p.out, "%7d  %7.4f  %8.4f  %9.4f  %9.4f  %6.4f  %4.1fms  %4.1fms%s\n", m.Queries, m.NDCG10, m.Recall5, m.Recall10, m.Recall20, m.MRR10,
		float64(m.MedianTime.Microseconds())/1000, float64(m.P99Time.Microseconds())/1000, of)
}

// checkQuestionFile returns a usage error if the file with questions or judgements, the value of a flag,
// is not given, does not exist or is a folder.
func checkQuestionFile(folders []string, flag, file string) error {
	hint := commandLine("eval", shellLine(folders), "--queries FILE --qrels FILE")
	if file == "" {
		return usageError{message.Errorf("--%s is missing", flag), hint}
	}
	info, err := os.Stat(file)
	switch {
	case isNotExist(err):
		return usageErrorf("--%s %s: no such file", flag, present.QuoteName(file))
	case err == nil && info.IsDir():
		return usageErrorf("--%s %s is a folder, not a file", flag, present.QuoteName(file))
	}
	return nil
}
