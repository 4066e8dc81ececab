package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vademecum/internal/present"
)

// usageError is a mistake in the command line. Without a hint of its own the
// help of the command is named.
type usageError struct {
	error
	hint string
}

func (e usageError) Unwrap() error { return e.error }

func mistake(hint, format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...), hint}
}

// noSuchCommand says what was probably meant by args, which begin with no
// command.
func noSuchCommand(root *cobra.Command, args []string) error {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	near := nearest(args[0], names)
	switch {
	case isFolder(args[0]) && len(args) > 1:
		return mistake(fmt.Sprintf("to ask it: vademecum search %s %s", shellWord(args[0]), quoted(args[1:])), "%s is a folder, not a command", present.Name(args[0]))
	case isFolder(args[0]):
		return mistake(fmt.Sprintf("to ask it: vademecum search %[1]s \"QUESTION\", for a host: vademecum serve %[1]s", shellWord(args[0])), "%s is a folder, not a command", present.Name(args[0]))
	case near != "":
		return mistake(fmt.Sprintf("did you mean %s? vademecum --help shows all commands", near), "unknown command %s", quoted(args[:1]))
	}
	return mistake("vademecum --help shows the commands", "unknown command %s", quoted(args[:1]))
}

// flagMistake says in plain words what is wrong with a flag.
func (p *program) flagMistake(c *cobra.Command, err error) error {
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
		_, usage := pflag.UnquoteUsage(bare.GetFlag())
		return mistake("", "--%s needs a value: %s", bare.GetFlag().Name, usage)
	case errors.As(err, &bad) && bad.GetFlag().Value.Type() == "bool":
		return mistake("", "--%s takes no value, got %q", bad.GetFlag().Name, bad.GetValue())
	case errors.As(err, &bad):
		return mistake("", "--%s %w, got %q", bad.GetFlag().Name, errors.Unwrap(bad), bad.GetValue())
	}
	return mistake("", "%w", err)
}

func (p *program) unknownFlag(c *cobra.Command, e *pflag.NotExistError) error {
	given := "--" + e.GetSpecifiedName()
	if letters := e.GetSpecifiedShortnames(); letters != "" { // -json, as other programs have it, ends in letters
		given = "-" + letters
		if i := slices.IndexFunc(p.args, func(arg string) bool { return strings.HasPrefix(arg, "-") && strings.HasSuffix(arg, letters) }); i >= 0 {
			given = p.args[i]
		}
	}
	name, _, _ := strings.Cut(strings.TrimLeft(given, "-"), "=")
	var names, elsewhere []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	for _, other := range c.Root().Commands() {
		if other.Flags().Lookup(name) != nil {
			elsewhere = append(elsewhere, other.Name())
		}
	}
	hint := ""
	if near := nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean --%s? %s --help shows all flags", near, c.CommandPath())
	} else if len(elsewhere) > 0 {
		hint = fmt.Sprintf("--%s is a flag of %s", name, strings.Join(elsewhere, ", "))
	} else if c.Name() == "search" && e.GetSpecifiedShortnames() != "" {
		hint = "put -- before a question that begins with a dash"
	}
	return mistake(hint, "unknown flag %s", present.Name(given))
}

// nearest is the name that differs least from what was given: by a slip of the
// hand, or by its end. It is "" when there is none.
func nearest(given string, names []string) string {
	best, least := "", 0
	for _, name := range names {
		a, b := []rune(strings.ToLower(given)), []rune(strings.ToLower(name))
		slips := max(len(a), len(b)) / 3
		if max(len(a), len(b))-min(len(a), len(b)) > slips {
			continue // that many edits at least
		}
		if n := editDistance(a, b); n <= slips && (best == "" || n < least) {
			best, least = name, n
		}
	}
	if i := slices.IndexFunc(names, func(name string) bool {
		return min(len(given), len(name)) > 2 && (strings.HasPrefix(name, given) || strings.HasPrefix(given, name))
	}); best == "" && i >= 0 {
		return names[i]
	}
	return best
}

// editDistance counts the letters to insert, delete, replace or swap with their
// neighbour that make a of b.
func editDistance(a, b []rune) int {
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		next := []int{i + 1}
		for j := range b {
			n := 1 + min(last[j], last[j+1], next[j])
			if a[i] == b[j] {
				n = last[j]
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				n = min(n, before[j-1]+1)
			}
			next = append(next, n)
		}
		before, last = last, next
	}
	return last[len(b)]
}

// quoted is words as one argument for a shell.
func quoted(words []string) string {
	return `"` + strings.ReplaceAll(strings.Trim(present.Name(strings.Join(words, " ")), `"`), `"`, `\"`) + `"`
}

// shellWord is a path as an argument for a shell.
func shellWord(path string) string {
	if strings.ContainsAny(path, " \t\"'$&()*;<>?[]`|~") || path == "" {
		return quoted([]string{path})
	}
	return path
}
