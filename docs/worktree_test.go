package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestIgnoredAbove: ignore files of git count up to the root of the working tree, and
// none of them where they leave out the folder itself.
func TestIgnoredAbove(t *testing.T) {
	for _, c := range []struct {
		name, files, want string
	}{
		{"above", ".git/HEAD= .gitignore=*.log docs/.gitignore=/notes/secret.md|!b.log", "a.md b.log sub/secret.md"},
		{"anchored to the root", ".git/HEAD= .gitignore=docs/notes/sub|/a.md", "a.md b.log c.log secret.md"},
		{"no working tree", ".gitignore=*.md", "a.md b.log c.log secret.md sub/secret.md"},
		{"a working tree below", ".git/HEAD= docs/notes/.git/HEAD= .gitignore=*.md", "a.md b.log c.log secret.md sub/secret.md"},
		{"the end of a working tree", "docs/.git= .gitignore=*.md docs/.gitignore=*.log", "a.md secret.md sub/secret.md"},
		{"the folder itself", ".git/HEAD= .gitignore=docs|*.log", "a.md b.log c.log secret.md sub/secret.md"},
		{"everything", ".git/HEAD= .gitignore=*", "a.md b.log c.log secret.md sub/secret.md"},
		{"one of its own", ".git/HEAD= .gitignore=*.log docs/notes/.gitignore=!c.log", "a.md c.log secret.md sub/secret.md"},
	} {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for file := range strings.FieldsSeq("docs/notes/a.md=x docs/notes/b.log=x docs/notes/c.log=x docs/notes/secret.md=x docs/notes/sub/secret.md=x " + c.files) {
			name, content, _ := strings.Cut(file, "=")
			name = filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(strings.ReplaceAll(content, "|", "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Open(filepath.Join(dir, "docs", "notes"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(scanned(t, f, "."), " "); got != c.want {
			t.Errorf("%s: scanned %q, want %q", c.name, got, c.want)
		}
		f.Close()
	}
}
