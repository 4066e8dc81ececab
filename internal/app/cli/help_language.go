package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vademecum/embed/hub"
	"vademecum/internal/app/manual"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// installHelp returns the help text of the command install, which lists the hosts.
func installHelp() message.Message {
	return message.New(`set up an MCP host to start the program with your folder

Without arguments it lists the hosts that were found on this machine. Only the
program's entry in the configuration of a host is changed. A copy of the original
configuration is kept next to it, and another from before an entry was last
replaced. Anything that serve would refuse is refused before anything is written.

Hosts: %v.`, listNames(hostNames()))
}

// topicsHelp returns the help text of the command help, which lists the topics of the manual.
func topicsHelp() message.Message {
	return message.New(`show help for a command, or a topic of the manual

Topics: %v.`, manual.TopicNames())
}

// modelsHelp returns the help text of the command model get, which lists the models.
func modelsHelp() message.Message {
	return message.New(`download a model, or repair a damaged one

It comes from huggingface.co, or from the server in HF_ENDPOINT, and is stored in the
user's cache folder. None of your data is sent. An interrupted download is resumed, and
each file is checked against its SHA-256. A model that is already here is compared with
what was downloaded.

Models: %v.`, listNames(hub.ModelNames()))
}

// tunnelHelp returns the help text of the flag --tunnel, which lists the tunnel programs.
func tunnelHelp() message.Message {
	return message.New("start this `PROGRAM` for an HTTPS address: %v", listNames(tunnelNames()))
}

// listNames joins names with commas.
func listNames(names []string) message.Message {
	all := message.Message(names[0])
	for _, name := range names[1:] {
		all = message.New("%v, %v", all, message.Message(name))
	}
	return all
}

// translateHelp translates the help of a command in place, as the program exits after it has
// printed help.
func translateHelp(c *cobra.Command, l message.Language) {
	if l == message.English {
		return
	}
	for _, sub := range c.Commands() {
		sub.Short = helpIn(l, sub.Short)
	}
	for _, group := range c.Groups() {
		group.Title = helpIn(l, group.Title)
	}
	c.Short, c.Long = helpIn(l, c.Short), helpIn(l, c.Long)
	translate := func(f *pflag.Flag) {
		switch f.Name { // cobra writes the English usage of these flags
		case "help":
			f.Usage = message.New("show the help").InLanguage(l)
		case "version":
			f.Usage = message.New("show the version").InLanguage(l)
		default:
			f.Usage = helpIn(l, f.Usage)
		}
	}
	c.LocalFlags().VisitAll(translate)
	cobra.AddTemplateFunc("translateDefaults", func(usages string) string {
		return defaults.ReplaceAllStringFunc(usages, func(text string) string {
			return message.New(" (default %s)", defaults.FindStringSubmatch(text)[1]).InLanguage(l)
		})
	})
	c.Root().SetUsageTemplate(strings.ReplaceAll(usageTemplateIn(l), "FlagUsages |", "FlagUsages | translateDefaults |"))
}

// helpIn returns an English help text in a language.
func helpIn(l message.Language, english string) string {
	for _, m := range []message.Message{installHelp(), topicsHelp(), modelsHelp(), tunnelHelp()} {
		if m.String() == english {
			return m.InLanguage(l)
		}
	}
	return message.New(english).InLanguage(l)
}

// defaults matches the default value that pflag appends to the usage of a flag.
var defaults = lazyregexp.New(`(?m) \(default (.*)\)$`)
