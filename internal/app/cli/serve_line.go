package cli

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vademecum/embed"
	"vademecum/internal/app/bridge"
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
	"vademecum/mcp"
)

// serveLine is the parsed command line with which a host starts the server.
type serveLine struct {
	*program
	command *cobra.Command
	folders []string
}

// readServeLine parses the arguments of an entry. It returns an error unless they are those of
// serve over stdio.
func readServeLine(args []string) (serveLine, error) {
	l := serveLine{program: &program{args: args}}
	command, rest, err := l.program.rootCommand().Find(args)
	if err == nil && command.Name() != "serve" {
		err = message.Errorf("it does not begin with serve")
	}
	if err == nil {
		command.Flags().SortFlags = false // visit the flags in the order given
		err = command.ParseFlags(rest)
	}
	if err != nil {
		return l, err
	}
	l.command, l.folders = command, command.Flags().Args()
	return l, nil
}

// givenFlag is a flag in a command line, with its values.
type givenFlag struct {
	name   string
	values []string
}

// givenFlags returns the flags in the command line.
func (l serveLine) givenFlags() (all []givenFlag) {
	l.command.Flags().Visit(func(f *pflag.Flag) {
		if many, ok := f.Value.(pflag.SliceValue); ok {
			all = append(all, givenFlag{f.Name, many.GetSlice()})
		} else {
			all = append(all, givenFlag{f.Name, []string{f.Value.String()}})
		}
	})
	return all
}

// mergedArgs returns arguments with the folders and flags of two command lines. For a flag in both,
// the value of other is used, except that flags given once for each folder are combined.
func (l serveLine) mergedArgs(other serveLine) []string {
	args := []string{"serve"}
	for _, dir := range slices.Concat(l.folders, other.folders) {
		if !slices.Contains(args[1:], dir) {
			args = append(args, dir)
		}
	}
	var flags []givenFlag
	for _, f := range slices.Concat(l.givenFlags(), other.givenFlags()) {
		at := slices.IndexFunc(flags, func(g givenFlag) bool { return g.name == f.name })
		switch {
		case at < 0:
			flags = append(flags, f)
		case isPerFolderFlag(f.name):
			flags[at].values = slices.Concat(flags[at].values, f.values)
		default:
			flags[at].values = f.values
		}
	}
	for _, f := range flags {
		for _, value := range f.values {
			args = append(args, flagArgs(l.command.Flags().Lookup(f.name), value)...)
		}
	}
	return args
}

// isPerFolderFlag reports whether a flag is given once for each folder.
func isPerFolderFlag(name string) bool { return name == "index" || name == "library" }

// flagArgs returns a flag with a value as arguments of a command line.
func flagArgs(f *pflag.Flag, value string) []string {
	if f.Value.Type() == "bool" || f.NoOptDefVal != "" {
		return []string{"--" + f.Name + "=" + value}
	}
	return []string{"--" + f.Name, value}
}

// checkServeLine returns the error that serve would return for some arguments, by running the same
// checks.
func (p *program) checkServeLine(args []string) error {
	l, err := readServeLine(args)
	if err != nil {
		return usageError{error: err}
	}
	l.stdin, l.stdout, l.stderr, l.release = p.stdin, p.stdout, p.stderr, p.release
	if _, err := l.checkFoldersAndStore(l.folders); err != nil {
		return err
	}
	if _, err := mcp.ParseResultsMode(l.command.Flag("results").Value.String()); err != nil {
		return usageError{error: err}
	}
	ix, _, err := l.openIndexWith(embed.NewIdentityOnly, l.folders)
	if err != nil {
		return err
	}
	return ix.Close() // nothing was loaded
}

// mergedEntryArgs returns the arguments of the existing entry of a host merged with the folders and
// flags in this command line.
func (p *program) mergedEntryArgs(m hosts.Machine, h hosts.Host, o installOptions) ([]string, error) {
	entries, err := h.EntriesOfThisProgram(m, o.name)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(entries, func(e hosts.InstalledEntry) bool { return e.Name == o.name })
	if at < 0 {
		return o.line, p.checkServeLine(o.line)
	}
	was, err := readServeLine(entries[at].Args)
	if err != nil || entries[at].URL != "" {
		return nil, usageError{message.Errorf("nothing can be added to %s of %s, which is: %s", present.QuoteName(o.name), h.Title, entryLine(entries[at])),
			message.New("leave --add out to replace it, or give another --name")}
	}
	given, err := readServeLine(o.line)
	if err != nil {
		return nil, err
	}
	line := was.mergedArgs(given)
	return line, p.checkServeLine(line)
}

// entryLine describes in one line what an entry starts, or to what URL it connects, without secrets
// in the URL.
func entryLine(e hosts.InstalledEntry) string {
	if e.URL != "" {
		return present.CleanLine(bridge.RedactURL(e.URL))
	}
	line := []string{e.Program}
	for _, arg := range e.Args {
		line = append(line, bridge.RedactURL(arg))
	}
	return present.CleanLine(shellLine(line))
}

// tellReplaced prints an entry before and after its replacement, with the command that would keep
// both. It reports false if no entry was replaced.
func (p *program) tellReplaced(h hosts.Host, edit hosts.Edit, s hosts.Server) bool {
	was, now := edit.ReplacedEntry(), hosts.InstalledEntry{Name: s.EntryName, Program: s.Program, Args: s.Args}
	switch {
	case s.URL != "" && h.SupportsOnlyStdio():
		now.Args = append([]string{"connect", s.URL}, s.Args...)
	case s.URL != "":
		now = hosts.InstalledEntry{Name: s.EntryName, URL: s.URL}
	}
	if edit.IsNewEntry() || entryLine(was) == entryLine(now) {
		return !edit.IsNewEntry()
	}
	fmt.Fprint(&p.out, p.localise("was: %s\nnow: %s\n", entryLine(was), entryLine(now)))
	if both := p.combinedArgs(h, was, now); both != nil {
		fmt.Fprint(&p.out, p.localise("for both: %s %s\n", programName(), shellLine(both)))
	}
	return true
}

// combinedArgs returns the arguments of a command that keeps the previous entry together with the
// new one: in one entry if both serve folders, otherwise in two. It returns nil if there is nothing
// to keep, or no command can do this.
func (p *program) combinedArgs(h hosts.Host, was, now hosts.InstalledEntry) []string {
	install := []string{"install", h.ID}
	before, err := readServeLine(was.Args)
	after, errNow := readServeLine(now.Args)
	switch {
	case was.URL == "" && now.URL == "" && err == nil && errNow == nil:
		both := before.mergedArgs(after)
		if slices.Equal(both, after.mergedArgs(after)) || p.checkServeLine(both) != nil || !isInstallable(both) {
			return nil
		}
		install = append(install, both[1:]...)
		if now.Name != "vademecum" {
			install = append(install, "--name", now.Name)
		}
		return install
	case serverOrigin(was) != "" && serverOrigin(was) == serverOrigin(now): // the same server
		return nil
	case hasSecret(was.ServerURL()): // install refuses a URL that contains a secret
		return nil
	case was.URL != "":
		install = append(install, "--url", was.URL)
	case isConnectEntry(was):
		install = append(append(install, "--url"), was.Args[1:]...)
	case err == nil && isInstallable(was.Args) && p.checkServeLine(was.Args) == nil:
		install = append(install, was.Args[1:]...)
	default:
		return nil
	}
	return append(install, "--name", now.Name+"-2")
}

// isConnectEntry reports whether an entry starts the command connect.
func isConnectEntry(e hosts.InstalledEntry) bool { return len(e.Args) > 1 && e.Args[0] == "connect" }

// hasSecret reports whether a URL contains credentials.
func hasSecret(at string) bool {
	u, err := url.Parse(at)
	return err != nil || hasSecretPart(u)
}

// serverOrigin returns the origin of the server to which an entry connects; "" if it connects to
// none.
func serverOrigin(e hosts.InstalledEntry) string {
	u, err := url.Parse(e.ServerURL())
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// isInstallable reports whether install accepts all flags in the arguments of serve.
func isInstallable(args []string) bool {
	l, err := readServeLine(args)
	return err == nil && !slices.ContainsFunc(l.givenFlags(), func(f givenFlag) bool { return !slices.Contains(ofServer, f.name) })
}
