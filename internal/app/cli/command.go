package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"vademecum/docs/ocr"
	"vademecum/embed"
	"vademecum/internal/app/manual"
	"vademecum/internal/base/message"
)

func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "vademecum",
		Short: "turn folders of documents into a knowledge base for MCP hosts",
		Long: `turn folders of documents into a knowledge base for MCP hosts

The first command on a folder indexes it, later ones read what has changed.`,
		Example: `  vademecum search notes "what to eat with high blood pressure"
  vademecum install claude-desktop notes`,
		Version:       p.release,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noSuchCommand(c, args)
			}
			return nil
		},
		PersistentPreRun: func(c *cobra.Command, _ []string) { p.flags = c.Flags() },
		RunE:             func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetVersionTemplate("vademecum {{.Version}}\n")
	root.SetUsageTemplate(usageTemplateIn(message.English))
	root.SetFlagErrorFunc(p.flagError)
	showHelp := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		translateHelp(c, p.language())
		showHelp(c, args)
	})
	flags := root.PersistentFlags()
	flags.StringArrayVar(&p.indexFiles, "index", nil, "`FILE` to keep the index in, one for each folder (default: in the user's cache folder)")
	flags.StringVar(&p.store, "store", "", "keep the index in a PostgreSQL database that any number of servers can share, given by its `URL` (default: $VADEMECUM_STORE)")
	flags.StringVar(&p.storeRead, "store-read", "", "query a read replica of that database, given by its `URL`, unless it is behind (default: $VADEMECUM_STORE_READ)")
	flags.StringArrayVar(&p.libraries, "library", nil, "`NAME` of a folder's documents in the database, one for each folder (default: the folder's path)")
	p.embedSpec = embed.DefaultSpec
	flags.Var(optionalSetting{&p.embedSpec, &p.embedGiven}, "embed", "embedding `MODEL`: "+embed.SpecHelp)
	flags.StringVar(&p.ocr, "ocr", ocr.AutoProgram, "`PROGRAM` that recognises the text of scanned pages and pictures, on this machine: the path of tesseract, auto to find it, or off")
	flags.StringVar(&p.ocrLanguages, "ocr-lang", "", "`LANGUAGES` of that text, as tesseract calls them, such as eng+deu (default: English, Chinese and a few others, if installed)")
	flags.Var(languageFlag{&p.chosenLanguage}, "lang", "`LANGUAGE` of the program's output: en or zh (default: the system language)")
	flags.StringVar(&p.logLevel, "log-level", "warn", "the minimum `LEVEL` to log on stderr: debug, info, warn or error")
	addGroup(root, "everyday", message.New("Every day:"), p.search(), p.find(), p.openCommand(), p.install(), p.uninstall(), p.doctor(), p.status(), p.index())
	addGroup(root, "servers", message.New("Servers:"), p.serve(), p.share(), p.connect(), p.token())
	addGroup(root, "administration", message.New("Administration:"), p.model(), p.storeCommand(), p.eval(), p.completion(), p.version())
	root.AddCommand(p.man())
	root.SetHelpCommand(p.help())
	root.SetHelpCommandGroupID("administration")
	return root
}

// addGroup adds commands as a group with a title in the help.
func addGroup(root *cobra.Command, id string, title message.Message, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title.String()})
	for _, c := range commands {
		c.GroupID = id
	}
	root.AddCommand(commands...)
}

// usageTemplateIn returns the template for the help of a command, with headings in a language.
func usageTemplateIn(l message.Language) string {
	return strings.NewReplacer(
		"USAGE", message.New("Usage:").InLanguage(l),
		"EXAMPLES", message.New("Examples:").InLanguage(l),
		"COMMANDS", message.New("Commands:").InLanguage(l),
		"FLAGS", message.New("Flags:").InLanguage(l),
		"GLOBAL", message.New("Flags of all commands:").InLanguage(l),
		"MORE", message.New("shows how to use a command.").InLanguage(l),
		"ELSEWHERE", message.New("shows the flags of all commands, such as --embed and --lang.").InLanguage(l),
		"MANUAL", message.New("shows the manual: %v.", manual.TopicNames()).InLanguage(l),
	).Replace(usageTemplate)
}

const usageTemplate = `USAGE
  {{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND{{else}}{{.UseLine}}{{end}}
{{- if .HasExample}}

EXAMPLES
{{.Example}}{{end}}
{{- range $group := .Groups}}

{{.Title}}{{range $.Commands}}{{if eq .GroupID $group.ID}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}
{{- if and .HasAvailableSubCommands (not .Groups)}}

COMMANDS{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}
{{- if .HasAvailableLocalFlags}}

{{if .HasParent}}FLAGS{{else}}GLOBAL{{end}}
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
{{- if .HasAvailableSubCommands}}

{{.CommandPath}} COMMAND --help MORE{{end}}
{{- if .HasParent}}
{{- if not .HasAvailableSubCommands}}
{{end}}
{{.Root.CommandPath}} --help ELSEWHERE{{else}}
{{.CommandPath}} help TOPIC MANUAL{{end}}
`

// requireArgs returns a check that a command has at least n arguments; what is the message if it
// has fewer.
func requireArgs(n int, what message.Message) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < n {
			return usageError{error: message.NewError(what)}
		}
		return nil
	}
}

func (p *program) completion() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion SHELL", Short: "print a script that lets a shell complete commands and flags",
		Long: `print a script that lets a shell (bash, zsh, fish or powershell) complete
commands and flags; have the shell read it when it starts`,
		Example: `  echo 'source <(vademecum completion bash)' >> ~/.bashrc
  echo 'source <(vademecum completion zsh)' >> ~/.zshrc
  vademecum completion fish > ~/.config/fish/completions/vademecum.fish
  vademecum completion powershell >> $PROFILE`,
		ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageErrorf("give one shell: %s", strings.Join(shells, ", "))
			}
			switch args[0] {
			case "bash":
				return c.Root().GenBashCompletionV2(&p.out, true)
			case "zsh":
				return c.Root().GenZshCompletion(&p.out)
			case "fish":
				return c.Root().GenFishCompletion(&p.out, true)
			case "powershell":
				return c.Root().GenPowerShellCompletionWithDesc(&p.out)
			}
			return usageErrorf("unknown shell %q: choose %s", args[0], strings.Join(shells, ", "))
		},
	}
}
