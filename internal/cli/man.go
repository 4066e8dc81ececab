package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// man writes the manual pages that packages bring. It is hidden: people have the pages.
func (p *program) man() *cobra.Command {
	return &cobra.Command{
		Use: "man FOLDER", Short: "write the manual pages", Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageErrorf("give the folder to write the pages to", "请给出写入手册页的文件夹")
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			source := manPages{release: p.release}
			if info, ok := debug.ReadBuildInfo(); ok {
				source.day = commitDay(info.Settings)
			}
			return source.writePages(c.Root(), args[0])
		},
	}
}

// manPages is what all pages say at their edges. The day is that of the commit, so that
// two builds make the same pages.
type manPages struct{ release, day string }

// writePages writes the page of a command, and those of its own commands.
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

// renderPage is a manual page in the language of man(7).
func (m manPages) renderPage(c *cobra.Command) []byte {
	c.InitDefaultHelpFlag()
	var b bytes.Buffer
	name := pageName(c)
	fmt.Fprintf(&b, ".TH %s 1 %q %q Vademecum\n", escapeRoff(strings.ToUpper(name)), m.day, "vademecum "+m.release)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", escapeRoff(name), escapeRoff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", escapeRoff(c.UseLine()))
	if _, about, found := strings.Cut(c.Long, "\n\n"); found { // its first line is that above
		fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", strings.ReplaceAll(escapeRoff(about), "\n\n", "\n.PP\n"))
	}
	writeOptions(&b, "OPTIONS", c.NonInheritedFlags())
	writeOptions(&b, "OPTIONS OF ALL COMMANDS", c.InheritedFlags())
	if c.HasExample() {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", escapeRoff(c.Example))
	}
	if others := relatedPages(c); len(others) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(others, ",\n"))
	}
	return b.Bytes()
}

func writeOptions(b *bytes.Buffer, title string, flags *pflag.FlagSet) {
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
			fmt.Fprintf(b, "(default %s)\n", escapeRoff(f.DefValue))
		}
	})
}

// relatedPages are the pages of the commands above and below.
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

// escapeRoff writes text so that the formatter takes none of it for its own: it gives a
// meaning to backslashes, to a hyphen that is to be copied, and to a full stop or an
// apostrophe at the beginning of a line.
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
