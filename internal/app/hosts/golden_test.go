package hosts

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Servers with which the golden files are made.
var (
	notes = Server{EntryName: "vademecum", Program: "/opt/vademecum", Args: []string{"serve", "/notes"}}
	both  = Server{EntryName: "vademecum", Program: "/opt/vademecum", Args: []string{"serve", "/notes", "/a b/论文", "--embed", "openai:text-embedding-3-small"}, VariableNames: []string{"OPENAI_API_KEY", "XDG_CACHE_HOME"}}
	away  = Server{EntryName: "vademecum", Program: "/opt/vademecum", URL: "https://example.org/mcp?a=1&b=2"}
	asks  = Server{EntryName: "vademecum", Program: "/opt/vademecum", URL: "https://example.org/mcp", TokenVariable: "VADEMECUM_TOKEN"}
)

// foreign returns a configuration with comments and other servers.
func foreign(h Host) []byte {
	text := map[format]string{
		jsonFormat{}: `// mine
{
    "theme": "dark", // at night
    "KEY": {
        /* not to be touched */
        "other": {"command": "npx", "args": ["-y", "a,b"], "env": {"KEY": "s{e}cret"}} // last
    },
    "numbers": [1, 2.50, 1e3, 12345678901234567890]
}
`,
		tomlFormat{}: `# mine
model = "gpt-5" # at night

[KEY.other] # not to be touched
command = "npx"
args = ["-y", "a,b"]

# these are
[profiles."a.b"]
numbers = [1, 2.50, 0x10, 1979-05-27]
text = """
[KEY.vademecum]
"""
`,
		yamlFormat{}: `# mine
theme: dark   # at night

KEY:

  # not to be touched
  other:
    cmd: npx
    args: ["-y", 'a,b']

  # last
numbers: [1, 2.50, 0x10]
text: |
  KEY:
    vademecum:
`,
		yamlFormat{list: true}: `# mine
theme: dark   # at night

KEY:
- name: other   # not to be touched
  command: npx
  args: ["-y", 'a,b']

# last
numbers: [1, 2.50, 0x10]
`,
	}[h.format]
	if strictness[h.ID].comments {
		text = regexp.MustCompile(`(?m)^ *(//|/\*).*\n| +//.*$`).ReplaceAllString(text, "")
	}
	return []byte(strings.ReplaceAll(text, "KEY", h.key))
}

// withFile runs a test for each host that has a configuration file.
func withFile(t *testing.T, test func(*testing.T, Host)) {
	for _, h := range KnownHosts {
		if h.files != nil {
			t.Run(h.ID, func(t *testing.T) {
				t.Parallel()
				test(t, h)
			})
		}
	}
}

// TestGolden compares with golden files where the file of each host is and how it is edited.
func TestGolden(t *testing.T) {
	for _, h := range KnownHosts {
		t.Run(h.ID, func(t *testing.T) {
			var all txtar.Archive
			add := func(name, text string) {
				all.Files = append(all.Files, txtar.File{Name: name, Data: []byte(strings.TrimRight(text, "\n") + "\n")})
			}
			add("where", where(h))
			edit := func(title string, raw []byte, s Server) []byte {
				t.Helper()
				entry, err := h.newEntry(s)
				if err != nil {
					add(title, "refused: "+err.Error())
					return nil
				}
				after, err := h.fileWithEntry(raw, s.EntryName, entry)
				if err != nil {
					t.Fatalf("%s: %v", title, err)
				}
				add(title, string(after))
				return after
			}
			if h.files != nil {
				edit("empty", nil, notes)
				edit("two folders, a model with a key", nil, both)
				edit("at a URL", nil, away)
				edit("at a URL that asks for a token", nil, asks)
				add("foreign, before", string(foreign(h)))
				edit("foreign, after", foreign(h), notes)
			}
			add("what is left to do for a token", h.TokenAdvice(machines("/home/ann")[0], asks).String())
			if own, _ := h.OwnCommands(asks); own != nil {
				add("own command", strings.Join(own, "\n"))
			}
			for _, s := range []Server{both, away, asks} {
				if link, err := h.InstallLink(s); err == nil && link != "" {
					add("link", link)
				}
				if link, err := h.WebInstallLink(s); err == nil && link != "" {
					add("link for web pages", link)
				}
			}
			golden(t, filepath.Join("testdata", "golden", h.ID+".txtar"), txtar.Format(&all))
		})
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n")); !bytes.Equal(got, want) {
		t.Errorf("%s differs; -update writes it anew\ngot:\n%s\nwant:\n%s", file, got, want)
	}
}

// where lists the files of a host on the three systems.
func where(h Host) string {
	var out strings.Builder
	for _, m := range machines("/home/ann") {
		file := "none"
		if h.files != nil {
			file = filepath.ToSlash(h.ConfigFile(m))
		}
		out.WriteString(m.GOOS + ": " + file + "\n")
	}
	return out.String()
}

// machines returns a machine for each of the three systems, without environment variables.
func machines(home string) (all []Machine) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		all = append(all, Machine{
			GOOS: system, HomeDir: home,
			EnvironmentVariable: func(string) string { return "" },
			FindCommand:         func(string) string { return "" },
		})
	}
	return all
}
