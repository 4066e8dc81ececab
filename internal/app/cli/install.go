package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vademecum/index/notice"
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// defaultEntryName is how hosts call the program unless the user chooses another name.
const defaultEntryName = "vademecum"

// installOptions are the flags of install and uninstall.
type installOptions struct {
	name, url, results string
	authorities, token string
	print, dryRun      bool
	all, add           bool
	isNameGiven        bool

	line  []string    // arguments of this command that a host passes on to the program
	found serverProbe // result of probing the URL
}

func (p *program) install() *cobra.Command {
	var o installOptions
	c := &cobra.Command{
		Use:   "install [HOST FOLDER...]",
		Short: "set up an MCP host to start the program with your folder",
		Long:  installHelp().String(),
		Example: `  vademecum install claude-desktop notes
  vademecum install cursor notes papers --embed ollama:bge-m3
  vademecum install cursor --add letters
  vademecum install --all notes
  vademecum install vscode --url http://localhost:8080/mcp`,
		ValidArgsFunction: completeHosts,
		RunE: func(c *cobra.Command, args []string) error {
			m, err := hosts.ThisMachine()
			if err != nil {
				return err
			}
			if len(args) == 0 && o.url == "" && !o.all {
				if err := checkNoHostFlags(c); err != nil {
					return err
				}
				return p.listHosts(m)
			}
			var h hosts.Host
			if !o.all {
				if h, err = hostOfArgs(args); err != nil {
					return err
				}
				if err := o.checkAuthorities(h); err != nil {
					return err
				}
				if err := checkOneHost(c.Name(), args); err != nil {
					return err
				}
				args = args[1:]
			} else if err := checkNoHost(args); err != nil {
				return err
			}
			if err := p.checkInstallOptions(c, &o, args); err != nil {
				return err
			}
			if o.all {
				return p.installInAllHosts(c.Context(), m, o)
			}
			return p.installOne(c.Context(), m, h, o)
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.name, "name", defaultEntryName, "`NAME` of the entry in the host")
	flags.BoolVar(&o.all, "all", false, "set up every host found on this machine: give folders, but no host")
	flags.BoolVar(&o.add, "add", false, "add the folders to those in the entry, and keep its flags")
	flags.StringVar(&o.url, "url", "", "have the host connect to a server at this `URL` instead of starting one")
	flags.StringVar(&o.token, "token-variable", "", "with --url: the `NAME` of the variable with your token for the server (default "+hosts.ConnectTokenVariable+", if the server asks for one)")
	flags.StringVar(&o.authorities, "ca-file", "", "with --url, for a host that supports only stdio: also trust the authorities in this `FILE`")
	flags.StringVar(&o.results, "results", "auto", "how passages are returned, `MODE`: auto, text, resource or both")
	flags.Bool("log-queries", false, "also log questions when calls are logged (level info)")
	p.reranker.define(flags)
	flags.BoolVar(&o.print, "print", false, "only print what to paste")
	flags.BoolVar(&o.dryRun, "dry-run", false, "only show what would be changed")
	return c
}

// installOne adds an entry to the configuration of a host, or prints what to add.
func (p *program) installOne(ctx context.Context, m hosts.Machine, h hosts.Host, o installOptions) error {
	s, err := p.hostServer(m, h, o)
	if err != nil {
		return err
	}
	if o.print || h.ConfigFile(m) == "" {
		return p.printSnippet(m, h, s, o.print)
	}
	return p.writeHostEntry(ctx, m, h, s, o)
}

// installInAllHosts calls installOne for each host that is found. A failure does not stop it; after
// an interruption the remaining hosts are left unchanged.
func (p *program) installInAllHosts(ctx context.Context, m hosts.Machine, o installOptions) error {
	done, failed := 0, 0
	for _, h := range hosts.KnownHosts {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !h.IsInstalled(m) {
			continue
		}
		if done+failed > 0 {
			fmt.Fprintln(&p.out)
		}
		switch err := p.installOne(ctx, m, h, o); {
		case err == nil:
			done++
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			failed++
			fmt.Fprint(&p.out, p.localise("%s is left unchanged: %s\n", h.Title, notice.ErrorLine(err)))
		}
	}
	switch {
	case failed > 0:
		return message.Errorf("%d of %v failed", failed, message.New("%d hosts", done+failed))
	case done == 0:
		return message.Errorf("no host was found on this machine: name one, vademecum install --help lists them")
	}
	return nil
}

func (p *program) writeHostEntry(ctx context.Context, m hosts.Machine, h hosts.Host, s hosts.Server, o installOptions) error {
	if !h.IsInstalled(m) { // nothing would read the file, and the host would count as installed from then on
		return usageError{message.Errorf("%s was not found on this machine: nothing is written", h.Title),
			message.New("start it once, if it is here; --print prints what to paste, and vademecum install lists what was found")}
	}
	if err := checkReplaces(m, h, s.EntryName); err != nil {
		return err
	}
	change, err := h.PlanAdd(m, s)
	if err != nil {
		return p.withPasteHint(h, s, err)
	}
	edit := change.Edit
	switch {
	case !edit.HasChanges():
		fmt.Fprint(&p.out, p.localise("nothing to change: %s already has this entry, in %s\n", h.Title, present.QuoteName(edit.File)))
		return nil
	case o.dryRun:
		p.showChange(change)
		p.tellReplaced(h, edit, s)
		return nil
	}
	if err := p.makeChange(ctx, change); err != nil {
		return p.withPasteHint(h, s, err)
	}
	fmt.Fprint(&p.out, p.localise("%s now has it as %s, in %s\n", h.Title, s.EntryName, present.QuoteName(edit.File)))
	if p.tellReplaced(h, edit, s) {
		fmt.Fprint(&p.out, p.localise("kept: a copy of the file from before the change, %s\n", present.QuoteName(edit.PreviousBackupFile)))
	}
	p.tellToken(m, h, s, edit, o.found)
	p.tellNextStep(h, h.ReloadInstructions)
	p.tellKey(h)
	p.tellOtherNames(m, h, s.EntryName)
	return nil
}

// checkReplaces returns an error if the entry with a name that the user has chosen starts another program.
func checkReplaces(m hosts.Machine, h hosts.Host, name string) error {
	entries, err := h.EntriesOfThisProgram(m, name)
	if err != nil {
		return nil // PlanAdd says what is wrong with the file
	}
	at := slices.IndexFunc(entries, func(e hosts.InstalledEntry) bool { return e.Name == name })
	if at < 0 || name == defaultEntryName || entries[at].Program == "" || entries[at].IsOurs() || startsThisProgram(h.ExpandEntry(m, entries[at])) {
		return nil
	}
	return usageError{message.Errorf("%s of %s starts another program, %s: it is kept", name, h.Title, present.QuoteName(entries[at].Program)),
		message.New("choose another name, such as --name %s", name+"-2")}
}

// makeChange makes a change of a host's configuration, and adds a note if the host's own command
// has failed.
func (p *program) makeChange(ctx context.Context, c hosts.ConfigChange) error {
	failed, err := c.Apply(ctx)
	if failed != nil {
		p.notes = append(p.notes, p.localise("%s failed (%v): %s", failed.Command, failed.Err, failed.Output))
	}
	return err
}

func (p *program) showChange(c hosts.ConfigChange) {
	if c.Command != nil {
		fmt.Fprint(&p.out, p.localise("would run: %s\n\n", shellLine(c.Command)))
	}
	edit := c.Edit
	if edit.RemovesFile() {
		fmt.Fprint(&p.out, p.localise("would remove %s, which contains nothing else\n", present.QuoteName(edit.File)))
		return
	}
	would := message.New("would be changed in %s", present.QuoteName(edit.File))
	if edit.CreatesFile() {
		would = message.New("would be put into a new file, %s", present.QuoteName(edit.File))
	}
	fmt.Fprint(&p.out, p.localise("%v:\n%s", would, edit.Diff()))
}

func shellLine(line []string) string {
	words := make([]string, len(line))
	for i, word := range line {
		words[i] = quoteArg(word)
	}
	return strings.Join(words, " ")
}

// withPasteHint returns err unchanged. If it says that a file is not edited, withPasteHint first prints
// what the user can paste into the file.
func (p *program) withPasteHint(h hosts.Host, s hosts.Server, err error) error {
	if !errors.As(err, new(*hosts.EditRefusedError)) && !errors.Is(err, os.ErrPermission) {
		return err
	}
	if snippet, none := h.Snippet(s); none == nil {
		fmt.Fprint(&p.out, p.localise("to put into it by hand:\n\n%s", snippet))
	}
	return err
}

// printSnippet prints what the user can paste into the configuration of a host, or the install link
// if the host has nothing else.
func (p *program) printSnippet(m hosts.Machine, h hosts.Host, s hosts.Server, all bool) error {
	link, err := h.InstallLink(s)
	if err != nil {
		return err
	}
	if file := h.ConfigFile(m); file != "" {
		snippet, err := h.Snippet(s)
		if err != nil {
			return err
		}
		fmt.Fprintf(&p.out, "%s\n\n%s", present.QuoteName(file), snippet)
	}
	if add, _ := h.OwnCommands(s); add != nil {
		fmt.Fprintf(&p.out, "\n%s\n", shellLine(add))
	}
	if link != "" {
		if !all {
			fmt.Fprint(&p.out, p.localise("%s has no file to edit; it asks when this link is opened:\n", h.Title))
		}
		fmt.Fprintf(&p.out, "\n%s\n", link)
	}
	if s.URL != "" && s.TokenVariable != "" {
		fmt.Fprint(&p.out, p.localise("\nnext: %v\n", h.TokenAdvice(m, s)))
	}
	if link, err = h.WebInstallLink(s); err == nil && link != "" {
		fmt.Fprint(&p.out, p.localise("\nthe same for a web page or an email; it goes through a page of the host's vendor, who may see what the link contains:\n\n%s\n", link))
	}
	return err
}
