package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vademecum/index/notice"
	"vademecum/internal/app/bridge"
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/present"
)

// listHosts prints a table of the hosts on a machine with their entries of this program.
func (p *program) listHosts(m hosts.Machine) error {
	table := tabwriter.NewWriter(&p.out, 0, 0, 2, ' ', 0)
	found := 0
	for _, h := range hosts.KnownHosts {
		if !h.IsInstalled(m) {
			continue
		}
		found++
		for _, state := range p.entryStates(m, h, defaultEntryName) {
			fmt.Fprintf(table, "%s\t%s\t%s\n", h.ID, h.Title, state)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if found == 0 {
		fmt.Fprint(&p.out, p.localise("no host was found on this machine; known are %s\n", strings.Join(hostNames(), ", ")))
	}
	p.notes = append(p.notes, p.localise("vademecum install HOST FOLDER adds it to a host"))
	return nil
}

// entryStates describes what each entry of a host starts.
func (p *program) entryStates(m hosts.Machine, h hosts.Host, name string) (all []string) {
	entries, err := h.EntriesOfThisProgram(m, name)
	if err == nil {
		var more []hosts.InstalledEntry
		more, err = h.EntriesInPlugins(m, name)
		entries = append(entries, more...)
	}
	for _, e := range entries {
		e = h.ExpandEntry(m, e)
		state := strings.Join(p.foldersInArgs(e.Args), ", ")
		if at := e.ServerURL(); at != "" {
			state = bridge.RedactURL(at)
		}
		if _, err := os.Stat(e.Program); filepath.IsAbs(e.Program) && isNotExist(err) {
			state = p.localise("%s, but there is no %s", state, e.Program)
		}
		all = append(all, present.CleanLine(p.localise("%s: %s", e.Name, state)))
	}
	switch {
	case err != nil:
		all = append(all, p.translate(notice.ErrorLine(err)))
	case len(all) == 0:
		all = append(all, p.localise("not in it"))
	}
	return all
}

// foldersInArgs returns the folders in the arguments of a server.
func (p *program) foldersInArgs(args []string) []string {
	root := new(program).rootCommand()
	serve, rest, err := root.Find(args)
	if err != nil || serve.Name() != "serve" {
		return args
	}
	// a later version may have added flags
	serve.FParseErrWhitelist = cobra.FParseErrWhitelist{UnknownFlags: true}
	if serve.ParseFlags(rest) != nil {
		return args
	}
	return serve.Flags().Args()
}
