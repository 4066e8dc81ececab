package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"vademecum/internal/base/message"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// man returns the command that writes the manual pages, in the language of the program, for
// packages. It is hidden from the help, as users get the pages with a package.
func (p *program) man() *cobra.Command {
	return &cobra.Command{
		Use: "man FOLDER", Short: "write the manual pages", Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageErrorf("give the folder to write the pages to")
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			source := manPages{release: p.release, language: p.language()}
			if info, ok := debug.ReadBuildInfo(); ok {
				source.day = commitDay(info.Settings)
			}
			return source.writePages(c.Root(), args[0])
		},
	}
}

// manPages writes manual pages in a language. Their header has the version and the day of the
// commit instead of today, so that builds are reproducible.
type manPages struct {
	release, day string
	language     message.Language
}

// writePages writes the manual pages of a command and of all its subcommands into a folder.
func (m manPages) writePages(c *cobra.Command, folder string) error {
	if c.Hidden || c.Name() == "help" {
		return nil
	}
	for _, sub := range c.Commands() {
		if err := m.writePages(sub, folder); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, pageName(c)+".1"), m.renderPage(c), 0o644)
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// renderPage returns the manual page of a command in the markup of man(7).
func (m manPages) renderPage(c *cobra.Command) []byte {
	c.InitDefaultHelpFlag()
	translateHelp(c, m.language)
	var b bytes.Buffer
	name := pageName(c)
	fmt.Fprintf(&b, ".TH %s 1 %q %q Vademecum\n", escapeRoff(strings.ToUpper(name)), m.day, "vademecum "+m.release)
	fmt.Fprintf(&b, ".SH %s\n%s \\- %s\n", m.say("NAME"), escapeRoff(name), escapeRoff(c.Short))
	fmt.Fprintf(&b, ".SH %s\n.B %s\n", m.say("SYNOPSIS"), escapeRoff(c.UseLine()))
	if _, about, found := strings.Cut(c.Long, "\n\n"); found { // the first line of the help is the heading above
		fmt.Fprintf(&b, ".SH %s\n%s\n", m.say("DESCRIPTION"), strings.ReplaceAll(escapeRoff(about), "\n\n", "\n.PP\n"))
	}
	m.writeOptions(&b, m.say("OPTIONS"), c.NonInheritedFlags())
	if c.HasParent() {
		fmt.Fprintf(&b, ".PP\n%s\n", message.New("The options of all commands are in %s.", "\\fB"+escapeRoff(pageName(c.Root()))+"\\fR(1)").InLanguage(m.language))
	}
	if c.HasExample() {
		fmt.Fprintf(&b, ".SH %s\n.nf\n%s\n.fi\n", m.say("EXAMPLES"), escapeRoff(c.Example))
	}
	if others := relatedPages(c); len(others) > 0 {
		fmt.Fprintf(&b, ".SH %s\n%s\n", m.say("SEE ALSO"), strings.Join(others, ",\n"))
	}
	return b.Bytes()
}

// say translates a text into the language of the pages.
func (m manPages) say(text string) string {
	return message.New(text).InLanguage(m.language)
}

func (m manPages) writeOptions(b *bytes.Buffer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		value, about := pflag.UnquoteUsage(f)
		fmt.Fprintf(b, ".TP\n\\fB\\-\\-%s\\fR", escapeRoff(f.Name))
		if value != "" {
			fmt.Fprintf(b, " \\fI%s\\fR", escapeRoff(value))
		}
		fmt.Fprintf(b, "\n%s\n", escapeRoff(about))
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" {
			fmt.Fprintln(b, escapeRoff(fmt.Sprintf(m.say("(default %s)"), f.DefValue)))
		}
	})
}

// relatedPages returns the names of the manual pages of the parent command and of the subcommands.
func relatedPages(c *cobra.Command) (pages []string) {
	near := c.Commands()
	if c.HasParent() {
		near = append([]*cobra.Command{c.Parent()}, near...)
	}
	for _, other := range near {
		if !other.Hidden && other.Name() != "help" {
			pages = append(pages, fmt.Sprintf("\\fB%s\\fR(1)", escapeRoff(pageName(other))))
		}
	}
	return pages
}

// escapeRoff escapes a text for roff: backslashes, hyphens that must stay hyphens when they are
// copied, and a full stop or an apostrophe at the beginning of a line.
func escapeRoff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
