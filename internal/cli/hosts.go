package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vademecum/internal/hosts"
	"vademecum/internal/present"
)

// listHosts is a table of the hosts on the machine, and of what they have.
func (p *program) listHosts(m hosts.Machine, name string) error {
	table := tabwriter.NewWriter(&p.out, 0, 0, 2, ' ', 0)
	found := 0
	for _, h := range hosts.All {
		if !h.IsHere(m) {
			continue
		}
		found++
		for _, state := range p.states(m, h, name) {
			fmt.Fprintf(table, "%s\t%s\t%s\n", h.Name, h.Title, state)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if found == 0 {
		fmt.Fprintf(&p.out, "no host was found on this machine; known are %s\n", strings.Join(hostNames(), ", "))
	}
	p.notes = append(p.notes, "vademecum install HOST FOLDER adds it to a host")
	return nil
}

// states says for each entry of a host what it starts.
func (p *program) states(m hosts.Machine, h hosts.Host, name string) (all []string) {
	entries, err := h.Installed(m, name)
	switch {
	case err != nil:
		return []string{present.Message(err)}
	case len(entries) == 0:
		return []string{"not in it"}
	}
	for _, e := range entries {
		state := strings.Join(p.foldersOf(e.Args), ", ")
		if e.URL != "" {
			state = e.URL
		} else if _, err := os.Stat(e.Program); filepath.IsAbs(e.Program) && isMissing(err) {
			state += ", but there is no " + e.Program
		}
		all = append(all, present.Line(e.Name+": "+state))
	}
	return all
}

// foldersOf are the folders that a server with these arguments has.
func (p *program) foldersOf(args []string) []string {
	root := new(program).command()
	serve, rest, err := root.Find(args)
	if err != nil || serve.Name() != "serve" {
		return args
	}
	serve.FParseErrWhitelist = cobra.FParseErrWhitelist{UnknownFlags: true} // those of a later version
	if serve.ParseFlags(rest) != nil {
		return args
	}
	return serve.Flags().Args()
}
