package docs

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestLeftOut: what a scan leaves out silently is told with the rule, and nothing that
// it lists.
func TestLeftOut(t *testing.T) {
	f := testFolder(t, map[string]string{
		"a.md": "x", "a/b.log": "x", "a/.gitignore": "*.log\n", ".obsidian/x.md": "x", "node_modules/a/b.md": "x", "~$letter.docx": "x", "p.png": "x",
		"notes.db": "x", "notes.db.lock": "x",
	})
	f.ExcludeIndexes([]string{filepath.Join(f.Dir(), "notes.db")})
	if err := mkfifo(filepath.Join(f.Dir(), "pipe")); err != nil {
		t.Log(err)
	}
	left, err := f.Exclusions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range left {
		got = append(got, fmt.Sprintf("%s %v %s", l.Path, l.IsDir, l.Rule))
	}
	want := `.obsidian true hidden: its name begins with a dot
a/.gitignore false hidden: its name begins with a dot
a/b.log false pattern *.log in a/.gitignore, line 1
node_modules true folder that a program fills
notes.db false belongs to an index of vademecum
notes.db.lock false belongs to an index of vademecum
pipe false device, pipe or socket
~$letter.docx false temporary file of a program or of the system`
	if got := strings.Join(got, "\n"); got != want && got != strings.Replace(want, "pipe false device, pipe or socket\n", "", 1) {
		t.Errorf("left out are\n%s", got)
	}
	if got := strings.Join(scanned(t, f, "."), " "); got != "a.md p.png: not a text format (.png)" {
		t.Errorf("a scan lists %s", got)
	}
}
