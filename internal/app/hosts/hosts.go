// Package hosts describes where each MCP host keeps its configuration, and what the entry of a
// server in it looks like. It adds and removes entries without touching the rest of the file. It
// opens no connection.
package hosts

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"vademecum/internal/base/message"
)

// Machine describes a machine as far as that determines where configurations are and what is
// installed. Tests imitate other systems with it.
type Machine struct {
	GOOS                string                      // operating system, as in runtime.GOOS
	HomeDir             string                      // home directory
	EnvironmentVariable func(name string) string    // returns an environment variable
	FindCommand         func(command string) string // returns the path of a command; "" if it is not found

	Environ []string // all environment variables, in the form of os.Environ
}

// ThisMachine returns the machine on which the program runs.
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
	return Machine{GOOS: runtime.GOOS, HomeDir: home, EnvironmentVariable: os.Getenv, FindCommand: find, Environ: os.Environ()}, nil
}

// Server is a server that a host is to start, or to connect to at a URL.
type Server struct {
	EntryName string // name of the entry
	Program   string // absolute path of the program
	Args      []string
	URL       string // used instead of Program and Args; for a host with SupportsOnlyStdio, Program connects to it

	// VariableNames are the names of the environment variables that the server reads. If a host does not
	// pass its environment on, the names are written to the entry, but never the values.
	VariableNames []string

	// TokenVariable is the name of the environment variable that contains the token for the server at URL; ""
	// if it needs none. The entry of a host that cannot read variables gets TokenPlaceholder instead.
	TokenVariable string

	IsTokenVariableGiven bool // the user has named that variable, which then replaces the one in an existing entry
}

// Host is a program that uses MCP servers.
type Host struct {
	ID                 string          // name on the command line
	Title              string          // name for people
	ReloadInstructions message.Message // what the user does to make the host read a new entry; "" means restarting the host

	// RewritesConfig reports whether the host, while it runs, may overwrite its configuration with
	// what it has read before.
	RewritesConfig bool

	aliases  []string
	commands []string // names of its executable

	files  func(Machine) []string // returns the configuration files that it reads; nil if programs may edit none
	format format
	key    string                        // key of the map or list of servers in the file
	blank  string                        // content of a new file apart from the entry
	guard  func(Machine) message.Message // returns why the file must not be edited; "" if it may be

	local  func(Server) configEntry
	remote func(url string) configEntry // nil if unsupported; see SupportsOnlyStdio
	token  tokenForm

	// Most hosts pass their own environment to their servers, which is that of a shell if they are
	// started from one. Other hosts need the names of the variables in the entry.
	inheritsShell bool
	variables     func(names []string) configEntry

	client ClientProfile

	link    func(name string, entry configEntry) string
	webLink func(name string, entry configEntry) string
	own     func(Server) (add, remove []string) // returns the command lines of the host itself that add and remove a server
}

// FindHost returns the host with a name, title or alias, ignoring case, spaces and dashes.
func FindHost(name string) (Host, bool) {
	for _, h := range KnownHosts {
		for _, known := range append([]string{h.ID, h.Title}, h.aliases...) {
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

// ConfigFile returns the path of the host's configuration file, which need not exist; of several
// files, the first that exists. It returns "" for a host without one.
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

// IsInstalled reports whether the host is on the machine, judging by its configuration file, the
// folder of that, or its command.
func (h Host) IsInstalled(m Machine) bool {
	for _, command := range h.commands {
		if m.FindCommand(command) != "" {
			return true
		}
	}
	file := h.ConfigFile(m)
	if file == "" {
		return false
	}
	folder := filepath.Dir(file)
	return exists(file) || folder != filepath.Clean(m.HomeDir) && exists(folder)
}

// IsAPIKeyVariable reports whether an environment variable contains an API key, judging by its name.
func IsAPIKeyVariable(variable string) bool { return strings.HasSuffix(variable, "API_KEY") }

// NeedsManualKey reports whether users have to put API keys into the host's own environment or file
// by hand.
func (h Host) NeedsManualKey() bool { return !h.inheritsShell && h.variables == nil }

// InstallLink returns a link that opens the host, which then asks the user whether to add the
// server; "" if the host has no such links.
func (h Host) InstallLink(s Server) (string, error) { return h.makeLink(s, h.link) }

// WebInstallLink returns an install link through a web page of the host's maker, as many sites do not
// allow links that open programs; "" if there is no such page.
func (h Host) WebInstallLink(s Server) (string, error) { return h.makeLink(s, h.webLink) }

func (h Host) makeLink(s Server, link func(string, configEntry) string) (string, error) {
	entry, err := h.newEntry(s)
	if err != nil || link == nil {
		return "", err
	}
	return link(s.EntryName, entry), nil
}

// Snippet returns the content of a configuration file that has only the entry, for users to paste
// by hand.
func (h Host) Snippet(s Server) (string, error) {
	entry, err := h.newEntry(s)
	if err != nil || h.format == nil {
		return "", err
	}
	text, err := h.textWithEntry(nil, s.EntryName, entry)
	return string(text), err
}

// OwnCommands returns the host's own command lines that add and remove the server; nil if it has
// none.
func (h Host) OwnCommands(s Server) (add, remove []string) {
	if h.own == nil {
		return nil, nil
	}
	return h.own(s)
}

// SupportsOnlyStdio reports whether the host's configuration cannot contain URLs. The host then
// starts this program, which connects to the URL.
func (h Host) SupportsOnlyStdio() bool { return h.remote == nil }

// entryPath returns the path of names that leads to an entry in the file.
func (h Host) entryPath(name string) []string { return []string{h.key, name} }

// newEntry returns the entry for the server in the form of the host.
func (h Host) newEntry(s Server) (configEntry, error) {
	if s.URL != "" {
		if h.SupportsOnlyStdio() {
			s.Args = append([]string{"connect", s.URL}, s.Args...)
			return append(h.withName(s.EntryName, h.local(s)), h.tokenFields(s)...), nil
		}
		return append(h.withName(s.EntryName, h.remote(s.URL)), h.tokenFields(s)...), nil
	}
	entry := h.withName(s.EntryName, h.local(s))
	if h.variables != nil && len(s.VariableNames) > 0 {
		entry = append(entry, h.variables(s.VariableNames)...)
	}
	return entry, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
