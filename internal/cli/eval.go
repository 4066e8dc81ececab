package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"vademecum/index"
	"vademecum/index/evaluate"
	"vademecum/internal/present"
)

func (p *program) eval() *cobra.Command {
	var queries, qrels string
	var asJSON bool
	c := &cobra.Command{
		Use:     "eval FOLDER... --queries FILE --qrels FILE",
		Short:   "measure how well questions of your own are answered",
		Example: `  vademecum eval notes --queries queries.tsv --qrels qrels.tsv`,
		Args:    p.folders("give the folder to ask"),
		RunE: func(c *cobra.Command, folders []string) error {
			if err := errors.Join(checkTable(folders, "queries", queries), checkTable(folders, "qrels", qrels), checkFolders(folders)); err != nil {
				return err
			}
			j, err := evaluate.Read(queries, qrels)
			if err != nil {
				return err
			}
			p.patience, p.asks = index.Patience, true
			return p.withIndex(c.Context(), folders, func(ctx context.Context, ix *index.Index) error {
				if _, err := p.sync(ctx, ix, index.Scope{}); err != nil {
					return err
				}
				all, err := ix.List(ctx, index.Filter{})
				if err != nil {
					return err
				}
				var documents []string
				for _, d := range all {
					documents = append(documents, d.Path)
				}
				m, err := evaluate.Run(ctx, j, documents, func(ctx context.Context, question string) (paths []string, err error) {
					a, err := ix.Search(ctx, index.Query{Text: question, TopK: index.MaxTopK})
					for _, p := range a.Passages {
						paths = append(paths, p.Path)
					}
					return paths, err
				})
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(m)
				}
				fmt.Fprintf(&p.out, "queries  nDCG@10  Recall@5  Recall@10  Recall@20  MRR@10     p50     p99\n")
				fmt.Fprintf(&p.out, "%7d  %7.4f  %8.4f  %9.4f  %9.4f  %6.4f  %4.1fms  %4.1fms\n", m.Queries, m.NDCG10, m.Recall5, m.Recall10, m.Recall20, m.MRR10,
					float64(m.P50.Microseconds())/1000, float64(m.P99.Microseconds())/1000)
				return nil
			})
		},
	}
	c.Flags().StringVar(&queries, "queries", "", "`FILE` of questions: name, tab, question")
	c.Flags().StringVar(&qrels, "qrels", "", "`FILE` of judgements: name, tab, path, tab, grade (0 is not relevant)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// checkTable refuses a file of questions or judgements that is not there.
func checkTable(folders []string, flag, file string) error {
	hint := "vademecum eval " + shellLine(folders) + " --queries FILE --qrels FILE"
	if file == "" {
		return newUsageError(hint, "--%s is missing", flag)
	}
	info, err := os.Stat(file)
	switch {
	case isMissing(err):
		return newUsageError("", "--%s %s: no such file", flag, present.Name(file))
	case err == nil && info.IsDir():
		return newUsageError("", "--%s %s is a folder, not a file", flag, present.Name(file))
	}
	return nil
}
