package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vademecum/embed"
	"vademecum/internal/app/hosts"
	"vademecum/internal/app/web/page"
	"vademecum/internal/base/system"
)

// pageAbout returns what the web pages show about a server with the URL at. asks reports that
// visitors have to sign in.
func (p *program) pageAbout(f *httpFlags, at string, asks bool) page.ServerDescription {
	a := page.ServerDescription{URL: at + "/mcp", IsForLocalUser: f.hasOneUser() && !asks}
	if f.public != "" {
		a.URL = strings.TrimSuffix(f.public, "/") + "/mcp"
	} else if !f.isLocal() || f.ticket != nil { // otherwise the page's own address is right
		a.URL = ""
	}
	a.Price = embed.PropertiesOf(p.embedSpec).Price
	if dir, err := os.UserConfigDir(); err == nil {
		a.JudgementsDir = filepath.Join(dir, "vademecum", "judgements")
	}
	if a.IsForLocalUser {
		p.addLocalAbout(&a)
	}
	return a
}

// addLocalAbout adds to a description what the pages show only to the user of this machine.
func (p *program) addLocalAbout(a *page.ServerDescription) {
	if m, err := hosts.ThisMachine(); err == nil {
		a.Machine = &m
	}
	if dir, err := system.CacheDir(); err == nil {
		a.VisitsDir = filepath.Join(dir, "visits")
	}
	path, err := programPath()
	if err != nil {
		return
	}
	a.LocalServer = hosts.Server{EntryName: "vademecum", Program: path, Args: p.flagsForHosts(), VariableNames: p.setVariables()}
	a.MergeEntry, a.MissingKeys = p.mergedWithEntry, p.missingKeys
}

// flagsForHosts returns the arguments with which a host serves the same folders with the same index
// as this command.
func (p *program) flagsForHosts() []string {
	args, err := p.serverFlagArgs(p.flags, slices.DeleteFunc(slices.Clone(ofServer), func(name string) bool {
		// these flags are for this server only
		return slices.Contains([]string{"log-level", "log-queries", "results"}, name)
	}))
	if err != nil {
		return nil
	}
	return args
}

// mergedWithEntry returns the arguments of a server that serves the folders of an entry together
// with those in args; nil if there cannot be such a server.
func (p *program) mergedWithEntry(entry hosts.InstalledEntry, args []string) []string {
	was, err := readServeLine(entry.Args)
	given, errGiven := readServeLine(args)
	if err != nil || errGiven != nil || entry.URL != "" {
		return nil
	}
	merged := was.mergedArgs(given)
	if p.checkServeLine(merged) != nil {
		return nil
	}
	return merged
}
