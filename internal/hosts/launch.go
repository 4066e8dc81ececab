package hosts

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Launch is what a host does with an entry: it starts a program, or reaches a URL.
type Launch struct {
	Program string
	Args    []string
	Dir     string   // "" where the host is started, which may be anywhere
	Off     bool     // the host is told not to do it
	Env     []string // as os.Environ has it

	URL         string
	Older       bool              // the URL is that of the HTTP+SSE of before
	Header      map[string]string // that is sent
	Authorities string            // a file of those that are trusted beside the system's, or ""
	OwnTrust    bool              // the host trusts those that Node has with it, not the system's

	Secrets []string // that stand in it, or were put in, the longest first
	Refused string   // why the host does not even try, or ""
	Unknown string   // what only the host can put in, as it stands in the entry, or ""
	Unset   string   // the setting of a plugin that its user has not made, or ""
	NoToken string   // the variable that the token is to be in and that is not set, or ""

	TokenVariable string // the variable, or the secret, that the token is taken from, or ""
}

// Launch is what the host does with one of its entries on a machine.
func (h Host) Launch(m Machine, i Installed) Launch {
	f := filling{h: h, m: m, own: i.own, inFile: h.secretsInFile(m)}
	l := Launch{Program: f.fill(i.Program), URL: f.fill(i.URL), Dir: i.in, Off: i.Off || i.disabled && !h.is("claude-code", "gemini", "qwen")}
	if h.Name != "claude-code" { // which does not heed it
		l.Dir = cmp.Or(f.fill(i.Dir), i.in)
	}
	for _, arg := range i.Args {
		l.Args = append(l.Args, f.fill(arg))
	}
	for name, value := range i.own {
		f.keep(name, value)
	}
	f.keepArgs(l.Args)
	f.keepURL(l.URL)
	given := map[string]string{}
	for name, value := range i.Env {
		given[name] = f.fill(value)
		f.keep(name, given[name])
		f.keepURL(given[name])
	}
	l.Env = h.environment(m, i, given)
	l.Refused = h.malformed(i)
	if l.URL != "" {
		l.Older, l.Refused = h.speaks(i)
		h.authorize(m, i, &f, &l)
	}
	l.Unknown, l.Secrets = f.unknown, f.kept()
	if i.Managed {
		l.Unset = unset(l)
	}
	return l
}

// unset is the setting of a plugin that is left in what it starts.
func unset(l Launch) string {
	for _, arg := range l.Args {
		if _, rest, found := strings.Cut(arg, "${"); found {
			name, _, _ := strings.Cut(rest, "}")
			return strings.TrimPrefix(name, "user_config.")
		}
	}
	return ""
}

// Own are the arguments of this program, where the entry starts what is called like it,
// itself or by another program.
func (l Launch) Own() (args []string, ok bool) {
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

// HasWindows tells that the host is started from a desktop, whose PATH is not that of a
// shell.
func (h Host) HasWindows() bool {
	return !h.inheritsShell && !h.is("codex", "gemini", "goose")
}

// Filled is an entry with what the host puts in.
func (h Host) Filled(m Machine, i Installed) Installed {
	l := h.Launch(m, i)
	i.Program, i.Args, i.URL = l.Program, l.Args, l.URL
	return i
}

// authorize puts in what a host sends to a URL, and whom it trusts there.
func (h Host) authorize(m Machine, i Installed, f *filling, l *Launch) {
	l.Header = map[string]string{}
	for name, value := range i.Header {
		f.unset, f.asked = "", ""
		if l.Header[name] = f.fill(value); isSignIn(name) {
			l.NoToken, l.TokenVariable = f.unset, f.asked
		}
		f.keepHeader(name, l.Header[name])
	}
	for name, variable := range i.headerFrom {
		if value := m.Env(variable); value != "" {
			l.Header[name] = value
			if isSignIn(name) {
				l.TokenVariable = variable
			}
			f.keepHeader(name, value)
			f.keep(variable, value)
		}
	}
	if i.bearerFrom != "" {
		token := m.Env(i.bearerFrom)
		l.TokenVariable = i.bearerFrom
		if token == "" {
			l.NoToken = i.bearerFrom
			l.Refused = "the variable " + i.bearerFrom + " of the environment, which it takes the token from, is not set"
		}
		l.Header["Authorization"] = "Bearer " + token
		f.keep("token", token)
	}
	l.OwnTrust = h.is("gemini", "qwen")
	if h.inheritsShell || l.OwnTrust { // which run in Node or Bun
		l.Authorities = m.Env("NODE_EXTRA_CA_CERTS")
	}
}

func (h Host) is(names ...string) bool { return slices.Contains(names, h.Name) }

// malformed is why the host does not take an entry that is to start something, by the
// types of its fields.
func (h Host) malformed(i Installed) string {
	switch {
	case i.Program == "":
		return ""
	case h.Name == "opencode" && !i.listed:
		return `its command has to be a list, ["PROGRAM", "serve", "FOLDER"]: opencode reads nothing of the file as it is`
	case h.Name != "opencode" && i.listed:
		return `its command has to be the program alone, and args a list, ["serve", "FOLDER"]`
	case i.textArgs:
		return `its args has to be a list, ["serve", "FOLDER"], and is a text`
	}
	return ""
}

// speaks tells whether the host takes the URL for one of the HTTP+SSE of before, and why
// it does not take it at all.
func (h Host) speaks(i Installed) (older bool, refused string) {
	switch {
	case h.Name == "claude-code" && i.kind == "":
		return false, `it has a URL and no "type": "http"`
	case h.Name == "qwen" && i.urlField == "url":
		return true, ""
	}
	return i.kind == "sse", ""
}

// placeholders are what a host puts the environment in for: the first group, or the
// second, is the name of a variable, the third what stands for one that is not set.
var placeholders = map[string]string{
	"claude-code": `\$\{([A-Za-z_]\w*)()(?::-([^}]*))?\}`,
	"gemini":      `\$(?:(\w+)|\{([^}]+?)(?::-([^}]*))?\})`,
	"qwen":        `\$(?:(\w+)|\{([^}]+)\}())`,
	"opencode":    `\{env:([^}]+)()()\}`,
	"cursor":      `\$\{env:([^}]+)()()\}`,
	"vscode":      `\$\{env:([^}]+)()()\}`,
	"windsurf":    `\$\{env:([^}]+)()()\}`,
	"cline":       `\$\{env:([^}]+)()()\}`,
	"cline-cli":   `\$\{env:([^}]+)()()\}`,
}

// askedByHost are the forms of what a host asks its user for, or takes from its windows.
var askedByHost = map[string]string{
	"cursor":   `\$\{[^}]+\}`,
	"vscode":   `\$\{[^}]+\}`,
	"windsurf": `\$\{[^}]+\}`,
	"trae":     `\$\{[^}]+\}`,
	"trae-cn":  `\$\{[^}]+\}`,
	"qoder":    `\$\{[^}]+\}`,
	"continue": `\$\{\{[^}]+\}\}`,
	"opencode": `\{file:[^}]+\}`,
}

// filling puts in what stands for something else.
type filling struct {
	h       Host
	m       Machine
	own     map[string]string // that the entry's plugin says
	inFile  map[string]string // secrets that are in a file of the host's
	secrets []string
	unknown string
	asked   string // the last variable
	unset   string // the last variable that is not set
}

// fill is a text as the host understands it.
func (f *filling) fill(text string) string {
	for name, value := range f.own {
		text = strings.ReplaceAll(text, "${"+name+"}", value)
	}
	if pattern := placeholders[f.h.Name]; pattern != "" {
		text = f.variables(regexp.MustCompile(pattern), text)
	}
	text = f.fromFile(text)
	if home := "${userHome}"; askedByHost[f.h.Name] != "" {
		text = strings.ReplaceAll(text, home, f.m.Home)
	}
	if pattern := askedByHost[f.h.Name]; pattern != "" && f.unknown == "" {
		f.unknown = regexp.MustCompile(pattern).FindString(text)
	}
	return text
}

func (f *filling) variables(pattern *regexp.Regexp, text string) string {
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
		f.keep(name, value)
		switch {
		case value != "":
		case at[6] >= 0 && strings.Contains(whole, ":-") && !strings.Contains(name, ":-"):
			value = group(3)
		default:
			f.unset = name
			if !f.h.is("opencode", "cursor", "vscode", "windsurf") { // which put nothing in
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

// environment returns the environment of the servers of a host, where an entry says what is given.
func (h Host) environment(m Machine, i Installed, given map[string]string) []string {
	var all []string
	for _, pair := range m.Environ {
		name, _, _ := strings.Cut(pair, "=")
		if h.gives(name) || slices.Contains(i.envFrom, name) {
			all = append(all, pair)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		all = append(all, name+"="+given[name])
	}
	return all
}

// gives tells whether a host gives a variable of its own environment to its servers.
// That of a host with windows is one that was not started in a shell, where people keep
// their keys.
func (h Host) gives(variable string) bool {
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

// FindIn is the path of a program that a host starts in a folder: it is looked for in
// the PATH of the environment, which it is given.
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
