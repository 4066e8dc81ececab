package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/operations"
	"vademecum/internal/base/present"
)

func (p *program) find() *cobra.Command {
	q := index.FindQuery{MaxLines: index.MaxFindLines}
	c := &cobra.Command{
		Use:   "find FOLDER... TEXT",
		Short: "print every place of a text",
		Example: `  vademecum find notes warfarin
  vademecum find notes "blood pressure" --path '*.pdf'
  vademecum find notes '\b\d+ ?mg\b' --regexp`,
	}
	c.Flags().Func("lines", fmt.Sprintf("how many lines to print, `N` from 1 to %d (default %[1]d)", index.MaxFindLines), countInto(&q.MaxLines, index.MaxFindLines))
	c.Flags().IntVar(&q.Offset, "skip", 0, "leave out the first `N` lines")
	check := func(text string) error {
		q.Text, p.modelPatience = text, index.WaitTimeout
		_, err := q.Check()
		return err
	}
	ask := func(ctx context.Context, ix *index.Index) (index.Findings, error) { return ix.Find(ctx, q) }
	addQuestion(p, c, textNoun, operations.FindParameters(&q), check, ask, func(found index.Findings, _ bool) { p.printFindings(q, found) })
	return c
}

// printFindings prints the matching lines by document, like grep.
func (p *program) printFindings(q index.FindQuery, found index.Findings) {
	if found.Occurrences == 0 {
		fmt.Fprintln(&p.out, p.translate(notice.NothingFound(found.Incomplete)))
	} else {
		fmt.Fprintln(&p.out, p.translate(notice.OccurrencesFound(found.Occurrences, found.Documents)))
	}
	for _, d := range found.Found {
		fmt.Fprintf(&p.out, "\n%s\n", p.localise("%s (%d)", present.CleanLine(d.Path), d.Occurrences))
		for _, l := range d.Lines {
			more := ""
			if l.MoreOccurrences > 0 {
				more = p.localise(" (%d more in this line)", l.MoreOccurrences)
			}
			if out := l.StruckNote(); out != "" {
				more += p.localise(" (%v)", out)
			}
			fmt.Fprintf(&p.out, "   %s%s\n", p.localise("%v: %s", l.Place, present.CleanLine(l.Text)), more)
		}
		if d.MoreLines > 0 {
			fmt.Fprintf(&p.out, "   %s\n", p.localise("%d more of its lines: --path %s shows them", d.MoreLines, quoteArg(d.Path)))
		}
	}
	for _, d := range found.OtherDocuments {
		fmt.Fprintf(&p.out, "\n%s\n", p.localise("%s (%d)", present.CleanLine(d.Path), d.Occurrences))
	}
	if found.NextOffset > 0 {
		p.notes = append(p.notes, p.localise("%d of %d lines are shown: --skip %d shows those that follow", found.NextOffset-q.Offset, found.Lines, found.NextOffset))
	}
	p.notes = append(p.notes, p.translateAll(found.Notes)...)
}
