package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"vademecum/embed"
	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/operations"
	"vademecum/internal/base/glob"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

func (p *program) search() *cobra.Command {
	var q index.Query
	c := &cobra.Command{
		Use:   "search FOLDER... QUERY",
		Short: "print the passages that answer a question",
		Example: `  vademecum search notes "what to eat with high blood pressure"
  vademecum search notes "high blood pressure" --also 高血压 --path 'cardio/**'`,
	}
	p.reranker.define(c.Flags())
	c.Flags().BoolVar(&q.WithExplanations, "explain", false, "explain the rank of each passage")
	check := func(text string) error {
		if q.Text = text; !embed.PropertiesOf(p.embedSpec).IsCheapToCompute {
			p.modelPatience = index.QueryWaitTimeout
		}
		return q.Check()
	}
	ask := func(ctx context.Context, ix *index.Index) (index.Answer, error) { return ix.Search(ctx, q) }
	addQuestion(p, c, questionNoun, operations.SearchParameters(&q), check, ask, func(a index.Answer, isEmpty bool) {
		if isEmpty { // noteNoDocument says it, with the command to run
			a.Notes = slices.DeleteFunc(a.Notes, func(n notice.Note) bool {
				return n.Kind == notice.NothingSearchable || n.Kind == notice.UnknownWords || n.Kind == notice.QuestionSubjectNotFound
			})
		}
		p.printAnswer(a)
	})
	return c
}

// addQuestion makes c a command whose last argument is a question about the folders in the other
// arguments. The command gets flags for the parameters of an operation, check validates the last
// argument, ask answers the question, and print prints the answer.
func addQuestion[R index.Reply](p *program, c *cobra.Command, noun message.Message, parameters []operations.Parameter, check func(text string) error, ask func(context.Context, *index.Index) (R, error), print func(found R, isEmpty bool)) {
	var asJSON bool
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	addParameters(c.Flags(), parameters)
	p.completeFilters(c)
	c.Args = p.foldersAndText(noun)
	c.RunE = func(c *cobra.Command, args []string) error {
		if hint := misplacedArgHint(c.Name(), noun, args); hint != "" {
			return usageError{noSuchFolder(firstMissingFolder(args)), hint}
		}
		folders := args[:len(args)-1]
		if err := check(args[len(args)-1]); err != nil {
			return usageError{error: err}
		}
		p.patience, p.asks = index.QueryWaitTimeout, true
		return p.withIndex(c.Context(), folders, func(ctx context.Context, ix *index.Index) error {
			found, documents, err := syncAndAsk(ctx, p, ix, func() (R, error) { return ask(ctx, ix) })
			switch {
			case err != nil:
				return err
			case asJSON:
				return p.printJSON(found)
			}
			isEmpty := documents == 0 && !ix.State().IsBehind()
			if isEmpty {
				p.notes = append(p.notes, p.localise("there is no document to search yet: vademecum index FOLDER shows what was found"))
			}
			print(found, isEmpty)
			return nil
		})
	}
}

// countInto returns a function that sets n to the value of a flag, which must be a number from 1 to
// most.
func countInto(n *int, most int) func(string) error {
	return func(text string) (err error) {
		if *n, err = strconv.Atoi(text); err != nil || *n < 1 || *n > most {
			return message.Errorf("must be a whole number from 1 to %d", most)
		}
		return nil
	}
}

// questionNoun and textNoun are the names of the last argument of search and find.
var questionNoun, textNoun = message.New("question"), message.New("text")

// foldersAndText returns a check that the arguments are folders followed by a question or a text;
// noun says which.
func (p *program) foldersAndText(noun message.Message) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		placeholder := `"` + strings.ToUpper(noun.String()) + `"`
		switch {
		case len(args) == 1 && len(p.libraries) > 0:
			return nil
		case len(args) == 1 && isFolder(args[0]):
			return usageError{message.Errorf("the %s is missing", noun), commandLine(c.Name(), quoteArg(args[0]), placeholder)}
		case len(args) == 1:
			return usageError{message.Errorf("give a folder and a %s", noun), commandLine(c.Name(), "FOLDER", quoteArgs(args))}
		case len(args) == 0:
			return usageError{message.Errorf("give a folder and a %s", noun), commandLine(c.Name(), "FOLDER", placeholder)}
		}
		return nil
	}
}

// syncAndAsk brings an index up to date and calls ask. It returns the answer and the number of
// documents.
func syncAndAsk[T any](ctx context.Context, p *program, ix *index.Index, ask func() (T, error)) (a T, documents int, err error) {
	report, err := p.sync(ctx, ix, index.Scope{})
	if err != nil && !errors.As(err, new(modelError)) && !errors.Is(err, index.ErrFolderNotResponding) && !errors.As(err, new(index.FolderMismatchError)) && !errors.Is(err, index.ErrDatabaseReadOnly) {
		return a, 0, err
	}
	p.checkLanguages(ctx, ix)
	a, err = ask()
	if errors.Is(err, index.ErrDamaged) { // the damage of the index was noticed only when a passage was read
		if _, err := p.sync(ctx, ix, index.Scope{}); err != nil && !errors.As(err, new(modelError)) {
			return a, 0, err
		}
		a, err = ask()
	}
	if errors.Is(err, glob.ErrInvalidPath) {
		err = usageError{error: err}
	}
	return a, report.SearchableDocuments, err
}

// checkLanguages adds a note if a language that the user has named for OCR is not installed, as the
// pages would wait for it in vain.
func (p *program) checkLanguages(ctx context.Context, ix *index.Index) {
	if p.ocrLanguages == "" {
		return
	}
	limited, cancel := context.WithTimeout(ctx, programPatience)
	defer cancel()
	ix.ReportMissingRecogniser(limited)
}

// misplacedArgHint returns a hint for a command line in which the question or text precedes its
// folder, or lacks the quotation marks that make it one argument. It returns "" if all folders
// exist, or if a folder has a name similar to the missing one.
func misplacedArgHint(command string, noun message.Message, args []string) message.Message {
	missing, last := firstMissingFolder(args), len(args)-1
	known := slices.Index(args, missing)
	switch {
	case missing == "" || similarFolderHint(missing) != "":
		return ""
	case known > 0:
		return message.New("a %s of several words needs quotes: %v", noun, commandLine(command, shellLine(args[:known]), quoteArgs(args[known:])))
	case isFolder(args[last]):
		return message.New("the folder comes first: %v", commandLine(command, quoteArg(args[last]), quoteArgs(args[:last])))
	}
	return ""
}

// firstMissingFolder returns the first argument of a search that should be a folder but does not
// exist; "" if all exist.
func firstMissingFolder(args []string) string {
	for _, dir := range args[:len(args)-1] {
		if _, err := statWithTimeout(dir); isNotExist(err) {
			return dir
		}
	}
	return ""
}

func (p *program) printAnswer(a index.Answer) {
	first, others := notice.SplitShownFirst(a.Notes)
	var out strings.Builder
	for _, line := range p.translateAll(first) {
		fmt.Fprintf(&out, "%s\n\n", line)
	}
	if len(a.Passages) == 0 {
		fmt.Fprintln(&out, p.translate(notice.NothingFound(a.Incomplete)))
	}
	for i, passage := range a.Passages {
		fmt.Fprintln(&out, p.localise("%d. %v (score %.2f)", i+1, notice.FormatCitation(passage.Path, passage.Place), passage.Score))
		if above := headingsAbove(passage); len(above) > 0 {
			fmt.Fprintf(&out, "   %s\n", present.CleanLine(strings.Join(above, " > ")))
		}
		if tagged := notice.DateAndTags(passage.Date.String(), passage.Tags); tagged != "" {
			fmt.Fprintf(&out, "   %s\n", tagged)
		}
		if passage.IsRelatedOnly {
			fmt.Fprintf(&out, "   %s\n", p.translate(notice.FoundByWordParts))
		}
		if len(passage.LinkedFrom) > 0 {
			fmt.Fprintf(&out, "   %s\n", p.localise("linked from: %s", present.CleanLine(strings.Join(passage.LinkedFrom, "; "))))
		}
		if rest := notice.PlacesInDocument(passage.PlacesOfOmittedText); rest != "" {
			fmt.Fprintf(&out, "   %s\n", p.localise("more of it in: %s", p.translateLine(rest)))
		}
		if same := notice.SameTextElsewhere(passage.Copies, passage.MoreCopies); same != "" {
			fmt.Fprintf(&out, "   %s\n", p.localise("same text in: %s", p.translateLine(same)))
		}
		if lines := notice.SameTextElsewhere(passage.SameLinePlaces, passage.MoreSameLinePlaces); lines != "" {
			fmt.Fprintf(&out, "   %s\n", p.localise("same line in: %s", p.translateLine(lines)))
		}
		if near := notice.SameTextElsewhere(passage.SimilarPlaces, passage.MoreSimilarPlaces); near != "" {
			fmt.Fprintf(&out, "   %s\n", p.localise("in part also in: %s", p.translateLine(near)))
		}
		if others := notice.SameTextElsewhere(passage.Translations, passage.MoreTranslations); others != "" {
			fmt.Fprintf(&out, "   %s\n", p.localise("in other languages: %s", p.translateLine(others)))
		}
		for _, line := range passage.Explanation.Lines(p.language()) {
			fmt.Fprintf(&out, "   %s\n", line)
		}
		fmt.Fprintf(&out, "\n%s\n\n", indent(passage.JoinDividedWords(passage.Text)))
	}
	text := out.String()
	if columns, _, err := term.GetSize(int(p.stdout.Fd())); err == nil && columns > 0 {
		text = present.Wrap(text, columns)
	}
	p.out.WriteString(text)
	p.notes = append(p.notes, p.translateAll(others)...)
}

// headingsAbove returns the headings above a passage that its text does not contain.
func headingsAbove(p index.Passage) []string {
	return slices.DeleteFunc(slices.Clone(p.Heading), func(h string) bool { return strings.Contains(p.Text, h) })
}

func indent(text string) string {
	return "   " + strings.ReplaceAll(text, "\n", "\n   ")
}

func (p *program) printJSON(v any) error {
	e := json.NewEncoder(&p.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
