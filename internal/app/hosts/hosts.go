// Package hosts knows where each MCP host keeps its configuration and how a server's
// entry looks in it. It adds and removes such an entry without touching the rest of the
// file. It opens no connection.
package hosts

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"vademecum/internal/base/message"
)

// Machine has the properties of a machine that decide where configurations are. Tests
// imitate other systems with it.
type Machine struct {
	System string // as runtime.GOOS
	Home   string
	Env    func(name string) string
	Find   func(command string) string // path of a command, "" if not found

	Environ []string // all variables that Env knows, as os.Environ
}

// ThisMachine returns the machine that the program runs on.
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

// Server is what a host should start, or connect to at a URL.
type Server struct {
	Name    string // of the entry
	Program string // an absolute path
	Args    []string
	URL     string // instead of Program and Args, unless the host supports only pipes: then the program connects to it

	// Variables are environment variables that the server reads. Their names are written
	// where a host does not pass its environment on, their values never.
	Variables []string

	// Token is the environment variable with the token for the server at URL, "" if it
	// needs none. A host that cannot read variables gets YourToken instead.
	Token string

	TokenGiven bool // the user named it, and it replaces the one in the entry
}

// Host is a program that starts MCP servers.
type Host struct {
	Name  string          // on the command line
	Title string          // for people
	Next  message.Message // what makes the host read a new entry, "" if that is a restart

	// Rewrites reports that the host writes its file while it runs, from what it read
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

// Named finds a host by its name, its title or an alias, ignoring case, spaces and
// dashes.
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

// ConfigFile returns the path of the configuration, which need not exist: of several that
// the host reads, the first that exists. It is "" for a host without one.
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

// IsInstalled reports whether the host was found on the machine: its configuration, the
// folder of that, or its command.
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

// IsKey reports by its name whether an environment variable holds a key.
func IsKey(variable string) bool { return strings.HasSuffix(variable, "API_KEY") }

// NeedsKeyByHand reports whether the user must put a key into the host's own environment,
// or into its file.
func (h Host) NeedsKeyByHand() bool { return !h.inheritsShell && h.variables == nil }

// Link returns a link that opens the host and asks whether to add the server, "" when the
// host has none.
func (h Host) Link(s Server) (string, error) { return h.makeLink(s, h.link) }

// WebLink returns the same link through a web page of the host's maker: many sites do not
// allow links to programs. It is "" when there is no such page.
func (h Host) WebLink(s Server) (string, error) { return h.makeLink(s, h.webLink) }

func (h Host) makeLink(s Server, link func(string, Entry) string) (string, error) {
	entry, err := h.newEntry(s)
	if err != nil || link == nil {
		return "", err
	}
	return link(s.Name, entry), nil
}

// Snippet returns a file with the entry alone, to paste by hand.
func (h Host) Snippet(s Server) (string, error) {
	entry, err := h.newEntry(s)
	if err != nil || h.format == nil {
		return "", err
	}
	text, err := h.textWithEntry(nil, s.Name, entry)
	return string(text), err
}

// OwnCommands returns the host's own command lines that add and remove the server, nil
// when it has none.
func (h Host) OwnCommands(s Server) (add, remove []string) {
	if h.own == nil {
		return nil, nil
	}
	return h.own(s)
}

// KnowsOnlyStdio reports whether the host cannot connect to URLs in its configuration: it
// then starts the program, which connects.
func (h Host) KnowsOnlyStdio() bool { return h.remote == nil }

// entryPath leads to the entry in the file.
func (h Host) entryPath(name string) []string { return []string{h.key, name} }

// newEntry returns the server as the host writes it.
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
