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
node_modules true folder filled by a program
notes.db false part of an index of vademecum
notes.db.lock false part of an index of vademecum
pipe false device, pipe or socket
~$letter.docx false temporary file of a program or of the system`
	if got := strings.Join(got, "\n"); got != want && got != strings.Replace(want, "pipe false device, pipe or socket\n", "", 1) {
		t.Errorf("left out are\n%s", got)
	}
	if got := strings.Join(scanned(t, f, "."), " "); got != "a.md p.png: not a text format (.png)" {
		t.Errorf("a scan lists %s", got)
	}
}

// TestFoldersOfUnclearName: a folder whose name people use, too, is left out only where it has the
// files of the program that fills it, which are regular ones.
func TestFoldersOfUnclearName(t *testing.T) {
	f := testFolder(t, map[string]string{
		"CVS/heart.md": "x", "CVS/CVS/Entries": "x", "CVS/CVS/Root": "x", "CVS/CVS/x.md": "x", "half/CVS/Root": "x", "half/CVS/Entries/x.md": "x",
		"venv/poem.md": "x", "code/venv/pyvenv.cfg": "x", "code/venv/x.md": "x", "cvs/Entries": "x", "cvs/Root": "x", "node_modules/x.md": "x",
	})
	s, err := f.ScanWithExclusions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.FoldersFilledByPrograms(), " "); got != "CVS/CVS code/venv node_modules" {
		t.Errorf("left out are %s", got)
	}
	for under, want := range map[string]string{
		"CVS": "CVS/heart.md", "CVS/CVS": "", "CVS/CVS/x.md": "", "half/CVS": "half/CVS/Entries/x.md half/CVS/Root", "venv": "venv/poem.md", "code": "", "cvs": "cvs/Entries cvs/Root",
	} {
		if got := strings.Join(scanned(t, f, under), " "); got != want {
			t.Errorf("in %s a scan lists %s, want %s", under, got, want)
		}
	}
}

// TestFoldersReadmitted: a line with the name of a folder that is left out for it has it read, in
// the ignore file of this program alone; one that names all folders has not.
func TestFoldersReadmitted(t *testing.T) {
	f := testFolder(t, map[string]string{
		".vademecumignore": "!venv/\n!/a/node_modules\n*.log\n", "venv/pyvenv.cfg": "x", "venv/x.md": "x", "venv/x.log": "x", "node_modules/x.md": "x", "a/node_modules/x.md": "x",
		"list/.vademecumignore": "*\n!*/\n!*.md\n", "list/node_modules/x.md": "x", "list/x.md": "x", "git/.gitignore": "!CVS/\n", "git/CVS/Root": "x", "git/CVS/Entries": "x",
		"both/.gitignore": "node_modules/\n", "both/.vademecumignore": "!node_modules/\n", "both/node_modules/x.md": "x",
		"deep/.gitignore": "venv/\n", "deep/venv/pyvenv.cfg": "x",
	})
	s, err := f.ScanWithExclusions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.FoldersFilledByPrograms(), " "); got != "deep/venv git/CVS list/node_modules node_modules" {
		t.Errorf("left out are %s", got)
	}
	if got := strings.Join(scanned(t, f, "."), " "); got != "a/node_modules/x.md both/node_modules/x.md list/x.md venv/pyvenv.cfg venv/x.md" {
		t.Errorf("a scan lists %s", got)
	}
}
