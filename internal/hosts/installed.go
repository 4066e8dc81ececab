package hosts

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Installed is an entry that stands in the configuration of a host.
type Installed struct {
	Name    string
	Program string
	Args    []string
	URL     string
}

// Installed lists the entries that start this program, or what is called like it,
// and the one of a name.
func (h Host) Installed(m Machine, name string) ([]Installed, error) {
	if h.format == nil {
		return nil, nil
	}
	e, err := h.read(m)
	if err != nil {
		return nil, err
	}
	text, _ := decode(e.before)
	v, err := h.format.parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s does not parse: %w", e.File, err)
	}
	servers, _ := lookup(v, []string{h.key})
	var all []Installed
	for called, entry := range byName(servers) {
		if i := read(called, entry); i.Name == name || isVademecum(i.Program) {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(a, b Installed) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// byName are the servers of a map or list.
func byName(servers any) map[string]map[string]any {
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
				all[nameOf(v)] = entry
			}
		}
	}
	return all
}

// read understands the forms of all hosts.
func read(name string, entry map[string]any) Installed {
	i := Installed{Name: name, Args: texts(entry["args"])}
	for _, field := range []string{"command", "cmd"} {
		if program, ok := entry[field].(string); ok {
			i.Program = program
		} else if line := texts(entry[field]); len(line) > 0 {
			i.Program, i.Args = line[0], line[1:]
		}
	}
	for _, field := range []string{"url", "serverUrl", "httpUrl", "uri"} {
		if url, ok := entry[field].(string); ok {
			i.URL = url
		}
	}
	return i
}

func texts(v any) (all []string) {
	list, _ := v.([]any)
	for _, item := range list {
		if text, ok := item.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

func isVademecum(program string) bool {
	name := path.Base(strings.ReplaceAll(program, `\`, "/"))
	return strings.TrimSuffix(strings.ToLower(name), ".exe") == "vademecum"
}
