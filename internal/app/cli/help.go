package cli

import (
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"vademecum/internal/app/manual"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

func (p *program) help() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND|TOPIC]", Short: "show help for a command, or a topic of the manual",
		Long: topicsHelp().String(),
		Example: `  vademecum help search
  vademecum help hosts
  vademecum help hosts --lang zh`,
		ValidArgs: manual.Topics,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				if topic := manual.FindTopic(args[0]); topic != "" {
					if len(args) > 1 {
						return tooManyTopics(args[1:], commandLine("help", topic))
					}
					p.out.WriteString(manual.Text(topic, p.language(), p.textWidth()))
					return nil
				}
			}
			meant, rest, err := c.Root().Find(args)
			switch {
			case err == nil && len(rest) > 0 && meant.HasSubCommands() && meant.HasParent():
				return usageError{message.Errorf("there is no command %s", quoteArgs(args)), helpCommand(meant)}
			case err == nil && len(rest) > 0 && meant.HasParent():
				return tooManyTopics(rest, helpCommand(meant))
			case err != nil || len(rest) > 0:
				return noSuchTopic(c.Root(), args)
			}
			meant.InitDefaultHelpFlag()
			meant.InitDefaultVersionFlag()
			return meant.Help()
		},
	}
}

// tooManyTopics returns a usage error for arguments after a command or topic, with the command that
// leaves them out.
func tooManyTopics(more []string, without message.Message) error {
	return usageError{message.Errorf("help takes one command or topic, but was also given %s", quoteArgs(more)), without}
}

// noSuchTopic returns a usage error with the command or topic of the manual that args probably
// mean.
func noSuchTopic(root *cobra.Command, args []string) error {
	hint := message.New("topics: %v; vademecum --help shows the commands", manual.TopicNames())
	if meant := present.NearestName(args[0], append(commandNames(root), manual.Topics...)); meant != "" {
		hint = message.New("did you mean %s? %s", meant, hint)
	}
	return usageError{message.Errorf("there is no command and no topic %s", quoteArgs(args[:1])), hint}
}

// Width in columns of text for reading: at most mostColumns, as long lines are hard to follow, and
// otherColumns if the output is not a terminal.
const (
	mostColumns  = 100
	otherColumns = 80
)

func (p *program) textWidth() int {
	columns, _, err := term.GetSize(int(p.stdout.Fd()))
	if err != nil || columns <= 0 {
		return otherColumns
	}
	return min(columns, mostColumns)
}
