package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vademecum/embed"
	"vademecum/index/notice"
	"vademecum/internal/hosts"
	"vademecum/internal/present"
	"vademecum/internal/spelling"
)

// installOptions is what install and uninstall are told by flags.
type installOptions struct {
	name, url, results string
	authorities, token string
	print, dryRun      bool
	all, add           bool

	line  []string    // what a host gives to the program, of what was told here
	found serverProbe // at the URL
}

func (p *program) install() *cobra.Command {
	var o installOptions
	c := &cobra.Command{
		Use:   "install [HOST FOLDER...]",
		Short: "have an MCP host start the program with your folder",
		Long: `have an MCP host start the program with your folder

Without arguments it lists the hosts that were found on this machine. Only the
entry of the program is changed in the configuration of a host; what was there
before the first time is kept beside it, and so is what was there before an entry
was last replaced. What serve would refuse is refused before anything is written.

Hosts: ` + strings.Join(hostNames(), ", ") + `.`,
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
				return p.listHosts(m, o.name)
			}
			var h hosts.Host
			if !o.all {
				if h, err = hostOfArgs(args); err != nil {
					return err
				}
				if err := o.checkAuthorities(h); err != nil {
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
	flags.StringVar(&o.name, "name", "vademecum", "how the host calls it, `NAME`")
	flags.BoolVar(&o.all, "all", false, "in every host that was found on this machine: give folders, and no host")
	flags.BoolVar(&o.add, "add", false, "add the folders to those that the entry has, and keep its flags")
	flags.StringVar(&o.url, "url", "", "have the host reach a server at this `URL` instead of starting one")
	flags.StringVar(&o.token, "token-variable", "", "with --url: the `NAME` of the variable that has your token for the server (default "+hosts.ConnectVariable+", where it is found to ask for one)")
	flags.StringVar(&o.authorities, "ca-file", "", "with --url, for a host that knows only stdio: trust the authorities in this `FILE` too")
	flags.StringVar(&o.results, "results", "auto", "how passages are returned, `MODE`: auto, text, resource or both")
	flags.Bool("log-queries", false, "log what is asked, too, where calls are logged (level info)")
	p.reranker.define(flags)
	flags.BoolVar(&o.print, "print", false, "only print what to paste")
	flags.BoolVar(&o.dryRun, "dry-run", false, "only show what would be changed")
	return c
}

// checkNoHost refuses a host beside --all, which a folder of that name is not.
func checkNoHost(args []string) error {
	if len(args) == 0 || isFolder(args[0]) {
		return nil
	}
	h, ok := hosts.Named(args[0])
	if !ok {
		return nil
	}
	rest := ""
	for _, arg := range args[1:] {
		rest += " " + quoteArg(arg)
	}
	return newUsageError(fmt.Sprintf("vademecum install %s%s is for %s alone, vademecum install --all%s for every host", h.Name, rest, h.Title, rest), "--all takes no host, and was given %s", present.QuoteName(args[0]))
}

// installOne puts the entry into the configuration of one host, or says what to put.
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

// installInAllHosts does so for each host that was found; one that fails keeps no other
// from it. Who interrupts it finds the others as they were.
func (p *program) installInAllHosts(ctx context.Context, m hosts.Machine, o installOptions) error {
	done, failed := 0, 0
	for _, h := range hosts.All {
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
			fmt.Fprintf(&p.out, "%s is left as it is: %s\n", h.Title, typeableCommands(present.ErrorLine(err)))
		}
	}
	switch {
	case failed > 0:
		return fmt.Errorf("%d of %s failed", failed, notice.CountNoun(done+failed, "host"))
	case done == 0:
		return errors.New("no host was found on this machine: name one, vademecum install --help lists them")
	}
	return nil
}

func (p *program) uninstall() *cobra.Command {
	var o installOptions
	c := &cobra.Command{
		Use:               "uninstall HOST",
		Short:             "take the program out of the configuration of an MCP host",
		Example:           `  vademecum uninstall claude-desktop`,
		ValidArgsFunction: completeHosts,
		RunE: func(c *cobra.Command, args []string) error {
			h, err := hostOfArgs(args)
			if err != nil {
				return err
			}
			if len(args) > 1 {
				return newUsageError("", "uninstall takes a host and nothing else, got %s", present.QuoteName(args[1]))
			}
			m, err := hosts.ThisMachine()
			if err != nil {
				return err
			}
			if h.ConfigFile(m) == "" {
				return fmt.Errorf("%s has no file that a program may edit: remove %s in its settings", h.Title, o.name)
			}
			return p.uninstallFrom(c.Context(), m, h, o)
		},
	}
	c.Flags().StringVar(&o.name, "name", "vademecum", "how the host calls it, `NAME`")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would be changed")
	return c
}

func hostNames() (names []string) {
	for _, h := range hosts.All {
		names = append(names, h.Name)
	}
	return names
}

// hostOfArgs is the one that the first argument names, or the mistake with what was
// probably meant.
func hostOfArgs(args []string) (hosts.Host, error) {
	const all = "vademecum install --help lists the hosts"
	if len(args) == 0 {
		return hosts.Host{}, newUsageError(all, "give the host")
	}
	h, ok := hosts.Named(args[0])
	if ok {
		return h, nil
	}
	meant := spelling.NearestName(args[0], hostNames())
	switch {
	case isFolder(args[0]):
		return h, newUsageError("the host comes first: vademecum install "+firstHostIn(args[1:])+" "+quoteArg(args[0]), "%s is a folder, not a host", present.QuoteName(args[0]))
	case strings.EqualFold(args[0], "all"):
		return h, newUsageError("did you mean --all?", "there is no host called all")
	case strings.EqualFold(args[0], "claude"):
		return h, newUsageError("claude-desktop has windows, claude-code runs in a terminal", "there are two hosts called claude")
	case meant != "":
		return h, newUsageError(fmt.Sprintf("did you mean %s? %s", meant, all), "unknown host %s", quoteArgs(args[:1]))
	}
	return h, newUsageError(all, "unknown host %s", quoteArgs(args[:1]))
}

// firstHostIn is the first host that words name, or what stands for one.
func firstHostIn(words []string) string {
	for _, word := range words {
		if h, ok := hosts.Named(word); ok {
			return h.Name
		}
	}
	return "HOST"
}

func completeHosts(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	var names []string
	for _, h := range hosts.All {
		if strings.HasPrefix(h.Name, typed) {
			names = append(names, cobra.CompletionWithDesc(h.Name, h.Title))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// ownCommandLimit is how long a host's own command may take.
const ownCommandLimit = 30 * time.Second

func (p *program) writeHostEntry(ctx context.Context, m hosts.Machine, h hosts.Host, s hosts.Server, o installOptions) error {
	edit, err := h.PlanPut(m, s)
	if err != nil {
		return p.withPasteHint(h, s, err)
	}
	if !h.IsInstalled(m) {
		p.notes = append(p.notes, h.Title+" was not found on this machine")
	}
	add, _ := h.OwnCommands(s)
	if !edit.IsNewEntry() { // the command would begin the entry anew, without what was set in it
		add = nil
	}
	add = resolveProgram(m, add)
	switch {
	case !edit.HasChanges():
		fmt.Fprintf(&p.out, "nothing to change: %s has it like this already, in %s\n", h.Title, present.QuoteName(edit.File))
		return nil
	case o.dryRun:
		p.showEdit(edit, add)
		p.tellReplaced(h, edit, s)
		return nil
	}
	asked := edit // the host may make part of it
	if add != nil {
		if edit, err = p.runHostCommand(ctx, edit, add, func() (hosts.Edit, error) { return h.PlanPut(m, s) }); err != nil {
			return p.withPasteHint(h, s, err)
		}
	}
	if err := edit.Apply(); err != nil {
		return p.withPasteHint(h, s, err)
	}
	fmt.Fprintf(&p.out, "%s has it now as %s, in %s\n", h.Title, s.Name, present.QuoteName(edit.File))
	if p.tellReplaced(h, asked, s) {
		fmt.Fprintf(&p.out, "kept: the file as it was, %s\n", present.QuoteName(asked.Replaced))
	}
	p.tellToken(m, h, s, asked, o.found)
	p.tellNextStep(h, h.Next)
	p.tellKey(h)
	p.tellOtherNames(m, h, s.Name)
	return nil
}

// tellNextStep says what is left to do by hand.
func (p *program) tellNextStep(h hosts.Host, next string) {
	if h.Rewrites {
		fmt.Fprintf(&p.out, "if %s is running: quit it and give this command once more, as it writes its file while it runs\n", h.Title)
	}
	if next == "" {
		next = "restart " + h.Title
	}
	fmt.Fprintf(&p.out, "next: %s\n", next)
}

// tellTokens says how the host comes to the token of a server, which is not written into
// a file.
func (p *program) tellToken(m hosts.Machine, h hosts.Host, s hosts.Server, edit hosts.Edit, found serverProbe) {
	switch {
	case s.URL == "":
	case edit.KeepsToken():
		p.notes = append(p.notes, h.Title+" keeps the token that its entry has")
	case s.Token != "":
		fmt.Fprint(&p.out, p.localise("next: %v\n", "下一步：%v\n", h.TokenAdvice(m, s)))
	case found.provider:
		p.notes = append(p.notes, fmt.Sprintf("the server asks who you are, and %s has you sign in; where it cannot, give --token-variable with the name of a variable that has a token", h.Title))
	}
}

// tellProbeProblem says what is the matter with the server at the URL.
func (p *program) tellProbeProblem(o installOptions) {
	switch f := o.found; {
	case f.away != nil:
		note := fmt.Sprintf("nobody answers at %s now: %s", present.QuoteName(o.url), present.ErrorLine(f.away))
		if other := withMCPPath(o.url); other != o.url {
			note += "; a server of this program is at " + present.QuoteName(other)
		}
		if o.token == "" {
			note += "; if it asks for a token, give --token-variable " + hosts.ConnectVariable + " too"
		}
		p.notes = append(p.notes, note)
	case f.untrusted != nil:
		p.notes = append(p.notes, fmt.Sprintf("the certificate of the server is not trusted here: %s; a host refuses it too, unless the system trusts the authority, or the host is one that runs in Node and has NODE_EXTRA_CA_CERTS=FILE in its environment", present.ErrorLine(f.untrusted)))
	case f.refuses != "":
		p.notes = append(p.notes, fmt.Sprintf("the server refuses this machine: %s", f.refuses))
	}
}

// tellKey says that a key, or what may have a password in it, is not installed, where
// the host does not pass it on.
func (p *program) tellKey(h hosts.Host) {
	if key := likelyKey(embed.EnvironmentVariables(p.embedSpec)); key != "" && embed.PropertiesOf(p.embedSpec).Host != "" && h.NeedsKeyByHand() {
		p.notes = append(p.notes, fmt.Sprintf("no key is written into files: %s must have %s in the environment that it is started in, or under env in the entry", h.Title, key))
	}
	p.tellRerankKey(h)
	if p.store == "" && os.Getenv(storeVariable) != "" && h.NeedsKeyByHand() {
		p.notes = append(p.notes, fmt.Sprintf("no address of a database is written into files: %s must have %s in the environment that it is started in, or under env in the entry", h.Title, storeVariable))
	}
}

// likelyKey is the key that a model is most likely to want.
func likelyKey(variables []string) string {
	for _, name := range variables {
		if hosts.IsKey(name) {
			return name
		}
	}
	return ""
}

// resolveProgram is a command line with the path of its program, nil if that is not to be had.
func resolveProgram(m hosts.Machine, line []string) []string {
	if line == nil {
		return nil
	}
	path := m.Find(line[0])
	if path == "" {
		return nil
	}
	return append([]string{path}, line[1:]...)
}

// runHostCommand has the host change its configuration itself, which it may be
// writing at this moment, and returns what is left to do.
func (p *program) runHostCommand(ctx context.Context, edit hosts.Edit, line []string, again func() (hosts.Edit, error)) (hosts.Edit, error) {
	if err := edit.WriteBackups(); err != nil {
		return edit, err
	}
	within, cancel := context.WithTimeout(ctx, ownCommandLimit)
	defer cancel()
	said, err := exec.CommandContext(within, line[0], line[1:]...).CombinedOutput()
	if ctx.Err() != nil {
		return edit, ctx.Err()
	}
	if err != nil {
		p.notes = append(p.notes, fmt.Sprintf("%s failed (%v): %s", strings.Join(line[:3], " "), err, present.CleanLine(strings.TrimSpace(string(said)))))
	}
	return again()
}

func (p *program) showEdit(edit hosts.Edit, line []string) {
	if line != nil {
		fmt.Fprintf(&p.out, "would run: %s\n\n", shellLine(line))
	}
	if edit.RemovesFile() {
		fmt.Fprintf(&p.out, "would remove %s, which holds nothing else\n", present.QuoteName(edit.File))
		return
	}
	would := "would be changed in"
	if edit.MakesFile() {
		would = "would be put into a new file,"
	}
	fmt.Fprintf(&p.out, "%s %s:\n%s", would, present.QuoteName(edit.File), edit.Diff())
}

func shellLine(line []string) string {
	words := make([]string, len(line))
	for i, word := range line {
		words[i] = quoteArg(word)
	}
	return strings.Join(words, " ")
}

// withPasteHint says what to paste when a file is not changed.
func (p *program) withPasteHint(h hosts.Host, s hosts.Server, err error) error {
	if !errors.As(err, new(*hosts.Refusal)) && !errors.Is(err, os.ErrPermission) {
		return err
	}
	if snippet, none := h.Snippet(s); none == nil {
		fmt.Fprintf(&p.out, "to put into it by hand:\n\n%s", snippet)
	}
	return err
}

// printSnippet prints what to paste, or only the link where that is all there is.
func (p *program) printSnippet(m hosts.Machine, h hosts.Host, s hosts.Server, all bool) error {
	link, err := h.Link(s)
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
			fmt.Fprintf(&p.out, "%s has no file to edit; it asks when this link is opened:\n", h.Title)
		}
		fmt.Fprintf(&p.out, "\n%s\n", link)
	}
	if s.URL != "" && s.Token != "" {
		fmt.Fprint(&p.out, p.localise("\nnext: %v\n", "\n下一步：%v\n", h.TokenAdvice(m, s)))
	}
	if link, err = h.WebLink(s); err == nil && link != "" {
		fmt.Fprintf(&p.out, "\nthe same for a web page or a mail; it goes through a page of the host's maker, who may see what it says:\n\n%s\n", link)
	}
	return err
}

func (p *program) uninstallFrom(ctx context.Context, m hosts.Machine, h hosts.Host, o installOptions) error {
	edit, err := h.PlanRemove(m, o.name)
	if err != nil {
		return err
	}
	_, remove := h.OwnCommands(hosts.Server{Name: o.name})
	remove = resolveProgram(m, remove)
	switch {
	case !edit.HasChanges():
		fmt.Fprintf(&p.out, "nothing to remove: %s has no %s in %s\n", h.Title, o.name, present.QuoteName(edit.File))
		p.tellOtherNames(m, h, o.name)
		return nil
	case o.dryRun:
		p.showEdit(edit, remove)
		return nil
	}
	asked := edit // the host may make part of it
	if remove != nil {
		if edit, err = p.runHostCommand(ctx, edit, remove, func() (hosts.Edit, error) { return h.PlanRemove(m, o.name) }); err != nil {
			return err
		}
	}
	if err := edit.Apply(); err != nil {
		return err
	}
	fmt.Fprintf(&p.out, "%s has it no more, in %s\n", h.Title, present.QuoteName(edit.File))
	if asked.RemovesFile() {
		fmt.Fprintln(&p.out, "removed: that file, in which nothing else stood")
	}
	if asked.BackupHasEntry() {
		fmt.Fprintf(&p.out, "kept: the file with the entry that was there before, %s\n", present.QuoteName(asked.Backup))
	}
	p.tellNextStep(h, "")
	return nil
}

// tellOtherNames tells under what other names the host has the program.
func (p *program) tellOtherNames(m hosts.Machine, h hosts.Host, name string) {
	entries, err := h.Installed(m, name)
	if err != nil {
		return // what is wrong with the file was told before
	}
	for _, e := range entries {
		if e.Name != name {
			p.notes = append(p.notes, fmt.Sprintf("it has the program as %s, too: vademecum uninstall %s --name %s", present.QuoteName(e.Name), h.Name, quoteArg(e.Name)))
		}
	}
}
