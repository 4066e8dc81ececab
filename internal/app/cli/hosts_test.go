package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vademecum/internal/app/hosts"
)

// machineWith returns a machine with files in its home directory.
func machineWith(t *testing.T, files map[string]string) hosts.Machine {
	t.Helper()
	home := t.TempDir()
	for path, text := range files {
		path = filepath.Join(home, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	none := func(string) string { return "" }
	return hosts.Machine{GOOS: "linux", HomeDir: home, EnvironmentVariable: none, FindCommand: none}
}

func hostNamed(t *testing.T, name string) hosts.Host {
	t.Helper()
	h, ok := hosts.FindHost(name)
	if !ok {
		t.Fatal(name)
	}
	return h
}

// TestStates checks that the entries of a host are listed even if one of its files is damaged, and
// without the secrets in their URLs.
func TestStates(t *testing.T) {
	m := machineWith(t, map[string]string{
		".claude.json":          `{"mcpServers": {"vademecum": {"type": "http", "url": "http://user:hunter2@h/mcp?token=hunter2"}, "vademecum-2": {"command": "vademecum", "args": ["connect", "http://user:hunter2@h/kb/mcp"]}}}`,
		".claude/settings.json": "{",
	})
	got := new(program).entryStates(m, hostNamed(t, "claude-code"), "vademecum")
	if len(got) != 3 || got[0] != "vademecum: http://h/mcp" || got[1] != "vademecum-2: http://h/kb/mcp" || !strings.Contains(got[2], "settings.json does not parse") {
		t.Errorf("%q", got)
	}
	if got = new(program).entryStates(m, hostNamed(t, "cursor"), "vademecum"); len(got) != 1 || got[0] != "not in it" {
		t.Errorf("%q", got)
	}
}

// TestReplacedHasNoSecret checks that neither the description of a replaced entry nor the command
// that keeps both contains a secret in the URL.
func TestReplacedHasNoSecret(t *testing.T) {
	for _, was := range []string{
		`{"url": "http://user:hunter2@was.example.org/mcp"}`,
		`{"url": "http://was.example.org/mcp?token=hunter2"}`,
		`{"command": "/v", "args": ["connect", "http://user:hunter2@was.example.org/mcp"]}`,
		`{"command": "/v", "args": ["serve", "--store", "postgres://user:hunter2@was.example.org/kb"]}`,
	} {
		m := machineWith(t, map[string]string{".cursor/mcp.json": `{"mcpServers": {"vademecum": ` + was + `}}`})
		for _, s := range []hosts.Server{
			{EntryName: "vademecum", Program: "/opt/vademecum", Args: []string{"serve", m.HomeDir}},
			{EntryName: "vademecum", URL: "http://now.example.org/mcp"},
		} {
			h, p := hostNamed(t, "cursor"), new(program)
			edit, err := h.PlanAddEdit(m, s)
			if err != nil || !p.tellReplaced(h, edit, s) {
				t.Fatalf("it replaces nothing: %v", err)
			}
			if said := p.out.String(); !strings.Contains(said, "was.example.org") || strings.Contains(said, "hunter2") || strings.Contains(said, "for both") {
				t.Errorf("%s: %s", was, said)
			}
		}
	}
	h, p := hostNamed(t, "cursor"), new(program)
	m := machineWith(t, map[string]string{".cursor/mcp.json": `{"mcpServers": {"vademecum": {"url": "http://was.example.org/mcp"}}}`})
	s := hosts.Server{EntryName: "vademecum", URL: "http://now.example.org/mcp"}
	if edit, err := h.PlanAddEdit(m, s); err != nil || !p.tellReplaced(h, edit, s) || !strings.Contains(p.out.String(), "install cursor --url http://was.example.org/mcp --name vademecum-2") {
		t.Errorf("%v: %s", err, p.out.String())
	}
}

// TestInstallEverywhereIsInterrupted checks that no further hosts are changed after an
// interruption.
func TestInstallEverywhereIsInterrupted(t *testing.T) {
	m := machineWith(t, map[string]string{".cursor/mcp.json": "{}", ".lmstudio/mcp.json": "{}"})
	o := installOptions{name: "vademecum", url: "http://h/mcp"}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := new(program).installInAllHosts(ctx, m, o); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	files := []string{".cursor/mcp.json", ".lmstudio/mcp.json"}
	for _, file := range files {
		if text, err := os.ReadFile(filepath.Join(m.HomeDir, file)); err != nil || string(text) != "{}" {
			t.Errorf("%s: %s, %v", file, text, err)
		}
	}
	if err := new(program).installInAllHosts(t.Context(), m, o); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if text, err := os.ReadFile(filepath.Join(m.HomeDir, file)); err != nil || !strings.Contains(string(text), o.url) {
			t.Errorf("%s: %s, %v", file, text, err)
		}
	}
}

// TestFlagsForHosts checks that the page makes hosts serve like the command that serves the page.
func TestFlagsForHosts(t *testing.T) {
	for _, args := range [][]string{
		{"open", "--ocr", "off", "--index", "x.db", "--log-level=debug", "--no-browser", "notes"},
		{"serve", "--http=127.0.0.1:0", "--index=x.db", "notes", "--results", "text", "--ocr=off"},
	} {
		file, err := filepath.Abs("x.db")
		p := new(program)
		command, rest, errFound := p.rootCommand().Find(args)
		if err := errors.Join(errFound, command.ParseFlags(rest)); err != nil {
			t.Fatal(err)
		}
		p.flags = command.Flags()
		if got := p.flagsForHosts(); err != nil || !slices.Equal(got, []string{"--index", file, "--ocr", "off"}) {
			t.Errorf("%q: %q, %v", args, got, err)
		}
	}
}

// TestMergedWithEntry checks that a server for the folders of an entry and of the page has the
// flags of both, if that is possible.
func TestMergedWithEntry(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	a, b := t.TempDir(), t.TempDir()
	p := &program{stderr: &progressWriter{out: os.Stderr}}
	now := []string{"serve", b, "--ocr", "off"}
	got := p.mergedWithEntry(hosts.InstalledEntry{Program: "/v", Args: []string{"serve", a, "--embed", "builtin"}}, now)
	if want := []string{"serve", a, b, "--embed", "builtin", "--ocr", "off"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, entry := range []hosts.InstalledEntry{{URL: "http://h/mcp"}, {Program: "npx", Args: []string{"-y", "x"}}, {Program: "/v", Args: []string{"serve", filepath.Join(a, "gone")}}} {
		if got := p.mergedWithEntry(entry, now); got != nil {
			t.Errorf("%v: %q", entry, got)
		}
	}
}
