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
	Program string
	Args    []string
	Dir     string   // "" for the working directory of the host, which may be any
	Off     bool     // disabled
	Env     []string // as os.Environ

	URL         string
	Older       bool              // the URL is one of the older HTTP+SSE transport
	Header      map[string]string // HTTP headers
	Authorities string            // file of additional certificate authorities, or ""
	OwnTrust    bool              // the host trusts the authorities built into Node, not the system's

	Secrets []string        // secrets in it, the longest first
	Refused message.Message // why the host does not even try, or ""
	Unknown string          // a placeholder that only the host can fill in, or ""
	Unset   string          // a setting of a plugin that the user has not made, or ""
	NoToken string          // the unset variable for the token, or ""

	TokenVariable string // the variable or secret that provides the token, or ""
}

// Launch returns what the host does with one of its entries on a machine.
func (h Host) Launch(m Machine, i Installed) Launch {
	f := expansion{h: h, m: m, own: i.own, inFile: h.secretsInFile(m)}
	l := Launch{Program: f.expand(i.Program), URL: f.expand(i.URL), Dir: i.in, Off: i.Off || i.disabled && !h.isOneOf("claude-code", "gemini", "qwen")}
	if h.Name != "claude-code" { // which ignores it
		l.Dir = cmp.Or(f.expand(i.Dir), i.in)
	}
	for _, arg := range i.Args {
		l.Args = append(l.Args, f.expand(arg))
	}
	for name, value := range i.own {
		f.addSecret(name, value)
	}
	f.addArgSecrets(l.Args)
	f.addURLSecret(l.URL)
	given := map[string]string{}
	for name, value := range i.Env {
		given[name] = f.expand(value)
		f.addSecret(name, given[name])
		f.addURLSecret(given[name])
	}
	l.Env = h.serverEnvironment(m, i, given)
	l.Refused = h.malformedReason(i)
	if l.URL != "" {
		l.Older, l.Refused = h.checkTransport(i)
		h.addAuthorization(m, i, &f, &l)
	}
	l.Unknown, l.Secrets = f.unknown, f.secretsLongestFirst()
	if i.Managed {
		l.Unset = unsetSetting(l)
	}
	return l
}

// unsetSetting returns a plugin setting that is still a placeholder.
func unsetSetting(l Launch) string {
	for _, arg := range l.Args {
		if _, rest, found := strings.Cut(arg, "${"); found {
			name, _, _ := strings.Cut(rest, "}")
			return strings.TrimPrefix(name, "user_config.")
		}
	}
	return ""
}

// OwnArgs returns the arguments of this program, if the entry starts a program of its name,
// directly or through another one.
func (l Launch) OwnArgs() (args []string, ok bool) {
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

// IsDesktopApp reports whether the host is started from a desktop, whose PATH is not that
// of a shell.
func (h Host) IsDesktopApp() bool {
	return !h.inheritsShell && !h.isOneOf("codex", "gemini", "goose")
}

// ExpandEntry returns an entry with the host's placeholders filled in.
func (h Host) ExpandEntry(m Machine, i Installed) Installed {
	l := h.Launch(m, i)
	i.Program, i.Args, i.URL = l.Program, l.Args, l.URL
	return i
}

// addAuthorization adds the headers that a host sends to a URL, and the authorities that
// it trusts.
func (h Host) addAuthorization(m Machine, i Installed, f *expansion, l *Launch) {
	l.Header = map[string]string{}
	for name, value := range i.Header {
		f.unset, f.asked = "", ""
		if l.Header[name] = f.expand(value); isSignInHeader(name) {
			l.NoToken, l.TokenVariable = f.unset, f.asked
		}
		f.addHeaderSecret(name, l.Header[name])
	}
	for name, variable := range i.headerFrom {
		if value := m.Env(variable); value != "" {
			l.Header[name] = value
			if isSignInHeader(name) {
				l.TokenVariable = variable
			}
			f.addHeaderSecret(name, value)
			f.addSecret(variable, value)
		}
	}
	if i.bearerFrom != "" {
		token := m.Env(i.bearerFrom)
		l.TokenVariable = i.bearerFrom
		if token == "" {
			l.NoToken = i.bearerFrom
			l.Refused = message.New("the variable %s of the environment, which it takes the token from, is not set", i.bearerFrom)
		}
		l.Header["Authorization"] = "Bearer " + token
		f.addSecret("token", token)
	}
	l.OwnTrust = h.isOneOf("gemini", "qwen")
	if h.inheritsShell || l.OwnTrust { // which run in Node or Bun
		l.Authorities = m.Env("NODE_EXTRA_CA_CERTS")
	}
}

func (h Host) isOneOf(names ...string) bool { return slices.Contains(names, h.Name) }

// malformedReason is why the host does not take an entry that is to start something, by the
// types of its fields.
func (h Host) malformedReason(i Installed) message.Message {
	listsCommand := h.isOneOf("opencode", "kilo")
	switch {
	case i.Program == "":
		return ""
	case listsCommand && !i.listed:
		return message.New(`its command has to be a list, ["PROGRAM", "serve", "FOLDER"]: %s reads nothing of the file as it is`, h.Title)
	case !listsCommand && i.listed:
		return message.New(`its command has to be the program alone, and args a list, ["serve", "FOLDER"]`)
	case i.textArgs:
		return message.New(`its args has to be a list, ["serve", "FOLDER"], and is a text`)
	}
	return ""
}

// checkTransport reports whether the host takes the URL for one of the older HTTP+SSE transport,
// and why it refuses it.
func (h Host) checkTransport(i Installed) (older bool, refused message.Message) {
	switch {
	case h.Name == "claude-code" && i.kind == "":
		return false, message.New(`it has a URL and no "type": "http"`)
	case h.Name == "qwen" && i.urlField == "url":
		return true, ""
	}
	return i.kind == "sse", ""
}

// placeholders match references to the environment in a host's entries: the first or
// second group is the name of a variable, the third its default.
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

// askedByHost matches placeholders for inputs of the user, or for values of the host's
// windows.
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

// expansion fills in placeholders.
type expansion struct {
	h       Host
	m       Machine
	own     map[string]string // defined by the entry's plugin
	inFile  map[string]string // secrets that are in a file of the host's
	secrets []string
	unknown string
	asked   string // the last variable
	unset   string // the last variable that is not set
}

// expand returns a text as the host understands it.
func (f *expansion) expand(text string) string {
	for name, value := range f.own {
		text = strings.ReplaceAll(text, "${"+name+"}", value)
	}
	if pattern := placeholders[f.h.Name]; pattern != "" {
		text = f.expandVariables(regexp.MustCompile(pattern), text)
	}
	text = f.expandFileSecrets(text)
	if home := "${userHome}"; askedByHost[f.h.Name] != "" {
		text = strings.ReplaceAll(text, home, f.m.Home)
	}
	if pattern := askedByHost[f.h.Name]; pattern != "" && f.unknown == "" {
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
		value := f.m.Env(name)
		f.addSecret(name, value)
		switch {
		case value != "":
		case at[6] >= 0 && strings.Contains(whole, ":-") && !strings.Contains(name, ":-"):
			value = group(3)
		default:
			f.unset = name
			if !f.h.isOneOf("opencode", "kilo", "cursor", "vscode", "windsurf") { // which put nothing in
				value = whole
			}
		}
		out.WriteString(text[last:at[0]])
		out.WriteString(value)
		last = at[1]
	}
	return out.String() + text[last:]
}

// basic are the variables that hosts give to all servers: those of the SDK of the
// protocol, on Windows too, and what Codex adds.
var (
	basic = []string{"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER",
		"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PROCESSOR_ARCHITECTURE", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"}
	basicOfCodex = append(slices.Clone(basic), "__CF_USER_TEXT_ENCODING", "LANG", "LC_ALL", "TMPDIR", "TZ",
		"COMSPEC", "PATHEXT", "POWERSHELL", "PROGRAMDATA", "PROGRAMFILES(X86)", "PROGRAMW6432", "PWSH", "TMP", "USERDOMAIN", "WINDIR")
)

// serverEnvironment returns the environment of a host's servers, given the variables of an entry.
func (h Host) serverEnvironment(m Machine, i Installed, given map[string]string) []string {
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

// passesOn reports whether a host passes a variable of its own environment to its
// servers. A host with windows is not started from a shell, where people set their keys.
func (h Host) passesOn(variable string) bool {
	upper := strings.ToUpper(variable)
	switch {
	case h.inheritsShell:
		return true
	case h.Name == "codex":
		return slices.Contains(basicOfCodex, upper)
	case h.Name == "claude-desktop":
		return slices.Contains(basic, upper)
	case h.Name == "gemini":
		return !isSecret(variable)
	}
	return !IsKey(variable)
}

// FindIn returns the path of a program that a host starts in a folder, using the PATH of
// the given environment.
func (l Launch) FindIn(dir string, find func(path string) (string, error)) (string, error) {
	if strings.ContainsAny(l.Program, `/`+string(filepath.Separator)) {
		if filepath.IsAbs(l.Program) {
			return find(l.Program)
		}
		return find(filepath.Join(dir, l.Program))
	}
	var path string
	for _, pair := range l.Env { // the last counts
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
