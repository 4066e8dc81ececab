package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vademecum/embed/hub"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// modelCommands names the subcommands of model, for error messages.
const modelCommands = "get, list, remove"

func (p *program) model() *cobra.Command {
	c := &cobra.Command{
		Use: "model COMMAND", Short: "download, list and remove embedding models that run on this machine",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noSuchSubcommand(c, args[0], modelCommands)
			}
			return usageError{message.Errorf("give a command: %s", modelCommands), adviceOnModels()}
		},
	}
	c.AddCommand(p.getModel(), p.listModels(), p.removeModels())
	return c
}

func (p *program) getModel() *cobra.Command {
	return &cobra.Command{
		Use:   "get NAME",
		Short: "download a model, or repair a damaged one",
		Long:  modelsHelp().String(),
		Example: `  vademecum model get leaf-ir
  HF_ENDPOINT=https://hf-mirror.com vademecum model get bge-small-zh`,
		ValidArgsFunction: completeModels,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{message.Errorf("give the name of one model"), adviceOnModels()}
			}
			m, err := modelNamed(args[0])
			if err != nil {
				return err
			}
			dir, err := p.fetchModel(c.Context(), m)
			if err == nil {
				fmt.Fprintln(&p.out, p.localise("%s is here: --embed local:%[1]s uses it; it is stored in %s", m.Name, present.QuoteName(dir)))
			}
			return err
		},
	}
}

func adviceOnModels() message.Message {
	return message.New("vademecum model list shows the models")
}

// modelNamed returns the downloadable model with a name, or a usage error.
func modelNamed(name string) (hub.Model, error) {
	m, err := hub.FindModel(name)
	if err != nil {
		err = usageError{err, adviceOnModels()}
	}
	return m, err
}

func completeModels(_ *cobra.Command, _ []string, typed string) (names []string, _ cobra.ShellCompDirective) {
	for _, m := range hub.Models {
		if strings.HasPrefix(m.Name, typed) {
			names = append(names, cobra.CompletionWithDesc(m.Name, fmt.Sprintf("%v, %s", m.Languages, m.SizeText())))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// fetchModel downloads a model unless this machine has it, and returns its folder. It shows
// progress on stderr.
func (p *program) fetchModel(ctx context.Context, m hub.Model) (string, error) {
	h, err := hub.FromEnvironment()
	if err != nil {
		return "", usageError{error: err}
	}
	fmt.Fprintln(p.stderr, p.localise("%s: %s, licence %s, %s, from %s", m.Name, m.Repository, m.Licence, m.SizeText(), h.Host()))
	show, every := p.progressDisplay()
	defer p.stderr.clearLine()
	shown := time.Now()
	dir, _, err := h.Fetch(ctx, m, func(g hub.Progress) {
		if g.IsWaitingForOtherProcess {
			fmt.Fprintln(p.stderr, p.localise("another process is fetching it: waiting for that"))
		} else if time.Since(shown) >= every {
			show(fetchingStage(g, p.language()))
			shown = time.Now()
		}
	})
	if err != nil {
		return "", message.Errorf("fetch the model %s: %v", m.Name, err)
	}
	return dir, nil
}

// fetchingStage returns the progress of downloading a model.
func fetchingStage(g hub.Progress, l message.Language) progressStage {
	const mega = 1_000_000
	counted := message.New("%v of %v", notice.FormatSize(g.DoneBytes), notice.FormatSize(g.TotalBytes))
	return progressStage{language: l, what: message.New("fetched"), things: message.NewIn("count", "MB"), counted: counted, done: int(g.DoneBytes / mega), total: int(max(g.TotalBytes/mega, 1))}
}

func (p *program) listModels() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "list the models, and where the downloaded ones are stored",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageErrorf("model list takes no argument, got %s", quoteArgs(args[:1]))
			}
			all, err := hub.ModelStates()
			if err != nil {
				return err
			}
			if asJSON {
				return p.printJSON(map[string]any{"models": modelsAsJSON(all)})
			}
			table := tabwriter.NewWriter(&p.out, 0, 0, 2, ' ', 0)
			for _, s := range all {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", s.Name, s.SizeText(), s.Licence, p.localise("%v; %s", s.Languages, p.localState(s)))
			}
			return table.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// localState describes how much of a model this machine has.
func (p *program) localState(s hub.ModelState) string {
	switch {
	case s.Fault != nil:
		return p.translateLine(message.FromError(s.Fault))
	case s.Dir != "":
		return present.QuoteName(s.Dir)
	case s.Bytes > 0:
		return p.localise("%s of it fetched", notice.FormatSize(s.Bytes))
	}
	return p.localise("not fetched")
}

// listedModel is a model in the JSON output of model list.
type listedModel struct {
	Name       string `json:"name"`
	Repository string `json:"repository"`
	Commit     string `json:"commit"`
	Licence    string `json:"licence"`
	Languages  string `json:"languages"`
	Bytes      int64  `json:"bytes"`         // approximate size
	Here       int64  `json:"bytes_here"`    // bytes on the disk of this machine
	Dir        string `json:"dir,omitempty"` // folder of the model, if the model is complete
	Fault      string `json:"fault,omitempty"`
}

func modelsAsJSON(states []hub.ModelState) (all []listedModel) {
	for _, s := range states {
		one := listedModel{s.Name, s.Repository, s.Commit, s.Licence, s.Languages.String(), s.Model.Bytes, s.Bytes, s.Dir, ""}
		if s.Fault != nil {
			one.Fault = s.Fault.Error()
		}
		all = append(all, one)
	}
	return all
}

func (p *program) removeModels() *cobra.Command {
	return &cobra.Command{
		Use:               "remove NAME...",
		Short:             "remove downloaded models, including partial downloads",
		Example:           `  vademecum model remove leaf-ir`,
		ValidArgsFunction: completeModels,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{message.Errorf("give the names of models"), adviceOnModels()}
			}
			var some []hub.Model
			for _, arg := range args {
				m, err := modelNamed(arg)
				if err != nil {
					return err
				}
				some = append(some, m)
			}
			for _, m := range some {
				freed, err := hub.Remove(m)
				switch {
				case err != nil:
					return err
				case freed == 0:
					p.notes = append(p.notes, p.localise("there were no files of %s", m.Name))
				default:
					fmt.Fprintln(&p.out, p.localise("Removed %s: %s freed.", m.Name, notice.FormatSize(freed)))
				}
			}
			return nil
		},
	}
}

// offerFetch asks the user at the terminal whether to download the model of --embed, if that is a
// known model which is missing, and downloads it if the user agrees. Without a terminal, or if the
// user does not agree, it returns an error with a hint.
func (p *program) offerFetch(ctx context.Context) error {
	m, ok := hub.ModelOfSpec(p.embedSpec)
	if !ok {
		return nil
	}
	_, err := hub.Folder(m.Name)
	if !errors.As(err, new(*hub.NotFetchedError)) { // other errors are reported when the model is opened
		return nil
	}
	if !p.isAtTerminal() {
		return asUsageError(err)
	}
	question := p.localise("%v\nfetch it now (%s, licence %s, %s)? [y/N] ", err, m.Repository, m.Licence, m.SizeText())
	if agreed, asked := p.confirm(ctx, question); asked != nil {
		return asked
	} else if !agreed {
		return asUsageError(err)
	}
	_, err = p.fetchModel(ctx, m)
	return err
}
