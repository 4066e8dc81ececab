package ignore

import (
	"strings"
	"testing"
)

// TestFilledFolders: a name that people use, too, counts only with all of its files, and where a
// file is one of these is known.
func TestFilledFolders(t *testing.T) {
	having := func(files string) HasFileFunc {
		return func(dir, name string) bool {
			return strings.Contains(" "+files+" ", " "+dir+"/"+name+" ")
		}
	}
	for _, tt := range []struct {
		dir, files string
		want       bool
	}{
		{"a/node_modules", "", true}, {"CVS", "", false}, {"CVS", "CVS/Root", false}, {"CVS", "CVS/Root CVS/Entries", true}, {"a/CVS", "CVS/Root CVS/Entries", false},
		{"venv", "", false}, {"a/venv", "a/venv/pyvenv.cfg", true}, {"vendor", "", false},
	} {
		if got := (*RuleSet)(nil).Excludes(tt.dir, true, having(tt.files)); got != tt.want {
			t.Errorf("%s with %s: %v", tt.dir, tt.files, got)
		}
	}
	for file, want := range map[string]string{"a/CVS/Root": "a/CVS", "CVS/Entries": "CVS", "venv/pyvenv.cfg": "venv", "Root": "", "a/CVS/x.md": "", "node_modules/Root": ""} {
		if dir, ok := ProgramFilledDir(file); ok != (want != "") || ok && dir != want {
			t.Errorf("%s: %s, %v", file, dir, ok)
		}
	}
}

// TestReadmitted: a line brings in the folders that it names, of which it need not say where they are.
func TestReadmitted(t *testing.T) {
	for line, want := range map[string]bool{
		"!node_modules": true, "!node_modules/": true, "!/a/node_modules/": true, "!**/node_modules/": true, "a/node_modules/": false, "!*/": false, "!node_*": false, "!node_modules/\na/": true,
	} {
		set := (*RuleSet)(nil).ForSubdir(".", []IgnoreFile{{".vademecumignore", line}})
		if r, excluded := set.RuleFor("a/node_modules", true, nil); excluded == want || excluded && r.Kind != FilledByProgram {
			t.Errorf("%s: %v, %+v", line, excluded, r)
		}
	}
	if set := (*RuleSet)(nil).ForSubdir(".", []IgnoreFile{{".gitignore", "!node_modules/"}}); !set.Excludes("node_modules", true, nil) {
		t.Error("what git keeps is read")
	}
}
