// Package hosts knows where each MCP host keeps its configuration and how the
// entry of a server looks in it, and puts such an entry there or takes it away
// without touching anything else in the file. It opens no connection.
package hosts

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"vademecum/internal/base/message"
)

// Machine is what of a machine decides where configurations lie. Tests make the
// machines of other systems.
type Machine struct {
	System string // as runtime.GOOS has it
	Home   string
	Env    func(name string) string
	Find   func(command string) string // its path, "" when it is not to be had

	Environ []string // all that Env knows, as os.Environ has it
}

// ThisMachine is the machine that the program runs on.
func ThisMachine() (Machine, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Machine{}, message.Errorf("hosts keep their configuration in the home folder: %v", err)
	}
	find := func(command string) string {
		path, err := exec.LookPath(command)
		if err != nil {
			return ""
		}
		return path
	}
	return Machine{System: runtime.GOOS, Home: home, Env: os.Getenv, Find: find, Environ: os.Environ()}, nil
}

// Server is what a host is to start, or to reach at a URL.
type Server struct {
	Name    string // of the entry
	Program string // an absolute path
	Args    []string
	URL     string // instead of Program and Args, unless the host knows only pipes: then the program connects to it

	// Variables of the environment that the server reads. Their names are written
	// where a host keeps them from its servers, their values never.
	Variables []string

	// Token is the variable of the environment that has the token for the server at
	// URL, "" where that asks for none. A host that reads no variables is given
	// YourToken in its place.
	Token string

	TokenGiven bool // the user has named it, and it takes the place of what the entry has
}

// Host is a program that starts MCP servers.
type Host struct {
	Name  string          // on the command line
	Title string          // for people
	Next  message.Message // what makes it see a new entry, "" if that is a restart

	// Rewrites tells that it writes its file while it runs, from what it has read
	// before.
	Rewrites bool

	aliases  []string
	commands []string // by one of which it is started

	files  func(Machine) []string // any of which it reads, nil if a program may edit none
	format format
	key    string                        // of the map, or list, of servers
	blank  string                        // what a new file needs beside the entry
	guard  func(Machine) message.Message // why the file is not to be changed, or ""

	local  func(Server) Entry
	remote func(url string) Entry // nil if there is none: see KnowsOnlyStdio
	token  tokenForm

	// Most hosts give their servers the environment that they have, which is that of a
	// shell if they are started in one. Others are given the names of variables.
	inheritsShell bool
	variables     func(names []string) Entry

	client Client

	link    func(name string, entry Entry) string
	webLink func(name string, entry Entry) string
	own     func(Server) (add, remove []string) // command lines of the host itself
}

// Named finds a host by its name, its title or another of its names, without
// regard to case, spaces and dashes.
func Named(name string) (Host, bool) {
	for _, h := range All {
		for _, known := range append([]string{h.Name, h.Title}, h.aliases...) {
			if normalName(known) == normalName(name) {
				return h, true
			}
		}
	}
	return Host{}, false
}

func normalName(name string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(name))
}

// ConfigFile is the path of the configuration, which need not exist: of several that the
// host reads, the first that exists. It is "" for a host without one.
func (h Host) ConfigFile(m Machine) string {
	if h.files == nil {
		return ""
	}
	paths := h.files(m)
	for _, path := range paths {
		if exists(path) {
			return path
		}
	}
	return paths[0]
}

// IsInstalled tells whether the host was found on the machine: its configuration, the
// folder that this lies in, or its command.
func (h Host) IsInstalled(m Machine) bool {
	for _, command := range h.commands {
		if m.Find(command) != "" {
			return true
		}
	}
	file := h.ConfigFile(m)
	if file == "" {
		return false
	}
	folder := filepath.Dir(file)
	return exists(file) || folder != filepath.Clean(m.Home) && exists(folder)
}

// IsKey tells by its name whether a variable of the environment holds a key.
func IsKey(variable string) bool { return strings.HasSuffix(variable, "API_KEY") }

// NeedsKeyByHand tells that a key must be in the environment that the host itself
// is started in, or be written into its file by its owner.
func (h Host) NeedsKeyByHand() bool { return !h.inheritsShell && h.variables == nil }

// Link is a link that opens the host and has it ask whether to add the server, ""
// when the host has none.
func (h Host) Link(s Server) (string, error) { return h.makeLink(s, h.link) }

// WebLink does the same through a page of the host's maker: many sites let nobody
// link to a program. It is "" when there is no such page.
func (h Host) WebLink(s Server) (string, error) { return h.makeLink(s, h.webLink) }

func (h Host) makeLink(s Server, link func(string, Entry) string) (string, error) {
	entry, err := h.newEntry(s)
	if err != nil || link == nil {
		return "", err
	}
	return link(s.Name, entry), nil
}

// Snippet is the file that holds the entry and nothing else: what to paste by hand.
func (h Host) Snippet(s Server) (string, error) {
	entry, err := h.newEntry(s)
	if err != nil || h.format == nil {
		return "", err
	}
	text, err := h.textWithEntry(nil, s.Name, entry)
	return string(text), err
}

// OwnCommands are the command lines of the host itself that add the server and that
// remove it, nil when it has none.
func (h Host) OwnCommands(s Server) (add, remove []string) {
	if h.own == nil {
		return nil, nil
	}
	return h.own(s)
}

// KnowsOnlyStdio tells whether the host reaches no URL by what stands in its
// configuration: it starts the program then, which reaches it.
func (h Host) KnowsOnlyStdio() bool { return h.remote == nil }

// entryPath leads to the entry in the file.
func (h Host) entryPath(name string) []string { return []string{h.key, name} }

// newEntry is the server as the host writes it.
func (h Host) newEntry(s Server) (Entry, error) {
	if s.URL != "" {
		if h.KnowsOnlyStdio() {
			s.Args = append([]string{"connect", s.URL}, s.Args...)
			return append(h.withName(s.Name, h.local(s)), h.tokenFields(s)...), nil
		}
		return append(h.withName(s.Name, h.remote(s.URL)), h.tokenFields(s)...), nil
	}
	entry := h.withName(s.Name, h.local(s))
	if h.variables != nil && len(s.Variables) > 0 {
		entry = append(entry, h.variables(s.Variables)...)
	}
	return entry, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
