package e2e

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// installIn runs install, or another command, with a home of its own.
func installIn(t *testing.T, home string, args ...string) (said string, err error) {
	t.Helper()
	cmd := vademecum(t, args...)
	cmd.Env = append(cmd.Environ(), "HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME=", "APPDATA=", "LOCALAPPDATA=")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// haveHosts puts into a home directory what hosts leave there when they have been started.
func haveHosts(t *testing.T, home string) {
	t.Helper()
	for _, folder := range []string{".cursor", ".gemini", ".qwen", ".codeium/windsurf", ".codex", ".continue", ".config/opencode", ".config/zed", ".config/goose", "Zed", "Block/goose/config"} {
		if err := os.MkdirAll(filepath.Join(home, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, ".claude.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestInstallURL: an entry for a server that requires a token refers to its source, one
// for another server does not, and a URL without its path is not written.
func TestInstallURL(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	token := newToken(t, tokens, "alice")
	asks, open := serveHTTP(t, "--tokens", tokens, ownIndex(t), dir), serveHTTP(t, ownIndex(t), dir)
	for _, s := range []*httpServer{asks, open} {
		home := t.TempDir()
		haveHosts(t, home)
		file := filepath.Join(home, ".cursor", "mcp.json")
		for _, at := range []string{s.url, s.url + "/"} {
			said, err := installIn(t, home, "install", "cursor", "--url", at)
			if _, written := os.Stat(file); err == nil || written == nil || !strings.Contains(said, "hint: did you mean "+s.url+"/mcp?") {
				t.Errorf("%s: %v, %s", at, err, said)
			}
		}
		said, err := installIn(t, home, "install", "cursor", "--url", s.url+"/mcp")
		if err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		written, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		named := strings.Contains(string(written), `"Authorization": "Bearer ${env:VADEMECUM_TOKEN}"`)
		if told := strings.Contains(said, "next: set VADEMECUM_TOKEN to your token"); named != (s == asks) || told != named {
			t.Errorf("%s\n%s", said, written)
		}
	}
	startInstalled(t, asks.url+"/mcp", token)
}

// startInstalled starts the command that a stdio-only host would start, with the token
// where it belongs.
func startInstalled(t *testing.T, at, token string) {
	t.Helper()
	said, err := installIn(t, t.TempDir(), "install", "claude-desktop", "--url", at, "--print")
	if err != nil || !strings.Contains(said, "next: put your token in place of YOUR_TOKEN") {
		t.Fatalf("%v: %s", err, said)
	}
	var file struct {
		McpServers map[string]struct {
			Args []string
			Env  map[string]string
		}
	}
	begin, end := strings.Index(said, "{"), strings.LastIndex(said, "}")
	if err := json.Unmarshal([]byte(strings.Replace(said[begin:end+1], "YOUR_TOKEN", token, 1)), &file); err != nil {
		t.Fatal(err)
	}
	entry := file.McpServers["vademecum"]
	cmd := vademecum(t, entry.Args...)
	for name, value := range entry.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	c, err := connectBy(t, &mcp.CommandTransport{Command: cmd}, overHTTP[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	c.mustTool("list_docs", map[string]any{})
}

// TestHintsCanBeTyped: a program that is not on the PATH writes its commands with its
// path, so that they can be typed.
func TestHintsCanBeTyped(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	notes, path := filepath.Join(dir, "notes"), filepath.Join(dir, "bin", "kb")
	if err := errors.Join(os.Mkdir(notes, 0o700), os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(filepath.Join(notes, "a.md"), []byte("tea"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(exe, path); err != nil {
		t.Skip(err) // Windows requires a privilege
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{notes}, "to ask it: PROGRAM search " + notes + ` "QUESTION", for a host: PROGRAM serve ` + notes},
		{[]string{"serve"}, "hint: PROGRAM serve --help shows how to use it"},
		{[]string{"status", notes}, "none on disk; PROGRAM index " + notes + " creates one"},
		{[]string{"install"}, "note: PROGRAM install HOST FOLDER adds it to a host"},
		{[]string{"search", notes}, "hint: PROGRAM search " + notes + ` "QUESTION"`},
	} {
		cmd := vademecum(t, c.args...)
		cmd.Path, cmd.Args[0] = path, path
		cmd.Env = append(cmd.Env, "HOME="+dir, "USERPROFILE="+dir, "XDG_CACHE_HOME="+dir)
		said, _ := cmd.CombinedOutput()
		if want := strings.ReplaceAll(c.want, "PROGRAM", path); !strings.Contains(string(said), want) {
			t.Errorf("%q says %s, want %s", c.args, said, want)
		}
	}
}
