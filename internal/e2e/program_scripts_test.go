package e2e

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the scripts with indexes in files.
func TestScripts(t *testing.T) {
	t.Parallel()
	runScripts(t, "")
}

// ofFiles are scripts that are about index files as a whole.
var ofFiles = map[string]string{
	"chinese_commands.txtar": "it looks at index files that are none",
	"damage.txtar":           "it damages the file of an index",
	"doctor.txtar":           "it looks at index files that are damaged, or are none",
}

// onStoresAlike are scripts that would find nothing else with an index in memory: they are about readers,
// the command line and the files of hosts, and start the most processes.
var onStoresAlike = []string{"formats.txtar", "help.txtar", "install.txtar", "model.txtar", "share.txtar", "usage.txtar"}

// TestScriptsInMemory runs the scripts with indexes in the memory of each process. Lines
// about an index on the disk have the condition [disk], and each script says why.
func TestScriptsInMemory(t *testing.T) {
	t.Parallel()
	runScripts(t, "memory")
}

func runScripts(t *testing.T, store string) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) < len(ofFiles) {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	if store != "" {
		scripts = slices.DeleteFunc(scripts, func(s string) bool {
			name := filepath.Base(s)
			return ofFiles[name] != "" || slices.Contains(onStoresAlike, name)
		})
	}
	testscript.Run(t, testscript.Params{
		Files:         scripts,
		UpdateScripts: *update && store == "",
		Condition: func(what string) (bool, error) {
			if what != "disk" {
				return false, fmt.Errorf("no such condition: %s", what)
			}
			return store == "", nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"unhex": unhex,
		},
		Setup: func(env *testscript.Env) error {
			cache := filepath.Join(env.WorkDir, "cache")
			linkEngine(t, cache)
			env.Setenv("XDG_CACHE_HOME", cache) // Linux
			env.Setenv("LocalAppData", cache)   // Windows
			env.Setenv("HOME", env.WorkDir)     // macOS
			env.Setenv("VADEMECUM_STORE", store)
			env.Setenv("GORACE", os.Getenv("GORACE"))
			models := httptest.NewServer(newModelHub(t))
			env.Defer(models.Close)
			env.Setenv("HF_ENDPOINT", models.URL)
			here, err := os.Getwd()
			env.Setenv("SAMPLES", filepath.Join(here, repository, "sample_docs"))
			env.Setenv("FORMATS", filepath.Join(here, "testdata", "formats"))
			return err
		},
	})
}

// exits runs the program and checks its exit code. A last argument ">FILE" receives its output.
// With code 2, stderr must be one line and a hint; with any code but 0, stderr must not be empty.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: exits CODE [ARGUMENT...] [>FILE]")
	}
	want, args := args[0], args[1:]
	run := append([]string{"vademecum"}, args...)
	if file, ok := strings.CutPrefix(run[len(run)-1], ">"); ok {
		run = append([]string{"sh", "-c", `"$@" >` + file, "sh"}, run[:len(run)-1]...)
	}
	err := ts.Exec(run[0], run[1:]...)
	code := 0
	if ended := new(exec.ExitError); errors.As(err, &ended) {
		code = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	said := ts.ReadFile("stderr")
	if strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, want %s", code, want)
	}
	if code == 2 && !mistake.MatchString(said) {
		ts.Fatalf("no line with a hint after it: %q", said)
	}
	if code != 0 && said == "" {
		ts.Fatalf("nothing on stderr")
	}
}

// unhex writes a file with the bytes that another file contains in hexadecimal.
func unhex(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: unhex FROM TO")
	}
	raw, err := hex.DecodeString(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), raw, 0o644))
}

// mistake matches the error for a user's mistake, in English or in Chinese.
var mistake = regexp.MustCompile(`^vademecum(: |：)[^\n]+\n(hint: |提示：)[^\n]+\n$`)
