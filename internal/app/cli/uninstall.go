package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

func (p *program) uninstall() *cobra.Command {
	var o installOptions
	c := &cobra.Command{
		Use:               "uninstall HOST",
		Short:             "remove the program from the configuration of an MCP host",
		Example:           `  vademecum uninstall claude-desktop`,
		ValidArgsFunction: completeHosts,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && isFolder(args[0]) {
				return usageError{message.Errorf("uninstall takes a host, not a folder"), message.New("vademecum install --help lists the hosts")}
			}
			if len(args) > 0 && strings.EqualFold(args[0], "all") {
				return usageError{message.Errorf("there is no host called all"), message.New("name one host: vademecum install shows which of them have it")}
			}
			h, err := hostOfArgs(args)
			if err != nil {
				return err
			}
			if err := checkOneHost(c.Name(), args); err != nil {
				return err
			}
			if len(args) > 1 {
				return usageErrorf("uninstall takes a host and nothing else, got %s", present.QuoteName(args[1]))
			}
			m, err := hosts.ThisMachine()
			if err != nil {
				return err
			}
			if h.ConfigFile(m) == "" {
				return message.Errorf("%s has no file that a program may edit: remove %s in its settings", h.Title, o.name)
			}
			if o.name == "" {
				return usageErrorf("--name is empty: give the name of the entry")
			}
			o.isNameGiven = c.Flags().Changed("name")
			return p.uninstallFrom(c.Context(), m, h, o)
		},
	}
	c.Flags().StringVar(&o.name, "name", defaultEntryName, "`NAME` of the entry in the host")
	c.Flags().StringVar(&o.url, "url", "", "the `URL` of this program's server that the entry connects to, if the entry does not show this otherwise")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would be changed")
	return c
}

func (p *program) uninstallFrom(ctx context.Context, m hosts.Machine, h hosts.Host, o installOptions) error {
	if err := checkIsOurs(m, h, o); err != nil {
		return err
	}
	change, err := h.PlanRemove(m, o.name)
	if err != nil {
		return err
	}
	edit := change.Edit
	switch {
	case !edit.HasChanges() && o.isNameGiven:
		p.tellOtherNames(m, h, o.name)
		return message.Errorf("%s has no %s in %s", h.Title, present.QuoteName(o.name), present.QuoteName(edit.File))
	case !edit.HasChanges():
		fmt.Fprint(&p.out, p.localise("nothing to remove: %s has no %s in %s\n", h.Title, o.name, present.QuoteName(edit.File)))
		p.tellOtherNames(m, h, o.name)
		return nil
	case o.dryRun:
		p.showChange(change)
		return nil
	}
	useless := edit.UselessBackups()
	if err := p.makeChange(ctx, change); err != nil {
		return err
	}
	fmt.Fprint(&p.out, p.localise("%s no longer has it, in %s\n", h.Title, present.QuoteName(edit.File)))
	if edit.RemovesFile() {
		fmt.Fprintln(&p.out, p.localise("removed: that file, which contained nothing else"))
	}
	p.tellBackups(edit, useless)
	p.tellNextStep(h, "")
	return nil
}

// checkIsOurs returns an error if the entry to be removed is that of another program. An entry that reaches
// a server elsewhere looks like that of any other server, so its address must be given.
func checkIsOurs(m hosts.Machine, h hosts.Host, o installOptions) error {
	entries, err := h.EntriesOfThisProgram(m, o.name)
	if err != nil {
		return nil // PlanRemove says what is wrong with the file
	}
	at := slices.IndexFunc(entries, func(e hosts.InstalledEntry) bool { return e.Name == o.name })
	if at < 0 || entries[at].IsOurs() || entries[at].URL != "" && entries[at].URL == o.url || startsThisProgram(h.ExpandEntry(m, entries[at])) {
		return nil
	}
	file := present.QuoteName(h.ConfigFile(m))
	if entries[at].URL == "" {
		return usageError{message.Errorf("%s of %s starts another program, %s: it is kept", o.name, h.Title, present.QuoteName(entries[at].Program)),
			message.New("to remove it anyway, delete it from %s yourself", file)}
	}
	return usageError{message.Errorf("%s of %s connects to a server that may not be this program: it is kept", o.name, h.Title),
		message.New("if it is, also give its address: --url URL; if not, delete it from %s yourself", file)}
}

func startsThisProgram(e hosts.InstalledEntry) bool {
	path, err := os.Executable()
	return err == nil && e.Program != "" && isSameFile(e.Program, path)
}

// tellBackups prints which backups of a file are kept after an edit, and which were removed.
func (p *program) tellBackups(edit hosts.Edit, removed []string) {
	_, err := os.Stat(edit.OriginalBackupFile)
	switch {
	case edit.BackupHasEntry():
		fmt.Fprint(&p.out, p.localise("kept: the file with the entry that was there before, %s\n", present.QuoteName(edit.OriginalBackupFile)))
	case edit.RestoresOriginal():
		fmt.Fprintln(&p.out, p.localise("that file is again exactly as it was before the first time"))
	case err == nil:
		fmt.Fprint(&p.out, p.localise("kept: a copy of the file from before the change, %s\n", present.QuoteName(edit.OriginalBackupFile)))
	}
	for _, file := range removed {
		fmt.Fprint(&p.out, p.localise("removed: its copy, which is no longer needed, %s\n", present.QuoteName(file)))
	}
}
