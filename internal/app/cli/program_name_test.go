package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCalled checks that the program is called by its name if the PATH leads to it, otherwise by
// its path.
func TestCalled(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"here/vademecum", "there/vademecum"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, nil, 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	here, there := filepath.Join(dir, "here", "vademecum"), filepath.Join(dir, "there", "vademecum")
	finds := func(path string) func(string) (string, error) {
		return func(string) (string, error) {
			if path == "" {
				return "", os.ErrNotExist
			}
			return path, nil
		}
	}
	for _, c := range []struct{ path, onPath, want string }{
		{"vademecum", here, "vademecum"},
		{here, here, "vademecum"},
		{here, "", here},
		{here, there, here},
		{filepath.Join(dir, "go-build1", "b001", "exe", "vademecum"), "", "go run ."},
	} {
		if got := invokedName(c.path, finds(c.onPath)); got != c.want {
			t.Errorf("%s with %s on the path is called %s, want %s", c.path, c.onPath, got, c.want)
		}
	}
	t.Chdir(filepath.Join(dir, "here"))
	if got := invokedName("./vademecum", finds("")); !filepath.IsAbs(got) || !isSameFile(got, here) {
		t.Errorf("it is called %s", got)
	}
}

// TestTypeable checks that commands of the program are changed so that they can be typed, and
// nothing else is.
func TestTypeable(t *testing.T) {
	for text, want := range map[string]string{
		"vademecum index notes":                          "/opt/v$1 index notes",
		"to ask: vademecum search a, vademecum serve a":  "to ask: /opt/v$1 search a, /opt/v$1 serve a",
		"make them with vademecum store migrate":         "make them with /opt/v$1 store migrate",
		"did you mean x? vademecum --help shows all":     "did you mean x? /opt/v$1 --help shows all",
		"an older vademecum has it in use":               "an older vademecum has it in use",
		"folder /srv/vademecum index":                    "folder /srv/vademecum index",
		"my-vademecum index":                             "my-vademecum index",
		"vademecum indexes":                              "vademecum indexes",
		"vademecum: vademecum store vacuum makes it":     "vademecum: /opt/v$1 store vacuum makes it",
		`"vademecum install" writes it (vademecum open)`: `"/opt/v$1 install" writes it (/opt/v$1 open)`,
	} {
		if got := typeableCommandsAs("/opt/v$1", text); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

// TestTypeableCommands checks that the pattern contains all commands.
func TestTypeableCommands(t *testing.T) {
	known := strings.Split(commands, "|")
	for _, c := range new(program).rootCommand().Commands() {
		if !slices.Contains(known, c.Name()) {
			t.Errorf("%s is not known", c.Name())
		}
	}
}
