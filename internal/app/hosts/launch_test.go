package hosts

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shell returns a machine with an environment.
func shell(t *testing.T, environ ...string) Machine {
	t.Helper()
	env := func(name string) string {
		for _, pair := range environ {
			if value, found := strings.CutPrefix(pair, name+"="); found {
				return value
			}
		}
		return ""
	}
	return Machine{GOOS: "linux", HomeDir: t.TempDir(), EnvironmentVariable: env, Environ: environ, FindCommand: func(string) string { return "" }}
}

// entryOf parses an entry in the form of a host.
func entryOf(t *testing.T, text string) InstalledEntry {
	t.Helper()
	var entry map[string]any
	if err := json.Unmarshal([]byte(text), &entry); err != nil {
		t.Fatal(err)
	}
	return parseInstalled("vademecum", entry)
}

func hostNamed(t *testing.T, name string) Host {
	t.Helper()
	h, ok := FindHost(name)
	if !ok {
		t.Fatal(name)
	}
	return h
}

// TestLaunchFills checks that each host replaces its own placeholders, and leaves those of others
// as they are.
func TestLaunchFills(t *testing.T) {
	m := shell(t, "N=/notes", "HOME=/h")
	for _, c := range []struct{ host, written, started string }{
		{"claude-code", "${N}", "/notes"},
		{"claude-code", "$N", "$N"},
		{"claude-code", "${GONE}", "${GONE}"},
		{"claude-code", "${GONE:-/else}/x", "/else/x"},
		{"gemini", "$N/x", "/notes/x"},
		{"gemini", "${GONE:-/else}", "/else"},
		{"gemini", "${GONE}", "${GONE}"},
		{"qwen", "${N}", "/notes"},
		{"qwen", "${GONE:-/else}", "${GONE:-/else}"},
		{"opencode", "{env:N}", "/notes"},
		{"opencode", "{env:GONE}", ""},
		{"opencode", "${N}", "${N}"},
		{"codex", "${N}", "${N}"},
		{"vscode", "${env:N}", "/notes"},
		{"claude-desktop", "${N}", "${N}"},
		{"claude-code", "~/notes", "~/notes"},
	} {
		l := hostNamed(t, c.host).PlanLaunch(m, InstalledEntry{Program: "v", Args: []string{"serve", c.written}})
		if l.Args[1] != c.started || l.UnresolvedPlaceholder != "" {
			t.Errorf("%s makes %q of %s (unknown: %q), want %q", c.host, l.Args[1], c.written, l.UnresolvedPlaceholder, c.started)
		}
	}
	l := hostNamed(t, "vscode").PlanLaunch(m, entryOf(t, `{"url": "http://x", "headers": {"Authorization": "Bearer ${input:token}"}}`))
	if l.UnresolvedPlaceholder != "${input:token}" {
		t.Errorf("only VS Code knows %q", l.UnresolvedPlaceholder)
	}
}

// TestLaunchEnvironment checks which variables each host withholds from its servers, and what an
// entry adds.
func TestLaunchEnvironment(t *testing.T) {
	m := shell(t, "HOME=/h", "PATH=/bin", "OPENAI_API_KEY=a-key", "XDG_CACHE_HOME=/c", "VADEMECUM_TOKEN=t")
	entry := `{"command": "v", "env": {"A": "1"}, "env_vars": ["XDG_CACHE_HOME"]}`
	for host, want := range map[string]string{
		"claude-code":    "HOME=/h PATH=/bin OPENAI_API_KEY=a-key XDG_CACHE_HOME=/c VADEMECUM_TOKEN=t A=1",
		"codex":          "HOME=/h PATH=/bin XDG_CACHE_HOME=/c A=1",
		"gemini":         "HOME=/h PATH=/bin XDG_CACHE_HOME=/c A=1",
		"claude-desktop": "HOME=/h PATH=/bin XDG_CACHE_HOME=/c A=1",
		"cursor":         "HOME=/h PATH=/bin XDG_CACHE_HOME=/c VADEMECUM_TOKEN=t A=1",
	} {
		l := hostNamed(t, host).PlanLaunch(m, entryOf(t, entry))
		if got := strings.Join(l.Env, " "); got != want {
			t.Errorf("%s gives %s, want %s", host, got, want)
		}
	}
	l := hostNamed(t, "gemini").PlanLaunch(m, entryOf(t, `{"command": "v", "env": {"OPENAI_API_KEY": "$OPENAI_API_KEY"}}`))
	if !slices.Contains(l.Env, "OPENAI_API_KEY=a-key") || !slices.Contains(l.Secrets, "a-key") {
		t.Errorf("a key by reference: %v, %v", l.Env, l.Secrets)
	}
}

// TestLaunchURL checks what is sent to a URL, and when it is not requested at all.
func TestLaunchURL(t *testing.T) {
	m := shell(t, "TOKEN=secret")
	for _, c := range []struct{ host, entry, authorization, refused string }{
		{"claude-code", `{"type": "http", "url": "http://x", "headers": {"Authorization": "Bearer ${TOKEN}"}}`, "Bearer secret", ""},
		{"claude-code", `{"url": "http://x"}`, "", `no "type": "http"`},
		{"codex", `{"url": "http://x", "bearer_token_env_var": "TOKEN"}`, "Bearer secret", ""},
		{"codex", `{"url": "http://x", "bearer_token_env_var": "GONE"}`, "Bearer ", "environment variable GONE"},
		{"codex", `{"url": "http://x", "env_http_headers": {"Authorization": "TOKEN"}}`, "secret", ""},
		{"opencode", `{"type": "remote", "url": "http://x", "headers": {"Authorization": "Bearer {env:TOKEN}"}}`, "Bearer secret", ""},
	} {
		l := hostNamed(t, c.host).PlanLaunch(m, entryOf(t, c.entry))
		if l.Header["Authorization"] != c.authorization || !strings.Contains(l.RefusalReason.String(), c.refused) || (c.refused == "") != (l.RefusalReason == "") {
			t.Errorf("%s, %s: %+v", c.host, c.entry, l)
		}
		if strings.Contains(c.authorization, "secret") && !slices.Contains(l.Secrets, "secret") {
			t.Errorf("%s, %s: the token is no secret", c.host, c.entry)
		}
	}
	if l := hostNamed(t, "qwen").PlanLaunch(m, entryOf(t, `{"url": "http://x/sse"}`)); !l.IsLegacySSE {
		t.Error("Qwen Code takes a url for one of HTTP+SSE")
	}
}

// TestLaunchSecrets checks that secrets are recognised by their names wherever they are, and
// nothing else is.
func TestLaunchSecrets(t *testing.T) {
	m := shell(t, "MINE=hunter2")
	for entry, want := range map[string]string{
		`{"url": "http://x", "headers": {"X-Client": "vademecum", "Accept": "text/html"}}`:                         "",
		`{"url": "http://x", "headers": {"X-Client": "notes", "authorization": "Basic aHVudGVy"}}`:                 "aHVudGVy",
		`{"url": "http://x", "headers": {"Cookie": "session=abc", "X-Api-Key": "a b c"}}`:                          "session=abc|a b c",
		`{"url": "http://x", "headers": {"Authorization": "Bearer YOUR_TOKEN"}}`:                                   "",
		`{"url": "http://x", "env_http_headers": {"X-Team": "MINE", "Authorization": "MINE"}}`:                     "hunter2",
		`{"url": "http://user:hunter2@x/mcp?token=a%2Fbc&room=notes"}`:                                             "hunter2|a%2Fbc|a/bc",
		`{"url": "http://hunter2@x/mcp"}`:                                                                          "hunter2",
		`{"command": "npx", "args": ["mcp-remote", "http://x", "--header", "Authorization: Bearer hunter2"]}`:      "hunter2",
		`{"command": "v", "args": ["serve", "/notes", "--token", "hunter2", "--api-key=hunter3"]}`:                 "hunter2|hunter3",
		`{"command": "docker", "args": ["run", "-e", "VADEMECUM_TOKEN=hunter2", "-v", "/my/private:/data"]}`:       "hunter2",
		`{"command": "sh", "args": ["-c", "MY_KEY='hunter2' exec vademecum serve /notes"]}`:                        "hunter2",
		`{"command": "v", "args": ["serve", "--store", "postgres://me:hunter2@db/kb"]}`:                            "hunter2",
		`{"command": "v", "args": ["serve", "--store", "postgres://vademecum:vademecum@db/kb", "--tokens", "ab"]}`: "",
		`{"command": "v", "env": {"VADEMECUM_STORE": "postgres://me:hunter2@db/kb", "LANG": "de_DE"}}`:             "hunter2",
	} {
		if l := hostNamed(t, "codex").PlanLaunch(m, entryOf(t, entry)); strings.Join(l.Secrets, "|") != want {
			t.Errorf("%s: %q, want %s", entry, l.Secrets, want)
		}
	}
	i := entryOf(t, `{"command": "v", "args": ["serve", "${user_config.folder}", "${user_config.api_token}"]}`)
	i.own = map[string]string{"user_config.folder": "/notes", "user_config.api_token": "hunter2"}
	if l := hostNamed(t, "claude-code").PlanLaunch(m, i); l.Args[2] != "hunter2" || strings.Join(l.Secrets, "|") != "hunter2" {
		t.Errorf("of a plugin: %+v", l)
	}
}

// TestLaunchOff checks that some hosts ignore the field disabled, or a working directory.
func TestLaunchOff(t *testing.T) {
	m := shell(t)
	disabled := entryOf(t, `{"command": "v", "disabled": true, "cwd": "/d"}`)
	if l := hostNamed(t, "claude-code").PlanLaunch(m, disabled); l.IsDisabled || l.Dir != "" {
		t.Errorf("Claude Code: %+v", l)
	}
	if l := hostNamed(t, "cline").PlanLaunch(m, disabled); !l.IsDisabled || l.Dir != "/d" {
		t.Errorf("Cline: %+v", l)
	}
	if l := hostNamed(t, "codex").PlanLaunch(m, entryOf(t, `{"command": "v", "enabled": false}`)); !l.IsDisabled {
		t.Errorf("Codex: %+v", l)
	}
}

// TestStrictFiles checks that a file that its host cannot read is reported although others could,
// and is not written.
func TestStrictFiles(t *testing.T) {
	const plain = `{"mcpServers": {"vademecum": {"command": "/v"}}}`
	texts := map[string]string{
		"plain": plain, "mark": "\ufeff" + plain, "comment": "// mine\n" + plain, "comma": strings.TrimSuffix(plain, "}") + ",}",
		"comma in a list": `{"mcpServers": {"vademecum": {"command": "/v", "args": ["a",]}}}`,
	}
	for host, refused := range map[string]string{
		"claude-code": "comma|comma in a list|comment",
		"gemini":      "comma|comma in a list|mark",
		"qwen":        "comma|comma in a list|mark",
		"cursor":      "",
	} {
		for name, text := range texts {
			m, h := shell(t), hostNamed(t, host)
			writeText(t, h.ConfigFile(m), text)
			all, err := h.EntriesOfThisProgram(m, "vademecum")
			if want := slices.Contains(strings.Split(refused, "|"), name); want != (err != nil) || err == nil && len(all) != 1 {
				t.Errorf("%s, %s: %v, %v", host, name, all, err)
			}
			for _, s := range []Server{notes, {EntryName: "vademecum", Program: "/v"}} {
				if _, err := h.PlanAddEdit(m, s); slices.Contains(strings.Split(refused, "|"), name) != errors.As(err, new(*EditRefusedError)) {
					t.Errorf("%s, %s: written: %v", host, name, err)
				}
			}
		}
	}
}

// TestInstalledByOthers checks that entries are found that start this program through another one
// or only have its name, and no other servers.
func TestInstalledByOthers(t *testing.T) {
	m, h := shell(t), hostNamed(t, "cursor")
	writeText(t, h.ConfigFile(m), `{"mcpServers": {
		"a": {"command": "npx", "args": ["-y", "vademecum@1", "serve", "/n"]},
		"b": {"command": "docker", "args": ["run", "-i", "ghcr.io/x/vademecum:1.0", "serve", "/n"]},
		"c": {"command": "/bin/sh", "args": ["-c", "exec /opt/vademecum serve /n"]},
		"d": {"command": "C:\\Tools\\vademecum.cmd"},
		"e": {"url": "http://127.0.0.1:8765/mcp"},
		"my-vademecum": {"command": "/opt/wrapper"},
		"x": {"command": "npx", "args": ["server-filesystem", "/n"]},
		"y": {"url": "http://127.0.0.1:9999/mcp"},
		"z": {"command": "/opt/other", "args": ["/opt/vademecum"]}}}`)
	all, err := h.EntriesOfThisProgram(m, "vademecum")
	var names []string
	for _, i := range all {
		names = append(names, i.Name)
	}
	if got := strings.Join(names, " "); err != nil || got != "a b c d e my-vademecum" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestElsewhere checks the entries in plugins and single folders of Claude Code, and in extensions
// of Gemini CLI.
func TestElsewhere(t *testing.T) {
	m := shell(t)
	at := func(path string) string { return filepath.Join(m.HomeDir, filepath.FromSlash(path)) }
	slash := filepath.ToSlash
	writeText(t, at("plugin/.claude-plugin/plugin.json"), `{"name": "vademecum", "mcpServers": {"notes": {"command": "vademecum", "args": ["serve", "${user_config.folder}"]}}, "userConfig": {"folder": {"required": true}}}`)
	writeText(t, at(".claude/plugins/installed_plugins.json"), `{"version": 2, "plugins": {"vademecum@vademecum": [{"installPath": "`+slash(at("plugin"))+`"}], "other@x": [{"installPath": "/nowhere"}]}}`)
	writeText(t, at(".claude/settings.json"), `{"enabledPlugins": {"vademecum@vademecum": true}}`)
	writeText(t, at(".claude.json"), `{"projects": {"`+slash(m.HomeDir)+`": {"mcpServers": {"notes": {"command": "/opt/vademecum", "args": ["serve", "sub"]}}}, "/gone": {"mcpServers": {"vademecum": {"command": "/v"}}}}}`)
	claude := hostNamed(t, "claude-code")
	all, err := claude.EntriesInPlugins(m, "vademecum")
	if err != nil || len(all) != 2 || all[0].Name != "plugin:vademecum:notes" || !all[0].IsManagedByHost {
		t.Fatalf("%+v, %v", all, err)
	}
	if l := claude.PlanLaunch(m, all[0]); l.UnsetPluginSetting != "folder" || l.IsDisabled {
		t.Errorf("a plugin without a folder: %+v", l)
	}
	if l := claude.PlanLaunch(m, all[1]); slash(l.Dir) != slash(m.HomeDir) {
		t.Errorf("for one folder: %+v", l)
	}
	writeText(t, at(".claude/settings.json"), `{"pluginConfigs": {"vademecum@vademecum": {"options": {"folder": "/notes"}}}}`)
	all, _ = claude.EntriesInPlugins(m, "vademecum")
	if l := claude.PlanLaunch(m, all[0]); l.UnsetPluginSetting != "" || l.Args[1] != "/notes" || !l.IsDisabled {
		t.Errorf("a plugin that is switched off: %+v", l)
	}

	writeText(t, at(".gemini/extensions/vademecum/gemini-extension.json"), `{"name": "vademecum", "mcpServers": {"vademecum": {"command": "${extensionPath}${/}vademecum", "args": ["serve", "${VADEMECUM_FOLDER}"]}}}`)
	writeText(t, at(".gemini/extensions/vademecum/.env"), "# settings\nVADEMECUM_FOLDER=\"/notes\"\n")
	gemini := hostNamed(t, "gemini")
	all, err = gemini.EntriesInPlugins(m, "vademecum")
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	if l := gemini.PlanLaunch(m, all[0]); l.Program != at(".gemini/extensions/vademecum/vademecum") || l.Args[1] != "/notes" {
		t.Errorf("an extension: %+v", l)
	}
	broken := at(".gemini/extensions/another/gemini-extension.json")
	writeText(t, broken, "{")
	if all, err = gemini.EntriesInPlugins(m, "vademecum"); err != nil || len(all) != 1 {
		t.Errorf("somebody else's extension is broken: %+v, %v", all, err)
	}
	writeText(t, at(".gemini/extensions/vademecum/gemini-extension.json"), "{")
	if all, err = gemini.EntriesInPlugins(m, "vademecum"); err == nil || len(all) != 0 || strings.Contains(err.Error(), broken) {
		t.Errorf("our extension is broken: %+v, %v", all, err)
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	write(t, path, []byte(text))
}
