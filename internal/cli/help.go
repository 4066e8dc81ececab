package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"vademecum/internal/manual"
	"vademecum/internal/near"
)

func (p *program) help() *cobra.Command {
	language := ""
	c := &cobra.Command{
		Use: "help [COMMAND|TOPIC]", Short: "show what a command takes, or a topic of the manual",
		Long: `show what a command takes, or a topic of the manual

Topics: ` + strings.Join(manual.Topics, ", ") + ".",
		Example: `  vademecum help search
  vademecum help hosts
  vademecum help hosts --lang zh`,
		ValidArgs: manual.Topics,
		RunE: func(c *cobra.Command, args []string) error {
			l, err := manualLanguage(language)
			if err != nil {
				return err
			}
			if len(args) == 1 && slices.Contains(manual.Topics, args[0]) {
				p.out.WriteString(manual.Text(args[0], l, p.readingWidth()))
				return nil
			}
			meant, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noSuchTopic(c.Root(), append(rest, args...))
			}
			meant.InitDefaultHelpFlag()
			meant.InitDefaultVersionFlag()
			return meant.Help()
		},
	}
	c.Flags().StringVar(&language, "lang", "", "`LANGUAGE` of the manual: en or zh (default: that of the system)")
	return c
}

// manualLanguage is the language of the manual that was given, or else that of the locale.
func manualLanguage(given string) (manual.Language, error) {
	code, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(given, "_", "-")), "-")
	switch l := manual.Language(code); {
	case given == "":
		return manual.LanguageOf(locale()), nil
	case l == manual.English || l == manual.Chinese:
		return l, nil
	}
	return "", mistake("", "--lang must be en or zh, got %q", given)
}

// locale is that of the user's messages, as POSIX orders the variables, or else as the
// system has it.
func locale() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := os.Getenv(name); value != "" {
			return value
		}
	}
	return systemLocale()
}

// noSuchTopic says which command or topic was probably meant by args.
func noSuchTopic(root *cobra.Command, args []string) error {
	hint := "topics: " + strings.Join(manual.Topics, ", ") + "; vademecum --help shows the commands"
	if meant := near.Of(args[0], append(commandNames(root), manual.Topics...)); meant != "" {
		hint = fmt.Sprintf("did you mean %s? %s", meant, hint)
	}
	return mistake(hint, "there is no command and no topic %s", quoted(args[:1]))
}

// The columns of a text to be read: long lines are hard to follow, and what is read in
// another program has no width.
const (
	mostColumns  = 100
	otherColumns = 80
)

func (p *program) readingWidth() int {
	columns, _, err := term.GetSize(int(p.stdout.Fd()))
	if err != nil || columns <= 0 {
		return otherColumns
	}
	return min(columns, mostColumns)
}
