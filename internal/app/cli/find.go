package cli

import (
	"context"
	"fmt"
	"strings"

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
		Short: "print every place where a text occurs",
		Example: `  vademecum find notes warfarin
  vademecum find notes "blood pressure" --path '*.pdf'
  vademecum find notes '\b\d+ ?mg\b' --regexp`,
	}
	c.Flags().Func("lines", fmt.Sprintf("how many lines to print, `N` from 1 to %d (default %[1]d)", index.MaxFindLines), countInto(&q.MaxLines, index.MaxFindLines))
	c.Flags().IntVar(&q.LineOffset, "skip", 0, "skip the first `N` lines")
	check := func(text string) error {
		q.Text, p.modelPatience = text, index.QueryWaitTimeout
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
			p.printMoreLines(q, d, found.Documents == 1)
		}
	}
	for _, d := range found.OtherDocuments {
		fmt.Fprintf(&p.out, "\n%s\n", p.localise("%s (%d)", present.CleanLine(d.Path), d.Occurrences))
	}
	if found.NextLineOffset > 0 {
		p.notes = append(p.notes, p.localise("%d of %d lines are shown: --skip %d shows those that follow", found.NextLineOffset-q.LineOffset, found.Lines, found.NextLineOffset))
	}
	p.notes = append(p.notes, p.translateAll(found.Notes)...)
}

// printMoreLines prints how many matching lines of a document are not shown, and which flags show them: there
// are none if the document is the only one and as many lines are shown as can be.
func (p *program) printMoreLines(q index.FindQuery, d index.FoundDocument, isOnly bool) {
	var flags []string
	if !isOnly {
		flags = append(flags, "--path "+quoteArg(d.Path))
	}
	if wanted := len(d.Lines) + d.MoreLines; wanted > q.MaxLines && q.MaxLines < index.MaxFindLines {
		flags = append(flags, fmt.Sprintf("--lines %d", min(wanted, index.MaxFindLines)))
	}
	text := p.localise("%d more of its lines", d.MoreLines)
	if len(flags) > 0 {
		text = p.localise("%d more of its lines: %s shows them", d.MoreLines, strings.Join(flags, " "))
	}
	fmt.Fprintf(&p.out, "   %s\n", text)
}
