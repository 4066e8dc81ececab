package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestProgramNames: a note is called as in the program that keeps it, where that is known to.
func TestProgramNames(t *testing.T) {
	const home, kitchen, salt = "0000000000000000000000000000000a", "0000000000000000000000000000000b", "0000000000000000000000000000000c"
	item := func(title, id, parent string, kind int) string {
		return fmt.Sprintf("%s\n\nid: %s\nparent_id: %s\ntype_: %d", title, id, parent, kind)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"graph/logseq/config.edn":         `{:journal/page-title-format "MMM do, yyyy"}`,
		"graph/pages/Kitchen___Salt.md":   "- Keep it dry.",
		"graph/pages/Pan.md":              "- Iron.",
		"graph/pages/Kitchen___Pepper.md": "alias:: poivre\ntitle:: Black pepper\n\n- Grind it.",
		"graph/journals/2024_03_05.md":    "# Market\n\n- Bought [[Kitchen/Salt]].",
		"other/Kitchen___Salt.md":         "# Salt",
		"other/2024_03_05.md":             "Bought it.",
		"slack/users.json":                `[{"id":"U2","team_id":"T1","profile":{"real_name":"Bo Quay"}}]`,
		"slack/deck/2024-03-05.json":      `[{"type":"message","user":"U2","text":"Ahoy <@U1>","ts":"1709633707.000100"}]`,
		"joplin/" + home + ".md":          item("Home", home, "", 2),
		"joplin/" + kitchen + ".md":       item("Kitchen", kitchen, home, 2),
		"joplin/" + salt + ".md":          item("Salt\n\nKeep it dry.", salt, kitchen, 1),
	} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for path, want := range map[string][]string{
		"graph/pages/Kitchen___Salt.md":   {"Kitchen/Salt", "Kitchen/Salt"},
		"graph/pages/Pan.md":              {"Pan"},
		"graph/pages/Kitchen___Pepper.md": {"Black pepper", "poivre", "Black pepper"},
		"graph/journals/2024_03_05.md":    {"Mar 5th, 2024", "Mar 5th, 2024"},
		"other/Kitchen___Salt.md":         {"Salt"},
		"other/2024_03_05.md":             {"2024_03_05"},
		"joplin/" + salt + ".md":          {"Salt", "Salt", "Home/Kitchen/Salt"},
	} {
		raw, err := f.Load(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		d := Document{Title: "Salt", Path: path} // Joplin's is read in a child process
		if raw.names.notebook == "" {
			if d, err = raw.Document(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
		d.addProgramNames(raw.names)
		if got := append([]string{d.Title}, d.Meta.Aliases()...); !slices.Equal(got, want) {
			t.Errorf("%s is called %q, want %q", path, got, want)
		}
	}
	raw, err := f.Load(t.Context(), "slack/deck/2024-03-05.json")
	if err != nil || raw.names.slack["U2"] != "Bo Quay" {
		t.Fatalf("users of Slack are %v, %v", raw.names.slack, err)
	}
	if d, err := raw.Document(t.Context(), nil); err != nil || !strings.Contains(d.Text, "Bo Quay") || strings.Contains(d.Text, "U2") {
		t.Errorf("messages of Slack are read as %q, %v", d.Text, err)
	}
}
