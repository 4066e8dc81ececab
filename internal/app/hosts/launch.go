package hosts

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"vademecum/internal/base/message"
)

// Launch is what a host does with an entry: it starts a program, or connects to a URL.
type Launch struct {
	Program    string // path or name of the program
	Args       []string
	Dir        string   // working directory; "" for that of the host, which may be any
	IsDisabled bool     // the host does not start it
	Env        []string // environment of the program, in the form of os.Environ

	URL                 string
	IsLegacySSE         bool              // the host uses the older transport HTTP+SSE for the URL
	Header              map[string]string // HTTP headers
	HostCAFile          string            // file of additional certificate authorities that the host trusts; "" for none
	UsesNodeAuthorities bool              // the host trusts the certificate authorities built into Node, not those of the system

	Secrets               []string        // secrets in the entry, longest first
	RefusalReason         message.Message // why the host refuses the entry; "" if it does not
	UnresolvedPlaceholder string          // a placeholder that only the host can expand; "" for none
	UnsetPluginSetting    string          // name of a plugin's setting that the user has not chosen; "" for none
	UnsetTokenVariable    string          // name of the environment variable for the token, if it is not set; otherwise ""

	TokenVariable string // name of the variable or secret that contains the token; "" for none
}

// PlanLaunch returns what the host does with one of its entries on a machine.
func (h Host) PlanLaunch(m Machine, entry InstalledEntry) Launch {
	f := expansion{h: h, m: m, own: entry.own, inFile: h.secretsInFile(m)}
	l := Launch{Program: f.expand(entry.Program), URL: f.expand(entry.URL), Dir: entry.in, IsDisabled: entry.IsDisabled || entry.disabled && !h.isOneOf("claude-code", "gemini", "qwen")}
	if h.ID != "claude-code" { // Claude Code ignores the directory
		l.Dir = cmp.Or(f.expand(entry.Dir), entry.in)
	}
	for _, arg := range entry.Args {
		l.Args = append(l.Args, f.expand(arg))
	}
	for name, value := range entry.own {
		f.addSecret(name, value)
	}
	f.addArgSecrets(l.Args)
	f.addURLSecret(l.URL)
	given := map[string]string{}
	for name, value := range entry.Env {
		given[name] = f.expand(value)
		f.addSecret(name, given[name])
		f.addURLSecret(given[name])
	}
	l.Env = h.serverEnvironment(m, entry, given)
	l.RefusalReason = h.malformedReason(entry)
	if l.URL != "" {
		l.IsLegacySSE, l.RefusalReason = h.checkTransport(entry)
		h.addAuthorization(m, entry, &f, &l)
	}
	l.UnresolvedPlaceholder, l.Secrets = f.unknown, f.secretsLongestFirst()
	if entry.IsManagedByHost {
		l.UnsetPluginSetting = unsetSetting(l)
	}
	return l
}

// unsetSetting returns the name of a plugin's setting whose placeholder is not replaced yet; "" if
// there is none.
func unsetSetting(l Launch) string {
	for _, arg := range l.Args {
		if _, rest, found := strings.Cut(arg, "${"); found {
			name, _, _ := strings.Cut(rest, "}")
			return strings.TrimPrefix(name, "user_config.")
		}
	}
	return ""
}

// ProgramArgs returns the arguments that this program gets; ok is false if the entry does not start
// a program of its name, directly or through a launcher.
func (l Launch) ProgramArgs() (args []string, ok bool) {
	if isVademecum(l.Program) {
		return l.Args, true
	}
	if !slices.Contains(launchers, commandName(l.Program)) {
		return nil, false
	}
	at := slices.IndexFunc(l.Args, func(arg string) bool {
		return !strings.Contains(arg, " ") && slices.ContainsFunc(strings.FieldsFunc(arg, func(r rune) bool { return r == ':' || r == '@' }), isVademecum)
	})
	if at < 0 {
		return nil, false
	}
	return l.Args[at+1:], true
}

// IsDesktopApp reports whether the host is started from a desktop, where the PATH differs from that
// in a shell.
func (h Host) IsDesktopApp() bool {
	return !h.inheritsShell && !h.isOneOf("codex", "gemini", "goose")
}

// ExpandEntry returns an entry with the placeholders replaced as the host does.
func (h Host) ExpandEntry(m Machine, entry InstalledEntry) InstalledEntry {
	l := h.PlanLaunch(m, entry)
	entry.Program, entry.Args, entry.URL = l.Program, l.Args, l.URL
	return entry
}

// addAuthorization fills in the headers that the host sends to a URL, and the certificate
// authorities that it trusts.
func (h Host) addAuthorization(m Machine, i InstalledEntry, f *expansion, l *Launch) {
	l.Header = map[string]string{}
	for name, value := range i.Header {
		f.unset, f.asked = "", ""
		if l.Header[name] = f.expand(value); isSignInHeader(name) {
			l.UnsetTokenVariable, l.TokenVariable = f.unset, f.asked
		}
		f.addHeaderSecret(name, l.Header[name])
	}
	for name, variable := range i.headerFrom {
		if value := m.EnvironmentVariable(variable); value != "" {
			l.Header[name] = value
			if isSignInHeader(name) {
				l.TokenVariable = variable
			}
			f.addHeaderSecret(name, value)
			f.addSecret(variable, value)
		}
	}
	if i.bearerFrom != "" {
		token := m.EnvironmentVariable(i.bearerFrom)
		l.TokenVariable = i.bearerFrom
		if token == "" {
			l.UnsetTokenVariable = i.bearerFrom
			l.RefusalReason = message.New("the environment variable %s, from which it reads the token, is not set", i.bearerFrom)
		}
		l.Header["Authorization"] = "Bearer " + token
		f.addSecret("token", token)
	}
	l.UsesNodeAuthorities = h.isOneOf("gemini", "qwen")
	if h.inheritsShell || l.UsesNodeAuthorities { // such a host runs in Node or Bun
		l.HostCAFile = m.EnvironmentVariable("NODE_EXTRA_CA_CERTS")
	}
}

func (h Host) isOneOf(names ...string) bool { return slices.Contains(names, h.ID) }

// malformedReason returns why the host rejects an entry that starts a program because of the types
// of its fields; "" if it does not.
func (h Host) malformedReason(i InstalledEntry) message.Message {
	listsCommand := h.isOneOf("opencode", "kilo")
	switch {
	case i.Program == "":
		return ""
	case listsCommand && !i.listed:
		return message.New(`its command must be a list, ["PROGRAM", "serve", "FOLDER"]: %s cannot read the file as it is`, h.Title)
	case !listsCommand && i.listed:
		return message.New(`its command must be the program alone, and args a list, ["serve", "FOLDER"]`)
	case i.textArgs:
		return message.New(`its args must be a list, ["serve", "FOLDER"], not a text`)
	}
	return ""
}

// checkTransport reports whether the host uses the older transport HTTP+SSE for the URL of an
// entry, and why it refuses the entry.
func (h Host) checkTransport(i InstalledEntry) (older bool, refused message.Message) {
	switch {
	case h.ID == "claude-code" && i.kind == "":
		return false, message.New(`it has a URL and no "type": "http"`)
	case h.ID == "qwen" && i.urlField == "url":
		return true, ""
	}
	return i.kind == "sse", ""
}

// placeholders are patterns, by host, that match references to environment variables in entries.
// Group 1 or 2 is the name of the variable, group 3 its default.
var placeholders = map[string]string{
	"claude-code": `\$\{([A-Za-z_]\w*)()(?::-([^}]*))?\}`,
	"gemini":      `\$(?:(\w+)|\{([^}]+?)(?::-([^}]*))?\})`,
	"qwen":        `\$(?:(\w+)|\{([^}]+)\}())`,
	"opencode":    `\{env:([^}]+)()()\}`,
	"kilo":        `\{env:([^}]+)()()\}`,
	"pi":          `\$(?:env:(\w+)|\{(\w+)\})()`,
	"crush":       `\$(?:(\w+)|\{(\w+)\}())`,
	"cursor":      `\$\{env:([^}]+)()()\}`,
	"vscode":      `\$\{env:([^}]+)()()\}`,
	"windsurf":    `\$\{env:([^}]+)()()\}`,
	"cline":       `\$\{env:([^}]+)()()\}`,
	"cline-cli":   `\$\{env:([^}]+)()()\}`,
}

// askedByHost are patterns, by host, that match placeholders for answers of the user or for values
// from the host's user interface.
var askedByHost = map[string]string{
	"cursor":   `\$\{[^}]+\}`,
	"vscode":   `\$\{[^}]+\}`,
	"windsurf": `\$\{[^}]+\}`,
	"trae":     `\$\{[^}]+\}`,
	"trae-cn":  `\$\{[^}]+\}`,
	"qoder":    `\$\{[^}]+\}`,
	"continue": `\$\{\{[^}]+\}\}`,
	"opencode": `\{file:[^}]+\}`,
	"kilo":     `\{file:[^}]+\}`,
}

// expansion replaces placeholders as a host does, and records secrets.
type expansion struct {
	h       Host
	m       Machine
	own     map[string]string // values that the entry's plugin defines
	inFile  map[string]string // secrets in the host's own file
	secrets []string
	unknown string
	asked   string // name of the last variable that was expanded
	unset   string // name of the last variable that was not set
}

// expand returns a text with its placeholders replaced.
func (f *expansion) expand(text string) string {
	for name, value := range f.own {
		text = strings.ReplaceAll(text, "${"+name+"}", value)
	}
	if pattern := placeholders[f.h.ID]; pattern != "" {
		text = f.expandVariables(regexp.MustCompile(pattern), text)
	}
	text = f.expandFileSecrets(text)
	if home := "${userHome}"; askedByHost[f.h.ID] != "" {
		text = strings.ReplaceAll(text, home, f.m.HomeDir)
	}
	if pattern := askedByHost[f.h.ID]; pattern != "" && f.unknown == "" {
		f.unknown = regexp.MustCompile(pattern).FindString(text)
	}
	return text
}

func (f *expansion) expandVariables(pattern *regexp.Regexp, text string) string {
	var out strings.Builder
	last := 0
	for _, at := range pattern.FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return text[at[2*i]:at[2*i+1]]
		}
		name, whole := cmp.Or(group(1), group(2)), group(0)
		f.asked = name
		value := f.m.EnvironmentVariable(name)
		f.addSecret(name, value)
		switch {
		case value != "":
		case at[6] >= 0 && strings.Contains(whole, ":-") && !strings.Contains(name, ":-"):
			value = group(3)
		default:
			f.unset = name
			// the hosts named here replace an unset variable by nothing
			if !f.h.isOneOf("opencode", "kilo", "cursor", "vscode", "windsurf") {
				value = whole
			}
		}
		out.WriteString(text[last:at[0]])
		out.WriteString(value)
		last = at[1]
	}
	return out.String() + text[last:]
}

// basic lists the environment variables that hosts pass to all servers: those of the MCP SDK,
// including those for Windows. basicOfCodex lists those that Codex passes, which are more.
var (
	basic = []string{"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER",
		"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PROCESSOR_ARCHITECTURE", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"}
	basicOfCodex = append(slices.Clone(basic), "__CF_USER_TEXT_ENCODING", "LANG", "LC_ALL", "TMPDIR", "TZ",
		"COMSPEC", "PATHEXT", "POWERSHELL", "PROGRAMDATA", "PROGRAMFILES(X86)", "PROGRAMW6432", "PWSH", "TMP", "USERDOMAIN", "WINDIR")
)

// serverEnvironment returns the environment of a server that the host starts; given are the
// variables in its entry.
func (h Host) serverEnvironment(m Machine, i InstalledEntry, given map[string]string) []string {
	var all []string
	for _, pair := range m.Environ {
		name, _, _ := strings.Cut(pair, "=")
		if h.passesOn(name) || slices.Contains(i.envFrom, name) {
			all = append(all, pair)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		all = append(all, name+"="+given[name])
	}
	return all
}

// passesOn reports whether the host passes a variable of its own environment on to its servers. A
// desktop host is not started from a shell, where people set their keys.
func (h Host) passesOn(variable string) bool {
	upper := strings.ToUpper(variable)
	switch {
	case h.inheritsShell:
		return true
	case h.ID == "codex":
		return slices.Contains(basicOfCodex, upper)
	case h.ID == "claude-desktop":
		return slices.Contains(basic, upper)
	case h.ID == "gemini":
		return !isSecret(variable)
	}
	return !IsAPIKeyVariable(variable)
}

// FindProgramIn returns the path of the program if a host starts it in a folder, with the PATH of
// its environment. find looks up a path as exec.LookPath does.
func (l Launch) FindProgramIn(dir string, find func(path string) (string, error)) (string, error) {
	if strings.ContainsAny(l.Program, `/`+string(filepath.Separator)) {
		if filepath.IsAbs(l.Program) {
			return find(l.Program)
		}
		return find(filepath.Join(dir, l.Program))
	}
	var path string
	for _, pair := range l.Env { // of several values the last one applies
		if name, value, _ := strings.Cut(pair, "="); strings.EqualFold(name, "PATH") {
			path = value
		}
	}
	for _, folder := range filepath.SplitList(path) {
		if found, err := find(filepath.Join(folder, l.Program)); err == nil && filepath.IsAbs(folder) {
			return found, nil
		}
	}
	return "", os.ErrNotExist
}
