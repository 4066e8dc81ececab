package hosts

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"vademecum/internal/base/message"
)

// InstalledEntry is an entry in the configuration of a host, as it is written there.
type InstalledEntry struct {
	Name            string
	Program         string
	Args            []string
	Dir             string            // working directory; "" if not given
	Env             map[string]string // additional environment
	URL             string
	Header          map[string]string // HTTP headers
	IsDisabled      bool              // the host does not start it
	IsManagedByHost bool              // the host manages it, as a part of a plugin or extension

	in         string            // the only folder in which the host starts it; "" for any folder
	listed     bool              // the program and its arguments are in one list
	textArgs   bool              // the arguments are one string
	disabled   bool              // it is disabled in the file, which not all hosts respect
	kind       string            // type of transport, as written
	urlField   string            // name of the field that contains the URL
	envFrom    []string          // names of the environment variables that are passed on
	bearerFrom string            // name of the variable that contains the bearer token
	headerFrom map[string]string // names of the variables that contain headers, by header
	own        map[string]string // values of the placeholders that a plugin defines
}

// EntriesOfThisProgram returns the entries in the host's configuration that probably start this program
// or connect to it, and the entry with the given name.
func (h Host) EntriesOfThisProgram(m Machine, entryName string) ([]InstalledEntry, error) {
	if h.format == nil {
		return nil, nil
	}
	e, err := h.readConfig(m)
	if err != nil {
		return nil, err
	}
	text, _ := decode(e.before)
	v, err := h.format.parse(text)
	if err != nil {
		return nil, message.Errorf("%s does not parse: %v", e.File, err)
	}
	if err := h.strictReadError(e.before); err != nil {
		return nil, message.Errorf("%s does not parse: %v", e.File, err)
	}
	servers, _ := lookup(v, []string{h.key})
	return ownEntries(servers, entryName), nil
}

// ownEntries returns those of the servers in a configuration that probably start this program or
// connect to it, and the one with the given name.
func ownEntries(servers any, name string) (all []InstalledEntry) {
	for called, entry := range serversByName(servers) {
		if i := parseInstalled(called, entry); i.Name == name || i.IsOurs() {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(a, b InstalledEntry) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// IsOurs reports whether the entry starts this program, as far as the names of the entry and its program
// tell, or connects to the address at which it serves by default.
func (i InstalledEntry) IsOurs() bool {
	return isVademecum(i.Program) || isLaunchedByOther(i) || isProbablyOurs(i)
}

// launchers are programs that start another program, which is named in their arguments.
var launchers = []string{"npx", "bunx", "pnpm", "uvx", "docker", "podman", "wsl", "env", "sh", "bash", "cmd"}

// isLaunchedByOther reports whether an entry starts this program through a launcher.
func isLaunchedByOther(i InstalledEntry) bool {
	return slices.Contains(launchers, commandName(i.Program)) && slices.ContainsFunc(i.Args, func(arg string) bool {
		return slices.ContainsFunc(strings.FieldsFunc(arg, func(r rune) bool { return strings.ContainsRune(" :@", r) }), isVademecum)
	})
}

// serversByName returns the servers in a map or list of a configuration, by name.
func serversByName(servers any) map[string]map[string]any {
	all := map[string]map[string]any{}
	switch servers := servers.(type) {
	case map[string]any:
		for name, v := range servers {
			if entry, ok := v.(map[string]any); ok {
				all[name] = entry
			}
		}
	case []any:
		for _, v := range servers {
			if entry, ok := v.(map[string]any); ok {
				all[itemName(v)] = entry
			}
		}
	}
	return all
}

// parseInstalled parses an entry, which may have the form of any host.
func parseInstalled(name string, entry map[string]any) InstalledEntry {
	i := InstalledEntry{Name: name, Args: textsIn(entry["args"])}
	for _, field := range []string{"command", "cmd"} {
		if program, ok := entry[field].(string); ok {
			i.Program = program
		} else if line := textsIn(entry[field]); len(line) > 0 {
			i.Program, i.Args, i.listed = line[0], line[1:], true
		}
	}
	for _, field := range []string{"url", "serverUrl", "httpUrl", "uri"} {
		if url, ok := entry[field].(string); ok {
			i.URL, i.urlField = url, field
		}
	}
	_, i.textArgs = entry["args"].(string)
	i.Dir, _ = entry["cwd"].(string)
	i.Env = textMaps(entry, "env", "environment", "envs")
	i.Header = textMaps(entry, "headers", "http_headers")
	if options, ok := entry["requestOptions"].(map[string]any); ok && i.Header == nil {
		i.Header = textMaps(options, "headers")
	}
	i.headerFrom = textMaps(entry, "env_http_headers")
	i.envFrom = append(textsIn(entry["env_vars"]), textsIn(entry["env_keys"])...)
	i.bearerFrom, _ = entry["bearer_token_env_var"].(string)
	i.kind, _ = entry["type"].(string)
	i.disabled = entry["disabled"] == true
	i.IsDisabled = entry["enabled"] == false || entry["isActive"] == false
	return i
}

// textMaps returns the strings and numbers in those of the fields that are maps.
func textMaps(entry map[string]any, fields ...string) map[string]string {
	var all map[string]string
	for _, field := range fields {
		given, _ := entry[field].(map[string]any)
		for name, v := range given {
			if all == nil {
				all = map[string]string{}
			}
			all[name] = fmt.Sprint(v)
		}
	}
	return all
}

// isProbablyOurs reports whether an entry probably belongs to this program, judging by its name or
// by the default address.
func isProbablyOurs(i InstalledEntry) bool {
	u, err := url.Parse(i.URL)
	return strings.Contains(strings.ToLower(i.Name), "vademecum") ||
		err == nil && u.Port() == "8765" && slices.Contains([]string{"127.0.0.1", "localhost", "::1"}, u.Hostname())
}

func textsIn(v any) (all []string) {
	list, _ := v.([]any)
	for _, item := range list {
		if text, ok := item.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

func isVademecum(program string) bool { return commandName(program) == "vademecum" }

// commandName returns the name of a program without its folder and the extension of executables.
func commandName(program string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(program, `\`, "/")))
	for _, added := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, added)
	}
	return name
}
