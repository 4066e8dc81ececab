package cli

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"vademecum/internal/base/message"
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
		"create them with vademecum store migrate":       "create them with /opt/v$1 store migrate",
		"did you mean x? vademecum --help shows all":     "did you mean x? /opt/v$1 --help shows all",
		"an older vademecum has it in use":               "an older vademecum has it in use",
		"folder /srv/vademecum index":                    "folder /srv/vademecum index",
		"my-vademecum index":                             "my-vademecum index",
		"vademecum indexes":                              "vademecum indexes",
		"vademecum: vademecum store vacuum creates it":   "vademecum: /opt/v$1 store vacuum creates it",
		`"vademecum install" writes it (vademecum open)`: `"/opt/v$1 install" writes it (/opt/v$1 open)`,
		"要提问：vademecum search a，vademecum serve a":       "要提问：/opt/v$1 search a，/opt/v$1 serve a",
		"（vademecum help commands）":                      "（/opt/v$1 help commands）",
		"vademecum index FOLDER reads it":                "/opt/v$1 index 'my notes' --index a.db reads it",
		"vademecum install HOST FOLDER adds it":          "/opt/v$1 install HOST 'my notes' --index a.db adds it",
		"vademecum index FOLDERS":                        "/opt/v$1 index FOLDERS",
	} {
		if got := typeableCommandsAs("/opt/v$1", "'my notes' --index a.db", text); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
	if got := typeableCommandsAs("vademecum", "", "vademecum index FOLDER reads it"); got != "vademecum index FOLDER reads it" {
		t.Errorf("without a folder it is %s", got)
	}
}

// TestTypeableNames checks that names in a message stay as they are.
func TestTypeableNames(t *testing.T) {
	p := program{chosenLanguage: message.English, target: "50%/notes"}
	m := message.New("%s: not indexed: %v", "vademecum index.md", message.New("vademecum index FOLDER reads it"))
	if got, want := p.translate(m), "vademecum index.md: not indexed: "+programName()+" index 50%/notes reads it"; got != want {
		t.Errorf("it says %s, want %s", got, want)
	}
}

// TestTypeableCommands checks that the pattern contains all commands.
func TestTypeableCommands(t *testing.T) {
	for _, c := range new(program).rootCommand().Commands() {
		if got := typeableCommandsAs("v", "", "vademecum "+c.Name()); got != "v "+c.Name() {
			t.Errorf("%s is not known", c.Name())
		}
	}
	if got := typeableCommandsAs("v", "", "vademecum help"); got != "v help" {
		t.Errorf("help is not known")
	}
}
