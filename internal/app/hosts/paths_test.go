package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPathsByEnvironment checks the variables that determine paths of files, and the separate file
// of the Claude Desktop from the Windows store.
func TestPathsByEnvironment(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "local", "Packages", "Claude_pzs8sxrjxfjjc"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{
		"XDG_CONFIG_HOME": filepath.Join(home, "xdg"), "APPDATA": filepath.Join(home, "roaming"), "LOCALAPPDATA": filepath.Join(home, "local"),
		"CLAUDE_CONFIG_DIR": filepath.Join(home, "claude"), "CODEX_HOME": filepath.Join(home, "codex"), "CLINE_DIR": filepath.Join(home, "cline"),
		"COPILOT_HOME": filepath.Join(home, "copilot"), "PI_CODING_AGENT_DIR": filepath.Join(home, "pi"),
		"GEMINI_CLI_HOME": filepath.Join(home, "gemini"), "QWEN_HOME": filepath.Join(home, "qwen"),
	}
	want := map[string]string{
		"windows claude-desktop": "local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json",
		"linux claude-desktop":   "xdg/Claude/claude_desktop_config.json",
		"darwin claude-desktop":  "Library/Application Support/Claude/claude_desktop_config.json",
		"linux claude-code":      "claude/.claude.json",
		"linux codex":            "codex/config.toml",
		"linux cline-cli":        "cline/data/settings/cline_mcp_settings.json",
		"linux copilot-cli":      "copilot/mcp-config.json",
		"linux pi":               "pi/mcp.json",
		"linux kilo":             "xdg/kilo/kilo.json",
		"linux crush":            "xdg/crush/crush.json",
		"linux gemini":           "gemini/.gemini/settings.json",
		"linux qwen":             "qwen/settings.json",
		"linux zed":              "xdg/zed/settings.json",
		"windows zed":            "roaming/Zed/settings.json",
		"windows vscode":         "roaming/Code/User/mcp.json",
		"windows goose":          "roaming/Block/goose/config/config.yaml",
	}
	for place, path := range want {
		system, name, _ := strings.Cut(place, " ")
		h, ok := FindHost(name)
		m := Machine{GOOS: system, HomeDir: home, EnvironmentVariable: func(name string) string { return env[name] }, FindCommand: func(string) string { return "" }}
		if got, err := filepath.Rel(home, h.ConfigFile(m)); !ok || err != nil || filepath.ToSlash(got) != path {
			t.Errorf("%s: %s, %v", place, got, err)
		}
	}
}

// TestSecondFile checks that of two files that a host reads the existing one is used.
func TestSecondFile(t *testing.T) {
	h, _ := FindHost("opencode")
	m := linux(t)
	second := filepath.Join(m.HomeDir, ".config", "opencode", "opencode.jsonc")
	write(t, second, []byte("{}"))
	if got := h.ConfigFile(m); got != second {
		t.Error(got)
	}
}

func TestNamed(t *testing.T) {
	for given, want := range map[string]string{"Claude Desktop": "claude-desktop", "VSCode": "vscode", "vs-code": "vscode", "lmstudio": "lm-studio", "gemini-cli": "gemini", "code": "vscode", "Qwen_Code": "qwen"} {
		if h, ok := FindHost(given); !ok || h.ID != want {
			t.Errorf("%s: %s", given, h.ID)
		}
	}
	if h, ok := FindHost("emacs"); ok {
		t.Error(h.ID)
	}
}

// TestIsHere checks that a host is found by its file, by the folder of that unless it is the home
// directory, or by its command.
func TestIsHere(t *testing.T) {
	cursor, _ := FindHost("cursor")
	claude, _ := FindHost("claude-code")
	m := linux(t)
	if cursor.IsInstalled(m) || claude.IsInstalled(m) {
		t.Error("they are in an empty home")
	}
	write(t, filepath.Join(m.HomeDir, ".cursor", "other"), nil)
	if !cursor.IsInstalled(m) || claude.IsInstalled(m) {
		t.Error("the folder of one is there")
	}
	m.FindCommand = func(command string) string { return "/bin/" + command }
	if !claude.IsInstalled(m) {
		t.Error("its command is there")
	}
}

func TestIsTemporary(t *testing.T) {
	home := filepath.Join(string(filepath.Separator)+"home", "ann", "bin", "vademecum")
	for path, want := range map[string]bool{
		filepath.Join(os.TempDir(), "x", "vademecum"): true,
		home: false,
		filepath.Join(home, "go-build123", "b", "main"):   true,
		filepath.Join(os.TempDir()+"er", "bin", "notes"):  false,
		filepath.Join(os.TempDir(), "..", "vademecum-is"): false,
	} {
		if got := IsTemporaryPath(path); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}
