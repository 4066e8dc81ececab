package cli

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// usageError reports a mistake in the command line. If hint is "", the hint is how to get the help
// of the command.
type usageError struct {
	error
	hint message.Message
}

func (e usageError) Unwrap() error { return e.error }

// usageErrorf returns a usage error with a message like [message.New].
func usageErrorf(format string, args ...any) error {
	return usageError{error: message.Errorf(format, args...)}
}

// adviceOnMeant returns a hint with what the user may have meant.
func adviceOnMeant(other string) message.Message {
	return message.New("did you mean %s?", other)
}

// asUsageError returns an error as a usage error, with the hint of the error if it has one.
func asUsageError(err error) error {
	wrong := usageError{error: err}
	var hinting interface{ Hint() message.Message }
	if errors.As(err, &hinting) {
		wrong.hint = hinting.Hint()
	}
	return wrong
}

// noSuchCommand returns the usage error for arguments of which the first is not a command, with a
// suggestion.
func noSuchCommand(root *cobra.Command, args []string) error {
	if args[0] == removedCommand {
		return removedCommandError(args[1:])
	}
	near := present.NearestName(args[0], commandNames(root))
	wrong := message.Errorf("unknown command %s", quoteArgs(args[:1]))
	if isFolder(args[0]) {
		wrong = message.Errorf("%s is a folder, not a command", present.QuoteName(args[0]))
	}
	switch {
	case isFolder(args[0]) && len(args) > 1:
		return usageError{wrong, message.New("to ask it: vademecum search %s %s", quoteArg(args[0]), quoteArgs(args[1:]))}
	case isFolder(args[0]):
		return usageError{wrong, message.New("to ask it: vademecum search %[1]s \"QUESTION\", for a host: vademecum serve %[1]s", quoteArg(args[0]))}
	case near != "":
		return usageError{wrong, message.New("did you mean %s? vademecum --help shows all commands", near)}
	}
	return usageError{wrong, message.New("vademecum --help shows the commands")}
}

// noSuchSubcommand returns the usage error for a word that is none of the subcommands of a command, of which
// all is a list.
func noSuchSubcommand(parent *cobra.Command, word, all string) error {
	err := message.Errorf("unknown command %s %s: there are %s", parent.Name(), quoteArgs([]string{word}), all)
	if near := present.NearestName(word, commandNames(parent)); near != "" {
		return usageError{err, message.New("did you mean %s? %v describes it", parent.Name()+" "+near, helpCommand(parent))}
	}
	return usageError{err, message.New("%v says what they do", helpCommand(parent))}
}

func commandNames(parent *cobra.Command) (names []string) {
	for _, c := range parent.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// flagError returns a usage error that explains in plain words what is wrong with a flag.
func (p *program) flagError(c *cobra.Command, err error) error {
	if before := c.Flags().Args(); c == c.Root() && len(before) > 0 {
		return noSuchCommand(c, before)
	}
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var bad *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return p.unknownFlag(c, unknown)
	case errors.As(err, &bare):
		flag := *bare.GetFlag()
		flag.Usage = helpIn(p.language(), flag.Usage)
		_, usage := pflag.UnquoteUsage(&flag)
		return usageError{error: message.Errorf("--%s needs a value: %v", flag.Name, usage)}
	case errors.As(err, &bad) && bad.GetFlag().Value.Type() == "bool":
		return usageError{error: message.Errorf("--%s takes no value, got %q", bad.GetFlag().Name, bad.GetValue())}
	case errors.As(err, &bad):
		return usageError{error: message.Errorf("--%s %v, got %q", bad.GetFlag().Name, errors.Unwrap(bad), bad.GetValue())}
	}
	return usageError{error: err}
}

func (p *program) unknownFlag(c *cobra.Command, e *pflag.NotExistError) error {
	given := "--" + e.GetSpecifiedName()
	// -json, as other programs accept it, is parsed as single letters
	if letters := e.GetSpecifiedShortnames(); letters != "" {
		given = "-" + letters
		if i := slices.IndexFunc(p.args, func(arg string) bool { return strings.HasPrefix(arg, "-") && strings.HasSuffix(arg, letters) }); i >= 0 {
			given = p.args[i]
		}
	}
	name, _, _ := strings.Cut(strings.TrimLeft(given, "-"), "=")
	if instead, found := removedFlags[name]; found {
		return usageError{message.Errorf("the flag --%s no longer exists", name), instead}
	}
	var names, elsewhere []string
	alias := ""
	c.Flags().VisitAll(func(f *pflag.Flag) {
		names = append(names, f.Name)
		if slices.Contains(f.Annotations[otherNames], strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))) {
			alias = f.Name
		}
	})
	for _, other := range c.Root().Commands() {
		if other.Flags().Lookup(name) != nil {
			elsewhere = append(elsewhere, other.Name())
		}
	}
	var hint message.Message
	if strings.Contains(c.Use, "FOLDER") && slices.Contains(namesOfFolders, name) {
		hint = message.New("folders are given without a flag: %v", commandLine(c.Use))
	} else if near := cmp.Or(present.NearestName(name, names), alias); near != "" {
		described := c
		if c.InheritedFlags().Lookup(near) != nil {
			described = c.Root()
		}
		hint = message.New("did you mean --%s? %v describes it", near, helpCommand(described))
	} else if len(elsewhere) > 0 {
		hint = message.New("--%s is a flag of %s", name, strings.Join(elsewhere, ", "))
	} else if c.Name() == "search" && e.GetSpecifiedShortnames() != "" {
		hint = message.New("put -- before a question that begins with a dash")
	}
	return usageError{message.Errorf("unknown flag %s", present.QuoteName(given)), hint}
}

// namesOfFolders are the names of flags by which other programs are given folders.
var namesOfFolders = []string{"dir", "directory", "docs", "folder", "folders", "root"}

// helpCommand returns the command that shows the help of a command.
func helpCommand(c *cobra.Command) message.Message {
	return message.Message(c.CommandPath() + " --help")
}

// quoteArgs joins words, and quotes them as a single argument for a shell.
func quoteArgs(words []string) string { return present.ShellQuote(strings.Join(words, " ")) }

// quoteArg quotes a path as an argument for a shell.
func quoteArg(path string) string { return present.ShellWord(path) }
