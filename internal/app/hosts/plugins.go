package hosts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vademecum/internal/base/message"
)

// EntriesInPlugins returns the entries of this program that are not in the host's list of servers
// and that only the host edits: in plugins of Claude Code, in its settings for single folders, and
// in extensions of Gemini CLI.
func (h Host) EntriesInPlugins(m Machine, entryName string) ([]InstalledEntry, error) {
	switch h.ID {
	case "claude-code":
		plugins, err := claudePlugins(m)
		local, errLocal := h.perFolderServers(m, entryName)
		return append(plugins, local...), errors.Join(err, errLocal)
	case "gemini":
		return geminiExtensions(m)
	}
	return nil, nil
}

// perFolderServers returns the servers that Claude Code starts only in one folder, as servers that
// its add command adds are by default.
func (h Host) perFolderServers(m Machine, name string) (all []InstalledEntry, err error) {
	var file struct {
		Projects map[string]struct{ McpServers map[string]any }
	}
	if err := readJSON(h.ConfigFile(m), &file); err != nil {
		return nil, err
	}
	for _, folder := range slices.Sorted(maps.Keys(file.Projects)) {
		if !exists(folder) {
			continue // nothing is started in a folder that does not exist
		}
		for _, i := range ownEntries(file.Projects[folder].McpServers, name) {
			i.Name, i.in = i.Name+" in "+folder, folder
			all = append(all, i)
		}
	}
	return all, nil
}

// plugin is the manifest of a plugin or an extension.
type plugin struct {
	Name       string
	McpServers map[string]any
	UserConfig map[string]struct {
		Required bool
		Default  any
	}
}

// claudePlugins returns the servers of the enabled plugins of Claude Code.
func claudePlugins(m Machine) (all []InstalledEntry, err error) {
	at := m.EnvironmentVariable("CLAUDE_CONFIG_DIR")
	if at == "" {
		at = filepath.Join(m.HomeDir, ".claude")
	}
	var installed struct {
		Plugins map[string][]struct{ InstallPath string }
	}
	var settings struct {
		EnabledPlugins map[string]bool
		PluginConfigs  map[string]struct{ Options map[string]any }
	}
	if err := errors.Join(readJSON(filepath.Join(at, "plugins", "installed_plugins.json"), &installed), readJSON(filepath.Join(at, "settings.json"), &settings)); err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(installed.Plugins)) {
		copies := installed.Plugins[key]
		if called, _, _ := strings.Cut(key, "@"); called != "vademecum" || len(copies) == 0 {
			continue
		}
		root := copies[len(copies)-1].InstallPath
		var p plugin
		if err := readJSON(filepath.Join(root, ".claude-plugin", "plugin.json"), &p); err != nil {
			return all, err
		}
		own := map[string]string{"CLAUDE_PLUGIN_ROOT": root}
		for option, asked := range p.UserConfig {
			if value, set := settings.PluginConfigs[key].Options[option]; set {
				own["user_config."+option] = fmt.Sprint(value)
			} else if asked.Default != nil {
				own["user_config."+option] = fmt.Sprint(asked.Default)
			}
		}
		all = append(all, p.servers("plugin:"+p.Name+":", own, !settings.EnabledPlugins[key])...)
	}
	return all, nil
}

// geminiExtensions returns the servers of the extensions of Gemini CLI.
func geminiExtensions(m Machine) (all []InstalledEntry, err error) {
	home := m.EnvironmentVariable("GEMINI_CLI_HOME")
	if home == "" {
		home = m.HomeDir
	}
	found, _ := filepath.Glob(filepath.Join(home, ".gemini", "extensions", "*", "gemini-extension.json")) // the pattern is valid
	for _, file := range found {
		root := filepath.Dir(file)
		var p plugin
		if wrong := readJSON(file, &p); wrong != nil {
			if filepath.Base(root) == "vademecum" { // other extensions do not concern us
				err = errors.Join(err, wrong)
			}
			continue
		}
		own := map[string]string{"extensionPath": root, "/": string(filepath.Separator), "pathSeparator": string(filepath.Separator)}
		if text, err := os.ReadFile(filepath.Join(root, ".env")); err == nil {
			maps.Copy(own, parseAssignments(string(text)))
		}
		for _, i := range p.servers("extension:", own, false) {
			if f := (expansion{own: own}); isVademecum(f.expand(i.Program)) {
				all = append(all, i)
			}
		}
	}
	return all, err
}

// servers returns the entries in the manifest. before is prepended to their names, own are the
// values of the plugin's placeholders, and off reports that the plugin is disabled.
func (p plugin) servers(before string, own map[string]string, off bool) (all []InstalledEntry) {
	for name, entry := range serversByName(p.McpServers) {
		i := parseInstalled(name, entry)
		i.Name, i.IsManagedByHost, i.IsDisabled, i.own = before+name, true, i.IsDisabled || off, own
		all = append(all, i)
	}
	slices.SortFunc(all, func(a, b InstalledEntry) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// parseAssignments parses the lines NAME=VALUE in the text of a file.
func parseAssignments(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, found := strings.Cut(strings.TrimSpace(line), "="); found && !strings.HasPrefix(name, "#") {
			all[strings.TrimSpace(name)] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return all
}

// readJSON reads a JSON file that the host writes. The file need not exist.
func readJSON(path string, into any) error {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	text, _ := decode(raw)
	if err := json.Unmarshal(text, into); err != nil {
		return message.Errorf("%s does not parse: %v", path, err)
	}
	return nil
}
