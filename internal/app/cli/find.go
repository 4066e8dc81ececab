package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

func (p *program) find() *cobra.Command {
	q := index.FindQuery{MaxLines: index.MaxFindLines}
	var asJSON bool
	c := &cobra.Command{
		Use:   "find FOLDER... TEXT",
		Short: "print every place of a text",
		Example: `  vademecum find notes warfarin
  vademecum find notes "blood pressure" --path '*.pdf'
  vademecum find notes '\b\d+ ?mg\b' --regexp`,
		Args: p.foldersAndText(textNoun),
		RunE: func(c *cobra.Command, args []string) error {
			if hint := misplacedArgHint(c.Name(), textNoun, args); hint != "" {
				return usageError{noSuchFolder(firstMissingFolder(args)), hint}
			}
			q.Text = args[len(args)-1]
			if _, err := q.Check(); err != nil {
				return usageError{error: err}
			}
			p.patience, p.modelPatience, p.asks = index.WaitTimeout, index.WaitTimeout, true
			return p.withIndex(c.Context(), args[:len(args)-1], func(ctx context.Context, ix *index.Index) error {
				found, documents, err := syncAndAsk(ctx, p, ix, func() (index.Findings, error) { return ix.Find(ctx, q) })
				switch {
				case err != nil:
					return err
				case asJSON:
					return p.printJSON(found)
				}
				if documents == 0 && !ix.State().IsBehind() {
					p.noteNoDocument(args[:len(args)-1])
				}
				p.printFindings(q, found)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&q.Regexp, "regexp", false, "the text is a regular expression (RE2)")
	c.Flags().BoolVar(&q.IsCaseSensitive, "case", false, "capitals, accents, width and Chinese writing matter")
	c.Flags().Func("lines", fmt.Sprintf("how many lines to print, `N` from 1 to %d (default %[1]d)", index.MaxFindLines), func(n string) (err error) {
		if q.MaxLines, err = strconv.Atoi(n); err != nil || q.MaxLines < 1 || q.MaxLines > index.MaxFindLines {
			return message.Errorf("must be a whole number from 1 to %d", index.MaxFindLines)
		}
		return nil
	})
	c.Flags().IntVar(&q.Offset, "skip", 0, "leave out the first `N` lines")
	addFilterFlags(c.Flags(), &q.Filter)
	p.completeFilters(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// printFindings prints the matching lines by document, in the manner of grep.
func (p *program) printFindings(q index.FindQuery, found index.Findings) {
	if found.Places == 0 {
		fmt.Fprintln(&p.out, p.translate(notice.NothingFound(found.Incomplete)))
	} else {
		fmt.Fprintln(&p.out, p.translate(notice.PlacesFound(found.Places, found.Documents)))
	}
	for _, d := range found.Found {
		fmt.Fprintf(&p.out, "\n%s\n", p.localise("%s (%d)", present.CleanLine(d.Path), d.Places))
		for _, l := range d.Lines {
			more := ""
			if l.More > 0 {
				more = p.localise(" (%d more in this line)", l.More)
			}
			fmt.Fprintf(&p.out, "   %s%s\n", p.localise("%v: %s", l.Place, present.CleanLine(l.Text)), more)
		}
		if d.More > 0 {
			fmt.Fprintf(&p.out, "   %s\n", p.localise("%d more of its lines: --path %s shows them", d.More, quoteArg(d.Path)))
		}
	}
	for _, d := range found.Others {
		fmt.Fprintf(&p.out, "\n%s\n", p.localise("%s (%d)", present.CleanLine(d.Path), d.Places))
	}
	if found.Next > 0 {
		p.notes = append(p.notes, p.localise("%d of %d lines are shown: --skip %d shows those that follow", found.Next-q.Offset, found.Lines, found.Next))
	}
	p.notes = append(p.notes, notice.LinesIn(p.language(), found.Notes)...)
}
